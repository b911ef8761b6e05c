# Both functions are the machine's.
class Error(Exception):
    pass
error = Error
