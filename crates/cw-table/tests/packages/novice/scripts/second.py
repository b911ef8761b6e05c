def setsPile(group, x = 0, y = 0):
    me.Discard = []

def sharesDefault(group, x = 0, y = 0, seen = []):
    seen.append(len(seen))
    notify(str(seen))
    addTo(1)
    addTo(2)
    notify(str(addTo(3)))

def addTo(n, all = []):
    all.append(n)
    return all

def removesWhileLooping(group, x = 0, y = 0):
    cards = [c for c in table]
    for c in cards:
        cards.remove(c)
        c.moveTo(me.Discard)
    notify("left {}".format(len(cards)))

def wrongList(group, x = 0, y = 0):
    first, second = me.Deck.top(2)
    notify("two cards")
    first, second = me.Deck.top(1)

def lateName(group, x = 0, y = 0):
    notify(LATE)

def comparesKinds(group, x = 0, y = 0):
    things = [None, 3, 'x', 2.5, (1,), True]
    things.sort()
    notify(str(things))
    notify(str(sorted(['b', 'B', 'a', 10, 9])))
    if card == None:
        notify("no card")

def closesOverLoop(group, x = 0, y = 0):
    functions = []
    for i in range(3):
        functions.append(lambda: i)
    notify(str([f() for f in functions]))
    squares = [i * i for i in range(4)]
    notify("{} {}".format(i, squares))
    gen = (k for k in squares)
    notify(str(list(gen) + list(gen)))
    notify(k)

def hit(card, x = 0, y = 0):
    card.markers[Hit] += 1
    if card.markers[Hit] > int(card.Power):
        notify("{} is out".format(card))
        card.moveTo(card.owner.Discard)

def hitAll(cards, x = 0, y = 0):
    for card in cards:
        hit(card)
    for card in cards:
        whisper(card.name + ' ' + str(card.markers[Hit]))

def wrongIndex(card, x = 0, y = 0):
    me.Deck[0].moveTo(me.hand)
    me.Deck[len(me.Deck)].moveTo(me.hand)

def powerAsNumber(card, x = 0, y = 0):
    card.Power = str(int(card.Power) + 1)
    notify("power {}".format(card.Power))
    card.Power = int(card.Power) + 1

def markerByName(card, x = 0, y = 0):
    for key in card.markers:
        whisper("{} {}".format(key[0], card.markers[key]))
    if Hit in card.markers:
        del card.markers[Hit]
    card.markers['Hit'] += 1

def tooMany(card, x = 0, y = 0):
    hit(card, 1, 2, 3)

def drawTooMany(group, x = 0, y = 0):
    global drawn
    while True:
        card = group.top()
        if card == None: break
        drawn += 1
        card.moveTo(me.hand)
        if drawn > 50: break
    whisper("drew " + str(drawn))
    names.append(me.hand[0].name)
    notify(names[1])

LATE = "late but there"
