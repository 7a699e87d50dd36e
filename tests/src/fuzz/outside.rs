//! What targets need that read files or listen to servers: a folder, a server on this machine, and what an error may be.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The folder of a target in this process; in memory where the system has such files.
pub fn folder(target: &str) -> PathBuf {
    let memory = Path::new("/dev/shm");
    let temporary = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
    let path = temporary.join(format!("ptc-fuzz-{}-{target}", std::process::id()));
    std::fs::create_dir_all(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    path
}

/// Writes a file of such a folder.
pub fn write(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, bytes).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    path
}

/// An error is words of bounded length that do nothing to a terminal, and no fault of ours.
pub fn words(text: &str) {
    assert!(!text.trim().is_empty(), "an error without a word");
    assert!(text.len() <= 64 << 10, "an error of {} bytes", text.len());
    let odd = text.chars().find(|c| c.is_control() && !matches!(c, '\n' | '\t'));
    assert!(odd.is_none(), "an error with {odd:?}: {text:?}");
    assert!(!text.contains("a fault of ours"), "{text}");
}

/// The error of a call in a program holds what was answered, which is data until it is shown: it is bounded, and no fault.
pub fn told(text: &str) {
    assert!(text.len() <= 64 << 10, "an error of {} bytes", text.len());
    assert!(!text.contains("a fault of ours"), "{text}");
}

/// Runs a command in this process; what it says on standard error is words.
pub fn ptc(args: &[&str], stdin: &str) -> i32 {
    let did = crate::cli::ptc_with(args, stdin);
    let mut said = did.err;
    for style in ["\u{1b}[0m", "\u{1b}[1m", "\u{1b}[2m", "\u{1b}[31m", "\u{1b}[32m", "\u{1b}[33m"] {
        said = said.replace(style, "");
    }
    if !said.trim().is_empty() {
        words(&said);
    }
    did.code
}

/// A request of HTTP: its first line and its body.
pub struct Asked {
    pub line: String,
    pub body: String,
}

/// Status, content type and body.
pub type Answer = (u16, &'static str, Vec<u8>);

/// How a request is answered.
pub type Respond = Box<dyn FnMut(&Asked) -> Answer + Send>;

/// A server on this machine whose answers can be changed, connections kept.
pub struct Server {
    pub url: String,
    respond: Arc<Mutex<Respond>>,
}

impl Server {
    /// The server of a target; it lasts as long as the process.
    pub fn of(once: &'static OnceLock<Server>) -> &'static Server {
        once.get_or_init(|| {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap_or_else(|e| panic!("no port: {e}"));
            let url = listener.local_addr().map(|a| format!("http://{a}")).unwrap_or_default();
            let respond: Arc<Mutex<Respond>> = Arc::new(Mutex::new(Box::new(|_| (404, "text/plain", Vec::new()))));
            let shared = respond.clone();
            std::thread::spawn(move || {
                for stream in listener.incoming().filter_map(Result::ok) {
                    let respond = shared.clone();
                    std::thread::spawn(move || serve(stream, &respond));
                }
            });
            Server { url, respond }
        })
    }

    /// Answers like this from now on.
    pub fn answer(&self, respond: impl FnMut(&Asked) -> Answer + Send + 'static) {
        *self.respond.lock().unwrap_or_else(PoisonError::into_inner) = Box::new(respond);
    }
}

fn serve(mut stream: TcpStream, respond: &Mutex<Respond>) {
    let _ = stream.set_nodelay(true);
    let (mut bytes, mut buffer) = (Vec::new(), [0; 8192]);
    loop {
        let head = bytes.windows(4).position(|w| w == b"\r\n\r\n");
        if let Some(end) = head {
            let text = String::from_utf8_lossy(&bytes[..end]).into_owned();
            let length = text.lines().find_map(|l| l.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
            let all = end + 4 + length.unwrap_or(0_usize);
            if bytes.len() >= all {
                let body = String::from_utf8_lossy(&bytes[end + 4..all]).into_owned();
                bytes.drain(..all);
                let asked = Asked { line: text.lines().next().unwrap_or_default().to_owned(), body };
                let (status, kind, body) = (respond.lock().unwrap_or_else(PoisonError::into_inner))(&asked);
                let head =
                    format!("HTTP/1.1 {status} X\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n\r\n", body.len());
                if stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body)).is_err() {
                    return;
                }
                continue;
            }
        }
        match stream.read(&mut buffer) {
            Ok(n) if n > 0 => bytes.extend_from_slice(&buffer[..n]),
            _ => return,
        }
    }
}
