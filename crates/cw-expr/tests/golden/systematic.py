# -*- coding: utf-8 -*-
"""Crosses values, operators, built-ins, methods and formats at random, and writes Python 2.7's answers.

Run with Python 2.7:  python systematic.py > systematic.txt
Rows are as those of expressions.py. One row in 12 is kept, and every one that is written by hand.
"""
import itertools
import os
import random
import signal
import subprocess
import sys
import warnings
import zlib

warnings.simplefilter('ignore')
random.seed(7)
KEPT = 12
ROWS = []


def add(text):
    if zlib.crc32(text) % KEPT == 0:
        ROWS.append(text)


VALS=r"""None|True|0|-1|7|255|2**31|2**63-1|-2**63|2**63|10L|-3L|2**100|0.0|-0.0|1.5|-2.5|1e16|1e100|float('inf')|float('nan')|1j|(1.5-2j)|''|'a'|'abc'|'12'|' 12 '|'\xe9'|'a\nb\t'|u''|u'a'|u'\xe9'|u'12'|u'\u20ac'|u'\U0001F600'|()|(1,)|(1,'a')|[]|[1]|[3,1,2]|['b','a']|[[1],[0]]|{}|{1:2}|{'a':1,'b':2}|set()|{1}|{3,1,2}|frozenset([1])|xrange(3)|xrange(5,0,-2)|slice(1,2)|slice(None)|len|int|str|object|lambda:1|Ellipsis|NotImplemented|bytearray('ab')|buffer('ab')|memoryview('ab')|iter([1,2])|(x for x in [1])|ValueError('x')|ValueError|{}.viewkeys()|{1:2}.viewitems()|enumerate('a')|reversed([1,2])|'abc'.upper|str.upper|type""".split('|')
BUILT="abs all any apply basestring bin bool buffer bytearray bytes callable chr cmp coerce complex dict divmod enumerate filter float format frozenset getattr hasattr hash hex int intern isinstance issubclass iter len list long map max memoryview min next object oct ord pow range reduce repr reversed round set slice sorted str sum tuple type unichr unicode xrange zip".split()
for b in BUILT:
    add(b+'()')
    add('repr(%s)'%b)
    for v in VALS:
        add('%s(%s)'%(b,v))
        add('%s(*%s)'%(b,v))
    for v in random.sample(VALS,30):
        for w in random.sample(VALS,18):
            add('%s(%s, %s)'%(b,v,w))
    for _ in range(120):
        add('%s(%s)'%(b,', '.join(random.choice(VALS) for _ in range(3))))
    for _ in range(20):
        add('%s(%s)'%(b,', '.join(random.choice(VALS) for _ in range(4))))
    for k in 'key cmp reverse default x object string encoding errors base real imag start iterable sequence source number ndigits'.split():
        add('%s(%s, %s=%s)'%(b,random.choice(VALS),k,random.choice(VALS)))
        add('%s(%s=%s)'%(b,k,random.choice(VALS)))

OPS=['+','-','*','/','//','%','**','<<','>>','&','|','^','<','<=','>','>=','==','!=','<>','in','not in','and','or']
for op in OPS:
    pairs=list(itertools.product(VALS,VALS)); random.shuffle(pairs)
    for v,w in pairs[:1500]:
        if op in('**','<<','*') and ('**' in v or '**' in w or '1e' in v or '1e' in w): 
            if op!='*': continue
        add('%s %s %s'%(v if 'lambda' not in v else '(%s)'%v,op,w if 'lambda' not in w else '(%s)'%w))
for op in ['-','+','~','not ','`%s`']:
    for v in VALS: add((op+v) if '%' not in op else op%v)
METH={'str':"capitalize center count decode encode endswith expandtabs find format index isalnum isalpha isdigit islower isspace istitle isupper join ljust lower lstrip partition replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip swapcase title translate upper zfill".split()}
METH['unicode']=METH['str']+['isnumeric','isdecimal']
METH['bytearray']=[m for m in METH['str'] if m not in('encode','format')]
METH['list']=['count','index']
METH['tuple']=['count','index']
METH['dict']="copy fromkeys get has_key items iteritems iterkeys itervalues keys values viewitems viewkeys viewvalues".split()
METH['set']="copy difference intersection isdisjoint issubset issuperset symmetric_difference union".split()
METH['frozenset']=METH['set']
METH['int']=['bit_length','conjugate','numerator','denominator','real','imag']
METH['float']='as_integer_ratio fromhex hex is_integer conjugate real imag'.split()
METH['complex']=['conjugate','real','imag']
METH['slice']=['indices','start','stop','step']
SAMPLES={'str':["''","'abc'","'a b  c'","'Hello World'","'aXbXc'","'\\xe9t\\xe9'","'  pad '","'1\\t2\\n3\\r\\n'","'{0} {a}'","'ABC'","'tItle cAse'","'-12'","'a\\x00b'"],
'list':['[]','[1,2,1]',"['a',1]"],'tuple':['()','(1,2,1)'],'dict':['{}','{1:2,3:4}',"{'a':1,u'b':2}",'dict.fromkeys(range(9))'],'set':['set()','{1,2,3}',"{'a','b'}"],'frozenset':['frozenset()','frozenset([1,2])'],
'int':['0','5','-7','True','2**70','10L'],'float':['0.0','1.5','-0.1','1e300','float("inf")','float("nan")','1e-320'],'complex':['1j','(1+2j)'],'slice':['slice(1,10,2)','slice(None)','slice(-3,None,-1)']}
SAMPLES['unicode']=['u'+s for s in SAMPLES['str']]+["u'\\u20ac\\u0130\\xdf'","u'\\u0661\\xb2\\xbd'","u'\\U0001F600x'","u'\\u01c5\\u1e9e'"]
SAMPLES['bytearray']=['bytearray(%s)'%s for s in SAMPLES['str']]
ARGS=VALS+["'b'","' '","'X'","u'b'","u'X'","'bc'","2","3","10","-5","100","('a','b')","(u'a','Z')","['x','y']","['x',u'y']","[u'\\xe9','a']","'ascii'","'utf-8'","'latin-1'","'hex'","'rot13'","'base64'","'utf-16'","'unicode_escape'","'string_escape'","'ignore'","'replace'","'xmlcharrefreplace'","'backslashreplace'","'nope'","{97:u'z',98:None}","''.join(map(chr,range(256)))","'e'","[1,2]","range(20)","{2,9}","{1:0}"]
for t,ms in METH.items():
    for m in ms:
        for s in SAMPLES[t]:
            add('%s.%s'%(s if not s[0].isdigit() and s[0]!='-' and '**' not in s else '(%s)'%s,m)) if t in('int','float','complex','slice') else None
            s2=s if not (s[0].isdigit() or s[0]=='-' or '**' in s) else '(%s)'%s
            add('%s.%s()'%(s2,m))
            for a in random.sample(ARGS,14): add('%s.%s(%s)'%(s2,m,a))
            for _ in range(10): add('%s.%s(%s, %s)'%(s2,m,random.choice(ARGS),random.choice(ARGS)))
            for _ in range(4): add('%s.%s(%s, %s, %s)'%(s2,m,random.choice(ARGS),random.choice(ARGS),random.choice(ARGS)))
        for a in random.sample(ARGS,6):
            add('%s.%s(%s)'%(t,m,a))
        add('%s.%s()'%(t,m)); add('%s.%s'%(t,m)); 
