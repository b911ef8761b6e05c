def up(n):
    i = 0
    while i < n:
        yield i
        i += 1
    print 'end'
g = up(3)
print g.next(), next(g), list(g), next(g, 'none')
print sum(x * x for x in up(4)), sorted(up(3), reverse=True)
for a in up(2):
    for b in up(2): print a, b
