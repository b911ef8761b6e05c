def add(a, b): return a + b
def sub(a, b): return a - b
def mul(a, b): return a * b
def div(a, b): return a / b
def floordiv(a, b): return a // b
def mod(a, b): return a % b
def neg(a): return -a
def not_(a): return not a
def truth(a): return bool(a)
def and_(a, b): return a & b
def or_(a, b): return a | b
def xor(a, b): return a ^ b
def invert(a): return ~a
def pow(a, b): return a ** b
def eq(a, b): return a == b
def ne(a, b): return a != b
def lt(a, b): return a < b
def le(a, b): return a <= b
def gt(a, b): return a > b
def ge(a, b): return a >= b
def is_(a, b): return a is b
def is_not(a, b): return a is not b
def contains(a, b): return b in a
def concat(a, b): return a + b
def getitem(a, b): return a[b]
def setitem(a, b, c): a[b] = c
def delitem(a, b): del a[b]
def countOf(a, b): return len([x for x in a if x == b])
def indexOf(a, b): return list(a).index(b)

def itemgetter(*items):
    if len(items) == 1:
        item = items[0]
        return lambda obj: obj[item]
    return lambda obj: tuple([obj[item] for item in items])

def _resolve(obj, name):
    for part in name.split('.'):
        obj = getattr(obj, part)
    return obj

def attrgetter(*names):
    if len(names) == 1:
        name = names[0]
        return lambda obj: _resolve(obj, name)
    return lambda obj: tuple([_resolve(obj, name) for name in names])

def methodcaller(name, *args, **kw):
    return lambda obj: getattr(obj, name)(*args, **kw)
