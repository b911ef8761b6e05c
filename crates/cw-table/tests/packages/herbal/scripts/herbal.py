# Cards whose texts are read: "Gain 2 Health. If Moon is 3 or more, draw 2 cards; else put 1 Leaf on this."
import re

LEAF = ('Leaf', 'leaf')
DOSE = ('Dose', 'dose')
MARKERS = dict([(marker[0].lower(), marker) for marker in [LEAF, DOSE]])
NUMBERS = {'a': 1, 'an': 1, 'one': 1, 'two': 2, 'three': 3, 'X': None}

SENTENCE = re.compile(r'\s*(?P<sentence>[^.;]+)[.;]?')
CONDITION = re.compile(r'^if (?P<what>\w+) is (?P<count>\d+)( or (?P<how>more|less))?, (?P<then>.+)$', re.IGNORECASE)
GAIN = re.compile(r'^(?P<verb>gain|lose) (?P<count>\w+) (?P<what>health|mana)$', re.IGNORECASE)
DRAW = re.compile(r'^(draw|discard) (\w+) cards?$', re.IGNORECASE)
PUT = re.compile(r'^put (\w+) (\w+) on (this|all (\w+)s)$', re.IGNORECASE)
MAY = re.compile(r'^you may (.+)$', re.IGNORECASE)
EACH = re.compile(r'^each player (.+?)s? (\d+) (\w+)$', re.IGNORECASE)

class Failed(Exception):
    pass

def count(word):
    if word.isdigit():
        return int(word)
    if word in NUMBERS:
        found = NUMBERS[word]
        return found if found is not None else askInteger("How much is X?", 1)
    raise Failed("no number: " + word)

def sentences(text):
    found = []
    for match in SENTENCE.finditer(text):
        words = match.group('sentence').strip()
        if words:
            found.append(words)
    return found

def valueOf(name):
    if name.lower() == 'moon':
        return shared.Moon
    if me.counters.has_key(name):
        return me.counters[name].value
    raise Failed("nothing is called " + name)

def holds(condition):
    value, wanted = valueOf(condition.group('what')), int(condition.group('count'))
    how = condition.group('how')
    if how is None:
        return value == wanted
    return value >= wanted if how.lower() == 'more' else value <= wanted

# ---- what each sentence does ----

def gain(match, card):
    amount = count(match.group('count'))
    if amount is None:
        return 'nothing'
    if match.group('verb').lower() == 'lose':
        amount = -amount
    name = match.group('what').capitalize()
    me.counters[name].value += amount
    return "{:+d} {}".format(amount, name)

def cardsOf(match, card):
    verb, word = match.groups()
    amount = count(word) or 0
    if verb.lower() == 'draw':
        moved = [c for c in me.Deck.top(amount)]
        for c in moved:
            c.moveTo(me.hand)
        return "draws {}".format(len(moved))
    chosen = list(me.hand)
    if len(chosen) > amount:
        dialog = cardDlg(chosen)
        dialog.title = "Discard"
        dialog.min = dialog.max = amount
        chosen = dialog.show()
        if chosen is None:
            raise Failed("nothing was discarded")
    for c in chosen:
        c.moveTo(me.Discard)
    return "discards {}".format(len(chosen))

def put(match, card):
    word, name, where, kind = match.groups()
    marker = MARKERS.get(name.lower())
    if marker is None:
        raise Failed("no such marker: " + name)
    targets = [card]
    if where.lower() != 'this':
        targets = filter(lambda c: c.Kind.lower() == kind.lower(), table)
    for target in targets:
        target.markers[marker] += count(word)
    return "{} on {}".format(name, len(targets))

def may(match, card):
    if confirm("{}: {}?".format(card.name, match.group(1))):
        return sentence(match.group(1), card)
    return 'declined'

def each(match, card):
    verb, amount, what = match.groups()
    for player in players:
        remoteCall(player, 'eachDoes', [verb, int(amount), what.capitalize()])
    return "each player {}s".format(verb)

def eachDoes(verb, amount, what):
    mute()
    sign = {'gain': 1, 'lose': -1}[verb.lower()]
    me.counters[what].value += sign * amount
    notify("{}: {} is {}".format(me, what, me.counters[what].value))

RULES = [(GAIN, gain), (DRAW, cardsOf), (PUT, put), (MAY, may), (EACH, each)]

def sentence(words, card):
    for pattern, function in RULES:
        match = pattern.match(words)
        if match:
            return function(match, card)
    raise Failed("not understood: " + words)

