# What happens by itself.
def cargoMoved(args):
    if args.player != me:
        return
    for card, group, old in zip(args.cards, args.toGroups, args.fromGroups):
        if group.name == 'River' and old.name != 'River':
            me.Coins = max(0, me.Coins - 1)
            whisper("A coin for the river.")
        marks = eval(args.markers[0])
        if LOAD in marks and group != table:
            notify("{} loses its load of {}.".format(card, marks[LOAD]))

def weightChanged(args):
    if args.id == 'wet' and args.scripted and me.isActive:
        if args.card.markers[WET] >= 3:
            args.card.highlight = '#0000ff'
            notify("{} is soaked, it had {}.".format(args.card, args.value))

def coinsChanged(args):
    if args.counter.name == 'Coins' and me.Coins > 9:
        me.Coins = 9
        whisper("The purse holds 9 coins; there were {}.".format(args.value))

def phasePassed(args):
    if me.isActive and args.id == 1:
        remember('loaded', Boat(me).weight)

def turnPassed(args):
    if me.isActive and args.player is not None and args.player != me:
        me.Trips = 0

def riverChanged(args):
    if args.name == 'Crossings' and args.value != '0' and me.isActive and int(args.value) % 2 == 0:
        whisper("An even number of crossings: {} after {}.".format(args.value, args.oldValue or 'none'))

def moveCargo(args):
    for card, group, x, y in zip(args.cards, args.toGroups, args.xs, args.ys):
        if group == table:
            card.moveToTable(x, lane(card))
        else:
            card.moveTo(group)
