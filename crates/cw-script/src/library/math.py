pi = 3.141592653589793
e = 2.718281828459045

def factorial(x):
    if x < 0:
        raise ValueError("factorial() not defined for negative values")
    return reduce(lambda a, b: a * b, range(1, int(x) + 1), 1)

def fsum(items):
    return sum(items, 0.0)

def isnan(x):
    return x != x

def isinf(x):
    return x in (float("inf"), -float("inf"))

def modf(x):
    whole = float(trunc(x))
    return (x - whole, whole)

def copysign(x, y):
    return abs(x) if y >= 0 and str(y)[0] != "-" else -abs(x)
