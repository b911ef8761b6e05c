"""How soon language servers tell what is wrong after a keystroke: `cardwright lsp` beside ruff's, in one run.

    cargo build --release -p cardwright
    python3 -m venv target/peers && target/peers/bin/pip install ruff
    target/peers/bin/python crates/cw-lsp/benches/servers.py target/release/cardwright target/peers/bin/ruff

Both get a file of as many lines, then one letter after another in a line in its middle; measured is the time from the
change to the findings. *Faulty* files have a mistake in every twentieth line. Prints medians, the time within which 95 %
are there, and the ratio.
"""

import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

LINES = 1000
KEYSTROKES = 60
GAME = "22222222-2222-4222-8222-222222222222"


def card(number: int) -> str:
    return f"{number:08x}-1111-4111-8111-111111111111"


class Server:
    """A language server on pipes."""

    def __init__(self, command: list[str], folder: pathlib.Path) -> None:
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=folder
        )
        root = folder.as_uri()
        self.send("initialize", {"processId": None, "rootUri": root, "capabilities": {}}, 1)
        self.until(lambda message: message.get("id") == 1)
        self.send("initialized", {})

    def send(self, method: str, params: object, number: int | None = None) -> None:
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        if number is not None:
            message["id"] = number
        body = json.dumps(message).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def until(self, is_wanted) -> dict:
        while True:
            length = 0
            while (line := self.process.stdout.readline().strip()) != b"":
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            if length == 0:
                sys.exit("a server ended early")
            message = json.loads(self.process.stdout.read(length))
            if is_wanted(message):
                return message

    def findings(self, uri: str, version: int) -> int:
        def is_wanted(message: dict) -> bool:
            params = message.get("params") or {}
            is_told = message.get("method") == "textDocument/publishDiagnostics"
            return is_told and params["uri"] == uri and params.get("version", version) == version

        return len(self.until(is_wanted)["params"]["diagnostics"])


def words(number: int) -> str:
    """The printed text of a card."""
    return f"If you have {number % 7 + 1} SP or more, draw a card. In your Activate Phase, you gain 50 HP."


def game(folder: pathlib.Path, is_faulty: bool) -> tuple[pathlib.Path, str, str]:
    """A package whose rules have so many lines; its file, its text and the language's name."""
    cards = LINES // 4
    (folder / "Sets/One").mkdir(parents=True)
    (folder / "Rules").mkdir()
    (folder / "definition.xml").write_text(
        f'<game id="{GAME}" name="Bench" version="1.0.0.0"><card back="b.png" front="f.png" width="63" height="88">'
        '<property name="Type" type="String"/><property name="Rules" type="RichText"/></card></game>'
    )
    lines = "".join(
        f'<card id="{card(number)}" name="Card {number}"><property name="Type" value="Character"/><property name="Rules" value="{words(number)}"/></card>\n'
        for number in range(cards)
    )
    (folder / "Sets/One/set.xml").write_text(
        f'<set id="{GAME[:-1]}3" name="One" gameId="{GAME}" version="1.0.0.0"><cards>\n{lines}</cards></set>'
    )
    rules = []
    for number in range(cards):
        draw = "drow(1)" if is_faulty and number % 5 == 0 else "draw(1)"
        rules.append(f"[{card(number)}]\naction = [[if me.sp >= {number % 7 + 1}]] {draw}\nauto = ~myActivatePhase~ hp(+50)\n\n")
    text = "".join(rules)
    path = folder / "Rules/all.rules"
    path.write_text(text)
    return path, text, "rules"


def module(folder: pathlib.Path, is_faulty: bool) -> tuple[pathlib.Path, str, str]:
    """A Python file of as many lines."""
    parts = []
    for number in range(LINES // 4):
        last = "    import os, sys\n" if is_faulty and number % 5 == 0 else "    value = value + 1\n"
        parts.append(f"def f{number}(value: int) -> int:\n{last}    return value\n\n")
    text = "".join(parts)
    path = folder / "all.py"
    path.write_text(text)
    return path, text, "python"


def measured(command: list[str], make, is_faulty: bool) -> list[float]:
    """Milliseconds from each keystroke to the findings."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name).resolve()
        path, text, language = make(folder, is_faulty)
        server = Server(command, folder)
        uri = path.as_uri()
        document = {"uri": uri, "languageId": language, "version": 1, "text": text}
        server.send("textDocument/didOpen", {"textDocument": document})
        found = server.findings(uri, 1)
        if (found > 0) != is_faulty:
            sys.exit(f"{command[0]}: {found} findings")
        times = []
        for version in range(2, KEYSTROKES + 2):
            place = {"line": LINES // 2 + 3, "character": 0}
            letter = "#" if version == 2 else "x"
            place["character"] = version - 2
            change = {"range": {"start": place, "end": place}, "text": letter}
            begin = time.perf_counter()
            server.send(
                "textDocument/didChange",
                {"textDocument": {"uri": uri, "version": version}, "contentChanges": [change]},
            )
            server.findings(uri, version)
            times.append((time.perf_counter() - begin) * 1000)
        server.process.kill()
        return times


def late(times: list[float]) -> float:
    return statistics.quantiles(times, n=20)[-1]


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    # The servers run in folders of their own.
    programs = [str(pathlib.Path(name).resolve()) for name in sys.argv[1:]]
    ours, theirs = [programs[0], "lsp"], [programs[1], "server"]
    for is_faulty in (False, True):
        all_ours, all_theirs = [], []
        for _ in range(3):
            all_ours += measured(ours, game, is_faulty)
            all_theirs += measured(theirs, module, is_faulty)
        kind = "faulty" if is_faulty else "right"
        for name, times in (("cardwright", all_ours), ("ruff", all_theirs)):
            print(f"{kind}, {name}: median {statistics.median(times):.1f} ms, 95 % within {late(times):.1f} ms")
        print(f"{kind}: ratio of the latter {late(all_ours) / late(all_theirs):.2f}")


if __name__ == "__main__":
    main()
