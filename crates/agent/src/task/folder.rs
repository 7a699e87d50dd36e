//! The folder of a task, and which files a task may name.

use crate::error::{Error, ErrorKind};
use crate::error_text;
use ptc_lisp::escape;
use std::path::{Component, Path, PathBuf};

/// The folder of a task: files that it names are relative to it, and in it unless the task says otherwise.
#[derive(Clone, Debug, Default)]
pub(crate) struct Folder {
    path: PathBuf,
    /// `allow_outside` of the task.
    outside: bool,
}

impl Folder {
    /// The folder at this path; with `outside` the task may read files that are elsewhere.
    pub(crate) fn new(path: &Path, outside: bool) -> Self {
        Folder { path: path.to_owned(), outside }
    }

    /// Where it is, as it was named.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The file of this name.
    ///
    /// # Errors
    /// When it is outside the folder, by its name or by a link, and the task does not allow that.
    pub(crate) fn file(&self, name: &str) -> Result<PathBuf, Error> {
        let path = self.path.join(name);
        if self.outside || self.holds(Path::new(name), &path) {
            return Ok(path);
        }
        Err(Error::new(
            ErrorKind::Task,
            error_text!("{} is outside the task's folder", escape::quoted(name); "write allow_outside = true into [task] to let the task read it, or put it into the folder"),
        ))
    }

    fn holds(&self, name: &Path, path: &Path) -> bool {
        let folder = if self.path.as_os_str().is_empty() { Path::new(".") } else { &self.path };
        match (std::fs::canonicalize(folder), std::fs::canonicalize(path)) {
            (Ok(folder), Ok(file)) => file.starts_with(folder),
            // What is not there yet goes by its name; opening it fails, and links may not lead anywhere either.
            _ => stays_inside(name) && !path.is_symlink(),
        }
    }
}

/// Whether a name leads nowhere outside of where it starts.
fn stays_inside(name: &Path) -> bool {
    let mut depth: usize = 0;
    name.components().all(|c| match c {
        Component::Normal(_) => {
            depth = depth.saturating_add(1);
            true
        }
        Component::CurDir => true,
        Component::ParentDir => {
            let inside = depth > 0;
            depth = depth.saturating_sub(1);
            inside
        }
        Component::RootDir | Component::Prefix(_) => false,
    })
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn files_outside_need_the_word_of_the_task() {
        let base = std::env::temp_dir().join(format!("ptc-outside-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&base);
        let task = base.join("task");
        std::fs::create_dir_all(task.join("data")).unwrap();
        std::fs::write(base.join("secret.txt"), "s").unwrap();
        std::fs::write(task.join("data/a.txt"), "a").unwrap();
        symlink(base.join("secret.txt"), task.join("link.txt")).unwrap();
        symlink("data/a.txt", task.join("own.txt")).unwrap();
        symlink(&base, task.join("up")).unwrap();
        symlink(base.join("nothing"), task.join("broken")).unwrap();
        let absolute = task.join("data/a.txt");
        let folder = Folder::new(&task, false);
        for name in
            ["data/a.txt", "./data/../data/a.txt", "own.txt", "gone.txt", "data/gone", absolute.to_str().unwrap()]
        {
            assert_eq!(folder.file(name).unwrap(), task.join(name), "{name}");
        }
        let secret = base.join("secret.txt");
        for name in [
            "../secret.txt",
            "link.txt",
            "up/secret.txt",
            "up/task/../secret.txt",
            "broken",
            "../gone",
            "data/../../gone",
            "/no/such",
            secret.to_str().unwrap(),
            "/dev/stdin",
        ] {
            let words = error_text!("{name:?} is outside the task's folder"; "write allow_outside = true into [task] to let the task read it, or put it into the folder");
            assert_eq!(folder.file(name).unwrap_err().to_string(), words.to_string());
            assert_eq!(Folder::new(&task, true).file(name).unwrap(), task.join(name));
        }
        std::fs::remove_dir_all(&base).unwrap();
    }
}
