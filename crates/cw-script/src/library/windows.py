# Controls that do nothing: packages define windows with them when they load (S30, S32).
class _Items(list):
    def Add(self, item):
        self.append(item)
    def AddRange(self, items):
        self.extend(items)

class _Handlers(list):
    def __iadd__(self, handler):
        self.append(handler)
        return self

class Control(object):
    def __init__(self, *args, **kw):
        pass
    def __getattr__(self, name):
        if name in ('Click', 'CheckedChanged', 'Tick', 'Load', 'Shown'):
            value = _Handlers()
        elif name in ('Controls', 'Items'):
            value = _Items()
        elif name == 'Text':
            value = ''
        elif name == 'Checked':
            value = False
        elif name in ('Width', 'Height', 'Left', 'Top', 'Interval', 'SelectedIndex'):
            value = 0
        else:
            value = Control()
        setattr(self, name, value)
        return value
    def __call__(self, *args, **kw):
        return Control()
    def Close(self):
        self.Closed = True

class Form(Control):
    pass

class Label(Control):
    pass

class Button(Control):
    pass

class CheckBox(Control):
    pass

class RadioButton(Control):
    pass

class TextBox(Control):
    pass

class Panel(Control):
    pass

class GroupBox(Control):
    pass

class PictureBox(Control):
    pass

class ListBox(Control):
    pass

class ComboBox(Control):
    pass

class ListView(Control):
    pass

class Timer(Control):
    pass

class Application(object):
    @staticmethod
    def EnableVisualStyles():
        pass
    @staticmethod
    def Run(form=None):
        pass

class Point(Control):
    pass

class Size(Control):
    pass

class Font(Control):
    pass

class Bitmap(Control):
    pass

class MessageBox(object):
    @staticmethod
    def Show(*args):
        pass

AnchorStyles = DockStyle = FormStartPosition = FormBorderStyle = FlowDirection = BorderStyle = Control()
Color = FontStyle = FlatStyle = ContentAlignment = AutoScaleMode = DialogResult = SystemFonts = Image = Control()
