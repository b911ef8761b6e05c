a, b = set([1, 2, 3]), {3, 4}
print a | b, a & b, a - b, a ^ b, a <= b, {3} < a, 1 in a, len(a)
a.add(9); a.discard(100); a.remove(1); a.update([5, 6])
print sorted(a), a.issuperset([2]), a.isdisjoint([0]), sorted(a.union([0])), frozenset([1]) == set([1])
a -= b
a |= set([77])
print sorted(a)
a.remove(1000)
