//! The package for Python, as its users get it: a wheel that maturin builds, installed into a folder, its tests run by pytest, its types
//! checked by mypy. `scripts/python` fetches what that needs.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

fn tool(name: &str) -> Command {
    let path = root().join("target/tools/python/bin").join(name);
    assert!(path.is_file(), "{} is not there: run scripts/python", path.display());
    Command::new(path)
}

fn run(mut command: Command) -> String {
    let out = command.output().unwrap();
    let said = format!("{}{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    assert!(out.status.success(), "{command:?}\n{said}");
    said
}

/// The folder that the wheel is installed into, which is made once.
fn installed() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = root().join("target/python");
        let _ = std::fs::remove_dir_all(&folder);
        let mut build = tool("maturin");
        build.current_dir(root()).args(["build", "--quiet", "--locked", "--profile", "dev"]);
        run({
            build.args(["--manifest-path", "crates/python/Cargo.toml", "--interpreter"]);
            build.arg(root().join("target/tools/python/bin/python")).arg("--out").arg(folder.join("wheels"));
            build
        });
        let mut wheels = std::fs::read_dir(folder.join("wheels")).unwrap();
        let wheel = wheels.next().unwrap().unwrap().path();
        let name = wheel.file_name().unwrap().to_string_lossy().into_owned();
        assert!(
            name.starts_with("ptc_runtime-") && name.contains("-cp39-abi3-"),
            "{name}: one wheel for 3.9 and later"
        );
        let mut install = tool("pip");
        install.args(["install", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-index", "--target"]);
        install.arg(folder.join("installed")).arg(wheel);
        run(install);
        folder.join("installed")
    })
}

fn python(name: &str) -> Command {
    let mut command = tool(name);
    command
        .env("PYTHONPATH", installed())
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .current_dir(root().join("crates/python"));
    command
}

#[test]
fn the_tests_of_the_package_pass() {
    let mut pytest = python("pytest");
    pytest.args(["-q", "-p", "no:cacheprovider", "tests"]);
    let said = run(pytest);
    assert!(said.contains(" passed") && !said.contains("skipped"), "{said}");
}

#[test]
fn the_types_hold_in_the_package_and_for_those_who_use_it() {
    let mut mypy = python("mypy");
    mypy.args(["--strict", "--cache-dir"]).arg(root().join("target/python/mypy"));
    run({
        mypy.args(["python/ptc", "tests/typed.py"]);
        mypy
    });
    let wrong = root().join("target/python/wrong.py");
    std::fs::write(&wrong, "import ptc\nturn: int = ptc.Session().run(5)\n").unwrap();
    let mut mypy = python("mypy");
    mypy.args(["--strict", "--cache-dir"]).arg(root().join("target/python/mypy")).arg(&wrong);
    let out = mypy.output().unwrap();
    let said = String::from_utf8_lossy(&out.stdout);
    assert!(said.contains("[arg-type]") && said.contains("[assignment]"), "{said}");
}

/// The blocks of Python in these pages, each run as it stands.
#[test]
fn the_examples_of_the_pages_run() {
    let mut ran = 0;
    for page in ["docs/python.md", "crates/python/README.md"] {
        let text = std::fs::read_to_string(root().join(page)).unwrap();
        for block in text.split("```python\n").skip(1).map(|rest| rest.split("\n```").next().unwrap()) {
            // What a line prints stands behind it.
            let expected: Vec<&str> = block
                .lines()
                .filter(|l| l.contains("print("))
                .filter_map(|l| l.split_once("  # "))
                .map(|l| l.1)
                .collect();
            let mut command = python("python");
            command.args(["-c", block]);
            let out = command.output().unwrap();
            assert!(out.status.success(), "{page}:\n{block}\n{}", String::from_utf8_lossy(&out.stderr));
            let printed = String::from_utf8_lossy(&out.stdout);
            assert_eq!(printed.lines().collect::<Vec<_>>(), expected, "{page}:\n{block}");
            ran += 1;
        }
    }
    assert!(ran >= 5, "{ran} blocks ran");
}

/// Every cell runs, one after the other, and prints and gives what stands below it.
#[test]
fn the_notebook_shows_what_its_cells_give() {
    let mut command = python("python");
    command.arg("tests/notebook.py").arg(root().join("examples/python/prices.ipynb"));
    let said = run(command);
    assert!(said.contains("cells give what they show"), "{said}");
}
