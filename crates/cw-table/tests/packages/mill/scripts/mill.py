Flour = ("Flour", "5a5ff0c1-1111-4222-8333-444455556666")
Wheat = ("Wheat", "wheat-of-scripts-only")

def stores():
    return eval(getGlobalVariable('Stores'))

def upkeep(group, x=0, y=0):
    mute()
    turns = int(me.getGlobalVariable('turns')) + 1
    me.setGlobalVariable('turns', str(turns))
    kept = stores()
    kept[me._id] = kept.get(me._id, 0) + 1
    setGlobalVariable('Stores', str(kept))
    for card in table:
        if card.controller == me:
            card.markers[Wheat] += 1
    me.Gold += 2
    notify("{}'s upkeep {}: {} gold, stores {}.".format(me, turns, me.Gold, kept[me._id]))

def grind(card, x=0, y=0):
    if card.markers[Wheat] == 0:
        whisper("There is no wheat.")
        return
    card.markers[Wheat] -= 1
    card.markers[Flour] += 2

def raid(group, x=0, y=0):
    other = players[1]
    before = other.Gold
    remoteCall(other, 'pay', [3, me])
    while other.Gold == before:
        rnd(1, 10)
        update()
    notify("{} raids {}: {} gold left.".format(me, other, other.Gold))

def pay(amount, to):
    me.Gold -= amount
    remoteCall(to, 'receive', [amount])

def receive(amount):
    me.Gold += amount
    whisper("You get {}.".format(amount))

def askOther(group, x=0, y=0):
    remoteCall(players[1], 'wouldYou', [me])
    update()
    notify("{} has asked.".format(me))

def wouldYou(who):
    if confirm("{} wants to know: do you?".format(who.name)):
        me.Gold += 1
        notify("{} does.".format(me))
    else:
        notify("{} does not.".format(me))

def takeOver(card, x=0, y=0):
    card.controller = me
    notify("{} takes {}.".format(me, card))

def trade(group, x=0, y=0):
    give = askInteger("How much gold do you give?", 1)
    remoteCall(players[1], 'offered', [give, me])

def offered(amount, who):
    if not confirm("{} offers {} gold. Take it?".format(who, amount)):
        return
    me.Gold += amount
    remoteCall(who, 'lose', amount)

def lose(amount):
    me.Gold -= amount
