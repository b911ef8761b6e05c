def beforeBroken(group):
    return 1

limit = undefinedName + 1

def afterBroken(group, x = 0, y = 0):
    notify("never defined")
