# What the other files use.
WHO = me.name
OIL = ('Oil', 'oil')
HAND = 4
LIT = "#FFCC00"
seen = []
counted = 0

def say(text, *more):
    notify(text.format(*more))
