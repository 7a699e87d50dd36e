"""Sessions: turns, tools, traces, forks, prompts."""

import json
import threading

import ptc
import pytest


def test_a_session_remembers_and_a_failed_turn_changes_nothing():
    session = ptc.Session()
    turn = session.run('(def xs "Squares" (mapv (fn [n] (* n n)) (range 4)))')
    assert (turn.number, turn.status, turn.error) == (1, "ok", None)
    assert [(d.name, d.kind, d.doc) for d in turn.defined] == [("xs", "data", "Squares")]
    turn = session.run('(println "sum")\n(reduce + xs)')
    assert (turn.value, turn.text, turn.printed) == (14, "14", ("sum\n",))
    turn = session.run("(def xs nil)\n(def y (/ 1 0))")
    assert (turn.ok, turn.status, turn.defined) == (False, "error", ())
    assert (turn.error.kind, turn.error.line) == ("arithmetic", 2)
    assert session.get("xs") == [0, 1, 4, 9]
    assert session.get("y") is None
    with pytest.raises(ptc.ProgramError, match="line 2: arithmetic"):
        turn.result()
    turn = session.run("(redcue + xs)")
    assert turn.error.kind == "name" and "reduce" in turn.error.hint
    assert [t.number for t in session.turns()] == [1, 2, 3, 4]
    assert session.turns()[1] == session.turns()[1] != session.turns()[2]


def test_a_program_that_a_model_wrote_into_a_field_may_have_a_fence_and_thoughts():
    session = ptc.Session()
    assert session.run("```clj\n(+ 1 2)\n```").value == 3
    turn = session.run("<think>```clojure\n(draft)\n```</think>\n(str \"<think>\")")
    assert (turn.value, turn.program) == ("<think>", '(str "<think>")')
    assert "tagged python" in session.run("```python\n1\n```").error.message


def test_values_that_are_no_json_are_their_text():
    session = ptc.Session()
    assert session.run("{:a #{1} :b 'x :c [nil true 1.5 \"t\"]}").value == {"a": [1], "b": "x", "c": [None, True, 1.5, "t"]}
    assert session.run("nil").value is None
    turn = session.run("(fn [a] a)")
    assert turn.value == turn.text == "#<function>"
    assert session.run("(def f (fn [a] a))").ok
    assert "function" in session.get("f")
    assert session.run("(/ 1 3)").text == "1/3"


def test_tools_are_called_by_the_names_of_their_parameters():
    seen = []

    def price(item: str, count: int = 1) -> int:
        """Price in cents.

        More words.
        """
        seen.append((item, count))
        return 250 * count

    session = ptc.Session(tools={"price": price}, prompt="How much?")
    turn = session.run('[(tool/price "pen") (tool/price {:item "pen" :count 3}) (tool/price :count 2 :item "cap")]')
    assert turn.value == [250, 750, 500]
    assert seen == [("pen", 1), ("pen", 3), ("cap", 2)]
    assert [(c.id, c.name, c.args, c.result) for c in turn.calls][0] == (1, "price", {"item": "pen"}, 250)
    system = session.messages()[0]["content"]
    assert "Price in cents." in system and "More words" not in system and "integer?" in system
    turn = session.run("(tool/price 1)")
    assert turn.error.kind == "type" and "item must be a string" in turn.error.message
    assert len(seen) == 3, "it was not called"


def test_a_tool_fails_in_words_that_programs_can_catch():
    def bad():
        raise ptc.ToolError("no such item")

    def worse():
        raise KeyError("pen")

    class Mute(Exception):
        def __str__(self):
            raise RuntimeError("no")

    def mute():
        raise Mute

    def wrong() -> int:
        return "three"  # type: ignore[return-value]

    def nested():
        ptc.Session().run("(oops)").result()

    session = ptc.Session(tools={"bad": bad, "worse": worse, "mute": mute, "wrong": wrong, "nested": nested})
    turn = session.run("(try (tool/bad) (catch Exception e (ex-message e)))")
    assert turn.value == "no such item"
    assert turn.calls[0].error == "no such item"
    assert session.run("(tool/worse)").error.message == "tool/worse: KeyError: 'pen'"
    assert "Mute: its words cannot be read" in session.run("(tool/mute)").error.message
    assert "its answer must be an integer" in session.run("(tool/wrong)").error.message
    assert "ProgramError: line 1: name" in session.run("(tool/nested)").error.message