def perform(card):
    done, skip = [], False
    for words in sentences(card.Text):
        otherwise = re.sub(r'^else,? ', '', words)
        if otherwise != words:
            if skip:
                done.append(sentence(otherwise, card))
            continue
        condition = CONDITION.match(words)
        if condition is None:
            done.append(sentence(words, card))
            continue
        skip = not holds(condition)
        if not skip:
            done.append(sentence(condition.group('then'), card))
    return done

def remember(card, done):
    log = eval(getGlobalVariable('Log'))
    log.append((me._id, card.name, len(done)))
    setGlobalVariable('Log', log[-4:])

# ---- entries ----

def use(card, x=0, y=0):
    mute()
    cost = int(card.Cost) if re.match(r'^\d+$', card.Cost) else 0
    if me.Mana < cost:
        whisper("{} costs {}, you have {}.".format(card.name, cost, me.Mana))
        return
    me.Mana -= cost
    try:
        done = perform(card)
    except Failed as failed:
        notify("{} uses {}, but: {}".format(me, card, failed))
        return
    finally:
        card.orientation = Rot90
    remember(card, done)
    notify("{} uses {}: {}".format(me, card, ', '.join(done) or 'nothing happens'))

def useAll(cards, x=0, y=0):
    for at, card in enumerate(sorted(cards, key=lambda card: (card.Kind, card.name))):
        if at and not confirm("Go on with {}?".format(card.name)):
            break
        use(card)

def explain(card, x=0, y=0):
    parts = re.split(r'[.;]\s*', card.Text)
    for at, part in enumerate([part for part in parts if part]):
        known = [pattern.pattern[:12] for pattern, _ in RULES if pattern.match(part)]
        whisper("{}: {} [{}]".format(at + 1, part, known[0] if known else '?'))
    numbers = re.findall(r'\b\d+\b', card.Text)
    bold = re.sub(r'(\d+) (\w+)', r'\2 x\1', card.Text)
    whisper("{} numbers, {} in all: {}".format(len(numbers), sum(map(int, numbers)), bold))

def readAll(group, x=0, y=0):
    mute()
    words = collections.Counter()
    for card in table:
        for word in re.findall(r'[a-z]+', card.Text.lower()):
            words[word] += 1
    top = sorted(words.items(), key=lambda pair: (-pair[1], pair[0]))[:5]
    notify("{} reads: {}".format(me, ', '.join(["{} {}".format(word, n) for word, n in top])))

def brewable(group, x=0, y=0):
    found = []
    for card in table:
        match = re.search(r'brew (?P<n>\d+)(?: (?P<what>[a-z]+))?', card.Text, re.IGNORECASE)
        if match and card.markers[LEAF] >= int(match.group('n')):
            found.append((card, match.group('what') or 'tea'))
    if not found:
        whisper("Nothing can be brewed.")
    for card, what in found:
        whisper("{} makes {}".format(card, what))

def brew(group, x=0, y=0):
    mute()
    leaves = [card for card in table if card.markers[LEAF]]
    if not leaves:
        notify("{} has no leaves.".format(me))
        return
    at = askChoice("Brew what?", [card.name for card in leaves], [], ['Nothing'])
    if at <= 0:
        return
    card = leaves[at - 1]
    taken = card.markers[LEAF]
    card.markers[LEAF] = 0
    card.markers[DOSE] += (taken + 1) / 2
    shared.Moon = (shared.Moon + 1) % 4
    notify("{} brews {} doses of {}; the moon is {}.".format(me, card.markers[DOSE], card, shared.Moon))

def recipe(group, x=0, y=0):
    text = askString("What does it say?", "Gain 1 Health")
    if not text:
        return
    for words in sentences(text):
        try:
            notify("{}: {}".format(words, sentence(words, None)))
        except Failed as failed:
            whisper(str(failed))

def plant(card, x=0, y=0):
    mute()
    row = len([c for c in table if c.controller == me])
    card.moveToTable(-200 + 70 * row, 100)
    notify("{} plants {}.".format(me, card))

def draw(group, x=0, y=0):
    mute()
    if len(group) == 0:
        for card in list(me.Discard):
            card.moveTo(group)
        group.shuffle()
        notify("{} turns the discards over.".format(me))
    card = group.top()
    if card is None:
        whisper("There are no cards at all.")
        return
    card.moveTo(me.hand)
    notify("{} draws.".format(me))
