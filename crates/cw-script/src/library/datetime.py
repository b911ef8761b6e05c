import time as _time

MINYEAR = 1
MAXYEAR = 9999

class timedelta(object):
    def __init__(self, days=0, seconds=0, microseconds=0, milliseconds=0, minutes=0, hours=0, weeks=0):
        total = ((days + weeks * 7) * 86400 + hours * 3600 + minutes * 60 + seconds) * 1000000 + milliseconds * 1000 + microseconds
        total = int(round(total))
        self._total = total
        self.days = total // 86400000000
        rest = total - self.days * 86400000000
        self.seconds = rest // 1000000
        self.microseconds = rest % 1000000
    def total_seconds(self):
        return self._total / 1000000.0
    def __cmp__(self, other):
        return cmp(self._total, other._total)
    def __hash__(self):
        return hash(self._total)
    def __add__(self, other):
        if isinstance(other, timedelta):
            return timedelta(microseconds=self._total + other._total)
        return other + self
    def __sub__(self, other):
        return timedelta(microseconds=self._total - other._total)
    def __neg__(self):
        return timedelta(microseconds=-self._total)
    def __mul__(self, n):
        return timedelta(microseconds=self._total * n)
    __rmul__ = __mul__
    def __div__(self, n):
        return timedelta(microseconds=self._total // n)
    def __abs__(self):
        return timedelta(microseconds=abs(self._total))
    def __nonzero__(self):
        return self._total != 0
    def __str__(self):
        text = '%d:%02d:%02d' % (self.seconds // 3600, self.seconds // 60 % 60, self.seconds % 60)
        if self.days:
            text = '%d day%s, %s' % (self.days, '' if abs(self.days) == 1 else 's', text)
        if self.microseconds:
            text += '.%06d' % self.microseconds
        return text
    def __repr__(self):
        if self.microseconds:
            return 'datetime.timedelta(%d, %d, %d)' % (self.days, self.seconds, self.microseconds)
        if self.seconds:
            return 'datetime.timedelta(%d, %d)' % (self.days, self.seconds)
        return 'datetime.timedelta(%d)' % self.days

class date(object):
    def __init__(self, year, month, day):
        self.year, self.month, self.day = year, month, day
        _check(year, month, day)
        self._days = _time._days(year, month, day)
    @staticmethod
    def today():
        t = _time.gmtime()
        return date(t[0], t[1], t[2])
    def timetuple(self):
        return _time.gmtime(self._days * 86400)
    def weekday(self):
        return (self._days + 3) % 7
    def isoweekday(self):
        return self.weekday() + 1
    def toordinal(self):
        return self._days + 719163
    def isoformat(self):
        return '%04d-%02d-%02d' % (self.year, self.month, self.day)
    def strftime(self, format):
        return _time.strftime(format, self.timetuple())
    def __format__(self, spec):
        return self.strftime(spec) if spec else str(self)
    def __str__(self):
        return self.isoformat()
    def __repr__(self):
        return 'datetime.date(%d, %d, %d)' % (self.year, self.month, self.day)
    def __cmp__(self, other):
        return cmp(self._days, other._days)
    def __hash__(self):
        return hash(self._days)
    def __add__(self, delta):
        y, m, d = _time._civil(self._days + delta.days)
        return date(y, m, d)
    def __sub__(self, other):
        if isinstance(other, timedelta):
            y, m, d = _time._civil(self._days - other.days)
            return date(y, m, d)
        return timedelta(self._days - other._days)

def _check(year, month, day):
    if not 1 <= year <= 9999:
        raise ValueError('year is out of range')
    if not 1 <= month <= 12:
        raise ValueError('month must be in 1..12')
    last = _time._days(year + month // 12, month % 12 + 1, 1) - _time._days(year, month, 1)
    if not 1 <= day <= last:
        raise ValueError('day is out of range for month')

class time(object):
    def __init__(self, hour=0, minute=0, second=0, microsecond=0):
        self.hour, self.minute, self.second, self.microsecond = hour, minute, second, microsecond
    def isoformat(self):
        text = '%02d:%02d:%02d' % (self.hour, self.minute, self.second)
        return text + '.%06d' % self.microsecond if self.microsecond else text
    def __str__(self):
        return self.isoformat()

class datetime(object):
    def __init__(self, year, month, day, hour=0, minute=0, second=0, microsecond=0):
        _check(year, month, day)
        self.year, self.month, self.day = year, month, day
        self.hour, self.minute, self.second, self.microsecond = hour, minute, second, microsecond
        self._total = (_time._days(year, month, day) * 86400 + hour * 3600 + minute * 60 + second) * 1000000 + microsecond
    @staticmethod
    def now(tz=None):
        return datetime.utcfromtimestamp(_time.time())
    @staticmethod
    def utcnow():
        return datetime.utcfromtimestamp(_time.time())
    @staticmethod
    def today():
        return datetime.utcfromtimestamp(_time.time())
    @staticmethod
    def utcfromtimestamp(stamp):
        return _of_total(int(round(stamp * 1000000)))
    @staticmethod
    def fromtimestamp(stamp, tz=None):
        return _of_total(int(round(stamp * 1000000)))
    def date(self):
        return date(self.year, self.month, self.day)
    def time(self):
        return time(self.hour, self.minute, self.second, self.microsecond)
    def timetuple(self):
        return _time.gmtime(self._total // 1000000)
    def weekday(self):
        return (self._total // 86400000000 + 3) % 7
    def isoweekday(self):
        return self.weekday() + 1
    def isoformat(self, sep='T'):
        text = '%04d-%02d-%02d%s%02d:%02d:%02d' % (self.year, self.month, self.day, sep, self.hour, self.minute, self.second)
        return text + '.%06d' % self.microsecond if self.microsecond else text
    def strftime(self, format):
        return _time.strftime(format.replace('%f', '%06d' % self.microsecond), self.timetuple())
    def replace(self, **kw):
        parts = [kw.get(name, getattr(self, name)) for name in ('year', 'month', 'day', 'hour', 'minute', 'second', 'microsecond')]
        return datetime(*parts)
    def __format__(self, spec):
        return self.strftime(spec) if spec else str(self)
    def __str__(self):
        return self.isoformat(' ')
    def __repr__(self):
        parts = [self.year, self.month, self.day, self.hour, self.minute, self.second, self.microsecond]
        while len(parts) > 5 and not parts[-1]:
            parts.pop()
        return 'datetime.datetime(%s)' % ', '.join(map(str, parts))
    def __cmp__(self, other):
        return cmp(self._total, other._total)
    def __hash__(self):
        return hash(self._total)
    def __add__(self, delta):
        return _of_total(self._total + delta._total)
    __radd__ = __add__
    def __sub__(self, other):
        if isinstance(other, timedelta):
            return _of_total(self._total - other._total)
        return timedelta(microseconds=self._total - other._total)

def _of_total(total):
    days = total // 86400000000
    rest = total - days * 86400000000
    y, m, d = _time._civil(days)
    s = rest // 1000000
    return datetime(y, m, d, s // 3600, s // 60 % 60, s % 60, rest % 1000000)
