//! `ptc repl --nrepl`: the sessions of editors, over nREPL on the loopback interface.

mod answer;
mod bencode;
mod client;
mod ops;
mod server;
mod worker;

use super::session::ReplSession;
use crate::terminal::interrupt;
use crate::terminal::io::{CliError, Io};
use bencode::read_message;
use client::Client;
use ptc_agent::{Cancel, Error, ErrorKind, error_text};
use server::Server;
use std::hash::{BuildHasher as _, RandomState};
use std::io::{BufReader, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Connections at the same time.
const CONNECTIONS: usize = 16;
/// The file that tells editors the port.
const PORT_FILE: &str = ".nrepl-port";
/// How often the end is looked for.
const POLL: Duration = Duration::from_millis(50);
/// How long a client may take to read an answer.
const PATIENCE: Duration = Duration::from_secs(20);

/// Serves a connection until its end.
fn converse(server: &Arc<Server>, stream: TcpStream) {
    let _ = stream.set_write_timeout(Some(PATIENCE));
    let _ = stream.set_nodelay(true);
    let Ok(writer) = stream.try_clone() else { return };
    let client = Arc::new(Client::new(writer));
    let mut from = BufReader::new(stream);
    // What is no message ends the connection: nobody knows where the next one begins.
    while let Ok(Some(message)) = read_message(&mut from) {
        ops::answer(server, &client, &message);
    }
    client.close();
}

/// Takes connections until `cancel` is raised.
///
/// # Errors
/// When the listener cannot be used.
fn listen(server: &Arc<Server>, listener: &TcpListener, cancel: &Cancel) -> std::io::Result<()> {
    listener.set_nonblocking(true)?;
    let connections = Arc::new(());
    while !cancel.cancelled() {
        let stream = match listener.accept() {
            Ok((stream, _)) => stream,
            // No connection yet, or one that was gone before it was taken.
            Err(_) => {
                std::thread::sleep(POLL);
                continue;
            }
        };
        // Each connection holds one more.
        if stream.set_nonblocking(false).is_err() || Arc::strong_count(&connections) > CONNECTIONS {
            continue;
        }
        let (server, here) = (server.clone(), connections.clone());
        let thread = std::thread::Builder::new().name("ptc-nrepl".into());
        // Where there can be no more threads, the connection ends here.
        let _ = thread.spawn(move || {
            converse(&server, stream);
            drop(here);
        });
    }
    server.close_all();
    Ok(())
}

/// Puts a new file with the port in the place of the name: nothing is written to what stands there, be it a link, a pipe
/// or the file of another server.
fn write_port(file: &Path, port: u16) -> std::io::Result<()> {
    let mut new = file.as_os_str().to_owned();
    new.push(format!(".{:016x}", RandomState::new().hash_one(port)));
    let new = Path::new(&new);
    // It fails where the name is taken.
    let written = std::fs::File::create_new(new).and_then(|mut to| {
        to.write_all(port.to_string().as_bytes())?;
        std::fs::rename(new, file)
    });
    written.inspect_err(|e| {
        if e.kind() != std::io::ErrorKind::AlreadyExists {
            let _ = std::fs::remove_file(new);
        }
    })
}

/// Whether the file still names this port. What is no file is not read: a pipe would wait.
fn names_port(file: &Path, port: u16) -> bool {
    let text = port.to_string();
    let same = |there: std::fs::Metadata| there.is_file() && there.len() == text.len() as u64;
    file.symlink_metadata().is_ok_and(same) && std::fs::read_to_string(file).is_ok_and(|found| found == text)
}

/// Serves until Ctrl-C.
///
/// # Errors
/// When the port cannot be had, or its file not be written.
pub fn serve(session: ReplSession, port: u16, io: &mut Io<'_>) -> Result<i32, CliError> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|e| {
        let words =
            error_text!("port {port} of 127.0.0.1 cannot be had: {e}"; "name another one, or none for a free one");
        Error::new(ErrorKind::Usage, words).at("--nrepl")
    })?;
    let port = listener.local_addr().map_err(|e| Error::io(Path::new("127.0.0.1"), "listen on", &e))?.port();
    let cancel = Cancel::default();
    let _guard = interrupt::watch(&cancel);
    let file = Path::new(PORT_FILE);
    write_port(file, port).map_err(|e| Error::io(file, "write", &e))?;
    // Editors read the port from this line.
    writeln!(io.out, "nREPL server started on port {port} on host 127.0.0.1 - nrepl://127.0.0.1:{port}")?;
    io.out.flush()?;
    io.info("Whoever has an account on this machine can connect. Ctrl-C ends.");
    let served = listen(&Arc::new(Server::new(session)), &listener, &cancel);
    // Another server may have written its own meanwhile.
    if names_port(file, port) {
        let _ = std::fs::remove_file(file);
    }
    served?;
    Ok(interrupt::code())
}

#[cfg(test)]
mod tests;
