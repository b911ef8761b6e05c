# -*- coding: utf-8 -*-
"""Lists the expressions of the golden table and writes Python 2.7's answers to them.

Run with Python 2.7:  python expressions.py > answers.txt
Each line is the expression, a tab, and its repr or `!Name: message`, with backslash escapes.
Tests read answers.txt only.
"""
import itertools
import sys
import warnings

warnings.simplefilter('ignore')
EXPRESSIONS = []


def add(text):
    for line in text.strip().split('\n'):
        line = line.strip()
        if line:
            EXPRESSIONS.append(line)


def each(template, *columns):
    for row in itertools.product(*columns):
        EXPRESSIONS.append(template.format(*row) if '%%' not in template else template.replace('%%', row[0]))


# ---- literals and syntax ----
add(r'''
0777
0o17
0O17
0b101
0B11
0xff
0XFFL
10L
0L
1e3
1E-3
.5
5.
1.5e10
1j
2.5J
1e400
1e-400
9223372036854775807
9223372036854775808
-9223372036854775808
-9223372036854775809
- 9223372036854775808
-(9223372036854775808)
0x7fffffffffffffff
0xffffffffffffffff
08
09.5
0x
0b2
0b
0o8
1_000
1if 1 else 2
0xfor 1
1or 2
'abc'
"abc"
'''+"""
'a' 'b'
'a' u'b'
u'a' 'b'
u'a' u'b'
'a' "b" 'c'
r'a\\n'
u'\\u0041'
ur'\\u0041'
ur'\\\\u0041'
Ur'a\\n'
b'abc'
br'a\\n'
Rb'x'
bu'x'
'\\x41'
'\\x4'
'\\xzz'
u'\\x4'
u'\\u004'
u'\\U0001F600'
u'\\U00110000'
u'\\ud800'
'\\101'
'\\8'
'\\0'
'\\400'
'\\a\\b\\f\\v\\n\\r\\t'
'\\q'
'\\''
"\\""
'it\\'s'
"it's"
'say "hi"'
'both \\' and "'
u"it's"
u'both \\' and "'
'\\u0041'
'\\\\'
'''a'''
'''it's'''
"abc
'abc
'''abc
u'é'
'é'
u'\\xe9'
u'\\u20ac'
len('é')
len(u'é')
u'é' == 'é'
'a' == u'a'
""" + r'''
()
(1,)
(1, 2)
1, 2
1,
[]
[1, 2,]
{}
{1}
{1, 2, 3}
{1: 2, 3: 4}
{1: 2,}
`1`
`'a'`
`1, 2`
`[1, 'a']`
1 <> 2
1 if 0 else 2
1 if 1 else 2 if 0 else 3
lambda: 1
(lambda: 1)()
(lambda x: x)(1)
(lambda x, y=2: (x, y))(1)
(lambda x, y=2: (x, y))(1, 3)
(lambda *a: a)(1, 2, 3)
(lambda **k: k)(a=1)
(lambda *a, **k: (a, k))(1, b=2)
(lambda (a, b): a + b)((1, 2))
(lambda (a, (b, c)), d: (a, b, c, d))((1, (2, 3)), 4)
(lambda a, (b, c)=(5, 6): (a, b, c))(1)
(lambda x: lambda y: x + y)(1)(2)
(lambda f: f(f))(lambda f: 7)
(lambda f: lambda n: f(f, n))(lambda f, n: 1 if n < 2 else n * f(f, n - 1))(10)
(lambda x: x)()
(lambda x: x)(1, 2)
(lambda: 1)(1)
(lambda x: x)(y=1)
(lambda x: x)(1, x=1)
(lambda a, **k: 1)(b=2)
(lambda a, **k: 1)(1, 2, b=2)
(lambda **k: 1)(1)
(lambda a, b=1, **k: 1)(c=2)
(lambda a, b, **k: 1)(a=1, c=2)
(lambda x, y=1: x)()
(lambda x, y=1: x)(1, 2, 3)
(lambda x, *a: x)()
(lambda x, y, z=1: x)(1)
(lambda (a, b): a)(1)
(lambda (a, b): a)((1, 2, 3))
(lambda (a, b): a)((1,))
(lambda (a, b): a)(())
(lambda x: x)(*[1])
(lambda x, y: (x, y))(*(1, 2))
(lambda x, y: (x, y))(1, *(2,))
(lambda x, y: (x, y))(**{'x': 1, 'y': 2})
(lambda x, y: (x, y))(1, **{'y': 2})
(lambda x, y: (x, y))(1, **{'x': 2})
(lambda x, y: (x, y))(y=1, x=2)
(lambda x: x)(*1)
(lambda x: x)(**1)
(lambda x: x)(**{1: 2})
(lambda *a, **k: (a, sorted(k.items())))(1, 2, x=3, *[4], **{'y': 5})
len(*[[1, 2]])
len(x=1)
int(*['12'], **{'base': 3})
(lambda x, x: 1)(1, 2)
lambda x=1, y: x
lambda None: 1
f(None=1)
f(1=2)
f(a.b=2)
f(x=1, x=2)
f(x=1, 2)
f(*a, 2)
f(x for x in y, 1)
f(1, x for x in y)
sum(x for x in [1, 2, 3])
sum((x for x in [1, 2, 3]), 10)
x
foo.bar
print 1
print(1)
exec 'a'
yield 1
import os
x = 1
x := 1
f'a'
if
else
1 +
1 1
(1
[1
{1
1)
)
1 + * 2
not
1 not 2
1 is is 2
a b
1 in
@
$
?
!
1 ! 2
a.1
a..b
.a
1.a
1..real
1 .real
1.real
1.5.real
1 2
lambda
lambda x
lambda x:
1 if 2
1 if 2 else
[x for]
[x for x]
[x for x in]
[for x in y]
[x for 1 in y]
[x for None in y]
{1: 2, 3}
{1, 2: 3}
{**{}}
[*a]
(*a)
*a
a[]
a[1:2:3:4]
None = 1
True
False
None
Ellipsis
NotImplemented
not None
not 0
not not 1
+ + 1
- - 1
- + - 1
~ ~ 5
~-1
-2 ** 2
2 ** -1
2 ** 3 ** 2
(-2) ** 2
2 ** -2 ** 2
1 + 2 * 3
(1 + 2) * 3
1 - 2 - 3
100 / 10 / 2
2 * 3 % 4
7 // 2 * 2
1 << 2 + 1
1 | 2 ^ 3 & 4
6 & 3 | 8
1 < 2 < 3
1 < 2 > 1
3 > 2 > 1 > 0
1 < 3 < 2
1 == 1.0 == True
1 < 2 == True
(1 < 2) == True
not 1 == 2
not 1 in [2]
1 not in [2]
1 in [1, 2] in [[1, 2]]
1 is not None
None is None
None is not None
1 is 1
'a' is 'a'
[] is []
() is ()
1 or 1 / 0
0 or 'x'
0 and 1 / 0
1 and 2
1 and 2 or 3
0 and 2 or 3
'' or [] or 0
[] and 1
1 or 2 and 0
[1, 2, 3][0]
[1, 2, 3][-1]
[1, 2, 3][3]
[1, 2, 3]['a']
[1, 2, 3][1.0]
[1, 2, 3][True]
[1, 2, 3][1L]
[1, 2, 3][10**20]
[1, 2, 3][None]
(1, 2)[5]
(1, 2)['a']
'abc'[1]
'abc'[5]
'abc'['a']
u'abc'[1]
u'abc'[-4]
{'a': 1}['a']
{'a': 1}['b']
{1: 2}[1.0]
{1: 2}[True]
{}[[]]
{}[{}]
1[0]
None[0]
1.5[0]
len[0]
set([1])[0]
xrange(5)[2]
xrange(5)[-1]
xrange(5)[5]
xrange(5)['a']
xrange(5)[1:2]
[1, 2, 3][...]
{Ellipsis: 1}[...]
{(1, 2): 3}[1, 2]
{(1, Ellipsis): 3}[1, ...]
{}[1:2]
{}[1:2:3]
{}[1:2, 3]
# nothing
1 # comment
(1 + # comment
'''.replace('# comment', '#c'))
EXPRESSIONS.extend([
    '(1 +\n 2)', '1\n', '1\n\n', '1\n2', ' 1', '\t1', '1 ', '1 + \\\n 2', '', ' ', '\n1', '[1,\n2,\n3]',
    '"a\\\nb"', "'''a\nb'''", 'a\\', '"\\', "'a\nb'", '# c', '1 # c', '(1, # c\n 2)', "'tab\there'",
])

