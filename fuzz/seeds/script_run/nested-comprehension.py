print [(x, y) for x in range(3) if x for y in 'ab' if y != 'a' or x == 2], [[c for c in w] for w in ('ab', 'c')]
print sorted({k: v for k, v in zip('abc', range(3))}.items()), sorted({x % 3 for x in range(10)}), list(x for x in [1, 2] if x > 1)
