"""Lets a bot of a contest play in which a bot reads a position as a line of numbers and prints a
house.

    mancala match --rules kalah "python3 examples/adapters/lines.py --preset buet ./bot" builtin:easy

--send says what a line holds, in words with a blank between them:

    own, opponent           the six houses of the bot and of its opponent, in their sowing order
    own-store, opponent-store
    first, second           the six houses of player 1, who began the round, and of player 2
    first-store, second-store
    -own, -opponent, ...    a row the other way round, from the house before the store
    player                  1 if the bot began the round, else 2
    time                    milliseconds for the move
    move                    how many moves were made in the round, the opponent's too
    a number                that number

A preset is a contest that is known; the options after it change it.

Some bots want lines before the first position, and a word before every position:

    --first-line "START {player} 1" --before MOVE --player-words W,B
"""

import argparse
import json
import os
import re
import select
import selectors
import signal
import stat
import subprocess
import sys

LONGEST_LINE = 64 * 1024
ROWS = ("own", "opponent", "first", "second")
WORDS = {*ROWS, *(f"-{row}" for row in ROWS), *(f"{row}-store" for row in ROWS),
         "player", "time", "move"}

PRESETS = {
    # BUET's Mancala contest kit: the player's number is the last argument.
    "buet": {
        "send": "first first-store second second-store",
        "player": "argument",
    },
    # The contest of CSC 242 at the University of Rochester: 17 numbers, the last for its pie rule,
    # which is never offered here. Its bots print their thoughts between their answers.
    "rochester": {
        "send": "first first-store second second-store move player 0",
        "skip_other_lines": True,
    },
}
DEFAULTS = {
    "send": "own own-store opponent opponent-store",
    "separator": " ",
    "houses": "1",
    "player": "none",
    "process": "round",
    "skip_other_lines": False,
    "first_line": [],
    "before": "",
    "player_words": "1,2",
}


def say(text):
    print(f"lines.py: {text}", file=sys.stderr, flush=True)


def quote(text):
    shown = repr(text)
    return shown if len(shown) <= 100 else shown[:100] + "..."


def is_file(descriptor):
    return stat.S_ISREG(os.fstat(descriptor).st_mode)


class Lines:
    """Reads lines from a descriptor, as far as they have arrived."""

    def __init__(self, descriptor):
        self.descriptor = descriptor
        self.bytes = b""
        self.ended = False

    def receive(self):
        """Take what has arrived; this waits only if nothing has."""
        received = os.read(self.descriptor, 65536)
        self.bytes += received
        self.ended = not received

    def next(self):
        """Return the next whole line, None if there is none yet."""
        line, newline, rest = self.bytes.partition(b"\n")
        if not newline:
            return None
        self.bytes = rest
        return line.decode("utf-8", "replace")

    def drop(self):
        """Drop the whole lines that have arrived; return the first of them, None if there is none.
        From a bot that prints without end, this takes little more than the longest line."""
        first, dropped = None, 0
        while True:
            lines, newline, rest = self.bytes.rpartition(b"\n")
            if newline:
                if first is None:
                    first = lines.partition(b"\n")[0].decode("utf-8", "replace")
                dropped += len(lines)
                self.bytes = rest
            is_enough = max(dropped, len(self.bytes)) > LONGEST_LINE
            if is_enough or self.ended or not select.select([self.descriptor], [], [], 0)[0]:
                return first
            self.receive()


