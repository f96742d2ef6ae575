"""Lets a client of the Kalah Game Protocol (KGP, https://kalah.kwarc.info) play, as a server for
this one client.

    mancala match --rules kalah "python3 examples/adapters/kgp.py python3 client.py" builtin:easy

The client is started with KGP_HOST and KGP_PORT in its environment and connects to that address.
A client that has port 2671 written in its code needs --port 2671. For every turn it is sent its
board as `state`; its last `move` counts when it sends `yield`, or a little before the time limit.
"""

import argparse
import collections
import json
import os
import re
import selectors
import signal
import socket
import stat
import subprocess
import sys
import time

LONGEST_LINE = 16384
COMMAND = re.compile(r"^\s*(?:(\d+)?(?:@(\d+))?\s+)?([A-Za-z0-9]+)(?:\s+(.*?))?\s*$")


def say(text):
    print(f"kgp.py: {text}", file=sys.stderr, flush=True)


def quote(text):
    shown = repr(text)
    return shown if len(shown) <= 100 else shown[:100] + "..."


class Lines:
    """Splits what arrives into lines, and drops a line that is longer than the protocol allows."""

    def __init__(self):
        self.bytes = b""
        self.is_dropping = False

    def add(self, received):
        """Yield the lines that are whole now."""
        self.bytes += received
        while True:
            line, newline, rest = self.bytes.partition(b"\n")
            if not newline:
                break
            self.bytes = rest
            if not self.is_dropping and len(line) <= LONGEST_LINE:
                yield line.decode("utf-8", "replace")
            self.is_dropping = False
        if len(self.bytes) > LONGEST_LINE:
            say(f"the client sent a line longer than {LONGEST_LINE} characters, which is ignored")
            self.bytes = b""
            self.is_dropping = True


def is_held_by(leader, remote, own):
    """Whether the connection from `remote` to `own`, two IPv4 addresses with ports, is held by the
    process group of `leader` or by what descends from it. Every user of the machine can connect to
    the port, and would play for the client; but not in mancala's sandbox, where the loopback is this
    bot's own and /proc is closed."""
    def end(address):
        host = int.from_bytes(socket.inet_aton(address[0]), sys.byteorder)
        return f"{host:08X}:{address[1]:04X}"

    def socket_of_connection():
        for table in ("/proc/self/net/tcp", "/proc/self/net/tcp6"):  # Java's sockets are IPv6
            try:
                lines = open(table)
            except FileNotFoundError:
                continue  # a system without IPv6
            with lines:
                for line in lines:
                    fields = line.split()
                    if fields[1].endswith(end(remote)) and fields[2].endswith(end(own)):
                        return f"socket:[{fields[9]}]"
        return None  # closed already

    try:
        held = socket_of_connection()
    except PermissionError:
        return True  # in the sandbox
    return held is not None and any(held in open_files(pid) for pid in processes_of(leader))


