//! The file of a conversation.

use ptc_agent::{Error, ErrorKind, error_text};
use ptc_history::{Conversation, Role};
use std::path::{Path, PathBuf};

/// A file that has a conversation, or will.
pub struct KeptConversation {
    file: PathBuf,
    /// What it had when it was opened.
    pub conversation: Option<Conversation>,
    /// Messages that are in it.
    written: usize,
}

impl KeptConversation {
    /// Reads what the file has; it may be new.
    ///
    /// # Errors
    /// When it cannot be read, or has something else.
    pub fn open(file: &Path) -> Result<Self, Error> {
        let mut kept = KeptConversation { file: file.to_owned(), conversation: None, written: 0 };
        if file.metadata().is_ok_and(|m| m.len() > 0) {
            let text = ptc_agent::files::read_text(file)?;
            let wrong = |words: String| {
                let words = error_text!("{words}"; "name another file: this one is not written over");
                Error::new(ErrorKind::Usage, words).at(&file.display().to_string())
            };
            let value = serde_json::from_str(&text).map_err(|e| wrong(format!("no JSON: {e}")))?;
            let conversation = Conversation::from_json(&value).map_err(|e| wrong(e.to_string()))?;
            kept.written = conversation.len();
            kept.conversation = Some(conversation);
        }
        Ok(kept)
    }

    /// The system messages of one conversation, and the other messages of another.
    pub fn behind(system: &Conversation, said: &Conversation) -> Conversation {
        let has = |c: &Conversation| c.messages().any(|m| m.role == Role::System);
        if !has(system) {
            return said.clone();
        }
        let first = system.messages().filter(|m| m.role == Role::System);
        let rest = said.messages().filter(|m| m.role != Role::System);
        Conversation::recorded(first.chain(rest).map(|m| (**m).clone()))
    }

    /// Writes a conversation into the file, all or nothing, if it has messages that the file has not.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn keep(&mut self, conversation: &Conversation) -> Result<(), Error> {
        if conversation.len() == self.written {
            return Ok(());
        }
        let mut new = self.file.clone().into_os_string();
        new.push(".new");
        let new = PathBuf::from(new);
        let written = std::fs::write(&new, format!("{}\n", conversation.to_json()))
            .and_then(|()| std::fs::rename(&new, &self.file));
        written.map_err(|e| Error::io(&self.file, "write", &e))?;
        self.written = conversation.len();
        Ok(())
    }
}