# ---- scopes and comprehensions ----
add('''
[x for x in range(5)]
[x for x in range(5) if x % 2]
[x for x in range(10) if x % 2 if x % 3]
[(x, y) for x in range(3) for y in range(x)]
[x for x in 1, 2, 3]
[x for x in lambda: 1, 2]
[x, y for x in 1, 2]
[x for x, in [(1,), (2,)]]
[x + y for x, y in [(1, 2), (3, 4)]]
[x + y for (x, y) in [(1, 2), (3, 4)]]
[x + y for [x, y] in [(1, 2), (3, 4)]]
[a + b + c for a, (b, c) in [(1, (2, 3))]]
[x for x, y in [(1, 2, 3)]]
[x for x, y in [(1,)]]
[x for x, y in [1]]
[x for x, y in ['ab', 'cd']]
[x for x in 5]
[x for x in None]
[x for x in 'abc']
[x for x in {'a': 1}]
[[x for x in range(3)], x]
[x for x in range(3)] and x
(x, [x for x in [1]])
[[y for y in range(x)] for x in range(4)]
[x for x in [y for y in range(3)]]
[f() for f in [lambda: x for x in range(3)]]
[f() for f in [(lambda x: lambda: x)(x) for x in range(3)]]
[f(1) for f in [lambda y, x=x: x + y for x in range(3)]]
list(f() for f in [lambda: x for x in range(3)])
[f() for f in list((lambda: x) for x in range(3))]
[f() for f in ((lambda: x) for x in range(3))]
(lambda: [x for x in range(3)] + [x])()
(lambda: (x, [x for x in [1]]))()
(lambda: (lambda: x)() + len([x for x in [1]]))()
(lambda x: [x for x in [x, 5]])(2)
(lambda x: [x + y for y in range(x)])(3)
(lambda x: list(x + y for y in range(x)))(3)
(lambda x: {x + y for y in range(x)})(3)
(lambda x: {y: x for y in range(x)})(3)
(lambda: {x for x in [1]} and x)()
{x for x in 'abc'}
{x % 3 for x in range(10)}
{x: x * x for x in range(5)}
{x: y for x, y in [('a', 1), ('b', 2)]}
{x for x in [[]]}
{x: 1 for x in [[]]}
list(x * x for x in range(5))
list(x for x in range(5) if x > 2)
list((x, y) for x in range(3) for y in range(x))
(x for x in 5)
list(x for x in [1] for y in 5)
sum(x for x in range(10) if x % 2 == 0)
dict((x, x) for x in range(3))
set(x for x in 'hello')
max(x for x in [3, 1, 2])
next(x for x in [1, 2])
next(x for x in [])
next((x for x in []), 'none')
[map for map in [1]]
[len for len in [1, 2]] and len
[[x, y] for x in range(2) for y in [x]]
(lambda x: (lambda: (lambda: x)())())(4)
(lambda x, y: (lambda z: x + y + z)(3))(1, 2)
(lambda f: f(5))(lambda n: [i * n for i in range(n)])
map(lambda x: x + 1, [1, 2])
filter(lambda x: x > 1, [1, 2, 3])
reduce(lambda a, b: a * b, range(1, 6))
sorted([3, 1, 2], key=lambda x: -x)
[i for i in range(5)][::-1]
{1: 'a', 1.0: 'b', True: 'c'}
{0: 1, False: 2}
{1, 1.0, True}
[True + True, True * 3, -True, ~True, True / 2.0]
[(lambda: 1 / 0), 2][1]
(x for x in [1]).next()
[(x.next(), x.next()) for x in [iter([1, 2])]]
[(g.next(), list(g)) for g in [(x for x in range(4))]]
[next(g) for g in [(1 / x for x in [1, 0])] for i in range(2)]
''')

# ---- arithmetic over every pair of types ----
NUMBERS = ['0', '1', '-1', '7', '-7', '3', '2L', '-5L', '0L', '2.5', '-0.0', '0.0', '1e308', 'True', 'False', '1j', '2-3j', '10**30',
           "float('inf')", "float('nan')", '2**63', '-2**63']
ODD = ["'a'", "u'b'", '[]', '[1]', '()', '(1,)', '{}', '{1: 2}', 'set([1])', 'frozenset([2])', 'None', 'len', 'int', 'xrange(3)',
       "bytearray('x')", 'slice(1)', 'Ellipsis', "buffer('q')"]
for op in ['+', '-', '*', '/', '//', '%', '**']:
    for a in ['7', '-7', '0', '2L', '-5L', '2.5', '-0.0', 'True', '1j', '2**63', '-2**63', '10**30', "float('inf')"]:
        for b in ['3', '-3', '0', '2L', '-2L', '0.5', '0.0', 'False', '2j', '2**63', '-1', '-0.5', "float('inf')"]:
            if op == '**' and ('**' in b or ('10**30' == a and b == '10**30')):
                continue
            EXPRESSIONS.append('(%s) %s (%s)' % (a, op, b))
for op in ['<<', '>>', '&', '|', '^']:
    for a in ['7', '-7', '0', '2L', '-5L', '2.5', 'True', '1j', '2**64', "'a'", 'set([1, 2])']:
        for b in ['3', '-1', '0', '2L', '70', '0.5', 'False', '2**70', '[]', 'set([2, 3])']:
            if op == '<<' and b == '2**70':
                continue
            EXPRESSIONS.append('(%s) %s (%s)' % (a, op, b))
for op in ['+', '-', '*', '/', '%', '&', '<', '==', '**', '//']:
    for a in ODD + ['1', '2.5']:
        for b in ["'a'", "u'b'", '[1]', '(1,)', '{1: 2}', 'set([1])', 'None', '2', '1.5', "bytearray('x')", 'len']:
            if op == '<' and (a in ('len', 'int', 'Ellipsis') or b == 'len'):
                continue
            EXPRESSIONS.append('%s %s %s' % (a, op, b))
for op in ['-', '+', '~', 'not ']:
    for a in NUMBERS + ODD:
        if op == '~' and 'inf' in a:
            continue
        EXPRESSIONS.append('%s(%s)' % (op, a))
for op in ['<', '<=', '==', '!=', '>', '>=']:
    for a, b in [('1', '1.0'), ('1', '2L'), ('2**70', '1e30'), ("float('nan')", "float('nan')"), ('1', "float('nan')"), ('1', 'None'), ('None', '0'), ("'a'", '1'), ("'a'", "u'a'"),
                 ("'a'", "u'b'"), ('[1, 2]', '[1, 3]'), ('[1]', '[1, 2]'), ('(1,)', '[1]'), ('{}', '[]'), ('{1: 2}', '{1: 3}'), ('{1: 2}', '{2: 1}'), ('{1: 2, 3: 4}', '{1: 2}'), ('set([1])', 'set([1, 2])'),
                 ('set([1])', 'frozenset([1])'), ('set([1])', '[1]'), ('1j', '1'), ('1j', '2j'), ('1j', "'a'"), ('xrange(3)', '[0, 1, 2]'), ('True', '1'), ('int', 'int'), ('(1, 2)', '(1, 2.0)'),
                 ('[[1], 2]', '[[1], 3]'), ("'abc'", "'abd'"), ("''", "'a'"), ("u'\\xe9'", "'\\xe9'"), ("bytearray('a')", "'a'"), ('slice(1, 2)', 'slice(1, 3)'), ('1', '(1,)'), ('[]', "''"),
                 ('{1: 2}.viewkeys()', 'set([1])'), ('{1: 2}.viewkeys()', '{1: 3}.viewkeys()'), ('9007199254740993', '9007199254740992.0'), ('0', '-0.0'), ('1e400', '10**400')]:
        EXPRESSIONS.append('%s %s %s' % (a, op, b))
add('''
cmp(1, 2)
cmp(2, 1)
cmp(1, 1.0)
cmp('a', 'b')
cmp([1], [1, 2])
cmp(None, 1)
cmp(1, 'a')
cmp({}, {1: 2})
cmp({1: 2}, {1: 3})
cmp({1: 2}, {2: 1})
cmp(1j, 1j)
cmp(1j, 2j)
cmp(set(), set())
cmp(set([1]), set([2]))
cmp(1)
cmp(1, 2, 3)
cmp((1, 2), (1, 3))
cmp(u'a', 'a')
cmp(True, 1)
1 in [1, 2]
3 in [1, 2]
1.0 in [1, 2]
'a' in 'abc'
'' in 'abc'
'bc' in 'abc'
'x' in 'abc'
1 in 'abc'
None in 'abc'
u'a' in 'abc'
'a' in u'abc'
1 in u'abc'
u'\\xe9' in 'abc'
'a' in {'a': 1}
[] in {}
[] in [[]]
[] in set()
set([1]) in set([frozenset([1])])
1 in 5
1 in None
1 in xrange(3)
5 in xrange(3)
1.0 in xrange(3)
'a' in xrange(3)
1 in (x for x in [1])
1 in iter([1, 2])
97 in bytearray('abc')
'a' in bytearray('abc')
300 in bytearray('abc')
[] in bytearray('abc')
(1, 2) in {1: 2}.viewitems()
(1, 3) in {1: 2}.viewitems()
1 in {1: 2}.viewkeys()
2 in {1: 2}.viewvalues()
float('nan') in [float('nan')]
None in [None]
1 not in [1]
[1, 2] == [1, 2]
[1, [2]] == [1, [2]]
(lambda n: n == n)(float('nan'))
(lambda l: l == l)([1, 2])
''')

