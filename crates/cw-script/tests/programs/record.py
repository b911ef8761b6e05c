"""Runs programs with Python 2.7 and writes what they print, leave and raise.

Run with Python 2.7:  python record.py PROGRAMS > ANSWERS
PROGRAMS has one program after the other, each behind a line that begins with `#### `. A line of ANSWERS has the
program's first words, then what it printed, what its names hold, and what ended it with the lines it went through.
"""
import signal
import sys
import types
import warnings
import zlib
from cStringIO import StringIO

warnings.simplefilter('ignore')
HIDDEN = (types.FunctionType, types.ClassType, types.TypeType, types.ModuleType)


class Slow(BaseException):
    pass


def slow(*_):
    raise Slow


signal.signal(signal.SIGALRM, slow)


def escape(text):
    return text.replace('\\', '\\\\').replace('\t', '\\t').replace('\n', '\\n').replace('\r', '\\r')


def answer(text):
    names = {'__name__': '__main__'}
    outside, sys.stdout = sys.stdout, StringIO()
    ended = ''
    signal.setitimer(signal.ITIMER_REAL, 5)
    try:
        exec compile(text, 'program.py', 'exec') in names
    except SyntaxError as error:
        ended = '%s: %s @ %s' % (type(error).__name__, error.msg, error.lineno)
    except BaseException as error:
        trace, places = sys.exc_info()[2], []
        while trace:
            code = trace.tb_frame.f_code
            if code.co_filename == 'program.py':
                places.append('%d %s' % (trace.tb_lineno, code.co_name))
            trace = trace.tb_next
        words = str(error)
        name = type(error).__name__ + (': ' + words if words else '')
        ended = '%s @ %s' % (name, ', '.join(places))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        printed, sys.stdout = sys.stdout.getvalue(), outside
    values = []
    for name in sorted(names):
        value = names[name]
        if name.startswith('__') or isinstance(value, HIDDEN):
            continue
        shown = repr(value)
        if ' at 0x' not in shown:
            values.append('%s=%s' % (name, shown))
    return '\t'.join(map(escape, [printed, '; '.join(values), ended]))


def main():
    for piece in open(sys.argv[1]).read().split('#### ')[1:]:
        title, text = piece.split('\n', 1)
        print '%s\t%08x\t%s' % (escape(title), zlib.crc32(text) & 0xffffffff, answer(text))


main()
