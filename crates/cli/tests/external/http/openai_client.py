"""Talks to `ptc serve` by OpenAI's own client: models, an answer, a streamed one, a wrong model, a wrong token."""

import sys

import openai

client = openai.OpenAI(base_url=sys.argv[1] + "/v1", api_key=sys.argv[2], max_retries=0)
assert [m.id for m in client.models.list()] == ["shop"], "models"
messages = [{"role": "user", "content": "How many?"}]

whole = client.chat.completions.create(model="shop", messages=messages)
assert whole.choices[0].message.content == "42 pens", whole
assert whole.choices[0].finish_reason == "stop" and whole.usage.total_tokens == 0, whole

stream = client.chat.completions.create(model="shop", messages=messages, stream=True, stream_options={"include_usage": True})
pieces = list(stream)
text = "".join(p.choices[0].delta.content or "" for p in pieces if p.choices)
assert text == "42 pens", pieces
assert [p.choices[0].finish_reason for p in pieces if p.choices][-1] == "stop", pieces
assert pieces[-1].usage is not None and not pieces[-1].choices, pieces

for wrong, error in [
    (lambda: client.chat.completions.create(model="none", messages=messages), openai.NotFoundError),
    (lambda: client.chat.completions.create(model="shop", messages=[]), openai.BadRequestError),
    (lambda: client.with_options(api_key="not-the-right-token").models.list(), openai.AuthenticationError),
]:
    try:
        wrong()
        raise AssertionError(f"{error} was expected")
    except error as e:
        assert ";" in e.message, e.message
print("done")
