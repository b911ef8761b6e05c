"""Runs entries of scripted packages with Python 2.7 at a small table of its own, and writes what they call.

Run with Python 2.7 or Jython:  jython record.py RUNS > CALLS
RUNS is JSON that `cargo test --test script_oracle` writes: packages with their scripts, tables, runs with the way in which
questions are answered. Chance is the first of everything, a shuffle puts the top card to the bottom. CALLS has, for each run, a
line `#### number` and a line for each call of the interface: the seat, the name, the arguments. A card stands as its
group and its place there at that moment. This knows the interface from `docs/spec/scripts.md` alone, as the table does.
"""
import collections
import json
import sys


class Asked(BaseException):
    """A run that may not go on."""


class Table(object):
    """One table: what lies where, who is there, what waits."""

    def __init__(self, package, table, policy):
        self.package, self.policy = package, policy
        self.lines, self.jobs, self.busy = [], collections.deque(), {}
        self.cards, self.numbers = {}, 0
        self.version = package['version']
        self.globals = dict(package['globals'])
        self.active, self.turn, self.phase = table['active'], table['turn'], table['phase']
        self.seats = range(1, len(package['seats']) + 1)
        self.own = dict((seat, dict(package['own'])) for seat in self.seats)
        self.counters = {}
        for seat in [0] + self.seats:
            for name, value in package['shared_counters' if seat == 0 else 'counters']:
                self.counters[seat, name] = value
        for seat, name, value in table['counters']:
            self.counters[seat, name] = value
        self.groups = {'Table': []}
        for seat in [0] + self.seats:
            for pile in package['shared_piles' if seat == 0 else 'piles']:
                self.groups['%d/%s' % (seat, pile['name'])] = []
        self.kinds = dict((pile['name'], pile) for pile in package['shared_piles'] + package['piles'])
        for group, names in table['piles']:
            for name in names:
                self.add(name, group, int(group.split('/')[0]))
        for placed in table['table']:
            card = self.add(placed['name'], 'Table', placed['owner'])
            card.up, card.at = placed['up'], tuple(placed['at'])
            for key, count in placed['markers']:
                card.marks.append([tuple(key), count])
        self.names, self.names_of = {}, interface(self)
        self.seat, self.chain, self.answered = 1, 0, 0
        for seat in self.seats:
            self.names[seat] = self.load(seat)
        self.seat = 1

    def add(self, name, group, owner):
        card = RealCard()
        card.name, card.group, card.owner, card.controller = name, group, owner, owner
        card.up = group != 'Table' and self.kinds[group.split('/')[1]]['visible'] == 'all'
        self.numbers += 1
        card.number = self.numbers
        self.cards[card.number] = card
        self.groups[group].append(card)
        return card

    def load(self, seat):
        self.seat = seat
        names = self.names_of(seat)
        for path, text in self.package['scripts']:
            try:
                exec compiled(str(path), text) in names
            except Exception:
                # A file that fails keeps what it has done (S3).
                pass
        return names

    # ---- jobs ----

    def call(self, seat, function, args, own):
        names = self.names[seat]
        was = self.seat, self.chain
        self.seat, self.busy[seat] = seat, True
        try:
            if function not in names:
                raise NameError(function)
            names[function](*args)
        except Asked:
            raise
        except Exception:
            if not own:
                raise
            self.lines.append('! failed')
        finally:
            self.seat, self.chain = was
            self.busy[seat] = False

    def yields(self):
        """Other seats' jobs go on (S182)."""
        while True:
            for at, job in enumerate(self.jobs):
                if not self.busy.get(job[0]):
                    del self.jobs[at]
                    self.do(job)
                    break
            else:
                return

    def do(self, job):
        seat, function, args, chain = job
        if chain > 16:
            raise Asked('stopped')
        was, self.chain = self.chain, chain
        self.call(seat, function, args, True)
        self.chain = was

    def run(self, function, calls):
        how = 'done'
        try:
            for args in calls:
                self.chain = 0
                self.jobs.append((1, function, args, -1))
            while self.jobs:
                seat, function, args, chain = self.jobs.popleft()
                if chain < 0:
                    self.chain = 0
                    self.call(seat, function, fitting(self.names[1].get(function), args), False)
                else:
                    self.do((seat, function, args, chain))
        except Asked as asked:
            how = str(asked)
        except Exception as error:
            how = type(error).__name__
        self.lines.append('= ' + how)

    def fire(self, name, values, everybody=True):
        """Events as version 3.1.0.2 names them; others hear of them in the order of the seats (S142)."""
        for event, function in self.package['events']:
            if event != name:
                continue
            seats = [self.seat] + [seat for seat in self.seats if everybody and seat != self.seat]
            for seat in seats:
                found = self.names[seat].get(function)
                args = [Event(values)] if values and found and found.func_code.co_argcount else []
                self.jobs.append((seat, function, args, self.chain + 1))

    def write(self, line):
        self.lines.append('%d %s' % (self.seat, line))

    # ---- answers ----

    def answer(self, kind, *about):
        self.yields()
        self.answered += 1
        if self.answered > 100:
            raise Asked('stopped')
        if self.policy == 'closed':
            return None
        second, last = self.policy == 'second', self.policy == 'last'
        if kind == 'confirm':
            return not second
        if kind == 'integer':
            return 1 if second else max(about[0], 0) + (1 if last else 0)
        if kind == 'string':
            return '' if second else 'word'
        if kind == 'choice':
            choices = about[0]
            if last and choices:
                return len(choices)
            return -1 if not choices else 2 if second and len(choices) > 1 else 1
        if kind == 'marker':
            at = 1 if second and len(self.package['markers']) > 1 else 0
            return tuple(self.package['markers'][at]), 1 if second else 2
        if kind == 'model':
            return (about[0][-1], 1) if second else (about[0][0], 1)
        cards, least, most, ordered = about
        if ordered:
            return cards[1:] + cards[:1] if second else cards[::-1] if last else cards
        count = min(most, len(cards)) if last else max(least, min(1, most))
        return cards[len(cards) - count:] if second or last else cards[:count]


