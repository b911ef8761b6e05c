lowercase = ascii_lowercase = 'abcdefghijklmnopqrstuvwxyz'
uppercase = ascii_uppercase = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
letters = ascii_letters = lowercase + uppercase
digits = '0123456789'
hexdigits = '0123456789abcdefABCDEF'
octdigits = '01234567'
punctuation = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'
whitespace = '\t\n\x0b\x0c\r '
printable = digits + letters + punctuation + whitespace

def capwords(s, sep=None):
    return (sep or ' ').join([x.capitalize() for x in s.split(sep)])

def join(words, sep=' '):
    return sep.join(words)

def split(s, sep=None, maxsplit=-1):
    return s.split(sep, maxsplit)

def replace(s, old, new, maxreplace=-1):
    return s.replace(old, new, maxreplace)

def lower(s): return s.lower()
def upper(s): return s.upper()
def strip(s, chars=None): return s.strip(chars)
def lstrip(s, chars=None): return s.lstrip(chars)
def rstrip(s, chars=None): return s.rstrip(chars)
def find(s, *args): return s.find(*args)
def rfind(s, *args): return s.rfind(*args)
def index(s, *args): return s.index(*args)
def count(s, *args): return s.count(*args)
def zfill(x, width): return str(x).zfill(width)
def ljust(s, width, *args): return s.ljust(width, *args)
def rjust(s, width, *args): return s.rjust(width, *args)
def center(s, width, *args): return s.center(width, *args)
def capitalize(s): return s.capitalize()
def atoi(s, base=10): return int(s, base)
def atof(s): return float(s)
