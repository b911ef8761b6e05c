class MyError(Exception):
    def __init__(self, code):
        Exception.__init__(self, 'code %d' % code)
        self.code = code
class Other(MyError): pass
try:
    raise Other(7)
except MyError as e:
    print e, e.code, repr(e), isinstance(e, Exception)
raise MyError(3)
