#!/usr/bin/env python3
"""How `ptc serve` holds with a thousand sessions, and what twenty hostile ones do to the others.

    tests/bench/serve_load.py target/release/ptc [--sessions 1000] [--hostile 20] [--rate 20] [--seconds 30]

Needs Python 3.9 or later and Linux (for /proc), nothing else. It starts a server in a folder that goes away, begins the sessions for
ten clients, says what an idle session costs in memory, then runs small turns of sessions taken in a fixed random order, so many a
second: first alone, then while another client does all that it should not. Times are what a client sees, from its request to its
answer, each request over a connection that is there.
"""
import argparse
import asyncio
import json
import multiprocessing
import os
import random
import re
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time

CLIENTS = 10
PROGRAMS = [
    "(def xs (conj (vec (range 50)) :last)) (count xs)",
    "(reduce + (range 1000))",
    '(println (apply str (repeat 200 "line ")))',
    "(def m (group-by even? (range 200))) (count (m true))",
    "(sort (map (fn [x] (mod (* x 7919) 1009)) (range 300)))",
]


class Client:
    """Requests over connections that are kept, as a client's library has them."""

    def __init__(self, port, token):
        self.port, self.token, self.free = port, token, []

    async def ask(self, method, path, body=None):
        data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {self.token}\r\n"
        head += f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
        reader, writer = self.free.pop() if self.free else await asyncio.open_connection("127.0.0.1", self.port)
        try:
            writer.write(head.encode() + data)
            status = int((await reader.readline()).split()[1])
            length = 0
            while (line := (await reader.readline()).strip()):
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            answer = await reader.readexactly(length)
        except BaseException:
            writer.close()
            raise
        self.free.append((reader, writer))
        return status, answer


def memory(pid):
    """Bytes of a process that are its own, and of its workers."""
    def own(pid):
        with open(f"/proc/{pid}/smaps_rollup") as f:
            return sum(int(n) * 1024 for n in re.findall(r"^Private_\w+: +(\d+) kB", f.read(), re.M))
    children = []
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/children") as f:
            children += f.read().split()
    workers = 0
    for child in children:
        try:
            workers += own(child)
        except OSError:
            pass
    return own(pid), workers


def percentile(times, p):
    return sorted(times)[min(len(times) - 1, int(len(times) * p / 100))]


async def begin(client):
    while True:
        status, answer = await client.ask("POST", "/sessions", {"context": {"prices": [3, 4, 5]}})
        if status == 201:
            return json.loads(answer)["session"]
        if status not in (429, 503):
            raise SystemExit(f"a session could not be begun: {status} {answer}")
        await asyncio.sleep(0.2)


async def turns(sessions, rate, seconds, seed):
    """Turns at even distances, whether the ones before are answered or not; times of those that ran, and how many were refused."""
    order, times, refused, wrong, taken = random.Random(seed), [], [], [], set()

    async def one(n):
        # A session takes one turn at a time.
        while (at := order.randrange(len(sessions))) in taken:
            pass
        taken.add(at)
        client, session = sessions[at]
        begun = time.perf_counter()
        status, answer = await client.ask("POST", f"/sessions/{session}/turns", {"program": PROGRAMS[n % len(PROGRAMS)]})
        taken.discard(at)
        if status == 200 and json.loads(answer)["status"] == "ok":
            times.append(time.perf_counter() - begun)
        elif status in (429, 503):
            refused.append((status, answer.decode()[:300]))
        else:
            wrong.append((status, answer[:200]))

    tasks, start = [], time.perf_counter()
    for n in range(int(rate * seconds)):
        await asyncio.sleep(max(0, start + n / rate - time.perf_counter()))
        tasks.append(asyncio.create_task(one(n)))
    await asyncio.gather(*tasks)
    if wrong:
        raise SystemExit(f"{len(wrong)} turns were answered otherwise, as {wrong[0]}")
    return times, refused


GIANT = json.dumps({"program": " " * (16 << 20)}).encode()


def attack(port, token, sessions, seconds):
    """All hostile sessions, from a process of its own that yields to all others, as if it ran on another machine."""
    os.nice(19)

    async def all_of_them():
        client, until = Client(port, token), time.perf_counter() + seconds
        await asyncio.gather(*(hostile(client, port, n, s, until) for n, s in enumerate(sessions)), return_exceptions=True)

    asyncio.run(all_of_them())


