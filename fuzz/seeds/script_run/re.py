import re
m = re.search(r'(\d+)-(?P<word>\w+)', 'x 12-abc y')
print m.group(), m.group(1), m.group('word'), m.groups(), m.start(), m.end(1), m.span(2), m.groupdict()
print re.match('b', 'ab'), re.findall(r'\d', 'a1b2'), re.findall(r'(\w)(\d)', 'a1b2'), re.sub(r'(\w)\d', r'<\1>', 'a1b2'), re.split(r',\s*', 'a, b,c')
print re.sub('a', lambda m: m.group().upper(), 'banana', 2), re.compile('A', re.I).search('cat').start(), re.findall('x*', 'axb'), re.sub('x*', '-', 'abxd')
print re.escape('a.b'), re.search('(?<=a)b', 'ab').group(), re.split('(-)', 'a-b'), re.search(r'(a)|(b)', 'b').groups(), re.match(r'a$', 'a\n') is not None
print [m.group() for m in re.finditer('[a-c]+?', 'abcd')], re.search(r'(\w)\1', 'hello').group(), re.search('(?i)HELLO', 'hello').group(), re.subn('l', 'L', 'hello')
