import re

def light(card, x=0, y=0):
    card.highlight = None if card.highlight else LIT
    notify("{} {} {}.".format(me, "lights" if card.highlight else "puts out", card))

def flip(card, x=0, y=0):
    card.isFaceUp = not card.isFaceUp
    if card.isFaceUp:
        notify("{} turns {} up.".format(me, card))

def oilUp(card, x=0, y=0):
    mute()
    card.markers[OIL] += 1
    notify("{} pours oil on {}: {} now.".format(me, card, card.markers[OIL]))

def discardAll(cards, x=0, y=0):
    mute()
    for card in cards:
        card.moveTo(card.owner.piles['Discard'])
    notify("{} discards {} cards.".format(me, len(cards)))

def showText(card, x=0, y=0):
    found = re.search(r'Worth (?P<n>\d+)', card.Text)
    worth = int(found.group('n')) if found else 0
    with mute():
        card.properties['Cost'] = str(worth)
    whisper("{}: {} is worth {}.".format(WHO, card.name, worth))

def makeCopy(card, x=0, y=0):
    made = table.create(card.model, x + 20, y + 20, 2)
    notify("{} makes {} of {}.".format(me, len(made), card))

def playCard(card, x=0, y=0):
    cost = int(card.Cost)
    if cost > me.Light:
        whisper("That costs {} and you have {}.".format(cost, me.Light))
        return
    me.Light -= cost
    card.moveToTable(0, 0)
    notify("{} plays {} for {}.".format(me, card, cost))

def howMany(group, x=0, y=0):
    number = askInteger("How many?", 3)
    me.Light += number
    notify("{}".format(number))

def whichOne(group, x=0, y=0):
    names = ['one', 'two', 'three']
    at = askChoice("Which?", names, [], ['None of them'])
    if at > 0:
        text = askString("Say it in your words", names[at - 1])
        kind, many = askMarker()
        notify("{} {} {} {}".format(names[at - 1], text, kind[0] if kind else 'nothing', many))
    else:
        notify("{}".format(at))

def countUp(group, x=0, y=0, seen=seen):
    global counted
    counted += 1
    seen.append(counted)
    notify("{} {} {}".format(WHO, counted, len(seen)))

def failsInTheMiddle(group, x=0, y=0):
    drawOne(me.Deck)
    me.Light += 5
    me.hand[0].moveToTable(0, 0)
    return 1 / (me.Light - me.Light)

def neverEnds(group, x=0, y=0):
    me.Light = 0
    while True:
        try:
            me.Light == 1
        except:
            pass

def grows(group, x=0, y=0):
    me.Light = 0
    all = [1]
    while True:
        all = all + all

def callsItself(group, x=0, y=0):
    me.Light = 0
    callsItself(group)

def floods(group, x=0, y=0):
    me.Light = 0
    for n in range(10000):
        notify("line {}".format(n))

def makesThousands(group, x=0, y=0):
    me.Light = 0
    for n in range(10000):
        me.Light = n
