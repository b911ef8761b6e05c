# `now` is the machine's: the moment the run began (S26).
from collections import namedtuple as _namedtuple

struct_time = _namedtuple('struct_time', 'tm_year tm_mon tm_mday tm_hour tm_min tm_sec tm_wday tm_yday tm_isdst')
timezone = 0
tzname = ('UTC', 'UTC')
_now = now
del now

def time():
    return float(_now())

def clock():
    return 0.0

def sleep(seconds):
    pass

def _days(y, m, d):
    y -= m <= 2
    era = y // 400
    yoe = y - era * 400
    doy = (153 * (m + (-3 if m > 2 else 9)) + 2) // 5 + d - 1
    return era * 146097 + yoe * 365 + yoe // 4 - yoe // 100 + doy - 719468

def _civil(z):
    z += 719468
    era = z // 146097
    doe = z - era * 146097
    yoe = (doe - doe // 1460 + doe // 36524 - doe // 146096) // 365
    doy = doe - (365 * yoe + yoe // 4 - yoe // 100)
    mp = (5 * doy + 2) // 153
    d = doy - (153 * mp + 2) // 5 + 1
    m = mp + (3 if mp < 10 else -9)
    return (yoe + era * 400 + (m <= 2), m, d)

def gmtime(seconds=None):
    s = _now() if seconds is None else int(seconds // 1)
    days = s // 86400
    rest = s - days * 86400
    y, m, d = _civil(days)
    return struct_time(y, m, d, rest // 3600, rest // 60 % 60, rest % 60, (days + 3) % 7, days - _days(y, 1, 1) + 1, 0)

localtime = gmtime

def mktime(t):
    return float(_days(t[0], t[1], t[2]) * 86400 + t[3] * 3600 + t[4] * 60 + t[5])

_DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
_MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December']

def strftime(format, t=None):
    t = gmtime() if t is None else t
    out = []
    at = 0
    while at < len(format):
        c = format[at]
        at += 1
        if c != '%' or at >= len(format):
            out.append(c)
            continue
        c = format[at]
        at += 1
        if c == 'Y': out.append('%d' % t[0])
        elif c == 'y': out.append('%02d' % (t[0] % 100))
        elif c == 'm': out.append('%02d' % t[1])
        elif c == 'd': out.append('%02d' % t[2])
        elif c == 'H': out.append('%02d' % t[3])
        elif c == 'I': out.append('%02d' % ((t[3] + 11) % 12 + 1))
        elif c == 'M': out.append('%02d' % t[4])
        elif c == 'S': out.append('%02d' % t[5])
        elif c == 'p': out.append('AM' if t[3] < 12 else 'PM')
        elif c == 'a': out.append(_DAYS[t[6]][:3])
        elif c == 'A': out.append(_DAYS[t[6]])
        elif c == 'b': out.append(_MONTHS[t[1] - 1][:3])
        elif c == 'B': out.append(_MONTHS[t[1] - 1])
        elif c == 'j': out.append('%03d' % t[7])
        elif c == 'w': out.append('%d' % ((t[6] + 1) % 7))
        elif c == 'x': out.append(strftime('%m/%d/%y', t))
        elif c == 'X': out.append(strftime('%H:%M:%S', t))
        elif c == 'c': out.append(strftime('%a %b %d %H:%M:%S %Y', t))
        elif c == '%': out.append('%')
        else: out.append('%' + c)
    return ''.join(out)

def asctime(t=None):
    return strftime('%a %b %d %H:%M:%S %Y', t)

def ctime(seconds=None):
    return asctime(gmtime(seconds))
