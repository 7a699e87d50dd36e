//! A folder of task files that goes away.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The folder; its task lies in `task/`.
pub struct Folder(pub PathBuf);

impl Folder {
    /// With these files, named as seen from its task.
    pub fn new(name: &str, files: &[(&str, &str)]) -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let n = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("ptc-agent-{}-{n}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(path.join("task")).unwrap();
        for (file, text) in files {
            let file = match file.strip_prefix("../") {
                Some(beside) => path.join(beside),
                None => path.join("task").join(file),
            };
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, text).unwrap();
        }
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