async def hostile(client, port, n, session, until):
    """What one hostile session does, again and again."""
    path = f"/sessions/{session}/turns"
    kind = n % 5
    while time.perf_counter() < until:
        try:
            if kind == 0:
                await client.ask("POST", path, {"program": "(loop [] (recur))", "wait_ms": 60000})
            elif kind == 1:
                await client.ask("POST", path, {"program": "(loop [v [(range 1000)]] (recur (conj v (vec (range 100000)))))"})
            elif kind == 2:
                await client.ask("POST", path, GIANT)
            elif kind == 3:
                # Takes its answers a byte at a time.
                reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1)
                for _ in range(50):
                    writer.write(f"GET /sessions/{session}/trace HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {client.token}\r\n\r\n".encode())
                while time.perf_counter() < until:
                    await reader.read(1)
                    await asyncio.sleep(0.05)
                writer.close()
            else:
                # More turns than anybody may ask for.
                ask = {"program": "(pmap (fn [x] (reduce + (range 1000000))) (range 50))", "wait_ms": 0}
                await asyncio.gather(*(client.ask("POST", path, ask) for _ in range(50)), return_exceptions=True)
        except (OSError, asyncio.IncompleteReadError, IndexError, ValueError):
            pass
        await asyncio.sleep(0.02)


async def main(a):
    folder = tempfile.mkdtemp(prefix="ptc-load-")
    names = [f"good-{n}" for n in range(CLIENTS)] + ["hostile"]
    tokens = {name: secrets.token_hex(16) for name in names}
    file = os.path.join(folder, "tokens")
    with open(os.open(file, os.O_CREAT | os.O_WRONLY, 0o600), "w") as f:
        f.writelines(f"{name} {token}\n" for name, token in tokens.items())
    command = [a.ptc, "--no-config", "serve", "--listen", "127.0.0.1:0", "--token-file", file]
    command += [word for text in a.set for word in ("--set", text)]
    server = subprocess.Popen(command, env={**os.environ, "PTC_HOME": folder}, stderr=subprocess.PIPE, text=True)
    try:
        port = int(re.search(r":(\d+)", server.stderr.readline()).group(1))
        clients = [Client(port, tokens[f"good-{n}"]) for n in range(CLIENTS)]
        evil = Client(port, tokens["hostile"])
        await turns_warm(clients[0])
        before, _ = memory(server.pid)
        good = [(clients[n % CLIENTS], None) for n in range(a.sessions - a.hostile)]
        begun = time.perf_counter()
        good = [(client, await begin(client)) for client, _ in good]
        bad = [await begin(evil) for _ in range(a.hostile)]
        took = time.perf_counter() - begun
        after, workers = memory(server.pid)
        each = (after - before) / a.sessions / 1024
        print(f"{a.sessions} sessions begun in {took:.1f} s; {each:.1f} KB of the server's memory each while idle "
              f"(server {after >> 20} MB, workers {workers >> 20} MB)")
        # Each session has a turn behind it, so that opening one replays something.
        await turns(good, a.rate, 5, 1)
        alone, refused_alone = await turns(good, a.rate, a.seconds, 2)
        report("alone", alone, refused_alone)
        trouble = multiprocessing.Process(target=attack, args=(port, tokens["hostile"], bad, a.seconds + 4))
        trouble.start()
        await asyncio.sleep(3)
        beside, refused_beside = await turns(good, a.rate, a.seconds, 2)
        report(f"beside {a.hostile} hostile", beside, refused_beside)
        trouble.kill()
        trouble.join()
        ratio = percentile(beside, 99) / percentile(alone, 99)
        after, workers = memory(server.pid)
        print(f"p99 beside them is {ratio:.2f} times that alone; at the end the server has {after >> 20} MB, its workers {workers >> 20} MB")
        print(f"{a.sessions - a.hostile} sessions, {CLIENTS} clients, {a.rate} turns a second for {a.seconds} s; "
              f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
        ok = ratio <= 3 and each < 256 and not refused_beside
        print("OK" if ok else "MISSED: p99 at most 3 times, an idle session below 256 KB, none of the others' turns refused")
        return 0 if ok else 1
    finally:
        server.send_signal(signal.SIGTERM)
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()
        shutil.rmtree(folder, ignore_errors=True)


async def turns_warm(client):
    """Starts what is started once."""
    session = await begin(client)
    await client.ask("POST", f"/sessions/{session}/turns", {"program": "1"})


def report(name, times, refused):
    if not times:
        raise SystemExit(f"{name}: no turn ran, {len(refused)} were refused")
    ms = [percentile(times, p) * 1000 for p in (50, 95, 99, 100)]
    print(f"{name}: {len(times)} turns, p50 {ms[0]:.1f} ms, p95 {ms[1]:.1f} ms, p99 {ms[2]:.1f} ms, longest {ms[3]:.1f} ms; "
          f"{len(refused)} refused{f', as {refused[0]}' if refused else ''}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ptc")
    parser.add_argument("--sessions", type=int, default=1000)
    parser.add_argument("--hostile", type=int, default=20)
    parser.add_argument("--rate", type=float, default=20)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=NUMBER", help="a limit of the server")
    sys.exit(asyncio.run(main(parser.parse_args())))
