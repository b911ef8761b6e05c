reduce = reduce

class partial(object):
    def __init__(self, func, *args, **keywords):
        self.func = func
        self.args = args
        self.keywords = keywords or None
    def __call__(self, *args, **keywords):
        named = dict(self.keywords or {})
        named.update(keywords)
        return self.func(*(self.args + args), **named)

def update_wrapper(wrapper, wrapped):
    wrapper.__name__ = wrapped.__name__
    return wrapper

def wraps(wrapped):
    return lambda wrapper: update_wrapper(wrapper, wrapped)

def cmp_to_key(mycmp):
    class K(object):
        def __init__(self, obj):
            self.obj = obj
        def __lt__(self, other):
            return mycmp(self.obj, other.obj) < 0
        def __gt__(self, other):
            return mycmp(self.obj, other.obj) > 0
        def __eq__(self, other):
            return mycmp(self.obj, other.obj) == 0
        def __le__(self, other):
            return mycmp(self.obj, other.obj) <= 0
        def __ge__(self, other):
            return mycmp(self.obj, other.obj) >= 0
        def __ne__(self, other):
            return mycmp(self.obj, other.obj) != 0
    return K
