"""Bots that misbehave, each in its own way, named on the command line."""
import json
import os
import sys
import time

HOW = sys.argv[1]
OUT = sys.stdout.buffer


def say(message):
    raw(json.dumps(message).encode() + b"\n")


def raw(data):
    OUT.write(data)
    OUT.flush()


def answer(ask, option=0):
    say({"answer": ask, "option": option})


if HOW in ("has-a-child", "leaves-a-child", "keeps-a-child"):
    # It writes as long as it lives.
    import subprocess
    subprocess.Popen([sys.executable, "-c", """
import sys, time
for _ in range(600):
    with open(sys.argv[1], "a") as out:
        out.write("x")
    time.sleep(0.05)
""", sys.argv[2]], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
if HOW == "never-ready":
    time.sleep(60)
if HOW == "other-version":
    say({"ready": 2})
if HOW == "not-a-bot":
    print("usage: not-a-bot FILE", flush=True)
if HOW == "dies-at-once":
    sys.exit("I cannot work under these conditions")

asked = 0
for line in sys.stdin:
    message = json.loads(line)
    if "cardwright" in message:
        say({"ready": 1, "name": HOW, "deterministic": True, "unknown": [1, 2]})
        if HOW == "deaf":
            time.sleep(60)
        continue
    if "bye" in message:
        if HOW == "stays":
            time.sleep(60)
        break
    if "ask" not in message:
        continue
    asked += 1
    ask = message["ask"]
    if HOW in ("silent", "keeps-a-child"):
        continue
    elif HOW == "slow":
        time.sleep(0.6)
        answer(ask)
    elif HOW == "half-a-line":
        raw(b'{"answer": %d, "opt' % ask)
        time.sleep(60)
    elif HOW == "half-a-line-and-dies":
        raw(b'{"answer": %d, "opt' % ask)
        sys.exit(1)
    elif HOW == "in-pieces":
        for piece in (b'{"ans', b'wer": %d, "opt' % ask, b'ion": 0}', b"\r\n"):
            raw(piece)
    elif HOW == "answers-ahead":
        answer(ask)
        answer(ask + 1)
    elif HOW == "dies":
        sys.exit(1)
    elif HOW == "dies-now-and-then" and asked == 20:
        sys.exit(1)
    elif HOW == "lies":
        answer(ask, 999)
    elif HOW == "negative":
        answer(ask, -1)
    elif HOW == "huge":
        raw(b'{"answer": %d, "option": 1e999}\n' % ask)
    elif HOW == "junk":
        raw(b"I think I shall attack.\n")
    elif HOW == "binary":
        raw(bytes(range(128, 256)) + b"\n")
    elif HOW == "deep":
        raw(b"[" * 30000 + b"]" * 30000 + b"\n")
    elif HOW == "floods":
        while True:
            raw(b"{}\n" * 1000)
    elif HOW == "endless-line":
        while True:
            raw(b"x" * 1000000)
    elif HOW == "wrong-question":
        answer(ask + 1)
    elif HOW == "old-questions":
        while True:
            answer(ask - 1)
    elif HOW == "tries-for-ever":
        while True:
            say({"try": ask, "option": 0, "guess": 0})
            sys.stdin.readline()
    elif HOW == "closes-its-output":
        os.close(1)
        time.sleep(60)
    elif HOW == "floods-stderr":
        if asked % 20 == 1:
            sys.stderr.write("complaint\n" * 100000)
        answer(ask)
    elif HOW == "says-it-twice":
        answer(ask)
        answer(ask)
    elif HOW == "changes-its-mind":
        answer(ask, asked % len(message["decision"]["options"]))
    elif HOW == "tries-too-much":
        for at in range(25 if asked % 20 == 1 else 0):
            say({"try": ask, "option": at, "guess": at})
            json.loads(sys.stdin.readline())
        answer(ask)
    else:
        answer(ask)
