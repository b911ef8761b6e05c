# What of the interface is easier said in Python (S44, S59, S118, S141). Names that begin with `_table` are the table's.
class _TableMute(object):
    def __enter__(self):
        return self
    def __exit__(self, kind, value, trace):
        _table_unmute()

def mute():
    _table_mute()
    return _TableMute()

class cardDlg(object):
    def __init__(self, list, bottomList=None):
        self.list = list
        self.bottomList = bottomList
        self.title = 'Choose card'
        self.text = None
        self.label = ''
        self.bottomLabel = ''
        self._min = None
        self._max = None
    def _get_min(self):
        return (1 if self.bottomList is None else 0) if self._min is None else self._min
    def _set_min(self, value):
        if value < 0:
            raise ValueError('min must not be negative')
        self._min = value
    min = property(_get_min, _set_min)
    def _get_max(self):
        if self._max is not None:
            return self._max
        return 1 if self.bottomList is None else len(self.list) + len(self.bottomList)
    def _set_max(self, value):
        if value < 0:
            raise ValueError('max must not be negative')
        self._max = value
    max = property(_get_max, _set_max)
    def show(self):
        got = _table_cards(self.title, self.text, self.label, self.bottomLabel, self.list, self.bottomList, self.min, self.max)
        if got is None:
            return None
        if self.bottomList is None:
            self.list, chosen = got
            return chosen
        self.list, self.bottomList = got
        return []

def askCard(properties=None, operator=None, title='Choose card'):
    if isinstance(properties, list):
        if not properties:
            return None
        dialog = cardDlg(properties)
        dialog.title = operator or title
        got = dialog.show()
        return got[0] if got else None
    return _table_model(properties or {}, operator, title)

def setGlobalVariable(name, value):
    _table_set_global(name, '' if value is None else str(value))

def convertToString(value):
    if value is None or isinstance(value, (bool, int, float)):
        return str(value)
    if isinstance(value, str):
        return repr(value)
    if isinstance(value, list):
        return '[' + ', '.join([convertToString(one) for one in value]) + ']'
    return repr(value)

def convertToArgsString(value):
    if isinstance(value, list):
        return ', '.join([convertToString(one) for one in value])
    return convertToString(value)

def wd(path=''):
    return path

def openFileDlg(*args):
    _table_no_files()
    return ''

def saveFileDlg(*args):
    _table_no_files()
    return ''

def webRead(url, timeout=0):
    return ('', 0)

def webPost(url, data, timeout=0):
    return ('', 0)

def showWinForm(form):
    for round in range(30):
        labels, controls = _table_controls(form, [], [])
        buttons = [control for control in controls if control.Click]
        if not controls:
            break
        at = _table_window(form.Text, labels, [_table_words(control) for control in controls])
        if at < 0 and not buttons:
            break
        control = controls[at] if at >= 0 else buttons[-1]
        if control.Click:
            handlers = control.Click
        else:
            _table_tick(form, control)
            handlers = control.CheckedChanged
        for handler in handlers:
            handler(control, None)
        if form.Closed is True:
            break

def _table_words(control):
    if control.Click:
        return control.Text
    return ('[x] ' if control.Checked is True else '[ ] ') + control.Text

def _table_is_radio(control):
    return control.__class__.__name__ == 'RadioButton'

def _table_tick(form, control):
    if not _table_is_radio(control):
        control.Checked = control.Checked is not True
        return
    for other in _table_controls(form, [], [])[1]:
        if _table_is_radio(other):
            other.Checked = False
    control.Checked = True

def _table_controls(control, labels, controls):
    for inside in control.Controls:
        if inside.Click or inside.CheckedChanged:
            controls.append(inside)
        elif inside.Text:
            labels.append(inside.Text)
        _table_controls(inside, labels, controls)
    return labels, controls

class _TableEvent(object):
    def __init__(self, values):
        for name in values:
            setattr(self, name, values[name])
    def __getattr__(self, name):
        return None

def _table_answer_of(function, args):
    _table_answer(globals()[function](*args))

def _table_fire(function, values):
    return globals()[function](_TableEvent(values))
