s = ' Hello, World '
print s.strip(), s.lower(), s.upper(), s.split(','), s.replace('o', '0'), s.find('W'), s.count('l')
print 'a,b,c'.split(',', 1), 'a b'.rsplit(' ', 1), 'x'.zfill(3), 'abc'.startswith('ab'), 'abc'.endswith(('x', 'c'))
print '-'.join(['a', 'b']), 'abc'.capitalize(), 'a-b'.partition('-'), 'abc'.center(9, '*'), 'tEst'.swapcase(), 'a\nb'.splitlines()
print 'abc'[1], 'abc'[-1], 'abc'[::-1], 'abc'[1:], 'ab' * 3, 'b' in 'abc', len('abc'), 'a' < 'b', '12'.isdigit(), 'Hi There'.istitle()
