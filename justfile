# The daily commands, for https://just.systems. Each is a line or two that work without it, with a name in place of {{..}}.

# What a user sees first: an agent solves a task, no key needed.
example:
    cargo run -- run examples/tasks/reviews

# Formats, and asks clippy, as a pull request is asked.
lint:
    cargo fmt --all
    cargo clippy --workspace --all-targets --locked -- -D warnings

# The tests that need Rust and a C compiler alone.
test:
    cargo test --locked

# The tests of one crate: `just crate agent`.
crate name:
    cargo test --locked -p ptc-{{name}}

# One file of tests/tests: `just system turns`
system file:
    cargo test --locked -p ptc-tests {{file}}::

# Writes what is generated: the pages of functions and options, the listing of the interface, the snapshots of prompts.
generate:
    cargo run --locked -- doc --markdown > docs/functions.md
    UPDATE_DOCS=1 UPDATE_API=1 INSTA_UPDATE=always cargo test --locked -p ptc-tests -- docs:: api:: turns::

# Tests against servers, a browser, a model: Node.js and Python are needed.
external:
    scripts/fetch
    cargo test --workspace --test external --locked

# The playground, as one HTML file.
playground:
    scripts/playground

# Each feature of the library alone.
features:
    for f in "" agent http mcp sqlite schemas agent,vocabularies; do cargo check --locked -p ptc --no-default-features --features "$f"; done

# What `cargo publish` would send, in the order of the crates.
package:
    cargo publish --dry-run --workspace --exclude ptc-examples --exclude ptc-tests --exclude ptc-hostile --exclude ptc-generated --exclude ptc-bench --exclude ptc-engines --exclude ptc-python --exclude ptc-wasm --exclude ptc-wasm-pack --locked --no-verify

# The workloads of docs/performance.md.
bench:
    cargo run --release -p ptc-bench

# Their instructions, against what they were.
instructions:
    tests/bench/check

# Everything that must pass before a change lands.
ci:
    bash .ci/run