# % formatting
FL=['','-','+',' ','0','#','+0','-0','#0',' 0','- #','+#']
W=['','1','5','12','*']
P=['','.','.0','.2','.10','.*']
FV=['0','1','-1','42','-255','2**40','2**64','-2**70','0.0','-0.0','1.5','-2.675','1e10','123456789.123','1e-5','1e100','float("inf")','float("-inf")','float("nan")',"'a'","'abc'","u'\\xe9'","u'ab'",'None','True','[1]','(1,)','1j','65','300','-5L','{}','"\\xe9"','9999999.5','0.00001234','1e16','123456']
for c in 'diouxXeEfFgGcrs%a':
    for _ in range(330):
        f='%'+random.choice(FL)+random.choice(W)+random.choice(P)+random.choice(['','','','l','h','L'])+c
        v=random.choice(FV)
        args=[]
        if '*' in f:
            args=[random.choice(['5','0','-6','12']) for _ in range(f.count('*'))]
        u=random.choice(['','','u'])
        add("%s'%s' %% (%s,)"%(u,f,', '.join(args+[v])))
for f in ['%','%(a)s','%(a)','%(a','%(a)d %(b)s','%s %s','%d%%','%%','%y','%5','%l','%(a)*d','%((a))s','%()s','%s%','%.','%-','%1$s','%*s','%.*s','%-*d|','%s %(a)s','%(a)s %s','%c%c']:
    for v in ['1','()','(1,)','(1,2)','(1,2,3)','{}',"{'a':1}","{'a':1,'b':2}","{'':3}","{'(a)':3}",'[1]',"'x'","u'x'",'None','{u"a":1}',"('a',)","(5,'a')","('x',1)"]:
        add("'%s' %% %s"%(f,v)); add("u'%s' %% %s"%(f,v))
# .format
FILL=['','*','0','<','\\xe9','=']
AL=['','<','>','^','=']
SG=['','+','-',' ']
for v in ['0','5','-5','2**40','-2**64','1.5','-2.675','0.0','1e22','1e-7','float("nan")','float("inf")',"'ab'","u'ab'",'True','None','1j','(1.5-2j)','[1]','123456.789','1234567','99999.95','-0.0']:
    for _ in range(110):
        al=random.choice(AL)
        spec=(random.choice(FILL) if al else '')+al+random.choice(SG)+random.choice(['','','#'])+random.choice(['','','0'])+random.choice(['','','6','12','1'])+random.choice(['','','',','])+random.choice(['','','.0','.2','.8','.'])+random.choice(['','','b','c','d','e','E','f','F','g','G','n','o','s','x','X','%','z','q'])
        k=random.random()
        if k<.5: add("format(%s, '%s')"%(v,spec))
        elif k<.75: add("'{0:%s}'.format(%s)"%(spec,v))
        elif k<.85: add("format(%s, u'%s')"%(v,spec))
        else: add("u'{:%s}'.format(%s)"%(spec,v))
for f in ['{','}','{{','}}','{{}}','{}','{} {}','{0} {1}','{1} {0}','{} {0}','{0} {}','{a}','{a} {}','{0[1]}','{0[a]}','{0.real}','{0.x}','{0!r}','{0!s}','{0!x}','{0!}','{0!rr}','{:{}}','{:{}.{}}','{0:{1}}','{0[}','{0]}','{0[]}','{0.}','{.real}','{[0]}','{-1}','{0[-1]}','{ 0}','{0 }','{a.real:>5}','{0:{a}}','{a!r:>10}','{a[0]!s:^5}','{0:>{1}{2}}','{:x}{:o}','{!r}','{:}','{0:{1:{2}}}','{99999999999999999999}','{0[99999999999999999999]}','{0[a][b]}','{0[0][0]}','a{b','a}b','{0.real.imag}','{a b}']:
    for v in ['','1','1, 2','1, 2, 3',"'ab'","'ab', 6, 3",'[1,2]','a=1',"1, a=2","{'a':{'b':7}}","(5,6)",'*[1,2]',"**{'a':3}","u'\\xe9'",'a="xy"','[[8]]']:
        add("'%s'.format(%s)"%(f,v))
        if random.random()<.5: add("u'%s'.format(%s)"%(f,v))
# float repr
for _ in range(500):
    m=random.choice([random.random(),random.randint(1,10**17),random.random()*10**random.randint(-20,20)])
    e=random.randint(-330,310)
    add('%re%d'%(m if isinstance(m,int) else round(m,random.randint(0,17)),e) if 'e' not in repr(m) else repr(m))
    add('str(%r)'%(random.random()*10**random.randint(-10,20)))
    add('round(%r, %d)'%(random.uniform(-1000,1000),random.randint(-4,8)))
    a=random.uniform(-100,100);b=random.uniform(-10,10)
    add('%r %s %r'%(round(a,3),random.choice(['+','-','*','/','//','%']),round(b,2)))
    add('divmod(%r, %r)'%(round(a,3),round(b,2)))
    add('float(%r).hex()'%a)
    add("'%%.%d%s' %% %r"%(random.randint(0,25),random.choice('efg'),a*10**random.randint(-20,20)))
# int boundary
B=['2**31','2**62','2**63','2**63-1','-2**63','-2**63-1','2**64','0x7fffffffffffffff','-0x8000000000000000','-1','0','1','3','-7','10**18','10**19','-10**19','9223372036854775807L','5L','-5L','12345678901234567890','4611686018427387904','3037000500']
for a,b in itertools.product(B,B):
    for op in ['+','-','*','/','//','%','&','|','^','==','<']: 
        if random.random()<.45: add('(%s) %s (%s)'%(a,op,b))
    if random.random()<.3: add('divmod(%s, %s)'%(a,b))
    if random.random()<.3: add('cmp(%s, %s)'%(a,b))
    if random.random()<.3: add('coerce(%s, %s)'%(a,b))
    if random.random()<.3: add('pow(%s, %s, %s)'%(a,random.choice(['3','5','2**10','10L']),b))
