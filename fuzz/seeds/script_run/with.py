class M(object):
    def __init__(self, swallow): self.swallow = swallow
    def __enter__(self):
        print 'enter'
        return 'value'
    def __exit__(self, kind, value, trace):
        print 'exit', kind and kind.__name__, value
        return self.swallow
with M(False) as m:
    print m
with M(True):
    raise ValueError('x')
def f():
    with M(False):
        return 'r'
print f()
for i in range(2):
    with M(False):
        continue
with M(False) as a, M(True) as b:
    raise KeyError('k')
