//! `ptc acp` by a client that no one here wrote: agent-client-protocol from PyPI, which holds each message against the schema of
//! the protocol. `scripts/acp-client` installs it.

use std::path::Path;
use std::process::Command;

#[test]
fn the_client_of_the_protocol_from_pypi() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let python = here.join("../../target/tools/acp-python/bin/python");
    assert!(python.exists(), "{} is not there: run scripts/acp-client", python.display());
    let home = std::env::temp_dir().join(format!("ptc-acp-external-{}", std::process::id()));
    std::fs::create_dir_all(&home).unwrap();
    let script = here.join("tests/external/acp/client.py");
    let out = Command::new(python).arg(script).args([env!("CARGO_BIN_EXE_ptc"), &home.display().to_string()]).output();
    let out = out.unwrap();
    let _ = std::fs::remove_dir_all(&home);
    let (said, erred) = (String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    assert!(out.status.success() && said.ends_with("OK\n"), "{said}\n{erred}");
}