def processes_of(leader):
    """The numbers of the processes in the group of `leader`, and of all that descend from them."""
    parents, members = {}, {leader}
    for pid in filter(str.isdecimal, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat") as stat:
                _, parent, group, *_ = stat.read().rpartition(")")[2].split()
        except OSError:
            continue  # it has ended
        parents[int(pid)] = int(parent)
        if int(group) == leader:
            members.add(int(pid))
    found = 0
    while found != len(members):
        found = len(members)
        members |= {pid for pid, parent in parents.items() if parent in members}
    return members


def open_files(pid):
    """What the descriptors of a process stand for."""
    try:
        return {os.readlink(entry.path) for entry in os.scandir(f"/proc/{pid}/fd")}
    except OSError:
        return set()  # it has ended, or closed one meanwhile


class Client:
    """The KGP client: a child process and the connection that it makes."""

    def __init__(self, command, port):
        try:
            self.listener = socket.create_server(("127.0.0.1", port))
        except PermissionError as error:
            sys.exit(f"kgp.py: no TCP port can be opened here ({error.strerror}): KGP needs the"
                     " loopback network, which --sandbox closes; add --allow-loopback")
        except OSError as error:
            sys.exit(f"kgp.py: cannot listen on 127.0.0.1:{port}: {os.strerror(error.errno)}")
        self.address = "127.0.0.1:%d" % self.listener.getsockname()[1]
        host, port = self.address.split(":")
        try:
            # A process group of its own, so that what the client starts can be ended with it. The
            # sandbox refuses a session of its own.
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=2, preexec_fn=os.setpgrp,
                env={**os.environ, "KGP_HOST": host, "KGP_PORT": port},
            )
        except (OSError, subprocess.SubprocessError) as error:
            sys.exit(f"kgp.py: cannot start {command[0]}: {getattr(error, 'strerror', error)}")
        self.connection = None
        self.lines = Lines()
        self.mode = None
        self.last_id = 0
        self.open_states = collections.deque()  # asked, and not yet answered by `yield`
        self.state = None  # the id of the state that is asked now
        self.last_move = None  # the text of the last `move` for it
        self.has_yielded = False

    def accept(self):
        """Take a connection if it is the client's; return whether it is."""
        connection, address = self.listener.accept()
        if not is_held_by(self.process.pid, address, connection.getsockname()):
            say("another program connected to the client's port; its connection was closed")
            connection.close()
            return False
        self.connection = connection
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.send("kgp 1 0 0", number=False)
        return True

    def send(self, text, ref=None, number=True):
        """Send a command; return its id."""
        if number:
            self.last_id += 2
            text = f"{self.last_id}{'' if ref is None else f'@{ref}'} {text}"
        try:
            self.connection.sendall(f"{text}\r\n".encode())
        except OSError:
            pass  # it has gone; what it said before is still to be read
        return self.last_id

    def ask(self, board):
        pits = ",".join(map(str, [board[6], board[13], *board[0:6], *board[7:13]]))
        self.state = self.send(f"state <6,{pits}>")
        self.open_states.append(self.state)
        self.last_move = None
        self.has_yielded = False

    def stop_asking(self):
        # A client that has yielded has ended its search already. The course's Python client kills
        # the process of a search that is stopped, now and then while it holds a lock.
        if not self.has_yielded:
            self.send("stop", ref=self.state)
        if self.mode == "freeplay":
            self.open_states.clear()
        self.state = None

    def receive(self):
        """Read what has arrived; return whether the client is still connected."""
        try:
            received = self.connection.recv(65536)
        except OSError:
            received = b""
        if hasattr(socket, "TCP_QUICKACK"):
            # The kernel would hold back the acknowledgement for 40 ms, and with it the client's
            # next small message.
            try:
                self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)
            except OSError:
                pass
        return bool(received) and all([self.handle(line) for line in self.lines.add(received)])

    def handle(self, line):
        """Act on a command of the client; return False when it says goodbye."""
        command = COMMAND.match(line)
        if command is None:
            say(f"the client sent {quote(line.strip())}, which is no command of KGP; ignored")
            return True
        number, ref, name, arguments = command.groups()
        if name in ("move", "yield"):
            # A command without a reference belongs to the oldest state that is still open.
            of = int(ref) if ref else self.open_states[0] if self.open_states else None
            if of == self.state is not None and not self.has_yielded:
                if name == "move":
                    self.last_move = line.strip()
                else:
                    self.has_yielded = True
            if name == "yield" and of in self.open_states:
                self.open_states.remove(of)
        elif name == "mode":
            self.mode = (arguments or "").strip('"')
            if self.mode not in ("freeplay", "simple"):
                self.send('error "Unsupported activity"', ref=number)
                self.send("goodbye")
                sys.exit(f"kgp.py: the client asked for the mode {quote(self.mode)};"
                         " only freeplay and simple are played here")
        elif name == "ping":
            self.send(f"pong {arguments}" if arguments else "pong", ref=number)
        elif name == "set":
            self.send("ok", ref=number)
        elif name == "error":
            say(f"the client says {line.strip()[:500]}")
        elif name == "goodbye":
            return False
        return True

    def explain_end(self):
        """Exit, with a message that says how the client ended, and its exit code."""
        try:
            code = self.process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            sys.exit("kgp.py: the client closed its connection")
        if code < 0:
            say(f"the client was killed by signal {-code}")
            sys.exit(128 - code)
        say(f"the client ended with exit code {code}")
        sys.exit(code)

    def end(self):
        if self.connection is not None:
            self.send("goodbye")
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except OSError:
            pass  # nothing of it is left
        self.process.wait()


def forfeit(move, code, words):
    """Return an answer that forfeits, with what the client did in its author's own terms."""
    return {"move": move, "info": {"adapter": {"code": code, "words": words}}}


def answer(last_move, legal):
    """Return what to answer the referee when this was the client's last `move`. An answer that
    forfeits says why: the referee quotes it."""
    if last_move is None:
        return forfeit(None, "no_move", "the client sent `yield` without a `move`")
    said = f"the client sent {quote(last_move)}"
    word = COMMAND.match(last_move).group(4) or ""
    if not re.fullmatch(r"[-+]?\d{1,9}", word):
        return forfeit(None, "no_house", f"{said}, which is no house from 1 to 6")
    house = int(word) - 1
    if not 0 <= house <= 5:
        return forfeit(house, "no_house", f"{said}, which is no house from 1 to 6")
    if house not in legal:
        return forfeit(house, "empty_house", f"{said}, which is an empty house")
    return house


