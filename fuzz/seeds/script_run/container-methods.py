class Bag(object):
    def __init__(self, *items): self.items = list(items)
    def __len__(self): return len(self.items)
    def __getitem__(self, i): return self.items[i]
    def __setitem__(self, i, v): self.items[i] = v
    def __delitem__(self, i): del self.items[i]
    def __contains__(self, x): return x in self.items
    def __iter__(self): return iter(self.items)
b = Bag(1, 2, 3)
b[0] = 9
del b[1]
print len(b), b[0], b[-1], list(b), 9 in b, 2 in b, bool(b), bool(Bag())
for x in b: print x,
