#!/usr/bin/env python3
"""An MCP server over stdio that does what servers should not do. Only Python's own library.

Each tool is a fault; FAULTY_NOTES names a file to which it writes what it noticed: its number, calls it was told to
give up, its environment.
"""
import json
import os
import subprocess
import sys
import threading

TOOLS = {
    "fine": {"properties": {"x": {"type": "integer"}, "note": {"type": "string"}}, "required": ["x"]},
    "die": {}, "slow": {}, "giant": {}, "flood": {}, "garbage": {}, "empty": {}, "refuse": {}, "broken": {},
    "bare": {}, "keys": {}, "child": {}, "a/b": {}, "a:b": {}, "raw": {}, "wide": {}, "torn": {}, "chatter": {},
    # Its answer is not what its outputSchema says.
    "wrong": {},
    # Schemas that are none, or never end.
    "odd": {"type": "object", "properties": {"x": {"$ref": "#/nowhere"}, "y": 5, "z": {"$ref": "#"}}, "required": 7},
}
GIVES = {
    "wrong": {"type": "object", "additionalProperties": False, "required": ["n"],
              "properties": {"n": {"type": "integer"}, "at": {"type": "object", "properties": {"x": {"type": "number"}}}}},
}
lock = threading.Lock()


def say(message):
    with lock:
        sys.stdout.write(json.dumps(message) + "\n")
        sys.stdout.flush()


def note(text):
    with open(os.environ["FAULTY_NOTES"], "a") as f:
        f.write(text + "\n")


def text(words):
    return {"content": [{"type": "text", "text": words}]}


def call(id, name, args):
    if name == "fine":
        return text(json.dumps(args, sort_keys=True))
    if name == "die":
        sys.stderr.write("about to die\nof this\n")
        sys.stderr.flush()
        os._exit(3)
    if name == "slow":
        note(f"slow {id}")
        return None
    if name == "giant":
        return text("x" * (8 << 20))
    if name == "flood":
        with lock:
            for _ in range(17):
                sys.stdout.write("x" * (1 << 20))
            sys.stdout.flush()
        return None
    if name == "garbage":
        with lock:
            sys.stdout.write('{"jsonrpc": "2.0", "id": \n')
            sys.stdout.flush()
        return None
    if name == "raw":
        # The line that was asked for; ID stands for that of the request.
        with lock:
            sys.stdout.write(args["line"].replace("ID", str(id)) + "\n")
            sys.stdout.flush()
        return None
    if name == "wide":
        return {"content": [], "structuredContent": [1] * 5000000}
    if name == "torn":
        sys.stdout.write('{"jsonrpc": "2.0", "id": 7, "result": {"content": [')
        sys.stdout.flush()
        os._exit(0)
    if name == "chatter":
        for _ in range(64):
            sys.stderr.write("x" * (1 << 20))
        sys.stderr.write("\nlast words\n")
        sys.stderr.flush()
        os._exit(5)
    if name == "empty":
        return {"content": []}
    if name == "refuse":
        return {"content": [{"type": "text", "text": "token " + os.environ.get("TOKEN", "")}], "isError": True}
    if name == "wrong":
        wrong = [{"n": 5.0, "at": {"x": 1, "y": 2}}, {"n": "5"}, {"n": 5, "at": {"x": "far"}}, {"n": 5, "m": 6}]
        data = wrong[args.get("which", 0)]
        return {**text(json.dumps(data)), **({} if data is None else {"structuredContent": data})}
    if name == "bare":
        return {"nothing": "known"}
    if name == "keys":
        return text(" ".join(sorted(os.environ)))
    if name == "child":
        # It would outlive us.
        child = subprocess.Popen(["sleep", "100000"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return text(str(child.pid))
    return text(name)


note(f"started {os.getpid()}")
for line in sys.stdin:
    message = json.loads(line)
    method, id, params = message.get("method"), message.get("id"), message.get("params") or {}
    if method == "initialize":
        version = params["protocolVersion"]
        say({"jsonrpc": "2.0", "id": id, "result": {
            "protocolVersion": version, "capabilities": {"tools": {"listChanged": True}},
            "serverInfo": {"name": "faulty", "version": "1"}}})
    elif method == "tools/list":
        names = list(TOOLS)
        at = int(params.get("cursor") or 0)
        page = [{"name": n, "inputSchema": {"type": "object", **TOOLS[n]},
                 **({"outputSchema": GIVES[n]} if n in GIVES else {})} for n in names[at:at + 4]]
        result = {"tools": page + page[:1]}
        if at + 4 < len(names):
            result["nextCursor"] = str(at + 4)
        say({"jsonrpc": "2.0", "id": id, "result": result})
        say({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
    elif method == "tools/call":
        if params["name"] == "broken":
            say({"jsonrpc": "2.0", "id": id, "error": {"code": -32000, "message": "out of order", "data": {"a": 1}}})
            continue
        result = call(id, params["name"], params.get("arguments") or {})
        if result is not None:
            say({"jsonrpc": "2.0", "id": id, "result": result})
    elif method == "notifications/cancelled":
        note(f"cancelled {params.get('requestId')}")
    elif id is not None:
        say({"jsonrpc": "2.0", "id": id, "error": {"code": -32601, "message": "no such method"}})
