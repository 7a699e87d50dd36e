"""What is hostile, or too much: refused in words, or ended by a limit; the session goes on."""

import datetime
import decimal
import enum
import math
import os
import signal
import subprocess
import sys
import threading
import time

import ptc
import pytest


def echo(**limits):
    return ptc.Session(tools={"echo": lambda value: value}, inputs={}, limits=limits)


def through(data):
    """The data as a program gives it back."""
    session = ptc.Session(inputs={"x": data})
    return session.run("ctx/x").value


class Level(enum.IntEnum):
    HIGH = 3


@pytest.mark.parametrize(
    "data, back",
    [
        (None, None),
        ([True, False, 0, -1, 2**63 - 1, -(2**63)], [True, False, 0, -1, 2**63 - 1, -(2**63)]),
        ([2**63, -(2**64), 7**3000], [2**63, -(2**64), 7**3000]),
        ([1.5, -0.0, 1e300, 5e-324], [1.5, -0.0, 1e300, 5e-324]),
        (("a", ["b", ()]), ["a", ["b", []]]),
        ({"a": {"b c": {}}, "": 1, "naïve \0 \"": "\U0001f600\n"}, {"a": {"b c": {}}, "": 1, "naïve \0 \"": "\U0001f600\n"}),
        ({10, 9, 100}, [9, 10, 100]),
        (frozenset({"b", "a", ("c", 1)}), ["a", "b", ["c", 1]]),
        (Level.HIGH, 3),
    ],
    ids=range(9),
)
def test_data_goes_in_and_comes_out(data, back):
    assert through(data) == back
    assert repr(through(data)) == repr(back)


def test_the_words_of_programs():
    session = ptc.Session(inputs={"row": {"first name": 1, "id": 2}})
    assert session.run('[(:id ctx/row) (get ctx/row "first name") (keys ctx/row)]').value == [2, 1, ["first name", "id"]]


def looped():
    data: list = []
    data.append({"me": data})
    return data


def deep(n):
    data: list = []
    for _ in range(n):
        data = [data]
    return data


def wide(n):
    data: list = ["x"]
    for _ in range(n):
        data = [data, data]
    return data


class Loud:
    def __repr__(self):
        raise RuntimeError("no")

    __str__ = __repr__


class Lying(int):
    def bit_length(self):
        return 1

    def to_bytes(self, *a, **k):
        raise RuntimeError("no")

    def __index__(self):
        raise RuntimeError("no")


class Named(type):
    @property
    def __name__(cls):
        raise RuntimeError("no")


class Nameless(metaclass=Named):
    pass


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: looped(), "deeper than data_depth = 10000; it may contain itself"),
        (lambda: deep(10_001), "deeper than data_depth"),
        (lambda: wide(60), "larger than memory_bytes"),
        (lambda: "x" * (3 << 20), "larger than memory_bytes"),
        (lambda: [0] * (2 << 20), "larger than memory_bytes"),
        (lambda: 1 << 1_000_001, "more than integer_bits = 1000000"),
        (lambda: [{"when": datetime.datetime.now()}], r'\[0\]\["when"\]: an object of the type datetime is no data; pass its isoformat'),
        (lambda: decimal.Decimal("1.5"), "Decimal is no data; pass a float or a str"),
        (lambda: b"abc", "bytes is no data; pass a str"),
        (lambda: math.nan, "nan is no number of JSON"),
        (lambda: -math.inf, "an infinity is no number"),
        (lambda: "\ud800", "surrogates"),
        (lambda: {1: 2}, "a key is of the type int; keys must be str"),
        (lambda: {"\udfff": 2}, "surrogates"),
        (lambda: [Loud()], r"\[0\]: an object of the type Loud is no data"),
        (lambda: Nameless(), "is no data"),
        (lambda: (n for n in ()), "pass list"),
    ],
    ids=range(17),
)
def test_hostile_data_is_refused_in_words(make, words):
    data = make()
    with pytest.raises(ptc.InvalidValue, match=words):
        ptc.Session(inputs={"x": data}, limits={"memory_bytes": 2 << 20})
    session = ptc.Session(tools={"give": lambda: data}, limits={"memory_bytes": 2 << 20})
    turn = session.run("(tool/give)")
    assert turn.status == "error" and turn.error.kind == "tool"
    assert session.run("(try (tool/give) (catch Exception e 1))").value == 1