# ---- slices ----
for seq in ["'abcdef'", "u'abcdef'", '[0, 1, 2, 3, 4, 5]', '(0, 1, 2, 3, 4, 5)', "bytearray('abcdef')"]:
    for s in [':', '1:', ':2', '1:3', '-2:', ':-2', '::2', '::-1', '5:1:-2', '10:', ':10', '-10:2', '3:1', '1:4:0', 'None:None:None', "'a':", '1.5:', ':None', '1L:3L', ':10**30', '-10**30:', '::10**30', 'True:']:
        EXPRESSIONS.append('%s[%s]' % (seq, s))
add('''
slice(1)
slice(1, 2)
slice(1, 2, 3)
slice()
slice(1, 2, 3, 4)
slice(1, 2).start
slice(1, 2).stop
slice(1, 2).step
slice(1, 10, 2).indices(5)
slice(None, None, -1).indices(5)
slice(None).indices(0)
slice(-3, None).indices(10)
slice(1).indices('a')
slice(1).indices()
slice(None, None, 0).indices(5)
slice('a').indices(5)
[1, 2, 3][slice(1, 3)]
'abc'[slice(None, None, -1)]
hash(slice(1))
xrange(10)[slice(1)]
buffer('abcdef')[1:3]
buffer('abcdef', 2)[0]
buffer('abcdef', 2, 3)[:]
str(buffer('abc'))
buffer('abc') + 'd'
buffer('abc') * 2
len(buffer('abc', 1))
buffer(1)
buffer('abc', -1)
memoryview('abc')[0]
memoryview('abc').tobytes()
memoryview('abc').tolist()
memoryview('abc')[1:].tobytes()
memoryview('abc')[5]
memoryview('abc')['a']
memoryview(1)
memoryview(u'a')
len(memoryview('abc'))
memoryview('abc') == 'abc'
memoryview('abc').readonly
memoryview(bytearray('abc')).readonly
memoryview('abc').format
memoryview('abc').shape
memoryview('abc').itemsize
hash(memoryview('abc')) == hash('abc')
''')

# ---- built-in functions ----
VALUES = ['0', '-5', '5L', '2.5', '1j', "'a'", "u'b'", "''", '[]', '[3, 1, 2]', '(1, 2)', '{}', "{'a': 1}", 'set([1, 2])', 'None', 'True', 'len', 'int', 'xrange(4)', "bytearray('ab')", '2**70',
          "'12'", "'abc'", 'Ellipsis', 'frozenset([1])', "[1, 'a', None]"]
for name in ['abs', 'all', 'any', 'bin', 'bool', 'callable', 'chr', 'complex', 'dict', 'enumerate', 'float', 'frozenset', 'hex', 'int', 'iter', 'len', 'list', 'long', 'max', 'min',
             'oct', 'ord', 'range', 'repr', 'reversed', 'round', 'set', 'sorted', 'str', 'sum', 'tuple', 'type', 'unichr', 'unicode', 'xrange', 'zip', 'bytearray', 'bytes', 'intern', 'basestring', 'hash', 'next', 'slice', 'buffer',
             'format', 'divmod', 'pow', 'map', 'filter', 'reduce', 'isinstance', 'issubclass', 'getattr', 'hasattr', 'cmp', 'coerce', 'apply', 'memoryview', 'object', 'file', 'NotImplemented', 'Exception', 'ValueError', 'KeyError', 'id']:
    if name == 'file':
        continue
    EXPRESSIONS.append('%s()' % name)
    if name == 'id':
        continue
    for value in VALUES:
        if name in ('range', 'xrange', 'bytearray') and value == '2**70':
            continue
        if name == 'hash' and value in ('None', 'len', 'int', 'Ellipsis', 'xrange(4)'):
            continue
        EXPRESSIONS.append('%s(%s)' % (name, value))
    EXPRESSIONS.append('%s(1, 2, 3, 4, 5)' % name)
    EXPRESSIONS.append('%s(foo=1)' % name)
for name in ['divmod', 'pow', 'cmp', 'coerce', 'getattr', 'hasattr', 'isinstance', 'issubclass', 'round', 'int', 'long', 'complex', 'sum', 'format', 'max', 'min', 'zip', 'range', 'xrange', 'map', 'filter', 'reduce', 'enumerate', 'iter', 'next', 'apply', 'unicode', 'str', 'list', 'set']:
    for a in ['7', '-7L', '2.5', "'ab'", '[1, 2]', 'None', 'int', '1j', 'len']:
        for b in ['3', '0', '-2.0', "'b'", '[4]', 'None', 'int', '(int, str)', 'True']:
            if name == 'cmp' and ('len' in (a, b) or 'int' in (a, b)):
                continue
            EXPRESSIONS.append('%s(%s, %s)' % (name, a, b))