for a in B:
    for f in 'hex oct bin hash abs str repr int long float complex bool chr unichr round'.split(): add('%s(%s)'%(f,a))
    for s in ['0','1','5','63','64','70','-1','3L']:
        add('(%s) << %s'%(a,s)); add('(%s) >> %s'%(a,s)); add('(%s) ** %s'%(a,s if s not in('63','64','70') else '4'))
    add('-(%s)'%a);add('~(%s)'%a); add('(%s).bit_length()'%a)
    add('float(%s) == (%s)'%(a,a)); add('hash(float(%s))'%a); add('int(float(%s))'%a)
# slices
SEQ=["'abcdefg'","u'abc\\xe9'",'[0,1,2,3,4,5]','(0,1,2,3,4)','xrange(6)','range(6)',"bytearray('abcdef')","buffer('abcdef')","memoryview('abcdef')"]
IX=['','0','1','2','-1','-2','5','6','7','-6','-7','100','-100','None','2**70','-2**70','3L','True',"'a'",'1.0']
for s in SEQ:
    for _ in range(160):
        k=random.random()
        if k<.3: add('%s[%s]'%(s,random.choice(IX[1:])))
        elif k<.6: add('%s[%s:%s]'%(s,random.choice(IX),random.choice(IX)))
        else: add('%s[%s:%s:%s]'%(s,random.choice(IX),random.choice(IX),random.choice(['','1','2','3','-1','-2','-3','0','None','100','-100','2**70','1L',"'a'"])))
    for e in ['...','1,2','1:2,3',':','::','()','[]','{}','1,','slice(1,3)','slice(None,None,-1)','Ellipsis','...,1']:
        add('%s[%s]'%(s,e))
for _ in range(300):
    add('slice(%s, %s, %s).indices(%s)'%(random.choice(IX[1:]),random.choice(IX[1:]),random.choice(IX[1:16]),random.choice(['0','3','10','-1','2**70',"'a'",'1.5','5L'])))
# chains
CV=['None','1','1.5','2L','True',"'a'","u'a'","()","[]","{}","set()","1j","xrange(2)","len","int","float('nan')","frozenset()","(1,2)","[1,2]","'b'","object","Ellipsis","bytearray('a')","slice(1)"]
CO=['<','<=','>','>=','==','!=','in','not in','is','is not']
for _ in range(2500):
    add(' '.join([random.choice(CV),random.choice(CO[:8]),random.choice(CV),random.choice(CO[:8]),random.choice(CV)]))
for _ in range(800):
    add('sorted([%s])'%', '.join(random.choice(CV[:10]+CV[15:18]+["'zz'",'-3','{}','{1:1}']) for _ in range(random.randint(2,7))))
    add('%s([%s])'%(random.choice(['max','min','tuple','set','sum','len','all','any']),', '.join(random.choice(CV[:8]+['7','-2']) for _ in range(random.randint(0,5)))))
    add('cmp(%s, %s)'%(random.choice(CV),random.choice(CV)))
# dict/set order
KEYS=['1','2','8','16','33','-1','-2','255','1024',"'a'","'b'","'abc'","'foo'","'bar'","u'a'","'key1'","'key2'",'None','True','1.5','2.5','(1,2)','()',"('a',)",'10**20','-5L','frozenset([1])','1e300','0.1','3j',"'z'*10",'7','64','128','65536','"\\xe9"','u"\\xe9"']
for _ in range(900):
    n=random.randint(1,14)
    ks=[random.choice(KEYS) for _ in range(n)]
    k=random.random()
    if k<.25: add('{%s}'%', '.join('%s: %d'%(x,i) for i,x in enumerate(ks)))
    elif k<.5: add('{%s}'%', '.join(ks))
    elif k<.6: add('set([%s])'%', '.join(ks))
    elif k<.7: add('dict([%s])'%', '.join('(%s, %d)'%(x,i) for i,x in enumerate(ks)))
    elif k<.8: add('{%s} %s {%s}'%(', '.join(ks),random.choice('|&-^'),', '.join(random.sample(KEYS,random.randint(1,8)))))
    elif k<.9: add('frozenset([%s])'%', '.join(ks))
    else: add('{x: i for i, x in enumerate([%s])}'%', '.join(ks))
for n in [5,6,10,20,21,40,85,86,100,200]:
    for e in ['set(range(%d))','{x*x for x in range(%d)}','dict.fromkeys(range(%d)).keys()','set(map(str,range(%d)))','{str(x):x for x in range(%d)}.keys()','set(x*37 for x in range(%d)) - set(range(300))','set(range(%d)) ^ {3,5,1000}','set(range(%d)) & set(range(0,400,3))','dict((x*7, x) for x in range(%d)).items()[:9]','set(range(%d,0,-1)) | {-1,-2}','frozenset(map(float,range(%d)))','set(-x for x in range(%d))','list(set("k%%d" %% x for x in range(%d)))','set(range(%d)).union("abc", [1.5])','set(range(%d)).symmetric_difference([1,2,3,999])','set(range(%d)).intersection([999,2,1])','set(range(%d)).difference([2,1],(3,))','dict(zip(range(%d),"abcdefghijkl"), a=1, b=2)','dict({x:x for x in range(%d)}, z=1)','{x:1 for x in range(%d)}.copy().keys()','set(set(range(%d)))','set(dict.fromkeys(range(%d)))','dict.fromkeys(set(range(%d)), 0).keys()','len(set(range(%d)))','sorted(set(range(%d)))[-3:]','hash(frozenset(range(%d)))','hash(tuple(range(%d)))','set(range(%d)) > {1}','{1,2} <= set(range(%d))','set(range(%d)) == frozenset(range(5))']:
        add(e%n)