class Server:
    """Stands between the referee (stdin and stdout) and the client."""

    def __init__(self, client, margin):
        self.client = client
        self.margin = margin
        self.turn = None  # the turn that is to be answered
        self.stop_at = None  # when the client is stopped; known once it has been asked

    def is_for(self, rules):
        return (rules["opponent_store"], rules["direction"], rules["empty_capture"]) == (
            "skip", "forward", False)

    def hear(self, message):
        """Take a message of the referee."""
        if message.get("type") == "start" and not self.is_for(message["rules"]):
            say("these are not the rules of KGP, and the client does not know; use --rules kalah")
        elif message.get("type") == "turn":
            self.turn = message

    def go_on(self):
        """Ask the client if a turn waits, and answer the referee when the time has come."""
        client = self.client
        if self.turn is None or client.mode is None:
            return
        if client.state is None:
            client.ask(self.turn["board"])
            limit = self.turn.get("move_time_ms", 1000)
            if "time_left_ms" in self.turn:
                # KGP has no bank: a twentieth of what is left is given to each move.
                limit = min(limit, self.turn["time_left_ms"] / 20)
            self.stop_at = time.monotonic() + (limit - min(self.margin, limit / 4)) / 1000
        is_late = time.monotonic() >= self.stop_at and client.last_move is not None
        if client.has_yielded or is_late:
            print(json.dumps(answer(client.last_move, self.turn["legal"])), flush=True)
            client.stop_asking()
            self.turn = self.stop_at = None

    def run(self):
        client = self.client
        stdin, from_referee = sys.stdin.fileno(), b""
        is_file = stat.S_ISREG(os.fstat(stdin).st_mode)
        with selectors.DefaultSelector() as selector:
            if not is_file:
                selector.register(stdin, selectors.EVENT_READ)
            selector.register(client.listener, selectors.EVENT_READ)
            while True:
                self.go_on()
                # A file, of messages that were kept, cannot be waited for.
                if is_file and self.turn is None:
                    line = sys.stdin.readline()
                    if not line:
                        return
                    self.hear(json.loads(line))
                    continue
                wait = 0.05 if client.connection is None else None
                if self.stop_at is not None and client.last_move is not None:
                    wait = max(0, self.stop_at - time.monotonic())
                for key, _ in selector.select(wait):
                    if key.fileobj is client.listener:
                        if client.accept():
                            selector.unregister(client.listener)
                            selector.register(client.connection, selectors.EVENT_READ)
                    elif key.fileobj is client.connection:
                        if not client.receive():
                            self.go_on()  # it may have answered before it left
                            client.explain_end()
                    else:
                        received = os.read(stdin, 65536)
                        if not received:
                            return
                        *lines, from_referee = (from_referee + received).split(b"\n")
                        for line in lines:
                            self.hear(json.loads(line))
                if client.connection is None and client.process.poll() is not None:
                    say(f"the client has not connected to {client.address}"
                        " (KGP_HOST and KGP_PORT say so; --port N is for a fixed port)")
                    client.explain_end()


def number(low, high):
    def parse(text):
        if not text.isdecimal() or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(f"{text!r} is not a number from {low} to {high}")
        return int(text)
    return parse


class OneLineParser(argparse.ArgumentParser):
    def error(self, message):
        self.exit(2, f"{self.prog}: {message}; try --help\n")


def main():
    parser = OneLineParser(prog="kgp.py", description="Plays with a client of the Kalah Game"
                           " Protocol. Its rules are those of mancala's --rules kalah.")
    parser.add_argument("--port", type=number(1, 65535), default=0, metavar="N",
                        help="the port to listen on [default: a free one]")
    parser.add_argument("--margin", type=number(0, 10_000), default=50, metavar="MS",
                        help="stop the client so long before the time limit, though never before"
                        " three quarters of it [default: 50]")
    parser.add_argument("client", metavar="CLIENT", help="the client's program")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, metavar="ARGUMENT")
    options = parser.parse_args()

    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    client = Client([options.client, *options.arguments], options.port)
    try:
        Server(client, options.margin).run()
    finally:
        client.end()


if __name__ == "__main__":
    try:
        main()
    except (BrokenPipeError, KeyboardInterrupt):
        sys.exit(1)