class Bot:
    """The contest's bot: a child process that plays a round, or makes one move."""

    def __init__(self, options, player):
        word = options.player_words[player - 1]
        command = options.command + ([word] if options.player == "argument" else [])
        try:
            # A process group of its own, so that what the bot starts can be ended with it. The
            # sandbox refuses a session of its own.
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0,
                preexec_fn=os.setpgrp,
            )
        except (OSError, subprocess.SubprocessError) as error:
            program, why = command[0], getattr(error, "strerror", error)
            if program.endswith(".py") and os.path.exists(program):
                why = f'{why}; put python3 before it: "python3 {program}"'
            sys.exit(f"lines.py: cannot start {program}: {why}")
        self.lines = Lines(self.process.stdout.fileno())
        for line in options.first_line + (["{player}"] if options.player == "line" else []):
            self.write(line.replace("{player}", word))

    def write(self, line):
        try:
            self.process.stdin.write(f"{line}\n".encode())
        except BrokenPipeError:
            pass  # it has ended; what it said before is still to be read

    def answer(self, referee, is_answer):
        """Return the first line that is an answer, None if the referee has gone meanwhile."""
        with selectors.DefaultSelector() as selector:
            selector.register(self.lines.descriptor, selectors.EVENT_READ, self.lines)
            # A file, of messages that were kept, cannot be waited for; nor does its end mean anything.
            if not is_file(referee.descriptor):
                selector.register(referee.descriptor, selectors.EVENT_READ, referee)
            while True:
                while (line := self.lines.next()) is not None:
                    if is_answer(line):
                        return line
                if len(self.lines.bytes) > LONGEST_LINE:
                    return self.lines.bytes.decode("utf-8", "replace")
                if self.lines.ended:
                    last_line, self.lines.bytes = self.lines.bytes.decode("utf-8", "replace"), b""
                    if last_line and is_answer(last_line):
                        return last_line
                    self.explain_end()
                if referee.ended:
                    return None
                for key, _ in selector.select():
                    key.data.receive()

    def explain_end(self):
        """Exit, with a message that says how the bot ended, and its exit code."""
        try:
            code = self.process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            sys.exit("lines.py: the bot closed its stdout")
        if code < 0:
            say(f"the bot was killed by signal {-code}")
            sys.exit(128 - code)
        say(f"the bot ended with exit code {code} and gave no answer")
        sys.exit(code)

    def end(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except OSError:
            pass  # nothing of it is left
        self.process.wait()


class Adapter:
    """Stands between the referee (stdin and stdout) and the bot."""

    def __init__(self, options):
        self.options = options
        self.bot = None
        self.begin(True)

    def begin(self, is_first):
        """A round begins."""
        self.end_bot()
        self.player = 1 if is_first else 2
        self.moves = 0
        self.has_forfeited = False

    def end_bot(self):
        if self.bot is not None:
            self.bot.end()
        self.bot = None

    def line(self, turn):
        """The line that the bot is sent for a turn."""
        board = turn["board"]
        own, opponent = (board[0:6], board[6]), (board[7:13], board[13])
        first, second = (own, opponent) if self.player == 1 else (opponent, own)
        limits = [turn[name] for name in ("move_time_ms", "time_left_ms") if name in turn]
        values = {"player": self.player, "time": min(limits, default=1000), "move": self.moves}
        for name, (houses, store) in zip(ROWS, (own, opponent, first, second)):
            values.update({name: houses, f"-{name}": houses[::-1], f"{name}-store": store})
        numbers = []
        for word in self.options.send:
            value = values.get(word, word)
            numbers += value if isinstance(value, list) else [value]
        line = self.options.separator.join(map(str, numbers))
        return f"{self.options.before} {line}" if self.options.before else line

    def house(self, text):
        """The house that the bot's line names, 0 to 5 for a right one; None if it names none."""
        text = text.strip()
        if self.options.houses == "a":
            return ord(text.lower()) - ord("a") if re.fullmatch("[A-Za-z]", text) else None
        if not re.fullmatch(r"[-+]?\d+", text):
            return None
        # Python does not read a number of any length; one this long is no house.
        number = int(text) if len(text) < 19 else -(10**9) if text[0] == "-" else 10**9
        return number - int(self.options.houses)

    def answer(self, text, legal):
        """Return what to answer the referee when the bot has said `text`. An answer that forfeits
        says why in the bot's own numbers: the referee quotes it."""
        house = self.house(text)
        if house in legal:
            return house
        if house is not None and 0 <= house <= 5:
            words = f"the bot said {text.strip()}, which is an empty house"
            return forfeit(house, "empty_house", words)
        lowest, highest = {"0": (0, 5), "1": (1, 6), "a": ("A", "F")}[self.options.houses]
        why = f"the bot said {quote(text)}, which is no house from {lowest} to {highest}"
        # A number that is no house is an illegal move; anything else is no move.
        return forfeit(house, "no_answer" if house is None else "no_house", why)

    def take(self, message, referee):
        """Act on a message of the referee; return False when it has gone."""
        if message.get("type") == "start":
            self.begin(message["first"])
        elif message.get("type") == "end":
            self.end_bot()
        elif message.get("type") == "turn":
            if self.bot is None:
                self.bot = Bot(self.options, self.player)
            # What was played since the bot's last turn, its own move too.
            self.moves += len(message.get("moves", []))
            answer = self.answer_to(message, referee)
            if answer is None:
                return False
            if self.options.process == "move":
                self.end_bot()
            print(json.dumps(answer), flush=True)
            self.has_forfeited = isinstance(answer, dict)
        return True

    def answer_to(self, turn, referee):
        """Return what to answer the referee to a turn, None if it has gone."""
        skips = self.options.skip_other_lines
        # Such a line is no answer to this turn. What came with a wrong answer is not reported again.
        unasked = self.bot.lines.drop()
        if unasked is not None and not skips and not self.has_forfeited:
            return forfeit(None, "unasked", f"the bot printed {quote(unasked)} without being asked;"
                           " it has to print one line for each position")
        self.bot.write(self.line(turn))
        text = self.bot.answer(referee, lambda line: not skips or self.house(line) is not None)
        return None if text is None else self.answer(text, turn["legal"])

    def run(self):
        referee = Lines(sys.stdin.fileno())
        try:
            while True:
                line = referee.next()
                if line is not None:
                    if not self.take(json.loads(line), referee):
                        return
                elif referee.ended:
                    return
                else:
                    referee.receive()
        finally:
            self.end_bot()


def forfeit(move, code, words):
    """Return an answer that forfeits, with what the bot did in its author's own terms."""
    return {"move": move, "info": {"adapter": {"code": code, "words": words}}}


class OneLineParser(argparse.ArgumentParser):
    def error(self, message):
        self.exit(2, f"{self.prog}: {message}; try --help\n")


def read_options():
    parser = OneLineParser(prog="lines.py", description=__doc__,
                           formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--preset", choices=sorted(PRESETS), help="the contest")
    parser.add_argument("--send", metavar="WORDS", help=f"[default: {DEFAULTS['send']}]")
    parser.add_argument("--separator", metavar="TEXT", help="between numbers [default: a blank]")
    parser.add_argument("--houses", choices=["0", "1", "a"],
                        help="answers are 0 to 5, 1 to 6, or letters A to F [default: 1]")
    parser.add_argument("--player", choices=["none", "argument", "line"],
                        help="how the bot is told its number: not, as its last argument, or in a"
                        " first line of its own [default: none]")
    parser.add_argument("--player-words", metavar="FIRST,SECOND",
                        help="what the bot is told for player 1 and player 2 [default: 1,2]")
    parser.add_argument("--first-line", metavar="TEXT", action="append",
                        help="a line that the bot is sent when it starts, with its player for"
                        " {player}; may be given several times")
    parser.add_argument("--before", metavar="TEXT",
                        help="a text before each position, with a blank between them")
    parser.add_argument("--process", choices=["round", "move"],
                        help="start the bot for every round or for every move [default: round]")
    parser.add_argument("--skip-other-lines", action="store_true", default=None,
                        help="skip lines that are no answer [default: they are wrong answers]")
    parser.add_argument("bot", metavar="BOT", help="the bot's program")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, metavar="ARGUMENT")
    options = parser.parse_args()
    for name, value in {**DEFAULTS, **PRESETS.get(options.preset, {})}.items():
        if getattr(options, name) is None:
            setattr(options, name, value)
    options.player_words = options.player_words.split(",")
    if len(options.player_words) != 2:
        parser.error("--player-words takes two words with a comma between them, such as W,B")
    if any("\n" in text for text in [options.before, *options.first_line]):
        parser.error("--first-line and --before take one line each")
    options.send = options.send.split()
    for word in options.send:
        if word not in WORDS and not re.fullmatch(r"-?\d+", word):
            parser.error(f"--send does not know the word {word!r}")
    options.command = [options.bot, *options.arguments]
    return options


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        Adapter(read_options()).run()
    except (BrokenPipeError, KeyboardInterrupt):
        sys.exit(1)
