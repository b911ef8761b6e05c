# A ferry over a river: cargo is loaded by weight, crosses in turns, and is sold on the other shore.
LOAD = ('Load', 'load')
WET = ('Wet', 'wet')
CAPACITY = 7
PIER_X = -200
LANES = {'Animal': -90, 'Goods': 0, 'Person': 90}
BOAT_COLOUR = '#3366ff'

class Boat(object):
    """What is on board, as the table has it now."""
    def __init__(self, owner):
        self.owner = owner
        self.cargo = [card for card in table if card.controller == owner and card.markers[LOAD] > 0]

    @property
    def weight(self):
        return sum([number(card, 'Weight') for card in self.cargo])

    def has_room(self, card):
        return self.weight + number(card, 'Weight') <= CAPACITY

    def __len__(self):
        return len(self.cargo)

    def __iter__(self):
        return iter(self.cargo)

    def __str__(self):
        return "{} of {}".format(self.weight, CAPACITY)

def number(card, name, otherwise=0):
    text = card.properties[name]
    try:
        return int(text)
    except ValueError:
        return otherwise

def lane(card):
    return LANES.get(card.Kind, 180)

def river():
    return eval(getGlobalVariable('River'))

def setRiver(entries):
    setGlobalVariable('River', str(entries))

def remember(word, amount):
    entries = river()
    entries.append((me._id, word, amount))
    if len(entries) > 5:
        del entries[0]
    setRiver(entries)

# ---- the day ----

def beginDay(group, x=0, y=0):
    mute()
    if not me.isActive:
        setActivePlayer(me)
    for card in list(me.hand):
        card.moveTo(me.Deck)
    me.Deck.shuffle()
    for card in me.Deck.top(3):
        card.moveTo(me.hand)
    me.Coins = 4
    setGlobalVariable('Crossings', 0)
    setRiver([])
    notify("{} begins the day with {} cards and {} coins.".format(me, len(me.hand), me.Coins))

def nextPhase(group, x=0, y=0):
    name, at = currentPhase()
    if at == 3:
        other = players[1] if len(players) > 1 else me
        nextTurn(other)
        notify("{} hands the rope to {}.".format(me, other))
        return
    setPhase(at + 1)
    notify("After {} comes {}.".format(name or 'the night', currentPhase()[0]))

def cross(group, x=0, y=0):
    mute()
    boat = Boat(me)
    if not boat.cargo:
        whisper("The boat is empty.")
        return
    toll = shared.Toll
    if me.Coins < toll:
        whisper("The toll is {}, and you have {}.".format(toll, me.Coins))
        return
    if not confirm("Cross with {} cards, weight {}?".format(len(boat), boat)):
        return
    me.Coins -= toll
    me.Trips += 1
    for at, card in enumerate(boat):
        x, y = card.position
        card.moveToTable(-x, lane(card) + 12 * at)
        card.orientation ^= Rot180
    trips = int(getGlobalVariable('Crossings')) + 1
    setGlobalVariable('Crossings', trips)
    remember('cross', boat.weight)
    storm = rnd(1, 6)
    if storm == 1:
        for card in boat:
            getsWet(card)
    notify("{} crosses for the {}. time with {}: {}".format(me, trips, boat, 'calm' if storm > 1 else 'storm'))

def unloadAll(group, x=0, y=0):
    mute()
    earned = 0
    for card in Boat(me):
        fare = number(card, 'Fare', 1)
        if card.markers[WET]:
            fare /= 2
        earned += fare
        card.markers[LOAD] = 0
        card.moveTo(me.Shore)
    me.Coins += earned
    if earned:
        notify("{} unloads and earns {}.".format(me, earned))
    else:
        notify("{} has nothing to unload.".format(me))

def weather(group, x=0, y=0):
    words = ['sun', 'rain', 'fog']
    at = askChoice("How is the weather?", words, ['#ffff00', '#0000ff', '#808080'])
    if at == 0:
        return
    shared.Toll = at
    if words[at - 1] == 'rain':
        wet = [card for card in table if card.Kind != 'Person']
        for card in wet:
            card.markers[WET] += 1
        notify("It rains on {} cards; the toll is {}.".format(len(wet), shared.Toll))
    else:
        for card in table:
            if WET in card.markers:
                del card.markers[WET]
        notify("There is {}; the toll is {}.".format(words[at - 1], shared.Toll))

def report(group, x=0, y=0):
    kinds = collections.defaultdict(list)
    for card in table:
        kinds[card.Kind or 'Unknown'].append(number(card, 'Weight'))
    lines = []
    for kind in sorted(kinds, key=lambda kind: (-sum(kinds[kind]), kind)):
        weights = kinds[kind]
        lines.append("{}: {} cards, {} heavy, {:.1f} each".format(kind, len(weights), sum(weights), sum(weights) / float(len(weights))))
    for n, line in enumerate(lines, 1):
        whisper("{}. {}".format(n, line))
    notify("{} counts {} cards of {} kinds.".format(me, len(table), len(kinds)))

