"""Lets a bot of BUET's Mancala contest kit play: a program that reads 14 numbers a line and answers
each line with a house, 1 to 6.

    mancala match --rules ece1021 --empty-capture no "python3 examples/adapters/buet.py ./bot" builtin:easy

As in the kit, the bot is started for every game, with its player number as its last argument: 1
moves first, 2 second. The numbers are player 1's six houses and store, then player 2's six houses
and store, whoever reads them; house 6 is the one before the player's own store. Every line that
the bot prints is taken for its next answer. When the game is over the bot is killed.
"""

import json
import os
import selectors
import subprocess
import sys

LONGEST_LINE = 64 * 1024


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


class Bot:
    """The contest bot, a child process that plays one game."""

    def __init__(self, command, player):
        try:
            self.process = subprocess.Popen(
                [*command, str(player)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
            )
        except OSError as error:
            sys.exit(f"buet.py: cannot start {command[0]}: {error.strerror}")
        self.player = player
        self.lines = Lines(self.process.stdout.fileno())

    def ask(self, board, protocol):
        """Return the line that the bot answers to a board in its own view, None if the referee
        closed the protocol's stream meanwhile."""
        absolute = board if self.player == 1 else board[7:] + board[:7]
        try:
            self.process.stdin.write((" ".join(map(str, absolute)) + "\n").encode())
        except BrokenPipeError:
            pass  # it has ended; what it said before is still to be read

        with selectors.DefaultSelector() as selector:
            selector.register(self.lines.descriptor, selectors.EVENT_READ, self.lines)
            selector.register(protocol.descriptor, selectors.EVENT_READ, protocol)
            while True:
                line = self.lines.next()
                if line is not None or len(self.lines.bytes) > LONGEST_LINE:
                    return line if line is not None else self.lines.bytes.decode("utf-8", "replace")
                if self.lines.ended:
                    self.explain_end()
                if protocol.ended:
                    return None
                for key, _ in selector.select():
                    key.data.receive()

    def explain_end(self):
        """Exit, with a message that says how the bot ended, and its exit code."""
        try:
            code = self.process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            sys.exit("buet.py: the bot closed its stdout")
        if code < 0:
            print(f"buet.py: the bot was killed by signal {-code}", file=sys.stderr)
            sys.exit(128 - code)
        print(f"buet.py: the bot ended with exit code {code}", file=sys.stderr)
        sys.exit(code or 1)

    def stop(self):
        self.process.kill()
        self.process.wait()


def answer(text, board):
    """Return what to answer the referee when the bot has said `text`. An answer that forfeits says
    why in the bot's own numbers: the referee quotes it."""
    quoted = text if len(text) <= 100 else text[:100] + "..."
    try:
        house = int(text)
    except ValueError:
        return {"move": None, "info": f"the bot said {quoted!r}, which is no house from 1 to 6"}
    if not 1 <= house <= 6:
        # Illegal, whatever the number: no house of its own.
        return {"move": -1, "info": f"the bot said {quoted!r}, which is no house from 1 to 6"}
    if board[house - 1] == 0:
        return {"move": house - 1, "info": f"the bot said {house}, which is an empty house"}
    return house - 1


def play(command, protocol):
    bot = None
    try:
        while True:
            line = protocol.next()
            if line is None:
                if protocol.ended:
                    return
                protocol.receive()
                continue
            message = json.loads(line)
            kind = message.get("type")
            if kind in ("start", "end") and bot is not None:
                bot.stop()
                bot = None
            if kind == "start":
                bot = Bot(command, 1 if message["first"] else 2)
            elif kind == "turn":
                if bot is None:
                    bot = Bot(command, 1)  # a lone turn, tried by hand
                text = bot.ask(message["board"], protocol)
                if text is None:
                    return
                print(json.dumps(answer(text, message["board"])), flush=True)
    finally:
        if bot is not None:
            bot.stop()


def main():
    command = sys.argv[1:]
    if not command or command[0].startswith("-"):
        print("usage: buet.py BOT [ARGUMENT...]", file=sys.stderr)
        sys.exit(2)
    try:
        play(command, Lines(sys.stdin.fileno()))
    except (BrokenPipeError, KeyboardInterrupt):
        sys.exit(1)


if __name__ == "__main__":
    main()