add('''
abs(-2**63)
abs(-9223372036854775808)
abs(3+4j)
abs(-0.0)
all([1, 0])
all([])
all(x for x in [1, 2])
any([0, 1])
any([])
all([0, 1 / 1])
bin(-10)
bin(2**65)
bin(1.5)
bin(True)
chr(255)
chr(256)
chr(-1)
chr('a')
chr(65.5)
unichr(8364)
unichr(65536)
unichr(1114112)
unichr(-1)
ord('a')
ord(u'\\u20ac')
ord('ab')
ord('')
ord(1)
ord(bytearray('a'))
hex(255)
hex(-255)
hex(255L)
hex(0)
hex(1.5)
oct(8)
oct(-8)
oct(8L)
oct(0)
oct(0L)
oct('a')
int('12')
int(' 12 ')
int('-12')
int('+12')
int('- 12')
int('12', 3)
int('ff', 16)
int('0xff', 16)
int('0xff', 0)
int('0o17', 0)
int('017', 0)
int('0b11', 0)
int('0b11', 2)
int('z', 36)
int('12', 1)
int('12', 37)
int('12', -1)
int('')
int('a')
int('1.5')
int('12L')
int('1 2')
int(u'12')
int(u'\\u0661')
int(u'\\xe9')
int('9' * 30)
int(1.9)
int(-1.9)
int(1e30)
int(float('inf'))
int(float('nan'))
int(1j)
int([])
int(12, 3)
int('12', 'a')
int('12', 2.5)
int(x='12')
int(x='12', base=4)
int(base=4)
int('\\x0012')
int(True)
int(2**70)
int(5L)
long('12')
long('12L')
long('12l')
long('0x1f', 16)
long('a')
long(1.9)
long(1)
long(True)
long('9' * 30)
long('')
long(1e30)
float('1.5')
float(' 1.5 ')
float('1e5')
float('1E-5')
float('inf')
float('-inf')
float('Infinity')
float('nan')
float('-nan')
float('a')
float('')
float('1.5x')
float('1_0')
float('.5')
float('5.')
float('.')
float('0x10')
float(u'1.5')
float(2**70)
float(10**400)
float(1j)
float([])
float(True)
float(1, 2)
complex('1+2j')
complex('1-2j')
complex('(1+2j)')
complex(' 1+2j ')
complex('1 + 2j')
complex('j')
complex('-j')
complex('1')
complex('2j')
complex('')
complex('a')
complex('1e5+2e-3j')
complex('inf+nanj')
complex(1, 2)
complex(1j, 2)
complex(1, 2j)
complex('1', 2)
complex(1, '2')
complex(real=1, imag=2)
complex(imag=2)
complex([])
complex(1.5)
complex(u'1+1j')
str(1.0)
str(0.1)
str(1e16)
str(1e11)
str(1e12)
str(123456789.123456789)
str(1.0 / 3)
str(1e-5)
str(0.0001)
str(-0.0)
str(1e100)
str(float('inf'))
str(2**70)
str(5L)
str(1j)
str(1.5+0.1j)
str(u'abc')
str(u'\\xe9')
str('a')
str([1.1, 'a', u'b', 5L])
str({1: 'a'})
str(None)
str(ValueError('x'))
str(KeyError('x'))
str(ValueError())
str(ValueError(1, 2))
repr(0.1)
repr(1e16)
repr(1e15)
repr(123456789012345680.0)
repr(1e22)
repr(1e23)
repr(1.0 / 3)
repr(1e-5)
repr(0.0001)
repr(0.00012345)
repr(5e-324)
repr(1.7976931348623157e308)
repr(100.0)
repr(2.0 ** 53)
repr(2.0 ** 63)
repr(1.1 + 2.2)
repr(-1.5e-10)
repr(1j)
repr(-1j)
repr(1+0j)
repr(-0.0+1j)
repr(complex(0, -0.0))
repr(complex(-0.0, -0.0))
repr(complex(1e20, 1e-20))
repr(complex(float('inf'), float('nan')))
repr('a\\tb\\n\\x00\\x7f\\xff\\\\')
repr(u'a\\tb\\n\\x00\\x7f\\xff\\u20ac\\U0001f600\\\\')
repr(ValueError('x'))
repr(ValueError())
repr(ValueError(1, 2))
repr(set())
repr(frozenset())
repr(set([1]))
repr(xrange(5))
repr(xrange(1, 5))
repr(xrange(1, 10, 3))
repr(xrange(10, 0, -3))
repr(xrange(5, 5))
repr(xrange(0, 5, 2))
repr(bytearray('a\\'b"\\x00'))
repr(int)
repr(ValueError)
repr(len)
repr(str.upper)
repr(Ellipsis)
repr(type(None))
repr(slice(1, None))
repr({}.viewkeys())
repr({1: 2}.viewkeys())
repr({1: 2}.viewvalues())
repr({1: 2}.viewitems())
unicode('abc')
unicode('\\xe9')
unicode('\\xe9', 'latin-1')
unicode('\\xc3\\xa9', 'utf-8')
unicode('\\xc3\\xa9', 'utf-8', 'strict')
unicode('\\xff', 'utf-8')
unicode('\\xff', 'utf-8', 'replace')
unicode('\\xff', 'ascii', 'ignore')
unicode('a', 'foo')
unicode('\\xff', 'ascii', 'foo')
unicode(u'a', 'utf-8')
unicode(1, 'utf-8')
unicode(1)
unicode(1.1)
unicode([1])
unicode()
unicode(None)
round(2.5)
round(3.5)
round(-2.5)
round(0.5)
round(-0.5)
round(2.675, 2)
round(1.005, 2)
round(1234.567, -2)
round(1250, -2)
round(1350, -2)
round(5, -1)
round(15, -1)
round(0.285, 2)
round(1e20, 2)
round(1e300, -300)
round(5e-324, 400)
round(1.5, 1000)
round(123.456, -5)
round(float('inf'))
round(float('nan'), 2)
round(2**70)
round('a')
round(1.5, 1.5)
round(1.5, None)
round(number=1.26, ndigits=1)
round(1.5, ndigits=0)
round(1.5, foo=1)
round(0.15, 1)
round(0.25, 1)
round(0.35, 1)
round(True)
divmod(7, 3)
divmod(-7, 3)
divmod(7, -3)
divmod(7.5, 2)
divmod(-7.5, 2)
divmod(7, 0)
divmod(7.0, 0)
divmod(7L, 3)
divmod(7, 3L)
divmod(2**70, 12345)
divmod(-2**63, -1)
divmod(1j, 2)
divmod('a', 1)
pow(2, 10)
pow(2, -1)
pow(2, 10, 7)
pow(2, -1, 7)
pow(2, 10, 0)
pow(2, 10, -7)
pow(2, 10, 1)
pow(2L, 10, 7)
pow(2.0, 10, 7)
pow(2, 10, None)
pow(0, 0)
pow(0.0, 0)
pow(0, -1)
pow(-8, 1.0 / 3)
pow(10.0, 400)
pow(2, 'a')
pow('a', 2, 3)
pow(3, 200, 10**10)
0 ** 0
0 ** -1
0.0 ** -1
(-8) ** 0.5
10.0 ** 400
10 ** 400 * 1.0
2 ** 0.5
(-1) ** 3
(-1) ** -3
1j ** 2
1j ** 0.5
1j ** 1j
0j ** 0
0j ** -1
0j ** 1j
(1+2j) ** 3
(1+2j) ** -2
(1+2j) / (3-4j)
(1+2j) // (3-4j)
(1+2j) % (3-4j)
(1+2j) * (3-4j)
1j / 0
1j % 0
1j // 0
range(5)
range(2, 5)
range(0, 10, 3)
range(10, 0, -3)
range(5, 0)
range(0, 5, 0)
range(-5)
range(True)
range(2L)
range(2**65, 2**65 + 2)
range(1.0)
range('a')
range(1, 'a')
range(1, 2, 'a')
range(1, 2.0)
xrange(5, 0, -1)[0]
xrange(2**70)
xrange(0, 5, 0)
xrange(1.5)
xrange('a')
list(xrange(5, 0, -2))
len(xrange(0, 10, 3))
len(xrange(10, 0))
sum([1, 2, 3])
sum([1, 2], 10)
sum([[1], [2]], [])
sum([(1,), (2,)], ())
sum(['a'], '')
sum(['a'])
sum([1.5, 2])
sum([])
sum([1j, 2])
sum(xrange(100))
sum([2**62, 2**62])
sum(5)
sum([True, True])
sum([u'a'], u'')
min(3, 1, 2)
min([3, 1, 2])
min('hello')
min([])
min(1)
min([1, 'a', None])
min(1, 2, key=lambda x: -x)
max([1, 2, 3], key=lambda x: -x)
max(['a', 'bb', 'c'], key=len)
max(1, 2, foo=1)
max({1: 2, 3: 0})
max([1, 1.0])
max([1.0, 1])
max((1, 2), (1, 3))
max(key=len)
max([1], [2], key=None)
min(1j, 2j)
sorted([3, 1, 2])
sorted('hello')
sorted({'b': 1, 'a': 2})
sorted([3, 1, 2], reverse=True)
sorted([3, 1, 2], reverse=1)
sorted(['b', 'A', 'c'], key=str.lower)
sorted([3, 1, 2], cmp=lambda a, b: b - a)
sorted([3, 1, 2], lambda a, b: b - a)
sorted([3, 1, 2], None, lambda x: -x)
sorted([3, 1, 2], None, None, True)
sorted([1, 'a', None, 2.5, (1,), [1], {}, u'b'])
sorted([(1, 'b'), (1, 'a'), (0, 'c')])
sorted([(1, 'b'), (1, 'a'), (0, 'c')], key=lambda t: t[0])
sorted([(1, 'b'), (1, 'a'), (0, 'c')], key=lambda t: t[0], reverse=True)
sorted([1j, 2j])
sorted([3, 1], cmp=lambda a, b: 'x')
sorted([3, 1], cmp=1)
sorted([3, 1], key=1)
sorted([3, 1], reverse='a')
sorted(5)
sorted([set([1]), set([1, 2]), set()])
sorted([True, False, 1, 0])
sorted(range(100), key=lambda x: x % 7)
sorted([x * 37 % 101 for x in range(101)])
sorted([3, 1, 2], foo=1)
sorted(iterable=[2, 1])
map(None, [1, 2])
map(None, [1, 2], [3])
map(lambda x, y: (x, y), [1, 2], [3])
map(str, [1, 2])
map(int, '123')
map(lambda x: x, {'a': 1})
map(1, [1])
map(lambda x: x, 5)
map(lambda x, y: x, [1], 5)
map(lambda: 1, [1])
map(len, ['a', 'bb'])
map(str.upper, ['a', 'b'])
filter(None, [0, 1, '', 'a'])
filter(lambda x: x in 'ab', 'abcab')
filter(lambda x: x > 1, (1, 2, 3))
filter(None, u'ab')
filter(bool, [0, 1])
filter(1, [1])
filter(None, 5)
filter(lambda x: x != 'a', {'a': 1, 'b': 2})
filter(str.isdigit, 'a1b2')
reduce(lambda a, b: a + b, [1, 2, 3])
reduce(lambda a, b: a + b, [1, 2, 3], 10)
reduce(lambda a, b: a + b, [])
reduce(lambda a, b: a + b, [], 5)
reduce(lambda a, b: a + b, [1])
reduce(lambda a, b: a + b, 5)
reduce(max, [3, 7, 5])
zip([1, 2], 'ab')
zip([1, 2, 3], 'ab')
zip([1])
zip(1)
zip([1], 2)
zip(*[(1, 2), (3, 4)])
list(enumerate('ab'))
list(enumerate('ab', 5))
list(enumerate('ab', start=2**63))
list(enumerate(sequence='ab', start=1))
enumerate('ab', 'c')
enumerate(5)
list(reversed([1, 2, 3]))
list(reversed('abc'))
list(reversed((1, 2)))
list(reversed(xrange(4)))
list(reversed(xrange(0, 10, 3)))
reversed({})
reversed(set())
reversed(5)
list(iter([1, 2]))
list(iter(lambda: 1, 1))
next(iter(lambda: 1, 2))
[next(i) for i in [iter([1, 2])] for j in range(2)]
next(iter([]))
next(iter([]), 5)
next([])
next(5)
iter(5)
iter(5, 6)
iter('a').next()
list(iter({'a': 1}))
isinstance(1, int)
isinstance(True, int)
isinstance(1, bool)
isinstance('a', basestring)
isinstance(u'a', basestring)
isinstance('a', str)
isinstance(u'a', str)
isinstance(1, (str, int))
isinstance(1, ((str,), (int,)))
isinstance(1, object)
isinstance(None, type(None))
isinstance(1, 1)
isinstance(1, (1,))
isinstance(1, [int])
isinstance(int, type)
isinstance(len, type(len))
isinstance(lambda: 1, type(lambda: 1))
isinstance(1L, (int, long))
isinstance(ValueError(), Exception)
isinstance(KeyError('a'), LookupError)
isinstance(1)
issubclass(bool, int)
issubclass(int, bool)
issubclass(int, object)
issubclass(str, basestring)
issubclass(KeyError, LookupError)
issubclass(UnicodeDecodeError, ValueError)
issubclass(1, int)
issubclass(int, 1)
issubclass(int, (str, object))
type(1)
type(1L)
type(1.0)
type('a')
type(u'a')
type([])
type(())
type({})
type(set())
type(None)
type(int)
type(len)
type(lambda: 1)
type(x for x in [])
type(iter([]))
type(iter(()))
type(iter({}))
type(iter(''))
type(iter(xrange(1)))
type(iter(set()))
type({}.iteritems())
type({}.itervalues())
type(enumerate([]))
type(reversed([]))
type(reversed(()))
type(iter(lambda: 1, 1))
type(''.upper)
type(str.upper)
type(Ellipsis)
type(NotImplemented)
type(slice(1))
type(xrange(1))
type(1j)
type(True)
type({}.viewkeys())
type({}.viewvalues())
type({}.viewitems())
type(bytearray())
type(buffer(''))
type(memoryview(''))
type(ValueError())
type(ValueError)
type(type)
type(object())
type(1) == int
type(1) is int
type(1)('12')
type('a', (), {})
callable(len)
callable(int)
callable(lambda: 1)
callable(1)
callable('a'.upper)
hasattr('a', 'upper')
hasattr('a', 'foo')
hasattr(1, 'real')
hasattr(1, 5)
hasattr('a', u'upper')
getattr('a', 'upper')()
getattr('a', 'foo')
getattr('a', 'foo', 5)
getattr('a', 1)
getattr(1, 'real')
getattr(1)
getattr(1, 'a', 2, 3)
(1).foo
'a'.foo
[].foo
None.foo
len.foo
int.foo
(1.5).foo
{}.foo
(lambda: 1).foo
set().foo
1j .foo
xrange(1).foo
ValueError().foo
ValueError.foo
(x for x in []).foo
slice(1).foo
(5).real
(5).imag
(5).numerator
(5).denominator
(5L).real
(5L).imag
(5L).denominator
True.real
(1.5).real
(1.5).imag
(1+2j).real
(1+2j).imag
(1+2j).conjugate()
(5).conjugate()
(1.5).conjugate()
(5).bit_length()
(0).bit_length()
(-255).bit_length()
(2**70).bit_length()
True.bit_length()
(5).bit_length(1)
(1.5).is_integer()
(2.0).is_integer()
float('inf').is_integer()
float('nan').is_integer()
(0.5).as_integer_ratio()
(-1.5).as_integer_ratio()
(0.1).as_integer_ratio()
(1e300).as_integer_ratio()
(0.0).as_integer_ratio()
float('inf').as_integer_ratio()
float('nan').as_integer_ratio()
(1.5).hex()
(-0.1).hex()
(0.0).hex()
(-0.0).hex()
(5e-324).hex()
(1e308).hex()
float('inf').hex()
float('nan').hex()
float.fromhex('0x1.8p+0')
float.fromhex('-0x1.999999999999ap-4')
float.fromhex('1.8')
float.fromhex('inf')
float.fromhex('nan')
float.fromhex('  0x10  ')
float.fromhex('a')
float.fromhex('x')
float.fromhex('0x1p2000')
float.fromhex('0x1p-2000')
float.fromhex('')
float.fromhex(1)
coerce(1, 2.5)
coerce(1, 2L)
coerce(1, 1j)
coerce(1, 2)
coerce(1, 'a')
coerce('a', 'b')
coerce(True, 1)
apply(len, ['a'])
apply(lambda *a, **k: (a, k), (1, 2), {'x': 3})
apply(lambda: 1)
apply(1)
apply(len, 5)
apply(len, [1], 5)
intern('a')
intern(u'a')
intern(1)
hash(1)
hash(-1)
hash(-2)
hash(0)
hash(2**31)
hash(2**63)
hash(2**64)
hash(2**64 - 1)
hash(2**65)
hash(-2**63)
hash(-2**64)
hash(10**30)
hash(-10**30)
hash(1L)
hash(1.0)
hash(1.5)
hash(-1.5)
hash(0.1)
hash(1e300)
hash(1e18)
hash(1e19)
hash(-1.0)
hash(float('inf'))
hash(-float('inf'))
hash(float('nan'))
hash(1j)
hash(1+2j)
hash(-1j)
hash('')
hash('a')
hash('abc')
hash('hello world')
hash('\\xff')
hash(u'')
hash(u'abc')
hash(u'\\u20ac')
hash(u'\\U0001f600')
hash(())
hash((1,))
hash((1, 2))
hash((1, 'a', 2.5))
hash(((1, 2), (3, 4)))
hash((-1, -2))
hash(frozenset())
hash(frozenset([1]))
hash(frozenset([1, 2, 3]))
hash(frozenset('abc'))
hash(True)
hash(False)
hash([])
hash({})
hash(set())
hash(bytearray())
hash(([],))
hash({}.viewkeys())
hash(buffer('abc')) == hash('abc')
id(1) == id(1)
len('abc')
len([1, 2])
len({})
len(xrange(10))
len(5)
len(None)
len(x for x in [])
len(int)
len({1: 2}.viewkeys())
list('abc')
list((1, 2))
list({'a': 1})
list(xrange(3))
list(5)
list([1], [2])
list(sequence=[1])
tuple('abc')
tuple([1])
tuple(5)
tuple(1, 2)
tuple(sequence='ab')
dict()
dict(a=1)
dict([(1, 2)])
dict({1: 2})
dict({1: 2}, a=3)
dict([(1, 2)], a=3)
dict([1])
dict([(1, 2, 3)])
dict(['ab', 'cd'])
dict(['abc'])
dict(5)
dict(1, 2)
dict([([], 1)])
dict(zip('abc', range(3)))
dict(a=1, b=2, c=3)
dict(**{'a': 1})
set('hello')
set([1, 2, 2])
set([[]])
set(5)
set([1], [2])
set({1: 2})
set(frozenset([1]))
frozenset('abc')
frozenset(5)
frozenset(frozenset([1]))
bool([])
bool([0])
bool('')
bool(0.0)
bool(x=1)
bool(1, 2)
bytearray(3)
bytearray('abc')
bytearray([1, 2, 255])
bytearray([256])
bytearray([-1])
bytearray(['a'])
bytearray(['ab'])
bytearray([1.5])
bytearray(u'abc')
bytearray(u'abc', 'utf-8')
bytearray('abc', 'utf-8')
bytearray(-1)
bytearray(1.5)
bytearray(xrange(3))
bytearray('abc')[0]
bytearray('abc')[-1]
bytearray('abc')[5]
bytearray('abc')['a']
bytearray('abc') + 'd'
'd' + bytearray('abc')
bytearray('abc') * 2
bytearray('abc') + 1
bytearray('abc') + u'd'
bytearray('abc').upper()
bytearray('a b').split()
bytearray('abc').find('b')
bytearray('abc').replace('b', 'xx')
bytearray('abc').startswith('a')
bytearray('abc').decode('ascii')
bytearray('abc').join(['x', 'y'])
bytearray('abc').join([1])
bytearray.fromhex('01 ff')
bytearray.fromhex('0')
bytearray.fromhex('zz')
list(bytearray('ab'))
bytes('a')
bytes(5)
object() == object()
object(1)
basestring()
str.upper('a')
str.upper(u'a')
str.upper()
str.upper(1)
str.join(',', ['a', 'b'])
unicode.upper(u'a')
unicode.upper('a')
list.count([1, 1], 1)
dict.get({1: 2}, 1)
dict.fromkeys('abc')
dict.fromkeys([1, 2], 0)
dict.fromkeys(5)
dict.fromkeys()
dict.fromkeys([[]])
{}.fromkeys('ab', 1)
int.bit_length(5)
int.bit_length(True)
float.hex(1.5)
float.is_integer(1)
(5).__class__
int.mro()
bool.mro()
''')