def payGuard(group, x=0, y=0):
    other = players[-1]
    amount = askInteger("How much do you give?", 1)
    if amount is None or amount > me.Coins:
        whisper("You keep your coins.")
        return
    before = other.Coins
    me.Coins -= amount
    remoteCall(other, 'getPaid', [amount, me])
    while other.Coins == before and amount:
        rnd(1, 10)
        update()
    notify("{} has {} now, {} has {}.".format(me, me.Coins, other, other.Coins))

def getPaid(amount, who):
    mute()
    me.Coins += amount
    whisper("{} gives you {}.".format(who, amount))
    remoteCall(who, 'thanked', [me.name])

def thanked(name):
    whisper("{} says thanks.".format(name))

def tidy(group, x=0, y=0):
    mute()
    mine = sorted([card for card in table if card.controller == me], key=lambda card: (lane(card), card.name))
    rows = {}
    for card in mine:
        at = rows.setdefault(lane(card), 0)
        rows[lane(card)] = at + 1
        card.moveToTable(PIER_X + 70 * at, lane(card))
        if at % 2:
            card.sendToBack()
    notify("{} tidies {} cards in {} lanes.".format(me, len(mine), len(rows)))

# ---- cards ----

def toPier(card, x=0, y=0):
    mute()
    card.moveToTable(PIER_X, lane(card))
    card.highlight = BOAT_COLOUR
    notify("{} brings {} to the pier.".format(me, card))

def bringAll(group, x=0, y=0):
    for card in list(group):
        toPier(card)

def load(card, x=0, y=0):
    mute()
    boat = Boat(me)
    if card.markers[LOAD]:
        card.markers[LOAD] -= 1
        notify("{} takes {} off the boat.".format(me, card))
    elif boat.has_room(card):
        card.markers[LOAD] = max(1, number(card, 'Weight'))
        card.highlight = None
        notify("{} loads {}: {}.".format(me, card, Boat(me)))
    else:
        whisper("{} is too heavy: the boat carries {}.".format(card.name, boat))

def overboard(card, x=0, y=0):
    mute()
    if card.markers[LOAD] and not confirm("Really throw {} overboard?".format(card.name)):
        return
    remember('overboard', number(card, 'Weight'))
    card.moveTo(shared.River)
    if len(shared.River) > 3:
        shared.River.bottom().moveTo(me.Shore)

def turnBoat(card, x=0, y=0):
    card.orientation = (card.orientation + 1) % 4
    card.target(card.orientation == Rot90)

def stack(cards, x=0, y=0):
    if len(cards) < 2:
        whisper("A stack has two cards.")
        return
    base = min(cards, key=lambda card: card.position)
    x, y = base.position
    for at, card in enumerate(cards):
        card.moveToTable(x + 8 * at, y - 8 * at)
    notify("{} stacks {} on {}.".format(me, len(cards) - 1, base))

def getsWet(card, x=0, y=0):
    card.markers[WET] = min(card.markers[WET] + 1, 3)

# ---- piles ----

def drawCargo(group, x=0, y=0):
    mute()
    count = askInteger("How much cargo?", 2)
    if not count:
        return
    drawn = []
    for card in group.top(count):
        card.moveTo(me.hand)
        drawn.append(card.name)
    whisper("You draw {}.".format(', '.join(sorted(drawn))))
    notify("{} draws {} of {} wanted.".format(me, len(drawn), count))

def seek(group, x=0, y=0):
    kinds = sorted(set([card.Kind for card in group]))
    at = askChoice("Which kind?", kinds, customButtons=['Any'])
    found = [card for card in group if at < 0 or (at > 0 and card.Kind == kinds[at - 1])]
    if at == 0 or not found:
        whisper("Nothing is sought.")
        return
    dialog = cardDlg(found)
    dialog.title = "Cargo"
    dialog.min, dialog.max = 0, 2
    chosen = dialog.show()
    if chosen is None:
        notify("{} finds nothing.".format(me))
        return
    for card in chosen:
        card.moveTo(me.hand)
    group.shuffle()
    notify("{} finds {} cards.".format(me, len(chosen)))

def sellAll(group, x=0, y=0):
    total = 0
    while len(group):
        card = group[0]
        total += number(card, 'Fare', 1)
        card.moveToBottom(me.Deck)
        if total > 20:
            break
    me.counters['Coins'].value += total
    notify("{} sells for {}.".format(me, total))