COMPILED = {}


def compiled(path, text):
    if (path, text) not in COMPILED:
        COMPILED[path, text] = compile(text, path, 'exec')
    return COMPILED[path, text]


class RealCard(object):
    """What a card is; scripts hold `Card`."""

    def __init__(self):
        self.at, self.marks, self.quarter = (0, 0), [], 0
        self.highlight, self.target, self.over, self.token = None, 0, {}, False


class Event(object):
    def __init__(self, values):
        self.__dict__.update(values)

    def __getattr__(self, name):
        return None


def fitting(function, args):
    if function is None:
        return args
    return args[:function.func_code.co_argcount]


def interface(table):
    """What makes the names of a seat."""
    package = table.package
    properties = dict((card['name'], card) for card in package['cards'])
    by_model = dict((card['id'], card['name']) for card in package['cards'])

    # ---- how things are written ----

    def words(value):
        if value is None or isinstance(value, bool):
            return str(value)
        if isinstance(value, (int, long)):
            return str(int(value))
        if isinstance(value, float):
            return str(int(value)) if value == int(value) else repr(value)
        if isinstance(value, basestring):
            return "'%s'" % said(value).replace('\n', '\\n')
        if isinstance(value, list):
            return '[%s]' % ', '.join(map(words, value))
        if isinstance(value, tuple):
            return '(%s)' % ', '.join(map(words, value))
        if isinstance(value, dict):
            return '{%s}' % ', '.join(sorted('%s: %s' % (words(k), words(v)) for k, v in value.items()))
        if isinstance(value, (Card, Group, Player, Markers)):
            return value._words()
        return 'function'

    def place(real):
        return '%s[%d]' % (real.group, table.groups[real.group].index(real))

    def said(text):
        out = ''
        parts = text.split('{#')
        for part in parts[1:]:
            number, rest = part.split('}', 1)
            out += '{%s}' % place(table.cards[int(number)]) + rest
        return parts[0] + out

    def record(name, args, named):
        args = [words(arg) for arg in args] + ['%s=%s' % (key, words(named[key])) for key in named]
        table.write('%s(%s)' % (name, ', '.join(args)))

    # ---- objects ----

    def may_act(real):
        return real.controller in (0, table.seat) or real.group == 'Table' or kind_of(real.group)['visible'] == 'all'

    def kind_of(group):
        return table.kinds[group.split('/')[1]]

    def known(real):
        """Whether the seat knows what it is, or may look (S191, S192)."""
        if real.group == 'Table':
            return real.up or (real.owner == table.seat and real.controller == table.seat)
        owner = int(real.group.split('/')[0])
        return owner in (0, table.seat) or kind_of(real.group)['visible'] == 'all'

    def moved(real, group, index, up=None):
        there = table.groups[group]
        was = real.group
        index_was = table.groups[was].index(real)
        at_was, marks_was, up_was, light_was = real.at, list(real.marks), real.up, real.highlight
        table.groups[was].remove(real)
        if group == 'Table':
            there.append(real)
        elif not kind_of(group)['ordered']:
            there.append(real)
        elif index is None or index == 0:
            there.insert(0, real)
        elif index < 0:
            there.insert(max(0, len(there) + 1 + index), real)
        else:
            there.insert(min(index, len(there)), real)
        real.group = group
        if was != group:
            real.marks, real.highlight, real.target, real.over, real.quarter = [], None, 0, {}, 0
            real.at = (0, 0)
            if group == 'Table':
                real.up = True if up is None else up
            else:
                real.controller = int(group.split('/')[0])
                real.up = kind_of(group)['visible'] == 'all'
        return (real, was, index_was, at_was, marks_was, up_was, light_was)

    def tell_move(before):
        real, was, index, at, marks, up, light = before
        if was == real.group and (was != 'Table' or at == real.at):
            return
        texts = '{%s}' % ','.join("('%s','%s'):%d" % (key[0], key[1], count) for key, count in marks)
        table.fire('OnScriptedCardsMoved', {
            'player': Player(table.seat), 'cards': [Card(real.number)], 'fromGroups': [Group(was)],
            'toGroups': [Group(real.group)], 'indexs': [index], 'xs': [float(at[0])], 'ys': [float(at[1])],
            'highlights': [light or 'None'], 'markers': [texts], 'faceups': [was == 'Table' and up],
        })

    class Thing(object):
        def __eq__(self, other):
            return isinstance(other, Thing) and self._key() == other._key()

        def __ne__(self, other):
            return not self == other

        def __cmp__(self, other):
            return cmp(self._key(), other._key()) if isinstance(other, Thing) else 1

        def __hash__(self):
            return hash(self._key())

    class Markers(Thing):
        def __init__(self, real):
            self.__dict__['real'] = real

        def _key(self):
            return 'm', self.real.number

        def _words(self):
            return place(self.real) + '.markers'

        def __getitem__(self, key):
            if not isinstance(key, (tuple, list)) or len(key) != 2:
                raise TypeError('a marker has a name and an id')
            return dict((name, count) for name, count in self.real.marks).get(tuple(key), 0)

        def __contains__(self, key):
            return self[key] > 0

        def __len__(self):
            return len(self.real.marks)

        def __iter__(self):
            return iter([name for name, count in self.real.marks])

        def _put(self, key, count):
            key, had = tuple(key), self[key]
            marks = self.real.marks
            for pair in marks:
                if pair[0] == key:
                    pair[1] = count
            if not had and count:
                marks.append([key, count])
            self.real.marks[:] = [pair for pair in marks if pair[1]]
            if had != count:
                table.fire('OnMarkerChanged', {
                    'card': Card(self.real.number), 'marker': key[0], 'id': key[1], 'value': had, 'scripted': True,
                })

        def __setitem__(self, key, count):
            table.write('%s[%s] = %s' % (words(self), words(key), words(count)))
            if self.real.group == 'Table':
                self._put(key, min(max(count, 0), 65535))

        def __delitem__(self, key):
            table.write('%s[%s] = deleted' % (words(self), words(key)))
            self._put(key, 0)

    class Properties(object):
        def __init__(self, card):
            self.card = card

        def __getitem__(self, name):
            return self.card._property(name) or ''

        def __setitem__(self, name, value):
            table.write('%s.properties[%s] = %s' % (words(self.card), words(name), words(value)))
            if not isinstance(value, basestring):
                raise TypeError('a property is a text')
            self.card._real().over[name.lower()] = value

    class Card(Thing):
        def __init__(self, number):
            self.__dict__['_id'] = number

        def _key(self):
            return self._id

        def _real(self):
            if self._id not in table.cards or table.cards[self._id].group is None:
                raise AttributeError('no card')
            return table.cards[self._id]

        def _words(self):
            return place(self._real())

        def _property(self, name):
            real = self._real()
            for own in properties[real.name]['properties']:
                if own.lower() == name.lower():
                    if not known(real):
                        return ''
                    return str(real.over.get(own.lower(), properties[real.name]['properties'][own]))
            for own in package['properties']:
                if own.lower() == name.lower():
                    return ''
            return None

        def __format__(self, spec):
            return '{#%d}' % self._id

        def __getattr__(self, name):
            real = self._real()
            if name == 'name':
                return str(real.name) if known(real) else 'Card'
            if name == 'model':
                return str(properties[real.name]['id']) if known(real) else None
            simple = {
                'group': lambda: Group(real.group), 'owner': lambda: Player(real.owner),
                'controller': lambda: Player(real.controller), 'markers': lambda: Markers(real),
                'properties': lambda: Properties(self), 'orientation': lambda: real.quarter,
                'highlight': lambda: real.highlight, 'position': lambda: (float(real.at[0]), float(real.at[1])),
                'targetedBy': lambda: Player(real.target) if real.target else None,
                'index': lambda: table.groups[real.group].index(real),
                'isFaceUp': lambda: up(real), 'width': lambda: 63, 'height': lambda: 88,
            }
            if name in simple:
                return simple[name]()
            value = self._property(name)
            if value is None:
                raise AttributeError("'Card' object has no attribute '%s'" % name)
            return value

        def __setattr__(self, name, value):
            table.write('%s.%s = %s' % (words(self), name, words(value)))
            real = self._real()
            if name == 'orientation':
                if not 0 <= value < 4:
                    raise IndexError('orientation must be between 0 and 3')
                if real.group == 'Table':
                    real.quarter = value
            elif name == 'highlight':
                if real.group == 'Table':
                    real.highlight = value and value.lower()
            elif name == 'isFaceUp':
                if real.group == 'Table':
                    real.up = bool(value)
            elif name == 'controller':
                give(real, value)
            elif name.lower() in [own.lower() for own in package['properties']]:
                if not isinstance(value, basestring):
                    raise TypeError('a property is a text')
                real.over[name.lower()] = value

        def moveTo(self, *args, **named):
            record('moveTo', (self,) + args, named)
            move_to(self._real(), *args, **named)

        def moveToBottom(self, *args):
            record('moveToBottom', (self,) + args, {})
            move_to(self._real(), args[0], -1)

        def moveToTable(self, *args, **named):
            record('moveToTable', (self,) + args, named)
            lay(self._real(), *args, **named)

        def sendToBack(self):
            record('sendToBack', (self,), {})
            real = self._real()
            if real.group == 'Table':
                table.groups['Table'].remove(real)
                table.groups['Table'].insert(0, real)

        def sendToFront(self):
            record('sendToFront', (self,), {})
            real = self._real()
            if real.group == 'Table':
                table.groups['Table'].remove(real)
                table.groups['Table'].append(real)

        def target(self, *args, **named):
            record('target', (self,) + args, named)
            on = (args or (named.get('active', True),))[0]
            real = self._real()
            if real.group == 'Table':
                real.target = table.seat if on else 0

        def setController(self, *args):
            record('setController', (self,) + args, {})
            give(self._real(), args[0])

        def delete(self):
            record('delete', (self,), {})
            real = self._real()
            if real.token:
                table.groups[real.group].remove(real)
                real.group = None

        def hasProperty(self, name):
            return bool(known(self._real())) and name in properties[self._real().name]['properties']

    def up(real):
        if real.group == 'Table':
            return real.up
        visible = kind_of(real.group)['visible']
        return visible == 'all' or (visible == 'me' and int(real.group.split('/')[0]) == table.seat)

    def give(real, to):
        if not isinstance(to, Player):
            raise TypeError('a controller is a player')
        was = real.controller
        if real.group != 'Table' or to._id == was or to._id == 0:
            return
        if to._id == table.seat or was in (0, table.seat):
            real.controller = to._id
            table.fire('OnCardControllerChanged', {
                'card': Card(real.number), 'oldPlayer': Player(was), 'player': Player(to._id),
            })

    def move_to(real, group, index=None):
        if group._name == 'Table' and real.group == 'Table':
            return
        if not may_act(real) or (group._name != 'Table' and not open_to(group._name)):
            return
        if real.token and group._name != 'Table':
            table.groups[real.group].remove(real)
            real.group = None
            return
        tell_move(moved(real, group._name, index))

    def open_to(group):
        """Cards may be put into one's own piles, into those of nobody, into others' where that is allowed (F72)."""
        return True

    def lay(real, x, y, forceFaceDown=False):
        if not may_act(real):
            return
        lies = real.group == 'Table'
        if lies:
            at = real.at
            table.groups['Table'].remove(real)
            table.groups['Table'].append(real)
            before = (real, 'Table', 0, at, list(real.marks), real.up, real.highlight)
            if forceFaceDown:
                real.up = False
        else:
            before = moved(real, 'Table', None, not forceFaceDown)
        real.at = (int(x), int(y))
        tell_move(before)

    class Group(Thing):
        def __init__(self, name):
            self.__dict__['_name'] = name

        def _key(self):
            return self._name

        def _words(self):
            return self._name

        def _cards(self):
            return [Card(real.number) for real in table.groups[self._name]]

        name = property(lambda self: str(self._name.split('/')[-1]))
        controller = property(lambda self: Player(0 if self._name == 'Table' else int(self._name.split('/')[0])))
        player = property(lambda self: None if self._name == 'Table' else Player(int(self._name.split('/')[0])))

        def __len__(self):
            return len(table.groups[self._name])

        def __iter__(self):
            return iter(self._cards())

        def __getitem__(self, at):
            if isinstance(at, slice):
                return (card for card in self._cards()[at])
            return self._cards()[at] if len(self) else Card(-1)

        def __getslice__(self, low, high):
            return (card for card in self._cards()[low:high])

        def top(self, n=None):
            cards = self._cards()
            return (cards[0] if cards else None) if n is None else (card for card in cards[:max(n, 0)])

        def bottom(self, n=None):
            cards = self._cards()
            return (cards[-1] if cards else None) if n is None else (card for card in cards[max(len(cards) - n, 0):])

        def shuffle(self):
            record('shuffle', (self,), {})
            owner = self.controller._id
            if owner in (0, table.seat) or kind_of(self._name)['visible'] == 'all':
                cards = table.groups[self._name]
                cards[:] = cards[1:] + cards[:1]

        def random(self):
            record('random', (self,), {})
            table.yields()
            return self._cards()[0] if len(self) else None

        def lookAt(self, *args):
            record('lookAt', (self,) + args, {})

        def create(self, *args, **named):
            record('create', (self,) + args, named)
            if self._name == 'Table':
                return make(*args, **named)
            return make_in(self._name, *args, **named)

        def isTwoSided(self):
            return True

    def make(model, x, y, quantity=1, persist=False, facedown=False):
        if model not in by_model or quantity < 1:
            return None if quantity == 1 else []
        made = []
        for _ in range(quantity):
            real = table.add(by_model[model], 'Table', table.seat)
            real.up, real.at, real.token = not facedown, (int(x), int(y)), not persist
            made.append(Card(real.number))
        return made[0] if quantity == 1 else made

    def make_in(group, model, quantity=1):
        if model not in by_model or quantity < 1:
            return None if quantity == 1 else []
        made = [Card(table.add(by_model[model], group, table.seat).number) for _ in range(quantity)]
        return made[0] if quantity == 1 else made

    class Counter(Thing):
        def __init__(self, seat, name):
            self.__dict__.update(seat=seat, name=name)

        def _key(self):
            return self.seat, self.name

        def __getattr__(self, name):
            if name == 'value':
                return table.counters[self.seat, self.name]
            raise AttributeError(name)

        def __setattr__(self, name, value):
            table.write('%d/%s.%s = %s' % (self.seat, self.name, name, words(value)))
            set_counter(self.seat, self.name, value)

    def set_counter(seat, name, value):
        if isinstance(value, bool) or not isinstance(value, (int, long)):
            raise TypeError('a counter is a whole number')
        was = table.counters[seat, name]
        table.counters[seat, name] = value
        if was != value and seat:
            table.fire('OnCounterChanged', {
                'player': Player(table.seat), 'counter': Counter(seat, name), 'value': was, 'scripted': True,
            }, False)

    class Named(object):
        def __init__(self, find, names):
            self.find, self.all = find, names

        def __getitem__(self, name):
            found = self.find(name)
            if found is None:
                raise KeyError(name)
            return found

        def __contains__(self, name):
            return self.find(name) is not None

        def has_key(self, name):
            return name in self

        def __iter__(self):
            return iter(self.all)

        def keys(self):
            return list(self.all)

        def __len__(self):
            return len(self.all)

    class Player(Thing):
        def __init__(self, number):
            self.__dict__['_id'] = number

        def _key(self):
            return self._id

        def _words(self):
            return 'Player%d' % self._id

        def _pile(self, name):
            for pile in package['shared_piles' if self._id == 0 else 'piles']:
                if pile['name'].lower() == name.lower():
                    return Group('%d/%s' % (self._id, pile['name']))

        def _counter(self, name):
            for own, _ in package['shared_counters' if self._id == 0 else 'counters']:
                if own.lower() == name.lower():
                    return Counter(self._id, own)

        def __format__(self, spec):
            return self.name

        def __str__(self):
            return self.name

        def __repr__(self):
            return 'Player(%d)' % self._id

        def __getattr__(self, name):
            if name == 'name':
                return str(package['seats'][self._id - 1]) if self._id else 'the table'
            if name == 'piles':
                kinds = package['shared_piles' if self._id == 0 else 'piles']
                return Named(self._pile, [str(kind['name']) for kind in kinds])
            if name == 'counters':
                kinds = package['shared_counters' if self._id == 0 else 'counters']
                return Named(self._counter, [str(kind[0]) for kind in kinds])
            if name in ('isActive', 'isActivePlayer'):
                return table.active == self._id and self._id != 0
            if name == 'isInverted':
                return self._id % 2 == 0 and self._id != 0
            if name == 'hand':
                return self._pile('Hand')
            pile = self._pile(name)
            if pile is not None:
                return pile
            counter = self._counter(name)
            if counter is None:
                raise AttributeError("'Player' object has no attribute '%s'" % name)
            return counter.value

        def __setattr__(self, name, value):
            table.write('%s.%s = %s' % (words(self), name, words(value)))
            counter = self._counter(name)
            if counter is not None:
                set_counter(self._id, counter.name, value)
            elif self._pile(name) is not None:
                raise AttributeError('a pile cannot be set')

        def hasInvertedTable(self):
            return self.isInverted

        def getGlobalVariable(self, name):
            return str(table.own.get(self._id, {}).get(name, ''))

        def setGlobalVariable(self, *args):
            record('setGlobalVariable', (self,) + args, {})
            if self._id == table.seat:
                name, value = args
                was = table.own[self._id].get(name, '')
                table.own[self._id][name] = '' if value is None else str(value)
                table.fire('OnPlayerGlobalVariableChanged', {
                    'player': Player(self._id), 'name': name, 'oldValue': was, 'value': table.own[self._id][name],
                })

        def setActive(self, *args):
            record('setActive', (self,) + args, {})
            if table.active in (0, table.seat):
                set_active(self._id)

    def set_active(seat):
        was = table.active
        table.active = seat
        if was != seat:
            table.fire('OnTurnPassed', {'player': Player(was) if was else None, 'turn': table.turn, 'force': False})

    # ---- functions ----

    class Mute(object):
        def __enter__(self):
            return self

        def __exit__(self, *_):
            pass

    def mute():
        record('mute', (), {})
        return Mute()

    def says(name):
        def say(*args):
            record(name, args, {})
            if not isinstance(args[-1], basestring):
                raise TypeError('a text is wanted')
        return say

    def update():
        record('update', (), {})
        table.yields()

    def rnd(low, high):
        record('rnd', (low, high), {})
        table.yields()
        if low > high + 1:
            raise ValueError('rnd')
        return low

    def confirm(*args):
        record('confirm', args, {})
        return table.answer('confirm') is True

    def askInteger(*args):
        record('askInteger', args, {})
        return table.answer('integer', args[1] if len(args) > 1 else 0)

    def askString(*args):
        record('askString', args, {})
        return table.answer('string')

    def askChoice(*args, **named):
        record('askChoice', args, named)
        return choice(*args, **named)

    def choice(text, choices=[], colors=[], customButtons=[]):
        if not choices and not customButtons:
            return 0
        return table.answer('choice', choices) or 0

    def askMarker():
        record('askMarker', (), {})
        return table.answer('marker') or (None, 0)

    class CardDialog(object):
        def __init__(self, list, bottomList=None):
            self.list, self.bottomList = list, bottomList
            self.title, self.text, self.label, self.bottomLabel = 'Choose card', None, '', ''
            self.min = 1 if bottomList is None else 0
            self.max = 1 if bottomList is None else len(list) + len(bottomList)

        def show(self):
            given = (self.title, self.text, self.label, self.bottomLabel, self.list, self.bottomList, self.min, self.max)
            record('cardDlg.show', given, {})
            if not self.list and self.bottomList is None:
                return None
            every = list(self.list) + list(self.bottomList or [])
            only_order = self.bottomList is None and self.max == 0
            got = table.answer('cards', every, min(self.min, self.max), self.max, only_order)
            if got is None:
                return None
            if self.bottomList is not None:
                self.list, self.bottomList = got, [card for card in every if card not in got]
                return []
            if only_order:
                self.list = got
                return []
            return got

    def setGlobalVariable(name, value):
        value = '' if value is None else str(value)
        record('setGlobalVariable', (name, value), {})
        was = table.globals.get(name, '')
        table.globals[name] = value
        table.fire('OnGlobalVariableChanged', {'name': name, 'oldValue': was, 'value': value})

    def nextTurn(*args):
        record('nextTurn', args, {})
        if table.active not in (0, table.seat):
            return
        was, turn = table.active, table.turn
        table.active = args[0]._id if args and args[0] is not None else 0
        table.turn, table.phase = turn + 1, 0
        table.fire('OnTurnPassed', {'player': Player(was) if was else None, 'turn': turn, 'force': False})

    def setPhase(*args):
        record('setPhase', args, {})
        if table.active in (0, table.seat) and 0 <= args[0] <= len(package['phases']):
            was, table.phase = table.phase, args[0]
            if was != table.phase:
                name = package['phases'][was - 1] if was else None
                table.fire('OnPhasePassed', {'name': name, 'id': was, 'force': False})

    def setActivePlayer(*args):
        record('setActivePlayer', args, {})
        if table.active in (0, table.seat):
            set_active(args[0]._id if args and args[0] is not None else 0)

    def currentPhase():
        return (str(package['phases'][table.phase - 1]) if table.phase else None, table.phase)

    def remoteCall(player, function, args=None):
        record('remoteCall', (player, function) if args is None else (player, function, args), {})
        args = [] if args is None else args if isinstance(args, (list, tuple)) else [args]
        if player._id:
            table.jobs.append((player._id, function, list(args), table.chain + 1))

    def queryCard(wanted, exact=False):
        found = []
        for card in package['cards']:
            fits = True
            for key, values in wanted.items():
                own = card['name'] if key.lower() == 'name' else card['properties'].get(key, '')
                values = values if isinstance(values, list) else [values]
                same = [str(value).lower() for value in values]
                fits = fits and (own.lower() in same if exact else any(value in own.lower() for value in same))
            if fits:
                found.append(str(card['id']))
        return found

    def names_of(me):
        others = [Player(seat) for seat in range(1, len(package['seats']) + 1) if seat != me]
        names = {
            '__name__': '__main__', 'collections': collections, 'Rot0': 0, 'Rot90': 1, 'Rot180': 2, 'Rot270': 3,
            'me': Player(me), 'shared': Player(0), 'players': [Player(me)] + others, 'table': Group('Table'),
            'getPlayers': lambda: [Player(me)] + others, 'Card': Card, 'Player': Player, '_Group': Group,
            'mute': mute, 'notify': says('notify'), 'whisper': says('whisper'), 'notifyBar': says('notifyBar'),
            'update': update, 'rnd': rnd, 'confirm': confirm, 'askInteger': askInteger, 'askString': askString,
            'askChoice': askChoice, 'askMarker': askMarker, 'cardDlg': CardDialog,
            'getGlobalVariable': lambda name: str(table.globals.get(name, '')), 'setGlobalVariable': setGlobalVariable,
            'nextTurn': nextTurn, 'setPhase': setPhase, 'setActivePlayer': setActivePlayer, 'currentPhase': currentPhase,
            'getActivePlayer': lambda: Player(table.active) if table.active else None,
            'turnNumber': lambda: table.turn, 'remoteCall': remoteCall, 'queryCard': queryCard,
        }
        return names

    return names_of


def main():
    given = json.load(open(sys.argv[1]))
    out = []
    for number, run in enumerate(given['runs']):
        package = given['packages'][run['package']]
        table = Table(package, package['tables'][run['table']], run['answers'])
        names = table.names[1]
        cards = [names['Card'](table.groups[run['group']][at].number) for at in run['cards']]
        table.seat = 1
        if not run['of_card']:
            calls = [[names['_Group'](run['group'])]]
        elif run['batch']:
            calls = [[cards]]
        else:
            calls = [[card] for card in cards]
        table.run(str(run['function']), calls)
        out.append('#### %d' % number)
        out.extend(table.lines)
    print '\n'.join(line.encode('utf-8') if isinstance(line, unicode) else line for line in out)


main()