# ---- methods of texts ----
for p in ["'{}'", "u'{}'"]:
    for m in ['capitalize', 'isalnum', 'isalpha', 'isdigit', 'islower', 'isspace', 'istitle', 'isupper', 'lower', 'swapcase', 'title', 'upper', 'lstrip', 'rstrip', 'strip', 'split', 'rsplit', 'splitlines', 'expandtabs']:
        for text in ['', 'abc', 'ABC', 'aBc DeF', ' x ', '123', 'a1', 'Hello World', "they're", '\\t\\n ', 'a\\tb\\tc', 'a\\nb\\r\\nc\\rd\\n', 'x-y_z 1a']:
            quoted = p.replace("'", '"') if "'" in text else p
            EXPRESSIONS.append('%s.%s()' % (quoted.format(text), m))
        EXPRESSIONS.append('%s.%s(1, 2, 3, 4)' % (p.format('a b'), m))
        EXPRESSIONS.append('%s.%s(x=1)' % (p.format('a b'), m))
    for call in ["center(7)", "center(8, '*')", "center(3)", "center('a')", "center(8, 'ab')", "center(8, 1)", "center(8, u'*')", "center()", "ljust(8)", "ljust(8, '.')", "rjust(8)", "rjust(8, '.')", "rjust(-1)", "zfill(8)", "zfill(2)", "zfill('a')", "zfill()",
                 "count('b')", "count('')", "count('b', 2)", "count('b', 0, 2)", "count('bb')", "count(1)", "count()", "count('b', 'a')", "count('b', None, None)", "count(u'b')", "count('b', -2)", "count('', 10)",
                 "find('b')", "find('z')", "find('b', 2)", "find('b', -2)", "find('', 5)", "find('', 6)", "find(1)", "find()", "find('b', None, 1)", "find('b', 1, 2, 3)", "rfind('b')", "rfind('z')", "rfind('b', 0, 2)", "rfind('')", "index('b')", "index('z')", "rindex('b')", "rindex('z')", "index(1)",
                 "startswith('a')", "startswith('b', 1)", "startswith(('x', 'a'))", "startswith(1)", "startswith((1,))", "startswith('')", "startswith('', 10)", "startswith(['a'])", "startswith()", "endswith('b')", "endswith(('b', 'c'))", "endswith('a', 0, 1)", "endswith(1)", "startswith(u'a')",
                 "replace('b', 'x')", "replace('b', 'x', 1)", "replace('', '-')", "replace('', '-', 2)", "replace('b', '')", "replace('b', 'x', 0)", "replace('b', 'x', -1)", "replace(1, 'x')", "replace('b')", "replace('b', 1)", "replace('b', u'x')", "replace('z', 'y')", "replace('b', 'x', 'y')",
                 "split('b')", "split('b', 1)", "split('')", "split(None, 1)", "split(1)", "split('b', 'x')", "split('z')", "split('b', 0)", "split('b', -1)", "split(u'b')", "rsplit('b', 1)", "rsplit('b')", "rsplit(None, 1)", "rsplit('')", "splitlines(True)", "splitlines('a')", "splitlines(0)",
                 "partition('b')", "partition('z')", "partition('')", "partition(1)", "partition()", "rpartition('b')", "rpartition('z')", "rpartition('')", "rpartition(u'b')",
                 "strip('a')", "strip('ab')", "strip('')", "strip(None)", "strip(1)", "lstrip('a')", "rstrip('b')", "strip(u'a')", "lstrip(1)", "expandtabs(4)", "expandtabs(0)", "expandtabs('a')",
                 "join(['x', 'y'])", "join([])", "join(['x'])", "join('xyz')", "join([1])", "join(['x', 1])", "join(5)", "join(u'xy')", "join([u'x', 'y'])", "join({'k': 1})", "join(('x', 'y'))", "join(x for x in 'pq')", "join()", "join([None])",
                 "translate(None)", "translate('x')", "translate({97: u'z'})", "translate({97: None})", "translate({97: 98})", "translate({97: 'z'})", "translate(None, 'a')", "isdecimal()", "isnumeric()",
                 "append('a')", "encode()", "encode('ascii')", "encode('utf-8')", "encode('hex')", "encode('foo')", "encode('rot13')", "encode('base64')", "encode('latin-1')", "encode('utf-16')", "encode('utf-16-le')", "encode('utf-16-be')", "encode('utf-32-le')", "encode('unicode_escape')", "encode('raw_unicode_escape')", "encode('string_escape')", "encode(1)", "encode('ascii', 'foo')", "encode('ascii', 'ignore')",
                 "encode(encoding='ascii')", "encode(errors='strict')", "decode()", "decode('ascii')", "decode('utf-8')", "decode('hex')", "decode('rot13')", "decode('base64')", "decode('utf-16-le')", "decode('unicode_escape')", "decode('string_escape')", "decode('latin-1', 'strict')"]:
        EXPRESSIONS.append('%s.%s' % (p.format('abcab'), call))