def called(turn):
    return [(c.id, c.name, c.args, c.result, c.error) for c in turn.calls]


MISSING = "the turn was cancelled before it was answered"


def test_what_is_no_exception_ends_the_turn_and_what_it_called_is_kept():
    def stop():
        raise SystemExit(3)

    session = ptc.Session(tools={"stop": stop, "add": lambda a, b: a + b})
    session.run("(def x 1)")
    with pytest.raises(SystemExit):
        session.run("(def x (tool/add 1 2)) (tool/stop) (tool/add 3 4)")
    turn = session.turns()[-1]
    assert (turn.number, turn.status, turn.error.kind, session.get("x")) == (2, "error", "limit/time", 1)
    assert turn.error.message == "the turn was cancelled before it had ended"
    assert called(turn) == [(1, "add", {"a": 1, "b": 2}, 3, None), (2, "stop", {}, None, MISSING)]
    assert "add(" in session.messages()[-1]["content"]
    # Numbers of calls go on, here and in a session of the trace.
    for one in (session, ptc.Session.load(session.dump(), tools={"add": lambda a, b: a + b})):
        assert one.run("(tool/add x 1)").calls[0].id == 3


def test_of_calls_made_together_those_are_kept_that_were_begun():
    def call(n: int) -> int:
        if n == 2:
            raise KeyboardInterrupt
        return n * 10

    session = ptc.Session(tools={"f": call})
    with pytest.raises(KeyboardInterrupt):
        session.run("(pmap (fn [n] (tool/f n)) [1 2 3])")
    assert called(session.turns()[0]) == [(1, "f", {"n": 1}, 10, None), (2, "f", {"n": 2}, None, MISSING)]
    assert [c.together for c in session.turns()[0].calls] == [1, 1]


def test_a_turn_that_called_nothing_leaves_nothing():
    session = ptc.Session(tools={"mute": ptc.Tool()})
    with pytest.raises(ptc.Error, match="no callable"):
        session.run("(def x 1) (tool/mute)")
    assert (session.turns(), session.get("x"), session.run("1").number) == ([], None, 1)


def test_a_call_of_start_that_is_not_answered_leaves_those_that_were():
    session = ptc.Session(tools={"ask": ptc.Tool(params={"q": "string"})})
    step = session.start('(tool/ask "one")')
    del step
    assert session.run("1").number == 1
    step = session.start('[(tool/ask "one") (pmap (fn [q] (tool/ask q)) ["two" "three"])]').resume("yes")
    assert session.cancel()
    with pytest.raises(ptc.TurnCancelled, match="turn 2 has what it called"):
        step.resume("no"), step.together[1].resume("no")
    assert [(c.args["q"], c.result, c.error) for c in session.turns()[1].calls] == [
        ("one", "yes", None), ("two", None, MISSING), ("three", None, MISSING)
    ]
    assert session.run("2").number == 3


def test_start_stops_at_each_call_and_resume_goes_on():
    session = ptc.Session(tools={"ask": ptc.Tool(params={"q": "string"})})
    step = session.start('(def a (tool/ask "one"))\n(str a (try (tool/ask "two") (catch Exception e "?")))')
    assert isinstance(step, ptc.ToolCall)
    assert (step.id, step.name, step.args) == (1, "ask", {"q": "one"})
    with pytest.raises(ptc.SessionBusy, match="is running"):
        session.run("1")
    with pytest.raises(ptc.InvalidValue, match="no data"):
        step.resume(object())
    second = step.resume("yes")
    assert second.args == {"q": "two"}
    with pytest.raises(ptc.Error, match="has been answered"):
        step.resume("again")
    turn = second.fail("nobody there")
    assert (turn.value, session.get("a")) == ("yes?", "yes")
    assert session.start("(+ 1 1)").value == 2
    with pytest.raises(ptc.Error, match="no callable"):
        session.run('(tool/ask "three")')


