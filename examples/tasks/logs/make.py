#!/usr/bin/env python3
"""Makes server.log: an hour and a half of four services, 10 MB, the same bytes every time.

Two things go wrong in it: `payments` fails for three minutes from 12:41, and `search` gets slow from 13:05 on.

Run it in this folder, or name the file to write: python3 make.py [FILE]
"""

import os
import sys

SERVICES = ["gateway", "payments", "search", "accounts"]
PATHS = {
    "gateway": ["/", "/login", "/static/app.js"],
    "payments": ["/charge", "/refund", "/methods"],
    "search": ["/query", "/suggest"],
    "accounts": ["/me", "/orders", "/settings"],
}
LINES = 96000
START = 12 * 3600


def numbers(seed):
    """A plain generator, so that no library's choice changes the file."""
    while True:
        seed = (seed * 6364136223846793005 + 1442695040888963407) % 2**64
        yield seed >> 33


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    path = sys.argv[1] if len(sys.argv) > 1 else os.path.join(here, "server.log")
    n = numbers(7)
    with open(path, "w", encoding="ascii", newline="\n") as out:
        for i in range(LINES):
            second = START + i * 5400 // LINES
            minute = second // 60
            stamp = f"2026-03-14T{second // 3600:02}:{minute % 60:02}:{second % 60:02}Z"
            service = SERVICES[next(n) % 4]
            route = PATHS[service][next(n) % len(PATHS[service])]
            ms = 12 + next(n) % 60
            status = 200
            if next(n) % 400 == 0:
                status = 500
            if service == "payments" and 761 <= minute < 764 and next(n) % 10 < 7:
                status = 503
            if service == "search" and minute >= 785:
                ms = ms * 20
            level = "ERROR" if status >= 500 else "INFO"
            request = f"{next(n) % 2**32:08x}"
            words = "upstream refused the connection" if status == 503 else "done"
            out.write(f"{stamp} {level} {service} {route} status={status} ms={ms} request={request} client=10.0.{next(n) % 256}.{next(n) % 256} msg={words}\n")


main()