add('''
'aXbXc'.split('X', 1)
'  a  b  c  '.split()
'  a  b  c  '.split(None, 1)
'  a  b  c  '.split(None, 0)
'  a  b  c  '.rsplit(None, 1)
'a,b,,c'.split(',')
'a,b,,c'.rsplit(',', 2)
'aaa'.split('a')
'aaa'.split('aa')
'aaa'.rsplit('aa')
'aaaa'.count('aa')
'aaaa'.replace('aa', 'b')
'+12'.zfill(6)
'-12'.zfill(6)
'--1'.zfill(6)
u'-12'.zfill(6)
'ab'.center(5)
'ab'.center(6)
'abc'.center(6)
'abc'.center(5)
u'abc'.center(6)
'a\\tbc\\td'.expandtabs(4)
'\\t\\n\\tx'.expandtabs(4)
'a\\nb\\tc'.expandtabs(4)
'abc'.translate('\\x00' * 256)
'hello'.translate(None, 'l')
''.join(chr(255 - i) for i in range(256)).translate(None, 'abc')[:5]
'a\\x0bb\\x0cc\\x1cd'.splitlines()
u'a\\x0bb\\x0cc\\x1cd\\x85e\\u2028f'.splitlines()
u'a\\xa0b\\u2003c'.split()
u'\\xc9\\xe9'.lower()
u'\\xc9\\xe9'.upper()
u'\\xdf'.upper()
u'\\u01c4'.lower()
u'\\u01c4'.title()
u'\\u01c5'.istitle()
u'\\u0130'.lower()
u'\\u0660'.isdigit()
u'\\u0660'.isdecimal()
u'\\xb2'.isdigit()
u'\\xb2'.isdecimal()
u'\\xbd'.isnumeric()
u'\\xbd'.isdigit()
u'\\u4e00'.isnumeric()
u'\\u4e00'.isalpha()
u'\\xe9'.isalpha()
'\\xe9'.isalpha()
u'\\xaa'.isalpha()
u'\\xaa'.islower()
u'\\u2160'.isalpha()
u'\\u2160'.isupper()
u'\\u3000'.isspace()
u'\\u200b'.isspace()
u'\\x1f'.isspace()
u'\\x85'.isspace()
'\\x0b'.isspace()
u'a\\u0345'.isalpha()
u'\\xe9'.encode('ascii')
u'\\xe9\\xe8'.encode('ascii')
u'\\xe9'.encode('ascii', 'replace')
u'\\xe9'.encode('ascii', 'ignore')
u'\\xe9'.encode('ascii', 'xmlcharrefreplace')
u'\\xe9\\u20ac\\U0001f600'.encode('ascii', 'backslashreplace')
u'\\u20ac'.encode('latin-1')
u'\\u20ac'.encode('utf-8')
u'\\U0001f600'.encode('utf-8')
u'\\ud800'.encode('utf-8')
u'\\U0001f600'.encode('utf-16-le')
u'\\U0001f600'.encode('utf-16')
u'\\u20ac'.encode('unicode_escape')
u'a\\n\\xe9\\u20ac\\U0001f600\\\\'.encode('unicode_escape')
u'\\xe9'.encode('raw_unicode_escape')
'\\xe9'.encode('utf-8')
'\\xe9'.decode('ascii')
'\\xe9'.decode('ascii', 'replace')
'\\xe9'.decode('utf-8')
'\\xe9a'.decode('utf-8')
'\\xe9\\x80a'.decode('utf-8')
'\\xc3'.decode('utf-8')
'\\xff'.decode('utf-8')
'\\x80'.decode('utf-8')
'\\xc0\\x80'.decode('utf-8')
'\\xe0\\x80\\x80'.decode('utf-8')
'\\xf0\\x80\\x80\\x80'.decode('utf-8')
'\\xf5\\x80\\x80\\x80'.decode('utf-8')
'\\xed\\xa0\\x80'.decode('utf-8')
'\\xe2\\x82\\xac'.decode('utf8')
'\\xe2\\x82\\xacx\\xff'.decode('utf-8', 'ignore')
'\\xe2\\x82x'.decode('utf-8', 'replace')
'\\xff\\xfea\\x00'.decode('utf-16')
'a\\x00b'.decode('utf-16-le')
'\\x00\\xd8a\\x00'.decode('utf-16-le')
'\\x00\\xdc'.decode('utf-16-le')
'zz'.decode('hex')
'abc'.decode('hex')
'a\\\\n\\\\x41'.decode('string_escape')
'\\\\x4'.decode('string_escape')
'\\\\u20ac'.decode('unicode_escape')
'\\\\u20'.decode('unicode_escape')
'\\\\u20ac'.decode('raw_unicode_escape')
"it's".encode('string_escape')
'a' * 60 == ('a' * 60).encode('base64').decode('base64')
('a' * 60).encode('base64')
'YWI='.decode('base64')
u'\\xe9' + '\\xe9'
'\\xe9' + u'a'
'%s' % u'\\xe9'
'\\xe9%s' % u'a'
u'%s' % '\\xe9'
u'a'.join(['\\xe9', 'b'])
'a'.join([u'\\xe9', '\\xe9'])
u'abc'.find('\\xe9')
'abc'.find(u'\\xe9')
'a'.upper
''.join(['a', 'b', u'c'])
'abc' < u'abd'
'x' * 0
'x' * -1
3 * 'ab'
'ab' * 2L
'ab' * True
'ab' * 2.0
[1] * 3
2 * [1, 2]
[1] * -1
() * 3
(1, 2) * 2
[] * 1.5
'a' * 'b'
[1] + (2,)
(1,) + [2]
[1] + [2]
[1] + 'a'
'a' + 1
1 + 'a'
u'a' + 1
1 + u'a'
'a' + None
[] + None
'ab' 'cd'.upper()
''')