def test_calls_made_together_come_together():
    session = ptc.Session(tools={"f": ptc.Tool(params={"n": "integer"})})
    step = session.start("(pmap (fn [n] (tool/f n)) [1 2 3])")
    assert [c.args["n"] for c in step.together] == [1, 2, 3]
    first, second, third = step.together
    assert third.resume(30).args == {"n": 1}
    assert first.resume(10).args == {"n": 2}
    assert second.resume(20).value == [10, 20, 30]


def test_a_call_that_is_dropped_ends_its_turn():
    session = ptc.Session(tools={"f": ptc.Tool()})
    step = session.start("(def x 1) (tool/f)")
    del step
    turn = session.run("(+ 1 1)")
    assert (turn.number, turn.value, session.get("x")) == (1, 2, None)


def test_the_trace_is_the_session():
    calls = []
    tools = {"next": lambda: calls.append(1) or len(calls)}
    session = ptc.Session(tools=tools, inputs={"orders": [{"id": 7, "tags": ("a", "b")}]}, prompt="Add up", seed=1)
    session.run("(def n (+ (tool/next) (:id (first ctx/orders)) (rand-int 100)))")
    session.run("(oops)")
    text = session.dump()
    assert len(text.splitlines()) == 3 and json.loads(text.splitlines()[0])["prompt"] == "Add up"
    again = ptc.Session.load(text, tools=tools)
    assert (again.get("n"), len(calls)) == (session.get("n"), 1), "no tool is called again"
    assert again.dump() == text
    assert again.messages() == session.messages()
    assert again.turns() == session.turns()
    assert again.run("(tool/next)").value == 2
    assert ptc.Session.load(text.encode()).run("(inc n)").value == session.get("n") + 1
    with pytest.raises(ptc.InvalidTrace):
        ptc.Session.load("hello")
    with pytest.raises(ptc.InvalidTrace, match="turn 1 does not replay"):
        ptc.Session.load(text.replace("(rand-int 100)", "(rand-int 999)"))
    with pytest.raises(ptc.InvalidArgument, match="no tool 'nxt'; it has: next"):
        ptc.Session.load(text, tools={"nxt": len})


def test_a_fork_goes_its_own_way():
    session = ptc.Session()
    session.run("(def x 1)")
    session.run("(def x 2)")
    early, late = session.fork(1), session.fork()
    early.run("(def x 10)")
    assert (early.get("x"), late.get("x"), session.get("x")) == (10, 2, 2)
    assert session.fork(0).get("x") is None
    assert len(early.turns()) == 2
    with pytest.raises(ptc.InvalidArgument, match="no turn 9; the last is 2"):
        session.fork(9)


def test_prompts_for_providers():
    session = ptc.Session(prompt="How many?", inputs={"xs": [1, 2]}, system="Be brief.")
    session.reply('I look.\n```clojure\n(def n "How many" (count ctx/xs))\n```')
    messages = session.messages()
    assert [m["role"] for m in messages[:2]] == ["system", "user"] and messages[1]["content"].startswith("How many?")
    assert messages[0]["content"].startswith("Be brief.")
    full = session.messages("full")
    assert any("(count ctx/xs)" in m["content"] for m in full)
    assert session.messages({"compress_history": False}) == full
    assert set(session.request("anthropic")) >= {"system", "messages"}
    assert "contents" in session.request("gemini", "full")
    assert session.tokens("full") > 100
    assert session.tokens(model="anthropic/claude-sonnet-5") > 100
    with pytest.raises(ptc.InvalidArgument, match="did you mean anthropic"):
        session.request("antropic")
    with pytest.raises(ptc.InvalidArgument, match="output_tokns.*did you mean output_tokens"):
        session.messages({"output_tokns": 3})
    with pytest.raises(ptc.InvalidArgument, match="tools: a dict of names and callables, not list"):
        ptc.Session(tools=[len])
    with pytest.raises(ptc.InvalidArgument, match='"full", "compressed"'):
        session.messages("short")
    with pytest.raises(ptc.Error, match="max_tokens|tokens"):
        session.messages({"max_tokens": 1})


