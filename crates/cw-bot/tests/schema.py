"""A bot that checks every line it gets against the schema of the protocol, and tries options, too."""
import json
import sys

try:
    from jsonschema import Draft202012Validator
except ImportError:
    print(json.dumps({"ready": 1, "name": "no jsonschema"}), flush=True)
    sys.exit()

with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)
Draft202012Validator.check_schema(schema)
validators = {
    kind: Draft202012Validator({"$ref": f"#/$defs/{kind}", "$defs": schema["$defs"]})
    for kind in schema["$defs"]
}


def read(line):
    message = json.loads(line)
    kind = next(iter([kind for kind in ("ask", "tried", "over", "bye") if kind in message]), "hello")
    errors = list(validators[kind].iter_errors(message))
    if errors:
        sys.exit(f"{kind}: {errors[0].json_path}: {errors[0].message}")
    return message


def say(message):
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = read(line)
    if "cardwright" in message:
        say({"ready": 1, "name": "schema.py"})
    elif "ask" in message:
        options = message["decision"]["options"]
        # Chance leads to many kinds of questions.
        at = message["seed"] % len(options)
        if at % 4 == 0:
            say({"try": message["ask"], "option": at, "guess": 1})
            read(sys.stdin.readline())
        say({"answer": message["ask"], "option": at})
    elif "bye" in message:
        break
