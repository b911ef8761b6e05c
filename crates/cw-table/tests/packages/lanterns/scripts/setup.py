def setUp(group, x=0, y=0):
    mute()
    if not confirm("Set up the game?"):
        whisper("Nothing was set up.")
        return
    for card in list(table):
        if card.owner == me:
            card.moveTo(me.Deck)
    for card in list(me.hand):
        card.moveTo(me.Deck)
    me.Deck.shuffle()
    me.Light = 3
    lamps = [card for card in me.Deck if card.Type == 'Lamp'][:1]
    for at, card in enumerate(lamps):
        card.moveToTable(-31 + 70 * at, 100 if not me.isInverted else -188)
        card.markers[OIL] = int(card.Cost)
    me.Deck.shuffle()
    for card in me.Deck.top(HAND):
        card.moveTo(me.hand)
    setGlobalVariable('round', 1)
    notify("{} sets up: {} cards in hand, {} in the deck.".format(me, len(me.hand), len(me.Deck)))

def straightenAll(group, x=0, y=0):
    mute()
    mine = [card for card in table if card.controller == me]
    for card in mine:
        card.orientation = Rot0
    notify("{} straightens {} cards.".format(me, len(mine)))

def roll(group, x=0, y=0):
    n = rnd(1, 6)
    notify("{} rolls {} on a 6-sided die.".format(me, n))

def nextPhase(group, x=0, y=0):
    name, number = currentPhase()
    if number < 2:
        setPhase(number + 1)
    else:
        nextTurn(players[1] if len(players) > 1 else me)
    notify("It is {} now.".format(currentPhase()[0]))

def drawOne(group, x=0, y=0):
    if len(group) == 0:
        whisper("The deck is empty.")
        return
    card = group[0]
    card.moveTo(me.hand)
    notify("{} draws a card.".format(me))

def drawMany(group, count=None):
    mute()
    if count is None:
        count = askInteger("How many cards?", 2)
    for card in group.top(count):
        card.moveTo(me.hand)
    keep = askInteger("How many of them do you keep?", count)
    while len(me.hand) > keep:
        me.hand[len(me.hand) - 1].moveTo(me.Discard)
    notify("{} draws {} cards and keeps {}.".format(me, count, keep))

def lookAtTop(group):
    card = group.top()
    whisper("On top lies {}.".format(card.name))

def searchTop(group, count=3):
    cards = list(group.top(count))
    dialog = cardDlg(cards)
    dialog.title = "Search"
    dialog.text = "Take one of them"
    taken = dialog.show()
    if taken is None:
        return
    for card in taken:
        card.moveTo(me.hand)
    group.shuffle()
    notify("{} searches the top {} cards.".format(me, count))

def shufflePile(group):
    group.shuffle()

def randomDiscard(group):
    card = group.random()
    if card is None:
        return
    card.moveTo(me.Discard)
    notify("{} discards {} at random.".format(me, card))
