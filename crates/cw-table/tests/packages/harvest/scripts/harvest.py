# Four farmers buy from one market.
Coin = ("Coin", "coin")
HAND = 2
STALL = 3
BONUS = {'Wheat': 1, 'Oats': 2, 'Hops': 3}

def everyone():
    """All players in the order of their numbers, whoever asks."""
    return sorted(getPlayers(), key=lambda player: player._id)

def after(player):
    all = everyone()
    at = [one._id for one in all].index(player._id)
    return all[(at + 1) % len(all)]

def bids():
    return eval(getGlobalVariable('Bids'))

def worth(card):
    return int(card.Value) + BONUS.get(card.Crop, 0)

def fields():
    return dict([(player._id, [card for card in player.Field]) for player in everyone()])

# ---- the market ----

def deal(group, x=0, y=0):
    mute()
    shared.Market.shuffle()
    first = getActivePlayer() or me
    player = first
    for turn in range(HAND):
        for n in range(len(everyone())):
            if len(shared.Market) == 0:
                notify("The market is empty.")
                return
            remoteCall(player, 'takeTop', [1])
            player = after(player)
    update()
    notify("{} deals {} cards each; {} are left.".format(me, HAND, len(shared.Market)))

def takeTop(count):
    mute()
    for card in shared.Market.top(count):
        card.moveTo(me.hand)

def openMarket(group, x=0, y=0):
    mute()
    opened = 0
    while len(shared.Stall) < STALL and len(shared.Market):
        shared.Market[0].moveTo(shared.Stall)
        opened += 1
    names = [card.name for card in shared.Stall]
    notify("{} opens {}: {}.".format(me, opened, ', '.join(names) or 'nothing'))

def bid(group, x=0, y=0):
    amount = askInteger("What do you bid?", shared.Price + 1)
    if amount is None:
        return
    if amount > me.Coins:
        whisper("You have {} coins.".format(me.Coins))
        return
    all = bids()
    all[me._id] = amount
    setGlobalVariable('Bids', all)
    highest = max(all.values())
    shared.Price = highest
    leaders = [Player(seat).name for seat in sorted(all) if all[seat] == highest]
    notify("{} bids {}; {} lead{}.".format(me, amount, ' and '.join(leaders), 's' if len(leaders) == 1 else ''))

def askBids(group, x=0, y=0):
    mute()
    setGlobalVariable('Bids', {})
    for player in everyone():
        if player != me:
            remoteCall(player, 'bidsToo', [me, shared.Price])
    rnd(1, 2)
    notify("{} has asked for bids: {}".format(me, ', '.join(["{}={}".format(k, v) for k, v in sorted(bids().items())])))

def bidsToo(who, least):
    if me.Coins <= least:
        return
    if confirm("{} asks: bid {}?".format(who, least + 1)):
        all = bids()
        all[me._id] = least + 1
        setGlobalVariable('Bids', str(all))
        whisper("You bid {}.".format(least + 1))

def settle(group, x=0, y=0):
    mute()
    all = bids()
    if not all:
        whisper("Nobody has bid.")
        return
    order = sorted(all.items(), key=lambda pair: (-pair[1], pair[0]))
    stall = sorted([card for card in shared.Stall], key=worth, reverse=True)
    for (seat, amount), card in zip(order, stall):
        player = Player(seat)
        remoteCall(player, 'pays', [amount, card])
    update()
    setGlobalVariable('Bids', '{}')
    notify("{} settles {} bids for {} cards.".format(me, len(order), min(len(order), len(stall))))

def pays(amount, card):
    mute()
    if me.Coins < amount:
        notify("{} cannot pay {}.".format(me, amount))
        return
    me.Coins -= amount
    card.moveTo(me.Field)
    me.setGlobalVariable('harvest', str(len(me.Field)))
    notify("{} pays {} for {}.".format(me, amount, card.name))

def buy(card, x=0, y=0):
    mute()
    price = worth(card) + card.markers[Coin]
    if me.Coins < price and not confirm("It costs {}. Take it on credit?".format(price)):
        return
    me.Coins = max(0, me.Coins - price)
    card.moveTo(me.Field)
    notify("{} buys {} for {}.".format(me, card, price))

def putCoin(card, x=0, y=0):
    if me.Coins == 0:
        return
    me.Coins -= 1
    card.markers[Coin] += 1

def back(cards, x=0, y=0):
    mute()
    for card in cards:
        card.moveTo(shared.Market, len(shared.Market) / 2)
    for card in shared.Market.bottom(1):
        whisper("At the bottom lies {}.".format(card.name))
    notify("{} puts {} cards back.".format(me, len(cards)))

# ---- fields ----

def plant(card, x=0, y=0):
    card.moveTo(me.Field, -1)

def harvest(group, x=0, y=0):
    mute()
    crops = collections.OrderedDict()
    for card in group:
        crops.setdefault(card.Crop, []).append(card)
    if not crops:
        whisper("Nothing grows here.")
        return
    names = crops.keys()
    at = 1 if len(names) == 1 else askChoice("Harvest which?", ["{} x {}".format(len(crops[name]), name) for name in names])
    if not at:
        return
    cards = crops[names[at - 1]]
    points = sum([worth(card) for card in cards]) * len(cards)
    for card in cards:
        card.moveTo(shared.Compost)
    me.Score += points
    notify("{} harvests {} {} for {} points.".format(me, len(cards), names[at - 1], points))

def nextRound(group, x=0, y=0):
    mute()
    number = int(getGlobalVariable('Round')) + 1
    setGlobalVariable('Round', str(number))
    if number % 4 == 0:
        for card in list(shared.Compost):
            card.moveToBottom(shared.Market)
    shared.Price = 1
    active = getActivePlayer() or me
    if active == me:
        nextTurn(after(me))
    notify("Round {}: {} begins.".format(number, getActivePlayer()))

def scores(group, x=0, y=0):
    table_ = [(player.Score + sum(map(worth, player.Field)), player.name) for player in everyone()]
    table_.sort(reverse=True)
    for place, (points, name) in enumerate(table_):
        notify("{:>2}. {:<6} {:3d}".format(place + 1, name, points))
    ties = [points for points, _ in table_]
    if ties.count(max(ties)) > 1:
        notify("A tie at {}.".format(ties[0]))

def giveCoin(group, x=0, y=0):
    others = players[1:]
    at = askChoice("To whom?", [player.name for player in others])
    if at == 0 or me.Coins == 0:
        return
    me.Coins -= 1
    remoteCall(others[at - 1], 'getsCoin', me)

def getsCoin(giver):
    me.Coins += 1
    notify("{} gets a coin of {}; fields: {}".format(me, giver, sorted([len(cards) for cards in fields().values()])))