# ---- lists, tuples, dicts, sets ----
add('''
[1, 2, 1].count(1)
[1, 2, 1].count(5)
[1, 2, 1].count()
[1, 2, 1].index(2)
[1, 2, 1].index(1, 1)
[1, 2, 1].index(5)
[1, 2, 1].index('a')
[1, 2, 1].index(1, 1, 2)
[1, 2, 1].index(1, -1)
[1, 2, 1].index(1, 'a')
[1].index()
(1, 2, 1).count(1)
(1, 2, 1).index(2)
(1, 2, 1).index(5)
(1, 2).index(1, 1)
(1, 2).count()
{'a': 1}.get('a')
{'a': 1}.get('b')
{'a': 1}.get('b', 5)
{}.get()
{}.get(1, 2, 3)
{}.get([])
{'a': 1}.has_key('a')
{'a': 1}.has_key('b')
{}.has_key()
{}.has_key([])
{'a': 1, 'b': 2}.keys()
{'a': 1, 'b': 2}.values()
{'a': 1, 'b': 2}.items()
{'a': 1, 'b': 2}.keys(1)
list({'a': 1}.iterkeys())
list({'a': 1}.itervalues())
list({'a': 1}.iteritems())
{'a': 1}.viewkeys()
{'a': 1}.viewvalues()
{'a': 1}.viewitems()
{'a': 1}.copy()
{'a': 1}.viewkeys() & ['a']
{'a': 1}.viewkeys() | ['b']
{'a': 1}.viewkeys() - ['a']
{'a': 1}.viewkeys() ^ ['b']
{'a': 1}.viewitems() & [('a', 1)]
{'a': 1}.viewvalues() & [1]
{'a': 1}.viewkeys().isdisjoint(['b'])
{'a': 1}.viewkeys() == ['a']
{'a': 1}.viewkeys() == set(['a'])
{'a': 1} == {'a': 1.0}
{'a': 1} == {'b': 1}
{'a': 1, 'b': 2, 'c': 3, 'd': 4, 'e': 5, 'f': 6, 'g': 7, 'h': 8}
{1: 1, 9: 2, 17: 3, 25: 4, 33: 5, 41: 6}
dict.fromkeys(range(20))
dict.fromkeys('the quick brown fox')
dict((i * 8, i) for i in range(6))
dict(zip('abcdefghijklmnopqrstuvwxyz', range(26)))
dict.fromkeys({'a': 1, 'b': 2, 'c': 3})
dict.fromkeys(set('abcdefgh'))
{-1: 'a', -2: 'b'}
{'one': 1, 'two': 2, 'three': 3, 'four': 4, 'five': 5, 'six': 6, 'seven': 7}
{1.5: 'a', 'x': 2, None: 3}.get(None)
{(1, 2): 'a', (3, 4): 'b', (5, 6): 'c'}
{u'a': 1, 'b': 2, u'\\u20ac': 3}
dict({'a': 1, 'b': 2, 'c': 3, 'd': 4, 'e': 5, 'f': 6, 'g': 7}, z=1)
dict(aa=1, bb=2, cc=3, dd=4, ee=5, ff=6, gg=7)
{x: 1 for x in 'zyxwvutsrqponm'}
dict({x: 1 for x in 'zyxwvutsrqponm'})
{x: 1 for x in 'zyxwvutsrqponm'}.copy()
set('the quick brown fox')
set(range(20))
set([i * 8 for i in range(10)])
set(['one', 'two', 'three', 'four', 'five', 'six', 'seven'])
set([1.5, 'x', (1, 2)])
set([-1, -2, -3])
set(dict.fromkeys('hello world'))
frozenset('hello world')
set(set('hello world'))
set('hello') | set('world')
set('hello') & set('world')
set('hello') - set('world')
set('hello') ^ set('world')
set('hello').union('world')
set('hello').union('world', 'xyz')
set('hello').union()
set('hello').intersection('world')
set('hello').intersection('world', 'lo')
set('hello').intersection()
set('hello').difference('world')
set('hello').difference('world', 'h')
set('hello').difference()
set('hello').symmetric_difference('world')
set('hello').symmetric_difference()
set('hello').issubset('hello world')
set('hello').issuperset('he')
set('hello').isdisjoint('xyz')
set('hello').isdisjoint('xyze')
set('hello').copy()
set('ab') <= set('abc')
set('ab') < set('ab')
set('ab') == frozenset('ba')
set('ab') | 'c'
set('ab') & [1]
frozenset('ab') | set('c')
set('ab') | frozenset('c')
set([1]) == [1]
set() < 5
set('abcdefghijklmnop') - set('aeio')
set(range(50)) & set(range(25, 75))
set(range(50)) ^ set(range(25, 75))
set(range(0, 100, 7)) | set(range(0, 100, 5))
set('hello').union(5)
set('hello').intersection(5)
set('hello').issubset(5)
set().union([[]])
set([1, 2]).intersection({1: 2})
set([1, 2]).difference({1: 2})
set('abc').symmetric_difference(dict.fromkeys('bcd'))
frozenset([1]).copy()
sorted(set([3, 1, 2]))
[1].append(2)
[].sort()
[3].pop()
{}.update({})
{}.pop(1)
{}.setdefault(1)
set().add(1)
set().pop()
bytearray().append(1)
min(set([3, 1]))
sum({1: 2, 3: 4})
sum({1: 2}.values())
zip({'a': 1}, {'b': 2})
ValueError('a').args
ValueError('a').message
ValueError('a', 'b').message
ValueError().args
IOError(1, 'a').errno
IOError(1, 'a').strerror
KeyError('a')[0]
UnicodeDecodeError('a')
UnicodeDecodeError('ascii', 'x', 0, 1, 'r')
ZeroDivisionError
StopIteration
isinstance(IOError(), EnvironmentError)
''')

# ---- % formatting ----
for fmt in ['d', 'i', 'u', 'o', 'x', 'X', 'e', 'E', 'f', 'F', 'g', 'G', 'c', 's', 'r', '5d', '-5d', '05d', '+d', ' d', '+5d', '-05d', '.3d', '8.3d', '08.3d', '#x', '#X', '#o', '#10x', '#010x', '-#10x', '+x', '.2f', '8.2f', '-8.2f', '08.2f', '+.2f', ' .2f', '.0f', '#.0f', '.3e', '#.0e', '.3g', '#.3g', '.0g', '10s', '-10s', '.2s', '10.2s', '5c', '.2r', '5%', '%', 'ld', 'hd', 'Ld', '010s', '+s', '020e', '.10g', '.50f', '-+8d', '#d', '.0d', '.0x', '+.3x']:
    for value in ['42', '-42', '0', '3.14159', '-2.5', '1e20', '1e-7', "'abc'", '2**70', '5L', '-255L', 'True', 'None', "float('inf')", "float('nan')", '[1]', '1j']:
        EXPRESSIONS.append("'%%%s' %% %s" % (fmt, value))
    EXPRESSIONS.append("u'%%%s' %% 65" % fmt)
