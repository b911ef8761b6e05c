class defaultdict(dict):
    def __init__(self, default_factory=None, *args, **kw):
        if default_factory is not None and not callable(default_factory):
            raise TypeError('first argument must be callable')
        self.default_factory = default_factory
        dict.__init__(self, *args, **kw)
    def __missing__(self, key):
        if self.default_factory is None:
            raise KeyError(key)
        self[key] = value = self.default_factory()
        return value
    def __repr__(self):
        return 'defaultdict(%r, %s)' % (self.default_factory, dict.__repr__(self))
    def copy(self):
        return defaultdict(self.default_factory, self)

class OrderedDict(dict):
    def __init__(self, *args, **kw):
        if len(args) > 1:
            raise TypeError('expected at most 1 arguments, got %d' % len(args))
        self._order = []
        self.update(*args, **kw)
    def __setitem__(self, key, value):
        if not dict.__contains__(self, key):
            self._order.append(key)
        dict.__setitem__(self, key, value)
    def __delitem__(self, key):
        dict.__delitem__(self, key)
        self._order.remove(key)
    def __iter__(self):
        return iter(list(self._order))
    def __reversed__(self):
        return iter(self._order[::-1])
    def clear(self):
        self._order = []
        for key in dict.keys(self):
            dict.__delitem__(self, key)
    def keys(self):
        return list(self._order)
    def values(self):
        return [self[key] for key in self._order]
    def items(self):
        return [(key, self[key]) for key in self._order]
    def iterkeys(self):
        return iter(self.keys())
    def itervalues(self):
        return iter(self.values())
    def iteritems(self):
        return iter(self.items())
    def update(self, *args, **kw):
        if args:
            other = args[0]
            if hasattr(other, 'keys'):
                for key in other.keys():
                    self[key] = other[key]
            else:
                for key, value in other:
                    self[key] = value
        for key in kw:
            self[key] = kw[key]
    def setdefault(self, key, default=None):
        if key in self:
            return self[key]
        self[key] = default
        return default
    def pop(self, key, *default):
        if key in self:
            value = self[key]
            del self[key]
            return value
        if default:
            return default[0]
        raise KeyError(key)
    def popitem(self, last=True):
        if not self._order:
            raise KeyError('dictionary is empty')
        key = self._order[-1] if last else self._order[0]
        value = self.pop(key)
        return key, value
    def copy(self):
        return OrderedDict(self.items())
    def __repr__(self):
        if not self._order:
            return 'OrderedDict()'
        return 'OrderedDict(%r)' % (self.items(),)
    def __eq__(self, other):
        if isinstance(other, OrderedDict):
            return self.items() == other.items()
        return dict.__eq__(self, other)
    def __ne__(self, other):
        return not self == other

class Counter(dict):
    def __init__(self, iterable=None, **kw):
        self.update(iterable, **kw)
    def __missing__(self, key):
        return 0
    def update(self, iterable=None, **kw):
        if iterable is not None:
            if isinstance(iterable, dict):
                for key in iterable:
                    self[key] = self.get(key, 0) + iterable[key]
            else:
                for key in iterable:
                    self[key] = self.get(key, 0) + 1
        for key in kw:
            self[key] = self.get(key, 0) + kw[key]
    def subtract(self, iterable=None, **kw):
        if iterable is not None:
            if isinstance(iterable, dict):
                for key in iterable:
                    self[key] = self.get(key, 0) - iterable[key]
            else:
                for key in iterable:
                    self[key] = self.get(key, 0) - 1
        for key in kw:
            self[key] = self.get(key, 0) - kw[key]
    def most_common(self, n=None):
        ordered = sorted(self.items(), key=lambda pair: pair[1], reverse=True)
        return ordered if n is None else ordered[:n]
    def elements(self):
        for key in self:
            for _ in range(self[key]):
                yield key
    def copy(self):
        return Counter(self)
    def __delitem__(self, key):
        if key in self:
            dict.__delitem__(self, key)
    def __repr__(self):
        if not self:
            return 'Counter()'
        return 'Counter({%s})' % ', '.join('%r: %r' % pair for pair in self.most_common())
    def __add__(self, other):
        result = Counter()
        for key in self:
            count = self[key] + other[key]
            if count > 0:
                result[key] = count
        for key in other:
            if key not in self and other[key] > 0:
                result[key] = other[key]
        return result
    def __sub__(self, other):
        result = Counter()
        for key in self:
            count = self[key] - other[key]
            if count > 0:
                result[key] = count
        for key in other:
            if key not in self and other[key] < 0:
                result[key] = 0 - other[key]
        return result
    def __or__(self, other):
        result = Counter()
        for key in self:
            count = max(self[key], other[key])
            if count > 0:
                result[key] = count
        for key in other:
            if key not in self and other[key] > 0:
                result[key] = other[key]
        return result
    def __and__(self, other):
        result = Counter()
        for key in self:
            count = min(self[key], other[key])
            if count > 0:
                result[key] = count
        return result

def namedtuple(typename, field_names, verbose=False, rename=False):
    if isinstance(field_names, basestring):
        field_names = field_names.replace(',', ' ').split()
    fields = tuple(map(str, field_names))
    seen = set()
    for name in (typename,) + fields:
        if not name or not all(c.isalnum() or c == '_' for c in name):
            raise ValueError('Type names and field names can only contain alphanumeric characters and underscores: %r' % name)
        if name[0].isdigit():
            raise ValueError('Type names and field names cannot start with a number: %r' % name)
    for name in fields:
        if name.startswith('_'):
            raise ValueError('Field names cannot start with an underscore: %r' % name)
        if name in seen:
            raise ValueError('Encountered duplicate field name: %r' % name)
        seen.add(name)
    def new(cls, *args, **kw):
        values = list(args)
        if len(values) > len(fields):
            raise TypeError('__new__() takes exactly %d arguments (%d given)' % (len(fields) + 1, len(values) + len(kw) + 1))
        for name in fields[len(values):]:
            if name not in kw:
                raise TypeError('__new__() takes exactly %d arguments (%d given)' % (len(fields) + 1, len(args) + len(kw) + 1))
            values.append(kw.pop(name))
        for name in kw:
            if name in fields:
                raise TypeError("__new__() got multiple values for keyword argument '%s'" % name)
            raise TypeError("__new__() got an unexpected keyword argument '%s'" % name)
        return tuple.__new__(cls, values)
    def show(self):
        return '%s(%s)' % (typename, ', '.join('%s=%r' % (name, self[at]) for at, name in enumerate(fields)))
    def make(cls, iterable):
        values = tuple(iterable)
        if len(values) != len(fields):
            raise TypeError('Expected %d arguments, got %d' % (len(fields), len(values)))
        return tuple.__new__(cls, values)
    def replace(self, **kw):
        values = [kw.pop(name, self[at]) for at, name in enumerate(fields)]
        if kw:
            raise ValueError('Got unexpected field names: %r' % kw.keys())
        return make(made, values)
    def asdict(self):
        return OrderedDict(zip(fields, self))
    names = {'__new__': new, '__repr__': show, '_make': classmethod(make), '_replace': replace, '_asdict': asdict, '_fields': fields}
    def getter(at):
        return property(lambda self: self[at])
    for at, name in enumerate(fields):
        names[name] = getter(at)
    made = type(typename, (tuple,), names)
    return made