# ---- written by hand ----
ROWS += r"""[x for x in [1,2,3]], x
[x for x in [1]] + [x]
([x for x in [1,2]], [x for y in [1]])
[[x for x in [1,2]] for x in [3]], x
(lambda: [x for x in [1,2]] and x)()
list(x for x in [1,2]), x
[i for i in range(3)] and i
[(i, j) for i in range(2) for j in range(i)] and (i, j)
[lambda: i for i in range(3)][0]()
map(lambda f: f(), [lambda: i for i in range(3)])
map(lambda f: f(), list(lambda: i for i in range(3)))
[f() for f in [lambda: i for i in range(3)]]
[f() for f in (lambda: i for i in range(3))]
(lambda x: [x for x in [5]] and x)(1)
(lambda x: list(x for x in [5]) and x)(1)
(lambda x: {x for x in [5]} and x)(1)
(lambda x: {x: x for x in [5]} and x)(1)
(lambda x: [y for y in [x]] + [y])(9)
(lambda a, b=3, *c, **d: (a, b, c, d))(1)
(lambda a, b=3, *c, **d: (a, b, c, d))(1, 2, 3, e=4)
(lambda (a, b), c=5: (a, b, c))([1, 2])
(lambda (a, b)=(1, 2): a + b)()
(lambda ((a, b), c): (a, b, c))(((1, 2), 3))
(lambda (a,): a)([4])
(lambda (a): a)(4)
(lambda a, (b): (a, b))(4, 5)
(lambda (a, b): 0)(5)
(lambda (a, b): 0)('xy')
(lambda (a, b): (a, b))('xy')
(lambda (a, b): (b, a))({1: 2, 3: 4})
(lambda *a: a)(*xrange(3))
(lambda **k: sorted(k))(**dict(a=1, b=2))
(lambda x: (lambda y: (lambda z: (x, y, z))(3))(2))(1)
(lambda x: [(lambda y: x + y)(i) for i in range(3)])(10)
(lambda n: list(n * i for i in range(3)))(2)
(lambda n: sum(n * i for i in range(j) for j in [3]))(2)
[list(y for y in range(x)) for x in range(3)]
list((x, y) for x in range(3) for y in range(x) if x % 2)
list(list(x + y for y in 'ab') for x in 'cd')
sum(x for x in (y for y in range(5)) if x > 2)
[x for x in 1, 2, 3]
[x for x in 1, 2, 3 if x > 1 if x < 3]
[x for x in lambda: 1, 2]
[x for x in (1, 2) if (lambda: x)() == 2]
[x if x else 9 for x in [0, 1]]
[x for x in range(5) if x if x - 2]
(x for x in 1, 2)
{x for x in 1, 2}
list(x for x in y)
list(z for x in [1] for z in w)
[a for a, b in [(1, 2)]]
[(a, b, c) for a, (b, c) in [(1, (2, 3))]]
[(a, b, c) for (a, [b, c]) in [(1, (2, 3))]]
[a for a, b in [(1, 2, 3)]]
[a for a, b in [(1,)]]
[a for a, b in [1]]
[a for a, in [(1,)]]
[a for [a] in [(1,)]]
[a for (a) in [(1,)]]
[0 for () in [()]]
[None for None in []]
[1 for x in []] or x
[x for x in []], x
next(x for x in [])
next((x for x in []), 5)
next(iter([]))
next(5)
iter(5)
iter(len, 3)
list(iter(lambda: 3, 3))
(lambda it: (next(it), list(it)))(iter([1, 2, 3]))
(lambda it: (list(it), list(it)))(iter([1, 2, 3]))
(lambda g: (next(g), g.next(), next(g, 'end'), next(g, 'end')))(x for x in [1, 2])
zip(*[iter(range(6))] * 2)
map(None, [1, 2], [3])
map(None, [1, 2])
map(lambda *a: a, [1, 2], [3])
filter(None, [0, 1, '', 'a'])
filter(lambda x: x > 'a', 'abc')
filter(None, (0, 1))
filter(lambda x: x > u'a', u'abc')
reduce(lambda a, b: a * b, range(1, 6))
reduce(lambda a, b: a, [])
reduce(lambda a, b: a, [], 5)
reduce(lambda a, b: a + [b], 'abc', [])
sorted('bca', cmp=lambda a, b: cmp(b, a))
sorted('bca', lambda a, b: cmp(b, a))
sorted([1, -2, 3], key=abs, reverse=True)
sorted([1, -2, 3], None, abs, True)
sorted([(1, 'b'), (1, 'a')], key=lambda t: t[0])
sorted([(1, 'b'), (1, 'a'), (0, 'c')], key=lambda t: t[0], reverse=1)
sorted([3, 1, 2], cmp=lambda a, b: 'x')
sorted([3, 1, 2], cmp=lambda a, b: 0.5)
sorted([3, 1, 2], cmp=lambda a, b: a - b, key=lambda x: -x)
sorted([1j, 2j])
sorted([3, 'a', None, 2.5, (1,), [0], u'b', {}, 1L])
sorted({3: 1, 1: 2})
sorted('hello', reverse='x')
sorted([1, 2], reverse=2L)
sorted([1, 2], reverse=1.0)
max([1, 2], key=lambda x: -x)
max(1, 2, key=lambda x: -x)
max('ab', 'b', key=len)
min([[], [1]], key=len)
max([])
min(())
max(5)
max(1, 2, foo=3)
sum([[1], [2]], [])
sum('ab', '')
sum(['a'], '')
sum([u'a'], u'')
sum(['a'])
sum([1.5, 2])
sum([1, 2L])
sum((), 5)
sum([0.1] * 10)
sum([1, 2.5, 1j])
round(2.5), round(-2.5), round(0.5), round(1.5)
round(1234.5678, -2)
round(2.675, 2)
round(1e300, -300)
round(5), round(5L), round(True)
round('a')
round(1.5, 'a')
round(1.5, 1.5)
round(number=1.55, ndigits=1)
divmod(7, -3), divmod(-7, 3), divmod(7.5, -2)
divmod(1, 0)
divmod(1.0, 0)
1 / 0, 1
1 % 0
1.0 % 0
1 // 0.0
0.0 ** -1
0 ** -1
(-8) ** (1.0 / 3)
(-8) ** 0.5
pow(2, -1)
pow(2, -1, 5)
pow(2, 3, 0)
pow(2.0, 3, 5)
pow(2, 3, -5)
pow(-2, 3, 5)
pow(2, 3, None)
pow('a', 2)
2 ** -1
2L ** -1
2 ** 0.5
10 ** 20
10 ** 308 * 1.0
10 ** 309 * 1.0
1e308 * 10
-7 / 2, -7 // 2, -7 % 2, 7 / -2, 7 % -2
-7.5 // 2, -7.5 % 2
1 / 3.0
int('12', 3), int('zz', 36), int('0x1f', 16), int('0x1f', 0), int('017', 0), int('0b11', 0), int('0o17', 0)
int('12', 1)
int('12', 37)
int('9', 8)
int('', 10)
int(' 12\n')
int('1 2')
int('12L')
long('12L')
int('-0x1f', 16)
int('+5'), int('- 5')
int(u'\u0661\u0662')
int(u'\xb2')
int('1.5')
int(1.9), int(-1.9), int(1e20), int(2**70)
int(float('inf'))
int(float('nan'))
long(float('inf'))
int(None)
int([1])
int('5', '6')
int(5, 6)
int(x='5')
int('5', base=6)
int(x='5', base=8)
int(base=8)
float('1e5'), float(' 1.5 '), float('-inf'), float('+nan'), float('infinity'), float('1_0')
float('')
float('1.5.2')
float('0x1p3')
float(u'1.5'), float(u'\u0661')
float(None)
float.fromhex('0x1.8p3'), float.fromhex('inf'), float.fromhex('-0x.8p-1')
float.fromhex('1g')
complex('1+2j'), complex('j'), complex(' ( 1-2j ) '), complex('1e5-inf j')
complex('1+')
complex(1, 2), complex(1j, 2j), complex(real=1, imag=2), complex(imag=3)
complex('1', 2)
complex(1, '2')
complex('nan+infj'), complex(float('nan'), -0.0)
1j ** 2, 1j * 1j, abs(3 + 4j), (1 + 2j) / (3 - 4j), -1j, +1j, (1j).conjugate()
1j < 2j
1j // 2
1j % 2
divmod(1j, 2)
int(1j)
float(1j)
0j == 0, 1j == 1, hash(1j), hash(1 + 0j), bool(0j)
complex(0, -0.0), complex(-0.0, 0), -0j, complex(1e20, 1e-5), complex(1e16, 1e17)
str(1j), repr(1.1 + 2.2j), '%s' % 1j, format(1j), format(1 + 2j, '.2f')
0j ** 0, 0j ** 1j
0j ** -1
1j / 0
hex(255), hex(-255), hex(255L), hex(0), oct(8), oct(0), oct(-8), oct(8L), bin(5), bin(-5), bin(0), bin(2**70)
hex(1.5)
oct('a')
bin(1.5)
chr(256)
chr(-1)
unichr(0x110000)
unichr(-1)
unichr(0x1F600)
ord('ab')
ord('')
ord(5)
ord(u'\U0001F600')
ord(u'ab')
'a' + u'b', u'a' + 'b'
'\xe9' + u'b'
u'\xe9' + 'b'
u'a' + '\xe9'
'\xe9' == u'\xe9'
u'\xe9' in 'abc'
'\xe9' in u'abc'
u'a' in 'abc'
5 in 'abc'
'a' in 5
u'%s' % '\xe9'
'%s' % u'\xe9'
'%s %s' % ('\xe9', u'a')
'%s' % (u'a',), '%r' % u'a'
'%d' % 'a'
'%d' % 1.9
'%x' % 1.9
'%x' % -255
'%c' % 'ab'
'%c' % 256
'%c' % -1
u'%c' % 256
u'%c' % 0x110000
'%s' % ()
'%s' % (1, 2)
'%s %s' % 1
'%(a)s' % {'b': 1}
'%(a)s' % 1
'%(a)s %s' % {'a': 1}
'%.3s|%5.1s|' % ('abcd', 'xy')
'%5%|%-5%|' % ()
'%i' % 5L, '%u' % -5
'%#x %#o %#X %#b' % (1, 2, 3, 4)
'%#x %#o %#X' % (0, 0, 255)
'%+d % d %05d %-5d|' % (1, 2, 3, 4)
'%.5d' % 42, '%8.5d|' % -42, '%08.5d' % 42, '%.0d' % 0
'%e %E %g %G' % (1.5, 1e-10, 1e20, 1e-5)
'%#g %#.0f %#.0e' % (1.0, 2.0, 3.0)
'%f' % float('inf'), '%F' % float('nan'), '%05f' % float('-inf')
'%.50f' % 1e50
'%.60f' % 0.1
'%.200f' % 1.0
'%s' % None, '%d' % True
'%r' % 'it\'s', '%r' % u'\u20ac'
'%*d' % (5, 1), '%-*d|' % (5, 1), '%*d|' % (-5, 1), '%.*f' % (2, 1.0)
'%*d' % ('a', 1)
'%*d' % (5,)
'abc'.translate(None, 'b')
'abc'.translate('x')
'abc'.translate(''.join(chr((i + 1) % 256) for i in range(256)))
u'abc'.translate({97: u'x', 98: None, 99: 100})
u'abc'.translate({97: 1.5})
u'abc'.translate({97: 0x110000})
u'abc'.translate(u'xyz' * 50)
u'abc'.translate([])
'abc'.translate(u'x')
'abc'.encode('hex'), '616263'.decode('hex'), 'abc'.encode('base64'), 'abc'.encode('rot13')
'6'.decode('hex')
'zz'.decode('hex')
'abc'.encode('utf-16'), u'\xe9'.encode('utf-8'), u'\xe9'.encode('latin-1')
u'\u20ac'.encode('latin-1')
u'\u20ac\u20ac'.encode('ascii')
u'a\u20acb'.encode('ascii', 'ignore'), u'a\u20acb'.encode('ascii', 'replace'), u'a\u20acb'.encode('ascii', 'xmlcharrefreplace'), u'a\u20acb'.encode('ascii', 'backslashreplace')
u'a'.encode('ascii', 'foo')
u'\u20ac'.encode('ascii', 'foo')
'\xff'.decode('utf-8')
'\xe2\x82'.decode('utf-8')
'a\xffb'.decode('utf-8', 'replace'), 'a\xffb'.decode('utf-8', 'ignore'), 'a\xffb'.decode('latin-1')
'\xe9'.encode('utf-8')
'a'.decode('foo')
u'a'.encode('foo')
'\xed\xa0\x80'.decode('utf-8')
u'\ud800'.encode('utf-8')
u'\U0001F600'.encode('utf-16-be'), u'\U0001F600'.encode('utf-8'), u'\U0001F600'.encode('unicode_escape'), u'\xe9\n'.encode('raw_unicode_escape')
'\\u20ac\\n'.decode('unicode_escape'), '\\u20ac\\n'.decode('raw_unicode_escape'), '\\n\\x41'.decode('string_escape')
'\\x4'.decode('string_escape')
'\\x4'.decode('unicode_escape')
unicode('a', 'ascii'), unicode('\xe9', 'latin-1'), unicode('\xe9', errors='ignore'), unicode('a', 'utf-8', 'strict')
unicode('\xe9')
unicode(u'a', 'ascii')
unicode(5, 'ascii')
unicode(5), unicode([u'a']), unicode(None)
str(u'\xe9')
str(u'a'), str([u'\xe9']), str('\xe9')
repr(u'\xe9\n\t\'"\\\x00\x7f\xff\u1234\U0001F600')
repr('\xe9\n\t\'"\\\x00\x7f\xff')
[[]], [[[]]], ((),), {(): []}, [()], {1: {2: {3: 4}}}
(1,), (1, 2), [1], [1, 2], {1}, {1: 2}, set(), frozenset()
set([1]), frozenset([1]), frozenset([frozenset()]), xrange(1), xrange(1, 2), xrange(0, 10, 3), xrange(10, 0, -3), slice(1), slice(1, 2), slice(1, 2, 3)
[set([1]), {'a': frozenset([2])}]
{}.viewkeys(), {1: 2}.viewvalues(), {1: 2}.viewitems()
bytearray('a\xe9\''), bytearray(3), bytearray([1, 2])
buffer('ab') + 'c', buffer('ab')[0], len(buffer('ab')), str(buffer('ab', 1))
memoryview('ab').tobytes(), memoryview('ab').tolist(), memoryview('ab')[0]
Exception('a', 1), ValueError(), KeyError('a'), ValueError(u'\xe9')
str(Exception('a')), str(Exception('a', 1)), str(KeyError('a')), str(Exception()), repr(Exception('a'))
UnicodeDecodeError('a', 'b', 1, 2, 'c')
UnicodeEncodeError('ascii', u'\xe9', 0, 1, 'bad')
type(1), type(1L), type('a'), type(None), type(type), type(len), type(''.join), type(str.join), type(lambda: 1), type(x for x in []), type(iter([])), type(xrange(1)), type(Ellipsis), type(NotImplemented), type({}.viewkeys()), type(ValueError()), type(ValueError)
int, str, unicode, object, type, basestring, ValueError, dict, file
isinstance(1, int), isinstance(True, int), isinstance(1L, int), isinstance('a', basestring), isinstance(1, (str, (float, int))), isinstance(ValueError(), Exception), isinstance(int, type)
isinstance(1, 2)
isinstance(1, [int])
issubclass(bool, int), issubclass(ValueError, StandardError), issubclass(int, (str, object))
issubclass(1, int)
issubclass(int, 1)
callable(len), callable(1), callable(int), callable(lambda: 1), callable(''.join), callable(ValueError)
hash('a'), hash(u'a'), hash('abc' * 10), hash(1.5), hash(1e300), hash(2**64), hash(-1), hash(-2), hash(()), hash((1, 2)), hash(True), hash(float('inf')), hash(float('nan')), hash(0.1), hash(''), hash(2**63), hash(-2**63), hash(2**61 - 1), hash(10**50), hash(None) == hash(None)
hash([])
hash({})
hash(([],))
hash(set())
hash(slice(1))
hash(xrange(3)) == 0
{[]: 1}
{{}}
set([[]])
{1: 2}[[]]
[] in {1}
set() in {frozenset()}
[] in {1: 2}
{1: 2}[3]
{'a': 2}['b']
{1: 2}[(1, 2)]
{1: 2}.get(3), {1: 2}.get(3, 4), {1: 2}.get(1)
{1: 2}.get()
{1: 2}.get(1, 2, 3)
{1: 2}.has_key(1), {1: 2}.keys(), {1: 2}.items(), {1: 2}.values(), list({1: 2}.iteritems())
dict([(1, 2), (3, 4)]), dict(a=1), dict({1: 2}, a=3), dict(['ab', 'cd']), dict([[1, 2]])
dict([1])
dict([(1, 2, 3)])
dict(['abc'])
dict(1)
dict({}, {})
dict.fromkeys('abc'), dict.fromkeys([1, 2], 0), dict.fromkeys(())
dict.fromkeys(1)
dict.fromkeys([[]])
range(5), range(1, 5), range(5, 1, -1), range(0), range(0, 10, 3), range(2**63, 2**63 + 2), range(3L)
range(1, 5, 0)
range(1.5)
range('a')
range()
range(1, 2, 3, 4)
range(10**10)
xrange(2**63)
xrange(1, 5, 0)
xrange(5)[2], xrange(5)[-1], len(xrange(0, 10, 3)), list(reversed(xrange(5))), 3 in xrange(5), xrange(2**62)[5]
xrange(5)[9]
len(xrange(2**62))
enumerate('ab'), 1
list(enumerate('ab')), list(enumerate('ab', 5)), list(enumerate('ab', start=2**63))
enumerate('ab', 'c')
enumerate(5)
list(reversed([1, 2])), list(reversed('ab')), list(reversed((1, 2)))
reversed({})
reversed(set())
reversed(5)
zip(), zip([1]), zip([1, 2], 'ab'), zip([1], [2], [3])
zip(5)
zip([1], 5)
len(5)
len()
len([], [])
abs('a')
abs(-5), abs(-5L), abs(-5.5), abs(True), abs(-2**63)
any([0, 1]), all([]), any([]), all([0])
any(5)
cmp(1, 2), cmp('a', 'b'), cmp([1], [1, 2]), cmp({1: 2}, {1: 3}), cmp(None, 0), cmp((1,), [1]), cmp('a', u'a'), cmp(1, 'a'), cmp(set([1]), set([1]))
cmp(set(), set([1]))
cmp(1j, 2j)
cmp(1)
{1: 2} < {1: 3}, {1: 2} < {2: 1}, {1: 2, 3: 4} > {5: 6}, {} < {1: 1}, {1: [2]} == {1: [2]}
{1} < {1, 2}, {1} <= {1}, {1} > {2}, {1} == frozenset([1]), {1} < [1], {1} != {2}
{1} < 5
[1] < {1}
{1} + {2}
{1} | [2]
{1}.union([2]), {1}.intersection((1, 2), [1]), {1} - {1}, {1} ^ {2}, {1, 2}.isdisjoint([3]), {1}.issubset([1, 2])
set('hello'), frozenset('hello'), set(5) if 0 else 1
set(5)
frozenset(1, 2)
tuple('ab'), list('ab'), tuple(5) if 0 else 1, list({1: 2})
tuple(5)
list(5)
list(sequence=[1]), tuple(sequence=[1])
list(x=1)
str(object=5), unicode(string='a'), bool(x=1), float(x=1), 
str(5, 6)
bool(1, 2)
apply(len, [[1]]), apply(dict, (), {'a': 1}), apply(lambda: 1)
apply(len, 5)
apply(len, [], 5)
coerce(1, 2.5), coerce(1, 2L), coerce(1j, 2)
coerce(1, 'a')
intern('abc'), id(1) == id(1)
intern(5)
intern(u'a')
getattr(1, 'real'), getattr('a', 'upper')(), getattr(1, 'foo', 5), hasattr(1, 'real'), hasattr(1, 'foo')
getattr(1, 'foo')
getattr(1, 5)
hasattr(1, 5)
(1).real, (1).imag, (1).numerator, (1.5).real, 1j.imag, (5).bit_length(), (2**70).bit_length(), (1.5).is_integer(), (0.1).as_integer_ratio(), (True).real
(1).foo
'a'.foo
[].foo
None.foo
len.foo
int.foo
(lambda: 1).foo
(1).real()
'a'()
5()
None()
[]()
(1, 2)()
u'a'()
[1][0][0]
5[0]
None[0]
len[0]
{}[0]
set()[0]
'a'['b']
[1]['a']
(1,)[1.5]
[1][1:'a']
'abc'[1.5:]
[1][5]
(1,)[5]
'a'[5]
u'a'[5]
[1] + (1,)
(1,) + [1]
'a' + 1
1 + 'a'
u'a' + 1
[1] + 1
1 + [1]
None + 1
{} + {}
'a' * 'b'
'a' * 1.5
[1] * [2]
'a' * -1, 'ab' * 2, 2 * 'ab', [1] * 2, 2 * (1,), u'a' * 2L, 'a' * True
'a' - 'b'
'a' / 2
~1.5
~'a'
-'a'
-[]
+'a'
-None
1 << -1
1 << 1.5
1 << 2**70
0 << 2**70
1 >> 2**70
1 & 1.5
'a' & 1
True + True, True & True, True | 2, ~True, -True, True ^ False, True & 1
1 and 2, 0 and 2, '' or 'a', None or 0, not [], not 'a'
1 < 2 < 3, 1 < 3 < 2, 1 == 1.0 == 1L, 3 > 2 > 1 > 0, 1 < 2 > 1, 'a' < 1 < None
1 is 1, None is None, [] is [], () is ()
not 1 == 2, not 1 in [1], 1 not in [1], - 2 ** 2, 2 ** -1 ** 2, (-2) ** 2, -2 ** 2, 2 ** 3 ** 2
1 if 0 else 2 if 0 else 3, (1 if 0 else 2) + 1, lambda: 1 if 0 else 2
1 or 1 / 0, 0 and 1 / 0
`1` + `'a'`, ``1`` if 0 else 1
`1 + 1, 2`
`u'\xe9'`, `2L`, `1.1`
0777, 0o777, 0xFf, 0b101, 1e5, 1E-5, .5, 5., 10l, 0xFFL, 0777L, 1J, 00, 0L, 0x0
0888
0o8
0b2
0xg
1e
1e+
1.e5, 1.e-5j, 0e0, 00.5, 09.5, 09e1, 09j
1__0
'\x4g'
u'\x4'
'\u0041', u'\u0041', ur'\u0041\n', r'\n', br'\n', b'\n', bR'\x', UR'\u0041', Ub'' if 0 else 1
u'\u12'
u'\U00110000'
'a' 'b' u'c', u'a' 'b', 'a' u'\xe9'
'''a
b''', '''it's'''
'abc
"abc
'\
a'
'\777', '\1', '\18', '\0', '\400', u'\777', u'\400'
'\a\b\f\v\e'
(1 for x in [1] for y in x)
f(**a, *b)
f(*a, **b, c)
f(a for a in b, c)
f(c, a for a in b)
f(a=1, *b)
f(a=1, a=2)
f((a)=1)
f(a+b=1)
lambda a, a: 1
lambda (a, a): 1
lambda a, (a, b): 1
lambda a=1, b: 1
lambda *a, b: 1
lambda **k, a: 1
lambda *a, **k: 1 if 0 else 2
(lambda *a: a)(1, *[2], **{}) 
(lambda a: a)(**{u'a': 1})
(lambda a: a)(**{'b': 1})
(lambda a: a)(1, 2, **{'a': 1})
(lambda a, b: 1)(1)
(lambda a, b: 1)(a=1)
(lambda a, b=2: 1)(b=1)
(lambda a, b=2: 1)(1, 2, 3)
(lambda: 1)(a=1)
(lambda *a: 1)(a=1)
(lambda a: 1)(*5)
(lambda a: 1)(**5)
len(*5)
len(**{'a': 1})
len(a=1)
max(*[1, 2, 3]), max(*[[1, 2]])
(lambda f: f(f, 5))(lambda f, n: 1 if n == 0 else n * f(f, n - 1))
(lambda f: f(f))(lambda f: f(f))
bytearray('abc').find(5)
bytearray('abc').rfind(5)
bytearray('abc').count(5)
bytearray('abc').index(5)
bytearray('abc').rindex('z')
bytearray('abc').index('z')
bytearray('abc').startswith(5)
bytearray('abc').startswith((5,))
bytearray('abc').endswith(5)
bytearray('abc').replace(5,'a')
bytearray('abc').replace('a',5)
bytearray('abc').split(5)
bytearray('abc').rsplit(5)
bytearray('abc').strip(5)
bytearray('abc').lstrip(5)
bytearray('abc').partition(5)
bytearray('abc').rpartition(5)
bytearray('abc').translate(5)
bytearray('abc').translate(None, 5)
bytearray('abc').find(u'a')
bytearray('abc').split(u'a')
bytearray('abc').strip(u'a')
bytearray('abc').find(u'\xe9')
bytearray('abc').join([5])
bytearray('abc').translate()
u'abc'.translate()
u'abc'.translate(1,2)
'abc'.translate(1,2,3)
bytearray('abc').translate(1,2,3)
''.count((u'a',))
u''.count(5)
''.count(5)
''.find([u'a'])
''.startswith((u'a',5))
'\xe9'.startswith((u'a','b'))
'\xe9'.startswith(('b',u'a'))
'\xe9'.startswith(('\xe9',u'a'))
'\xe9'.find('a', u'b')
'\xe9'.split('a', u'b')
'\xe9'.strip(u'a')
'\xe9'.split(u'a')
'\xe9'.replace(u'a', 'b')
'\xe9'.replace('a', u'b')
'\xe9'.replace('a', 'b', u'c')
'a'.replace('a', u'b'), 'a'.replace(u'b', 'c')
'a'.replace(5, u'b')
'a'.replace(u'b', 5)
'a'.partition(u'a'), 'a'.partition(u'b')
''.center(5, u'a')
'abc'.split(5, 'x')
'abc'.split(5, 1)
u'abc'.split(5, 'x')
'abc'.split('', 'x')
u'abc'[1,2]
'abc'[1,2]
u'abc'['a']
'abc'['a']
u'abc'[()]
u'abc'[None]
'abc'[None]
u'abc'[1.0]
buffer('abc')['a']
buffer('abc')[1.0]
buffer('abc')[1,2]
pow(1,2,'a')
pow('a',2,3)
pow(1,2,3.0)
pow(1.0,'a',3)
pow('a',None,3.0)
pow([],None,3)
pow(1,None,3.0)
pow(2,'a',3L)
pow(2,3,1j)
pow(1.5,2,'a')
pow('a','b',1.5)
pow('a',1.5,'b')
pow('a',1.5,3)
pow('a',3L,'b')
pow('a',3,'b')
unichr(2**31)
unichr(2**31-1)
unichr(-2**31-1)
unichr(2**64)
chr(2**31)
chr(2**64)
u'%c' % 1.5
u'%c' % 1e20
u'%c' % 2**64
u'%c' % 'ab'
u'%c' % -1
u'%c' % None
'%c' % 1.5
'%c' % 2**64
'%e' % 'a'
u'%e' % 'a'
u'%e' % 1j
u'%d' % 'a'
u'%x' % 1.5
u'%x' % 'a'
xrange(1,2,3,4)
xrange('a','b',1,2)
xrange()
str(*5)
dict(a=1,**{'a':2})
dict(a=1,**5)
ValueError(*5)
int('5', 2**31)
int('5', 2**64)
int('5', 1.5)
int('5', 'a')
int(5, 2**31)
range(-2**63, 2**63-1)
range(0,2**63,2**62)
range(0,2**70,2**60)
slice(1,5).indices(-1)
slice(None).indices(-1)
slice(None,None,-1).indices(-1)
slice(-1,-2,-1).indices(-5)
slice(5,-5).indices(-5)
slice(1,-2,2).indices(-2)
slice(2**70,-2**70,-2**70).indices(5)
cmp(set(), frozenset())
cmp({1}, {1})
cmp({1}, frozenset([1]))
cmp({1}, {2})
format(5, ' 12 ')
format(5, u' 12 ')
format(5, u'\xe9')
format(5, '\x01')
format(5, u'\x7f')
format('a', '\x01')
format(1.5, u'\x7f'), 
format(None, u'x')
format([], u'x')
format(None, 'x')
format(True, u'x')
'{[0]}'.format({0:1})
'{[5]}'.format({0:1})
'{[5]}'.format([1])
'{[a]}'.format([1])
u'{[a]}'.format({})
u'{[5]}'.format({})
u'abc'.decode(5)
u'\xe9'.decode('nope')
u'\xe9'.decode('ascii', 'nope')
'abc'.translate(u'x')
'abc'.translate(u'x', 'a')
'abc'.translate({97: u'x'})
'abc'.translate(5)
'abc'.translate('a')
bytearray(5, 'a')
bytearray(5, 5)
bytearray('a', 5)
bytearray(u'a', 5)
bytearray('a', 'nope')
bytearray('a', 'utf-8')
bytearray('\xe9', 'utf-8')
bytearray(u'a', 'ascii', 5)
bytearray(5, u'\xe9')
buffer(5, 'a')
buffer('a', 'a')
buffer('a', 1.5)
bytearray('abc').find()
list(ValueError(1,2))
1 in ValueError(1,2)
len(ValueError(1))
ValueError(1,2)[0]
ValueError(1,2)[1:]
sorted(ValueError(2,1))
type(iter(ValueError(1)))
complex('1e400'), complex('-1e400j')
'a' in bytearray('abc')
97 in bytearray('abc')
u'a' in bytearray('abc')
bytearray('a') in 'abc'
bytearray('a') in u'abc'
buffer('a') in 'abc'
u'abc'.find(bytearray('a'))
u'abc'.find(buffer('a'))
'abc'.find(bytearray('a'))
'abc'.find(buffer('a'))
'abc'.find(memoryview('a'))
u'\N{DIGIT ONE}'
u'\N{digit one}'
u'\N{LATIN SMALL LETTER A}\N{EURO SIGN}'
u'\N{FOO}'
u'\N{DIGIT ONE'
u'\N{}'
u'\N'
u'\Nx'
u'\N{'
u'\N{DIGIT  ONE}'
u'\N{DIGITONE}'
u'\N{DIGIT-ONE}'
u'\N{HANGUL SYLLABLE GAG}'
u'\N{CJK UNIFIED IDEOGRAPH-4E00}'
u'\N{CJK UNIFIED IDEOGRAPH-4e00}'
u'\N{cjk unified ideograph-4e00}'
u'\N{hangul syllable gag}'
u'\N{CJK UNIFIED IDEOGRAPH-0041}'
u'a\N{BLACK SPADE SUIT}b'
u'\N{GREEK CAPITAL LETTER OMEGA}'
u'\N{LF}'
u'\N{NULL}'
'\N{DIGIT ONE}'
ur'\N{DIGIT ONE}'
'\\N{DIGIT ONE}'.decode('unicode_escape')
'\\N{X}'.decode('unicode_escape')
u'\N{LATIN CAPITAL LETTER SHARP S}'
u'\N{ DIGIT ONE}'
u'\N{DIGIT ONE }'
u'\N{TIBETAN MARK TSA -PHRU}'
u'\N{HANGUL JUNGSEONG O-E}'
u'\N{WHITE CHESS KING}'
u'\N{DIE FACE-1}'
u'\N{RIGHTWARDS ARROW}'
u'\N{NO-BREAK SPACE}'
u'\N{HYPHEN-MINUS}'
u'\N{\xe9}'
u'\N{MULTIPLICATION SIGN}'
int(' ')
int('  x ')
int(' \n')
long(' ')
float(' ')
int(u' ')
long(u' ')
int(' ', 5)
int(' 1 2')
int('')
long('')
int(u'')
float(u' ')
long(' x')
int(' 99999999999999999999x')
1e+
1e-
1e+x
1e
1ex
1.5e+
1e+j
0e+
1e5e
(lambda: 1)(a=1)
(lambda: 1)(1,a=1)
(lambda x: 1)(1,a=1)
(lambda: 1)(*[1],**{'a':1})
repr(bytearray('\'"'))
repr(bytearray('"'))
repr(bytearray('\''))
0>>2**70
0L<<2**70
1<<2**63
""".split('\n')


