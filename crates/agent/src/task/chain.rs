//! How a task came to be read: the tasks that it stands in, and whether all its problems are looked for.

use crate::error::{Error, ErrorKind};
use crate::error_text;
use crate::model::provider::Environment;
use crate::toml_section::ErrorCollector;
use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// The folders of the tasks that a task stands in, outermost first: a task must not contain itself.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chain {
    pub folders: Vec<PathBuf>,
    /// Set when all that is wrong is looked for.
    pub check: Option<Check>,
}

/// Subtasks, at most.
const DEEPEST: usize = 8;

impl Chain {
    /// For a task that stands in no other, all of whose problems are looked for.
    pub(super) fn checked(check: Check) -> Self {
        Chain { folders: Vec::new(), check: Some(check) }
    }

    /// With one more inside.
    pub(super) fn and(&self, folder: &Path) -> Result<Chain, Error> {
        let folder = std::fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
        let mut all = self.folders.clone();
        let circle = all.contains(&folder);
        all.push(folder);
        let way = || {
            let name = |p: &PathBuf| {
                p.file_name().map_or_else(|| p.display().to_string(), |n| n.to_string_lossy().into_owned())
            };
            all.iter().map(name).collect::<Vec<_>>().join(" -> ")
        };
        if circle {
            return Err(Error::new(
                ErrorKind::Task,
                error_text!("tasks run each other in a circle: {}", way(); "take one out"),
            ));
        }
        if all.len() > DEEPEST {
            return Err(Error::new(
                ErrorKind::Task,
                error_text!("more than {DEEPEST} tasks inside each other: {}", way(); "take one out"),
            ));
        }
        Ok(Chain { folders: all, check: self.check.clone() })
    }
}

/// What is needed while all problems are looked for.
#[derive(Clone, Debug)]
pub(crate) struct Check {
    pub notes: Rc<ErrorCollector>,
    pub warnings: Rc<ErrorCollector>,
    pub environment: Environment,
    /// The `memory_bytes` that follow from the inputs of the task, where they raise it.
    pub memory: Rc<Cell<Option<u64>>>,
}

impl Check {
    /// With nothing found yet; names of variables are looked up in `environment`.
    pub(crate) fn new(environment: &Environment) -> Self {
        Check { notes: Rc::default(), warnings: Rc::default(), environment: environment.clone(), memory: Rc::default() }
    }

    /// Where problems are noted.
    pub(crate) fn notes(&self) -> Rc<ErrorCollector> {
        self.notes.clone()
    }
}