add('''
'%d %d' % (1, 2)
'%d' % (1, 2)
'%d %d' % (1,)
'%d' % ()
'abc' % ()
'abc' % 1
'abc' % (1,)
'abc' % {}
'abc' % []
'abc' % 'x'
'abc' % set()
'%s' % (1,)
'%s' % ((1, 2),)
'%s' % [1, 2]
'%s' % {}
'%(a)s' % {'a': 1}
'%(a)s %(b)d' % {'a': 1, 'b': 2}
'%(a)s' % {'b': 1}
'%(a)s' % 1
'%(a)s' % (1,)
'%(a' % {'a': 1}
'%(a)' % {'a': 1}
'%((a))s' % {'(a)': 1}
'%(a)s %s' % {'a': 1}
'%s %(a)s' % {'a': 1}
'%()s' % {'': 5}
'%*d' % (5, 42)
'%-*d' % (5, 42)
'%*d' % (-5, 42)
'%.*f' % (2, 3.14159)
'%*.*f' % (8, 2, 3.14159)
'%*d' % ('a', 1)
'%*d' % (5,)
'%.*f' % (-1, 3.5)
'%' % ()
'%5' % 1
'%z' % 1
'%y' % 1
'%\\n' % 1
'%5z' % 1
'a%' % 1
'%%' % ()
'%%' % 1
'%5%' % ()
'%c' % 65
'%c' % 'a'
'%c' % 'ab'
'%c' % ''
'%c' % 256
'%c' % -1
'%c' % 1.5
'%c' % None
'%c' % u'a'
u'%c' % 8364
u'%c' % 1114112
u'%c' % 'a'
u'%c' % u'ab'
'%s' % u'a'
'%s %s' % ('a', u'b')
'%r' % u'a'
'%r' % 'a'
'%s' % None
'%s' % 1.1
'%r' % 1.1
'%s' % 5L
'%r' % 5L
'%d' % 1.9
'%d' % -1.9
'%d' % 1e30
'%d' % '5'
'%d' % None
'%x' % 1.5
'%x' % -255
'%x' % 'a'
'%f' % 'a'
'%f' % None
'%f' % 1j
'%d' % 1j
'%d' % float('inf')
'%d' % float('nan')
'%f' % 10**50
'%f' % (10**50)
'%g' % 1e100
'%g' % 123456789
'%g' % 0.0001
'%g' % 0.00001
'%g' % 100000
'%g' % 1000000
'%e' % 0
'%.0e' % 12345
'%a' % 1
'%s' % len
'%s' % int
'%s%s' % ('a', 'b')
'%s, %s!' % ('hello', 'world')
'%5.1f|%-8s|%+d' % (3.14159, 'ab', 7)
'%s' % ValueError('x')
'%o' % 8
'%o' % -8
'%#o' % 0
'%#x' % 0
'%#x' % -255
'%X' % 255
'%#X' % 255
'%i' % True
'%s' % True
'%9999999999999999999999d' % 1
'%.99999999999999999999f' % 1
u'%s' % 1
u'%d%%' % 50
u'%r' % u'\\xe9'
u'%s' % [u'\\xe9']
'%s' % [u'\\xe9']
'%s' % bytearray('ab')
'%s' % buffer('ab')
'%(a)s' % bytearray('ab')
'%(x)d' % {u'x': 1}
u'%(x)d' % {'x': 1}
''')

# ---- format() and str.format ----
for spec in ['', 'd', 'b', 'o', 'x', 'X', 'c', 'n', 'e', 'E', 'f', 'F', 'g', 'G', '%', 's', '5', '<5', '>5', '^5', '=5', '05', '*<8', '*>8', '*^8', '*=8', '+', '-', ' ', '+5', '+05', '#x', '#o', '#b', '#010x', ',', '010,', '12,', ',d', ',.2f', '.2', '.2f', '8.2f', '08.2f', '+.1e', '.3g', '.0f', '.1%', 'z', '5z', 'dd', '.', '.f', '10.3', '<<5', '}<5', '010', '<010', ',x', ',s', '.2d', '+s', '=5s', '#s', '.2s', '10.2s', '^10s', '5c', '+c', '#f', '015,.2f', '020,d', '.10', '1000000', '99999999999999999999']:
    for value in ['42', '-42', '0', '1234567', '3.14159', '-2.5', '1e20', '0.0001', '100000000000.0', "'abc'", '2**70', 'True', '1234567.891', '1+2j']:
        if spec in ('1000000', '99999999999999999999') and value != '42':
            continue
        EXPRESSIONS.append("format(%s, '%s')" % (value, spec))
    EXPRESSIONS.append("format(u'abc', '%s')" % spec if spec not in ('1000000',) else '1')
    EXPRESSIONS.append("'{:%s}'.format(7)" % spec if spec not in ('1000000', '}<5') else '1')
add('''
format(1)
format(1, u'd')
format('a', u'5')
format(u'a', '5')
format(1, 1)
format([1], '')
format([1], '10')
format(None, '5')
format(None, 'd')
format(1, 'd', 2)
format({}, '')
format(float('nan'), '5')
format(float('inf'), '05')
format(-float('inf'), '+f')
format(5L, 'd')
format(5L, '')
format(True, '')
format(True, '5')
format(3j, '')
format(3j, '.2f')
format(1+2j, '>10')
format(1+2j, '010')
format(1+2j, '=10')
format(256, 'c')
format(65, 'c')
format(-1, 'c')
'{}'.format(1)
'{} {}'.format(1, 2)
'{0} {1} {0}'.format(1, 2)
'{a}'.format(a=1)
'{a} {0}'.format(1, a=2)
'{} {a}'.format(1, a=2)
'{} {0}'.format(1)
'{0} {}'.format(1)
'{}'.format()
'{1}'.format(1)
'{a}'.format()
u'{a}'.format()
'{0.real}'.format(5)
'{0.foo}'.format(5)
'{0[0]}'.format([7])
'{0[a]}'.format({'a': 1})
'{0[0]}'.format({'0': 1, 0: 2})
'{0[5]}'.format([1])
'{0[b]}'.format({'a': 1})
'{0[a].real}'.format({'a': 1})
'{a[0]}'.format(a=[5])
'{.real}'.format(5)
'{[0]}'.format([5])
'{0!r}'.format('a')
'{0!s}'.format('a')
'{!r:5}'.format('a')
'{0!x}'.format('a')
'{0!}'.format('a')
'{0!r'.format('a')
'{0!rr}'.format('a')
'{0:5}'.format('a')
'{0:>5}'.format('a')
'{0:{1}}'.format('a', 5)
'{0:{w}.{p}}'.format(3.14159, w=8, p=3)
'{:{}}'.format('a', 5)
'{0:{1:{2}}}'.format('a', 5, 3)
'{{}}'.format()
'{{{0}}}'.format(5)
'{'.format()
'}'.format()
'{0'.format(1)
'0}'.format(1)
'a{'.format()
'{0.}'.format(1)
'{0[}'.format(1)
'{0[]}'.format(1)
'{0[0}'.format(1)
'{0[0]a}'.format([1])
'{ 0}'.format(1)
'{0 }'.format(1)
'{-1}'.format(1)
'{99999999999999999999}'.format(1)
'{:d}'.format('a')
'{:s}'.format(1)
'{}'.format(u'a')
'{}'.format(u'\\xe9')
u'{}'.format('a')
u'{}'.format('\\xe9')
u'{}'.format(u'\\xe9')
'{}'.format([1, 'a'])
'{}'.format(None)
'{!r}'.format(u'\\xe9')
u'{!r}'.format(u'\\xe9')
'{:,}'.format(1234567)
'{:,}'.format(1234.5)
'{:>{w}}'.format('a', w=4)
'{0:<5}|{0:^5}|{0:>5}'.format('ab')
'{:%}'.format(0.25)
'{:.1%}'.format(0.256)
'{:x}'.format(255)
'{:#b}'.format(5)
'{:08.3f}'.format(3.14159)
'{:+d}'.format(5)
'{:c}'.format(65)
'{:e}'.format(12345.678)
'{:g}'.format(1e10)
'{:n}'.format(1234)
'{:5}'.format(True)
'{:5}'.format(None)
'{0.__class__}'.format(1)
'{a.b}'.format(a=1)
'abc'.format(1, 2, x=3)
'{0}'.format(*[1])
'{a}'.format(**{'a': 1})
str.format('{}', 1)
'{:{}{}}'.format(5, '0', 3)
''')

# ---- what is refused ----
REFUSED = set('''open file eval execfile compile __import__ input raw_input reload globals locals vars dir setattr delattr exit quit help
copyright credits license super property classmethod staticmethod'''.split())


def escape(text):
    return text.replace('\\', '\\\\').replace('\t', '\\t').replace('\n', '\\n').replace('\r', '\\r')


def answer(source):
    try:
        return repr(eval(source, {}))
    except BaseException as error:
        try:
            message = str(error)
        except UnicodeError:
            message = unicode(error).encode('utf-8')
        if isinstance(error, SyntaxError):
            message = error.msg
        return '!%s: %s' % (type(error).__name__, message)


def main():
    seen = set()
    for text in EXPRESSIONS:
        if isinstance(text, str):
            text = text.decode('utf-8')
        if text in seen:
            continue
        seen.add(text)
        shown = answer(text)
        # Addresses, refused names and what the sandbox refuses have no answer here.
        if '0x7f' in shown and ' at 0x' in shown or len(shown) > 3000:
            continue
        # `binascii.Error` is no built-in name; `int(int)` tells of the interpreter's inside.
        if shown.startswith('!Error:') or "'__trunc__'" in shown:
            continue
        # The bytes of a unicode's inside are not shown.
        if text.startswith("buffer('q') ") and "u'b'" in text:
            continue
        refused = ['__', '.append(', '.sort(', '.pop(', '.update(', '.setdefault(', '.add(', 'exec ', 'print', 'type(\'a\', (']
        if any(word in text for word in refused):
            continue
        sys.stdout.write(escape(text.encode('utf-8')) + '\t' + escape(shown) + '\n')


main()
