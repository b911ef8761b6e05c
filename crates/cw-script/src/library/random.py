# `random` and `getrandbits` are the machine's: the chance of the run.
def seed(a=None):
    pass

def randrange(start, stop=None, step=1):
    items = xrange(start) if stop is None else xrange(start, stop, step)
    if not len(items):
        raise ValueError('empty range for randrange()')
    return items[int(random() * len(items))]

def randint(a, b):
    return randrange(a, b + 1)

def choice(seq):
    return seq[int(random() * len(seq))]

def shuffle(x, random=None):
    draw = random or globals()['random']
    for i in reversed(xrange(1, len(x))):
        j = int(draw() * (i + 1))
        x[i], x[j] = x[j], x[i]

def sample(population, k):
    pool = list(population)
    if not 0 <= k <= len(pool):
        raise ValueError('sample larger than population')
    shuffle(pool)
    return pool[:k]

def uniform(a, b):
    return a + (b - a) * random()
