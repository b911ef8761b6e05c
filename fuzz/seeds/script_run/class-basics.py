class Card(object):
    count = 0
    def __init__(self, name, cost=1):
        self.name = name
        self.cost = cost
        Card.count += 1
    def show(self):
        return '%s (%d)' % (self.name, self.cost)
    def __repr__(self):
        return 'Card(%r)' % self.name
a, b = Card('A'), Card('B', 3)
print a.show(), b.show(), Card.count, [a, b], a.count