def test_a_session_with_a_task_ends():
    session = ptc.Session(prompt="How many?", expect="integer")
    assert session.run('(return "two")').error.kind == "type"
    assert session.run("(return 2)").status == "returned"
    with pytest.raises(ptc.SessionEnded, match="turn 2 returned"):
        session.run("1")
    session = ptc.Session(prompt="How many?", max_turns=1)
    session.run("1")
    with pytest.raises(ptc.SessionEnded, match="out of turns"):
        session.run("2")
    session = ptc.Session()
    assert session.run("(return 1)").status == "returned"
    failed = session.run('(fail "no data")')
    assert failed.status == "failed" and not failed.ok
    with pytest.raises(ptc.ProgramError, match="no data"):
        failed.result()
    assert session.run("2").value == 2


@pytest.mark.parametrize(
    "options, words",
    [
        ({"limits": {"fule": 1}}, "limits: unknown field `fule`"),
        ({"limits": {"fuel": -1}}, "limits: "),
        ({"policy": {"output_tokens": "many"}}, "policy: .*output_tokens"),
        ({"expect": "[string"}, "expect: "),
        ({"tools": {"a b": len}}, "a tool cannot be called"),
        ({"tools": {"f": 3}}, "a tool is a callable, not int"),
        ({"tools": {"f": ptc.Tool(params={"n": "whole"})}}, "tool f, parameter n: "),
        ({"inputs": {"a/b": 1}}, "an input cannot be called"),
    ],
)
def test_what_a_session_cannot_take_is_refused_in_words(options, words):
    with pytest.raises(ptc.InvalidArgument, match=words):
        ptc.Session(**options)


def test_arguments_that_only_have_a_place_stay_in_it():
    def pay(amount=1, fee=2, /, note="-"):
        return [amount, fee, note]

    session = ptc.Session(tools={"pay": pay})
    assert session.run("[(tool/pay {:fee 5}) (tool/pay {:amount 9 :note \"n\"}) (tool/pay)]").value == [
        [1, 5, "-"],
        [9, 2, "n"],
        [1, 2, "-"],
    ]


def test_parameters_that_a_function_does_not_take_are_refused():
    with pytest.raises(ptc.InvalidArgument, match="takes no parameter itm"):
        ptc.Tool(lambda item: 1, params={"itm": "string"})
    with pytest.raises(ptc.InvalidArgument, match="needs the parameter item"):
        ptc.Tool(lambda item: 1, params={})


def test_seeds_repeat():
    values = [ptc.Session(seed=5).run("(rand-int 1000000)").value for _ in range(2)]
    assert values[0] == values[1]
    assert ptc.Session(seed=6).run("(rand-int 1000000)").value != values[0]
    assert len({ptc.Session().run("(rand-int 1000000)").value for _ in range(3)}) > 1


def test_two_threads_at_once_are_told_and_the_lock_of_python_is_free():
    session, inside, go_on = ptc.Session(tools={"wait": lambda: None}), threading.Event(), threading.Event()
    session._tools["wait"].function = lambda: (inside.set(), go_on.wait(30)) and None
    turns = []
    thread = threading.Thread(target=lambda: turns.append(session.run("(tool/wait) 1")))
    thread.start()
    assert inside.wait(30)
    for use in (lambda: session.run("2"), session.dump, session.fork, session.messages):
        with pytest.raises(ptc.SessionBusy):
            use()
    go_on.set()
    thread.join()
    assert turns[0].value == 1 and session.run("2").value == 2


def test_other_threads_run_while_a_program_does():
    session, counted = ptc.Session(limits={"fuel": 10**12, "cpu_ms": 0, "wall_ms": 0}), [0]
    thread = threading.Thread(target=lambda: pytest.raises(ptc.TurnCancelled, session.run, "(loop [] (recur))"))
    thread.start()
    while not session.cancel():
        counted[0] += 1  # this thread goes on: the other one holds no lock
    thread.join(30)
    assert not thread.is_alive()
    assert session.run("1").value == 1 and not session.cancel()


def test_many_threads_with_sessions_of_their_own():
    def work(n):
        session = ptc.Session(tools={"add": lambda a, b: a + b})
        for _ in range(20):
            results.append(session.run(f"(tool/add {n} 1)").value == n + 1)

    results: list = []
    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert len(results) == 160 and all(results)
