def count(start=0, step=1):
    n = start
    while True:
        yield n
        n += step

def cycle(iterable):
    saved = []
    for element in iterable:
        yield element
        saved.append(element)
    while saved:
        for element in saved:
            yield element

def repeat(object, times=None):
    if times is None:
        while True:
            yield object
    else:
        for i in xrange(times):
            yield object

def chain(*iterables):
    for it in iterables:
        for element in it:
            yield element

def _from_iterable(iterables):
    for it in iterables:
        for element in it:
            yield element

chain.from_iterable = _from_iterable

def compress(data, selectors):
    return iter([d for d, s in zip(data, selectors) if s])

def dropwhile(predicate, iterable):
    iterable = iter(iterable)
    for x in iterable:
        if not predicate(x):
            yield x
            break
    for x in iterable:
        yield x

def takewhile(predicate, iterable):
    for x in iterable:
        if predicate(x):
            yield x
        else:
            break

def groupby(iterable, key=None):
    current = []
    first = True
    last = None
    for item in iterable:
        k = item if key is None else key(item)
        if first or k != last:
            if not first:
                yield last, iter(current)
            first = False
            last = k
            current = []
        current.append(item)
    if not first:
        yield last, iter(current)

def ifilter(predicate, iterable):
    for x in iterable:
        if (x if predicate is None else predicate(x)):
            yield x

def ifilterfalse(predicate, iterable):
    for x in iterable:
        if not (x if predicate is None else predicate(x)):
            yield x

def imap(function, *iterables):
    iterables = map(iter, iterables)
    while True:
        args = [next(it) for it in iterables]
        if function is None:
            yield tuple(args)
        else:
            yield function(*args)

def starmap(function, iterable):
    for args in iterable:
        yield function(*args)

def izip(*iterables):
    iterators = map(iter, iterables)
    while iterators:
        yield tuple([next(it) for it in iterators])

def izip_longest(*args, **kwds):
    fill = kwds.get('fillvalue')
    lists = map(list, args)
    for at in xrange(max([len(each) for each in lists] or [0])):
        yield tuple([each[at] if at < len(each) else fill for each in lists])

def islice(iterable, *args):
    s = slice(*args)
    start, stop, step = s.start or 0, s.stop, s.step or 1
    at = 0
    for element in iterable:
        if stop is not None and at >= stop:
            break
        if at >= start and (at - start) % step == 0:
            yield element
        at += 1
        if stop is not None and at >= stop:
            break

def tee(iterable, n=2):
    items = list(iterable)
    return tuple([iter(items) for i in range(n)])

def product(*args, **kwds):
    pools = map(tuple, args) * kwds.get('repeat', 1)
    result = [[]]
    for pool in pools:
        result = [x + [y] for x in result for y in pool]
    for prod in result:
        yield tuple(prod)

def permutations(iterable, r=None):
    pool = tuple(iterable)
    n = len(pool)
    r = n if r is None else r
    if r > n:
        return
    indices = range(n)
    cycles = range(n, n - r, -1)
    yield tuple([pool[i] for i in indices[:r]])
    while n:
        for i in reversed(range(r)):
            cycles[i] -= 1
            if cycles[i] == 0:
                indices[i:] = indices[i + 1:] + indices[i:i + 1]
                cycles[i] = n - i
            else:
                j = cycles[i]
                indices[i], indices[-j] = indices[-j], indices[i]
                yield tuple([pool[i] for i in indices[:r]])
                break
        else:
            return

def combinations(iterable, r):
    pool = tuple(iterable)
    n = len(pool)
    if r > n:
        return
    indices = range(r)
    yield tuple([pool[i] for i in indices])
    while True:
        for i in reversed(range(r)):
            if indices[i] != i + n - r:
                break
        else:
            return
        indices[i] += 1
        for j in range(i + 1, r):
            indices[j] = indices[j - 1] + 1
        yield tuple([pool[i] for i in indices])

def combinations_with_replacement(iterable, r):
    pool = tuple(iterable)
    n = len(pool)
    if not n and r:
        return
    indices = [0] * r
    yield tuple([pool[i] for i in indices])
    while True:
        for i in reversed(range(r)):
            if indices[i] != n - 1:
                break
        else:
            return
        indices[i:] = [indices[i] + 1] * (r - i)
        yield tuple([pool[i] for i in indices])
