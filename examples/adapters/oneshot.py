"""Lets a program play that is started anew for every move: it is given the board as arguments or
on stdin, prints its house and ends.

    mancala match --rules kalah "python3 examples/adapters/oneshot.py ./choose" builtin:easy

It is given 14 numbers: its own six houses, its store, the opponent's six houses, the opponent's
store. Its answer is the last line that it prints, a house from 1 to 6.
"""

import argparse
import json
import os
import re
import select
import signal
import subprocess
import sys

LONGEST_OUTPUT = 64 * 1024


def say(text):
    print(f"oneshot.py: {text}", file=sys.stderr, flush=True)


def quote(text):
    shown = repr(text)
    return shown if len(shown) <= 100 else shown[:100] + "..."


def end(process):
    """End a process and all that it started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except OSError:
        pass  # nothing of it is left
    process.wait()


def output_of(process):
    """Return what a process prints until it ends. What it leaves running may hold its stdout open."""
    stdout, output = process.stdout.fileno(), b""
    while len(output) < LONGEST_OUTPUT:
        has_ended = process.poll() is not None  # asked first: then all that it printed is there
        if select.select([stdout], [], [], 0 if has_ended else 0.01)[0]:
            received = os.read(stdout, LONGEST_OUTPUT)
            output += received
            if not received:
                return output
        elif has_ended:
            return output
    sys.exit(f"oneshot.py: the program printed more than {LONGEST_OUTPUT} bytes")


def run(command, board, on_stdin):
    """Run the program on a board and return what it printed."""
    numbers = list(map(str, board))
    try:
        # A process group of its own, so that what the program starts can be ended with it. The
        # sandbox refuses a session of its own.
        process = subprocess.Popen(
            command if on_stdin else command + numbers,
            stdin=subprocess.PIPE if on_stdin else subprocess.DEVNULL,
            stdout=subprocess.PIPE, preexec_fn=os.setpgrp,
        )
    except (OSError, subprocess.SubprocessError) as error:
        sys.exit(f"oneshot.py: cannot start {command[0]}: {getattr(error, 'strerror', error)}")
    try:
        if on_stdin:
            try:
                process.stdin.write((" ".join(numbers) + "\n").encode())
                process.stdin.close()
            except BrokenPipeError:
                pass  # a program may answer without reading
        output = output_of(process)
        code = process.wait()
    finally:
        end(process)
    if code < 0:
        say(f"the program was killed by signal {-code}")
        sys.exit(128 - code)
    if code > 0:
        say(f"the program ended with exit code {code}")
        sys.exit(code)
    return output.decode("utf-8", "replace")


def answer(output, legal, lowest):
    """Return what to answer the referee when the program has printed this. An answer that forfeits
    says why: the referee quotes it."""
    lines = output.split("\n")
    text = next((line.strip() for line in reversed(lines) if line.strip()), "")
    why = f"the program printed {quote(text)}, which is no house from {lowest} to {lowest + 5}"
    if not re.fullmatch(r"[-+]?\d{1,9}", text):
        return forfeit(None, "no_house", why)
    house = int(text) - lowest
    if house in legal:
        return house
    if 0 <= house <= 5:
        words = f"the program printed {text}, which is an empty house"
        return forfeit(house, "empty_house", words)
    return forfeit(house, "no_house", why)


def forfeit(move, code, words):
    """Return an answer that forfeits, with what the program did in its author's own terms."""
    return {"move": move, "info": {"adapter": {"code": code, "words": words}}}


class OneLineParser(argparse.ArgumentParser):
    def error(self, message):
        self.exit(2, f"{self.prog}: {message}; try --help\n")


def main():
    parser = OneLineParser(prog="oneshot.py", description=__doc__,
                           formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--board", choices=["arguments", "stdin"], default="arguments",
                        help="where the program finds the 14 numbers [default: arguments]")
    parser.add_argument("--houses", type=int, choices=[0, 1], default=1,
                        help="answers are 0 to 5 or 1 to 6 [default: 1]")
    parser.add_argument("program", metavar="PROGRAM")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, metavar="ARGUMENT")
    options = parser.parse_args()
    command = [options.program, *options.arguments]

    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    for line in sys.stdin:
        message = json.loads(line)
        if message.get("type") == "turn":
            output = run(command, message["board"], options.board == "stdin")
            print(json.dumps(answer(output, message["legal"], options.houses)), flush=True)


if __name__ == "__main__":
    try:
        main()
    except (BrokenPipeError, KeyboardInterrupt):
        sys.exit(1)