def test_an_integer_of_a_subclass_is_what_it_is():
    assert through(Lying(5)) == 5
    assert through(Lying(5**200)) == 5**200


def test_deep_data_comes_back():
    data = through(deep(9_000))
    depth = 0
    while data:
        data, depth = data[0], depth + 1
    assert depth == 9_000


def test_a_list_that_changes_meanwhile_does_no_harm():
    data, stop = [[n] for n in range(2000)], threading.Event()

    def change():
        while not stop.is_set():
            data.append([1])
            data.pop(0)

    thread = threading.Thread(target=change)
    thread.start()
    try:
        for _ in range(20):
            assert len(through(data)) >= 1999
    finally:
        stop.set()
        thread.join()


@pytest.mark.parametrize(
    "program, kind",
    [
        ("(loop [] (recur))", "limit/fuel"),
        ("(defn f [n] (inc (f n))) (f 1)", "limit/depth"),
        ("(reduce conj [] (range 10000000))", "limit/memory"),
        ("(loop [] (println \"xxxxxxxxxxxxxxxx\") (recur))", "limit/output"),
        ("(loop [] (tool/echo 1) (recur))", "limit/tool-calls"),
        ("(" * 5000, "limit/depth"),
        (" " * (300 << 10), "limit/source"),
    ],
    ids=range(7),
)
def test_programs_end_in_limits(program, kind):
    session = echo(fuel=20_000_000, memory_bytes=8 << 20)
    turn = session.run(program)
    assert turn.error.kind == kind
    assert session.run("(tool/echo 5)").value == 5


def test_limits_apply_to_what_a_tool_answers():
    session = ptc.Session(tools={"much": lambda: ["x" * 1000] * 2000, "deep": lambda: deep(60)}, limits={"memory_bytes": 1 << 20, "data_depth": 50})
    assert "memory_bytes = 1048576" in session.run("(tool/much)").error.message
    assert "data_depth = 50" in session.run("(tool/deep)").error.message
    # The text fits, its values do not: they take more than their text.
    session = ptc.Session(tools={"much": lambda: [{}] * 200_000}, limits={"memory_bytes": 1 << 20})
    assert "memory_bytes = 1048576" in session.run("(tool/much)").error.message


def test_a_tool_that_takes_too_long_ends_the_turn():
    session = ptc.Session(tools={"slow": lambda: time.sleep(0.3)}, limits={"wall_ms": 100})
    assert session.run("(try (tool/slow) (catch Exception e 1))").error.kind == "limit/time"
    step = session.start("(try (tool/slow) (catch Exception e 1))")
    time.sleep(0.3)
    assert step.resume(1).error.kind == "limit/time"
    assert session.run("1").value == 1


def test_a_session_that_is_full_says_so():
    session = ptc.Session(limits={"session_bytes": 20_000})
    with pytest.raises(ptc.SessionFull, match="go on in a new session"):
        for n in range(1000):
            session.run(f"(println \"{'x' * 500}\")")


def test_a_fork_of_the_process_finds_its_sessions():
    session = ptc.Session()
    session.run("(def x 1)")
    child = os.fork()
    if child == 0:
        os._exit(0 if session.run("(inc x)").value == 2 else 1)
    assert os.waitpid(child, 0)[1] == 0


INTERRUPTED = """
import ptc, sys
session = ptc.Session(limits={"fuel": 10**15, "cpu_ms": 0, "wall_ms": 0}, tools={"nap": lambda: __import__("time").sleep(60)})
session.run("(def x 1)")
print("ready", flush=True)
try:
    session.run(sys.argv[1])
except KeyboardInterrupt:
    print("interrupted", session.get("x"), session.run("(inc x)").value, [c.name for t in session.turns() for c in t.calls], flush=True)
"""


@pytest.mark.parametrize("program, calls", [("(def x 5) (loop [] (recur))", []), ("(def x 5) (tool/nap)", ["nap"])])
def test_ctrl_c_ends_the_turn_and_the_session_goes_on(program, calls):
    child = subprocess.Popen([sys.executable, "-c", INTERRUPTED, program], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "ready\n"
    time.sleep(0.3)
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=60)
    assert out == f"interrupted 1 2 {calls}\n"