def escape(text):
    return text.replace('\\', '\\\\').replace('\t', '\\t').replace('\n', '\\n').replace('\r', '\\r')


class Slow(BaseException):
    pass


def slow(*_):
    raise Slow


signal.signal(signal.SIGALRM, slow)


def answer(source):
    signal.setitimer(signal.ITIMER_REAL, 0.3)
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
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


# What has no answer here: a second type from `type`, descriptors, the order of values by address, memory
# that Python asks for and the sandbox does not, and what buffers show of a unicode's inside.
BEYOND = ['ValueError <', 'ValueError >', '> ValueError', '< ValueError', '= ValueError', 'pow((', 'real=', 'type(', 'memoryview', 'buffer(', '.real(', '.imag(', 'numerator(', 'denominator(', '.start(', '.stop(',
          '.step(', 'object at', 'hash(', 'id(', 'map(chr,range(256))', 'file']
BEYOND_ANSWERS = ['<attribute ', '<member ', ' at 0x', '!MemoryError', '!Error:', '__trunc__', '!SystemError', '!Slow', 'is too large']


def answers():
    for text in ROWS:
        source = text.decode('utf-8')
        if any(word in text for word in BEYOND):
            continue
        if 'None' in text and ('{' in text or 'set(' in text):
            continue
        shown = answer(source)
        if len(shown) > 2000 or any(word in shown for word in BEYOND_ANSWERS):
            continue
        try:
            shown.decode('utf-8')
        except UnicodeError:
            continue
        yield escape(text) + '\t' + escape(shown) + '\n'


def main():
    seen = set()
    ROWS[:] = [text for text in ROWS if not (text in seen or seen.add(text))]
    if 'once' in sys.argv:
        sys.stdout.writelines(answers())
        return
    # What two processes answer differently depends on addresses.
    other = subprocess.check_output([sys.executable, os.path.abspath(__file__), 'once'])
    other = set(other.splitlines(True))
    sys.stdout.writelines(row for row in answers() if row in other)


main()
