a = [3, 1, 2]
a.append(4); a.extend([5, 6]); a.insert(0, 0); a.insert(-1, 9); a.remove(9)
print a, a.pop(), a.pop(0), a.index(1), a.count(1)
a.sort(); print a
a.reverse(); print a
a.sort(key=lambda x: -x); print a
a.sort(cmp=lambda x, y: cmp(y, x)); print a
a.sort(reverse=True); print a
print a[1:3], a[::-1], a[::2], a[-2:], a[10:], a * 2, [0] * 3, a + [7]
