print '{} {}'.format(1, 'a'), '{0} {1} {0}'.format('x', 'y'), '{a[0]} {b}'.format(a=[1], b=2), '{:>5}|{:<5}|{:^5}'.format('a', 'b', 'c')
print '{:05.1f} {:,} {:x} {:+d} {!r}'.format(3.14159, 1234567, 255, 5, 'q'), '{{}} {:=^11}'.format('x'), '{0.real}'.format(5)
