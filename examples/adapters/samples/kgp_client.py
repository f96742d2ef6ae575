"""A client of the Kalah Game Protocol: it answers at once with the first house that has seeds, and
improves that to the last house a moment later."""

import os
import re
import socket

COMMAND = re.compile(r"(?:(\d+)(?:@\d+)? )?(\w+) ?(.*)")


def main():
    address = os.environ["KGP_HOST"], int(os.environ["KGP_PORT"])
    with socket.create_connection(address) as connection, connection.makefile("rw") as server:
        def send(text):
            server.write(text + "\r\n")
            server.flush()

        for line in server:
            number, name, arguments = COMMAND.match(line.strip()).groups()
            if name == "kgp":
                send('1 set "info:name" "Patient"')
                send('3 mode "freeplay"')
            elif name == "ping":
                send(f"@{number} pong")
            elif name == "state":
                houses = list(map(int, arguments.strip("<>").split(",")))[3:9]
                full = [house for house in range(1, 7) if houses[house - 1] > 0]
                send(f"@{number} move {full[0]}")
                send(f"@{number} move {full[-1]}")
                send(f"@{number} yield")
            elif name == "goodbye":
                return


if __name__ == "__main__":
    main()
