//! The page of a session while it runs: the page of the file without what is known only when the run has ended, served on
//! this machine only.
//!
//! The page asks once a second whether anything is new, and takes over what is. Addresses begin with a random word, and
//! requests that name another host are refused: what a browser has open elsewhere cannot read it.

use super::about::About;
use super::page::page;
use super::related::Related;
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{CACHE_CONTROL, CONTENT_TYPE, HOST, HeaderValue, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use ptc_agent::{Error, ErrorKind};
use ptc_turns::Trace;
use std::fmt::Write as _;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, oneshot};

/// Connections that are served at the same time.
const CONNECTIONS: usize = 16;
/// Within which time a page that is open asks again.
const LOOKS: Duration = Duration::from_secs(3);
/// Within which time a connection has to say what it asks for; browsers open some that ask for nothing.
const HEADERS: Duration = Duration::from_secs(3);
/// How long a connection may last, the page being read included.
const WHOLE: Duration = Duration::from_secs(30);
/// What is waited for after a connection could not be taken.
const PAUSE: Duration = Duration::from_millis(100);

/// A page that is served as long as this is there.
pub struct LivePage {
    served: Arc<Served>,
    address: String,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

/// What the server and the run share.
struct Served {
    now: Mutex<Now>,
    taken: Condvar,
}

/// What is to be seen now.
struct Now {
    trace: Trace,
    /// Grows with each change of the page.
    version: u64,
    /// What is waited for.
    doing: String,
    /// The last page, once the run has ended.
    last: Option<Bytes>,
    /// The page that was made last, and of which version it is.
    made: Option<(u64, Bytes)>,
    /// When a page last asked for news.
    asked: Option<Instant>,
    /// Whether the last page was sent, to its end.
    taken: bool,
}

impl LivePage {
    /// Begins to serve the page of this session.
    ///
    /// # Errors
    /// When no port of this machine can be had.
    pub fn start(trace: &Trace) -> Result<Self, Error> {
        let failed = |what: &str, e: &dyn std::fmt::Display| {
            Error::new(
                ErrorKind::Runtime,
                format!("{what}: {e}; leave --open out, --report writes the page when the run ends"),
            )
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|e| failed("no page can be served", &e))?;
        let listen = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)));
        let listener = runtime.block_on(listen).map_err(|e| failed("no port of this machine can be had", &e))?;
        let host = listener.local_addr().map_err(|e| failed("no port of this machine can be had", &e))?.to_string();
        let mut random = [0_u8; 16];
        getrandom::fill(&mut random).map_err(|e| failed("no random address can be made", &e))?;
        let mut word = String::new();
        for byte in random {
            let _ = write!(word, "{byte:02x}");
        }
        let now = Now {
            trace: trace.clone(),
            version: 0,
            doing: "The run begins".to_owned(),
            last: None,
            made: None,
            asked: None,
            taken: false,
        };
        let served = Arc::new(Served { now: Mutex::new(now), taken: Condvar::new() });
        let address = format!("http://{host}/{word}/");
        let (stop, stopped) = oneshot::channel();
        let (shared, place) = (served.clone(), Arc::new(Place { host, word }));
        let thread = std::thread::Builder::new()
            .name("ptc-page".to_owned())
            .spawn(move || {
                runtime.block_on(async {
                    tokio::select! {
                        () = serve(listener, shared, place) => {}
                        _ = stopped => {}
                    }
                });
            })
            .map_err(|e| failed("no page can be served", &e))?;
        Ok(LivePage { served, address, stop: Some(stop), thread: Some(thread) })
    }

    /// Where the page is.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Shows what has happened by now, and what is waited for.
    pub fn show(&self, trace: &Trace, doing: String) {
        let mut now = self.served.now();
        now.trace = trace.clone();
        now.version = now.version.saturating_add(1);
        now.doing = doing;
    }

    /// Says what is waited for.
    pub fn say(&self, doing: String) {
        self.served.now().doing = doing;
    }

    /// Shows how the run ended. Whoever has the page open is given the time to take it, three seconds at most.
    pub fn end(&self, trace: &Trace, about: &About<'_>, kept: &str) {
        // The run is the only one that makes versions.
        let version = self.served.now().version.saturating_add(1);
        let Ok(text) = page(trace, &About { live: Some(version), ..*about }, &Related::default()) else { return };
        let mut now = self.served.now();
        now.version = version;
        now.doing = format!("The run has ended; this page is kept in {kept}");
        now.last = Some(text.into());
        if now.asked.is_some_and(|at| at.elapsed() < LOOKS) {
            let wait = self.served.taken.wait_timeout_while(now, LOOKS, |now| !now.taken);
            drop(wait);
        }
    }
}

impl Drop for LivePage {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Served {
    fn now(&self) -> MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The page as it is now, and whether it is the last; made once for each version.
    fn page(&self) -> Option<(Bytes, bool)> {
        let (trace, version) = {
            let now = self.now();
            if let Some(last) = &now.last {
                return Some((last.clone(), true));
            }
            match &now.made {
                Some((version, made)) if *version == now.version => return Some((made.clone(), false)),
                _ => (now.trace.clone(), now.version),
            }
        };
        let about = About { live: Some(version), ..About::default() };
        let made: Bytes = page(&trace, &about, &Related::default()).ok()?.into();
        self.now().made = Some((version, made.clone()));
        Some((made, false))
    }

    /// The last page was sent.
    fn sent(&self) {
        self.now().taken = true;
        self.taken.notify_all();
    }

    /// What a page that is open asks for.
    fn state(&self) -> Bytes {
        let mut now = self.now();
        now.asked = Some(Instant::now());
        serde_json::json!({ "version": now.version, "doing": now.doing, "ended": now.last.is_some() })
            .to_string()
            .into()
    }
}

/// Which requests are answered.
struct Place {
    host: String,
    word: String,
}

async fn serve(listener: TcpListener, served: Arc<Served>, place: Arc<Place>) {
    let free = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let Ok(permit) = free.clone().acquire_owned().await else { return };
        let Ok((stream, _)) = listener.accept().await else {
            // Such as no descriptor being free: that does not end by asking at once.
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        let (served, place) = (served.clone(), place.clone());
        tokio::spawn(async move {
            let last = AtomicBool::new(false);
            let answer = service_fn(|request: Request<Incoming>| {
                let response = answer(&served, &place, &request, &last);
                async move { Ok::<_, std::convert::Infallible>(response) }
            });
            // Each answer ends its connection, and so does saying or reading nothing: a connection takes a place.
            let mut http = hyper::server::conn::http1::Builder::new();
            http.timer(TokioTimer::new()).header_read_timeout(HEADERS).keep_alive(false);
            let whole = tokio::time::timeout(WHOLE, http.serve_connection(TokioIo::new(stream), answer)).await;
            if matches!(whole, Ok(Ok(()))) && last.load(Ordering::Relaxed) {
                served.sent();
            }
            drop(permit);
        });
    }
}

/// The answer to a request; `last` is set where it is the last page.
fn answer(served: &Served, place: &Place, request: &Request<Incoming>, last: &AtomicBool) -> Response<Full<Bytes>> {
    let host = request.headers().get(HOST).and_then(|h| h.to_str().ok());
    let wanted = request.uri().path().strip_prefix('/').and_then(|p| p.split_once('/'));
    let (status, kind, body) = match wanted {
        _ if host != Some(place.host.as_str()) => (StatusCode::FORBIDDEN, "text/plain", Bytes::from("another host\n")),
        Some((word, name)) if word == place.word && request.method() == Method::GET => match name {
            "" => match served.page() {
                Some((page, is_last)) => {
                    last.store(is_last, Ordering::Relaxed);
                    (StatusCode::OK, "text/html; charset=utf-8", page)
                }
                None => (StatusCode::INTERNAL_SERVER_ERROR, "text/plain", Bytes::from("the page cannot be made\n")),
            },
            "state" => (StatusCode::OK, "application/json", served.state()),
            _ => (StatusCode::NOT_FOUND, "text/plain", Bytes::from("there is no such page\n")),
        },
        _ => (StatusCode::NOT_FOUND, "text/plain", Bytes::from("there is no such page\n")),
    };
    let mut response = Response::new(Full::new(body));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    headers.insert("x-frame-options", HeaderValue::from_static("DENY"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptc_turns::{Config, Session, TurnContext};
    use std::io::{Read as _, Write as _};
    use std::net::TcpStream;

    fn get(page: &LivePage, path: &str, host: &str) -> String {
        let port = page.address().split(':').nth(2).unwrap().split('/').next().unwrap().to_owned();
        let mut stream = TcpStream::connect(("127.0.0.1", port.parse::<u16>().unwrap())).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let host = host.replace("PORT", &port);
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
        let mut out = String::new();
        stream.read_to_string(&mut out).unwrap();
        out
    }

    #[test]
    fn only_who_knows_the_address_reads_the_page() {
        let mut session = Session::new(Config { prompt: "the question".into(), ..Config::default() });
        let page = LivePage::start(session.trace()).unwrap();
        assert!(page.address().starts_with("http://127.0.0.1:"));
        let word = page.address().rsplit('/').nth(1).unwrap().to_owned();
        assert!(word.len() == 32 && word.chars().all(|c| c.is_ascii_hexdigit()), "{word}");
        let ours = "127.0.0.1:PORT";
        for (path, host, status) in [
            (format!("/{word}/"), ours, "200 OK"),
            (format!("/{word}/state"), ours, "200 OK"),
            ("/".to_owned(), ours, "404"),
            (format!("/{word}"), ours, "404"),
            (format!("/{word}/../x"), ours, "404"),
            (format!("/{}/", "0".repeat(32)), ours, "404"),
            (format!("/{word}/"), "evil.example:PORT", "403"),
            (format!("/{word}/"), "127.0.0.1", "403"),
        ] {
            let got = get(&page, &path, host);
            assert!(got.starts_with(&format!("HTTP/1.1 {status}")), "{path} {host}: {got}");
            assert!(status == "200 OK" || !got.contains("the question"), "{got}");
        }
        let text = get(&page, &format!("/{word}/"), ours);
        assert!(
            text.contains("the question") && text.contains("data-live=\"0\"") && text.contains("connect-src"),
            "{text}"
        );
        session.reply("```clojure\n(return \"the answer\")\n```", TurnContext::without_host()).unwrap();
        page.show(session.trace(), "waiting".into());
        let state = get(&page, &format!("/{word}/state"), ours);
        assert!(state.ends_with("{\"version\":1,\"doing\":\"waiting\",\"ended\":false}"), "{state}");
        assert!(get(&page, &format!("/{word}/"), ours).contains("the answer"));
        // Whoever looks on is waited for: the last page is taken before this returns.
        let end = std::thread::scope(|s| {
            let ended = s.spawn(|| page.end(session.trace(), &About::default(), "t.html"));
            let state = loop {
                let state = get(&page, &format!("/{word}/state"), ours);
                if state.contains("\"ended\":true") {
                    break state;
                }
            };
            assert!(get(&page, &format!("/{word}/"), ours).contains("data-live=\"2\""));
            ended.join().unwrap();
            state
        });
        assert!(end.contains("this page is kept in t.html"), "{end}");
        let address = page.address().to_owned();
        drop(page);
        let port: u16 = address.split(':').nth(2).unwrap().split('/').next().unwrap().parse().unwrap();
        assert!(TcpStream::connect(("127.0.0.1", port)).is_err(), "nothing listens when it is gone");
    }

    #[test]
    fn the_last_page_is_taken_when_it_was_sent_and_not_when_it_is_asked_for() {
        let session = Session::new(Config { prompt: "the question".into(), ..Config::default() });
        let page = LivePage::start(session.trace()).unwrap();
        let word = page.address().rsplit('/').nth(1).unwrap().to_owned();
        page.end(session.trace(), &About::default(), "t.html");
        assert!(page.served.page().unwrap().1 && !page.served.now().taken);
        assert!(get(&page, &format!("/{word}/"), "127.0.0.1:PORT").contains("the question"));
        let now = page.served.now();
        let (now, _) = page.served.taken.wait_timeout_while(now, Duration::from_secs(60), |now| !now.taken).unwrap();
        assert!(now.taken);
    }

    #[test]
    fn connections_that_say_nothing_do_not_keep_others_out() {
        let session = Session::new(Config { prompt: "the question".into(), ..Config::default() });
        let page = LivePage::start(session.trace()).unwrap();
        let word = page.address().rsplit('/').nth(1).unwrap().to_owned();
        let port: u16 = page.address().split(':').nth(2).unwrap().split('/').next().unwrap().parse().unwrap();
        let idle: Vec<TcpStream> = (0..CONNECTIONS).map(|_| TcpStream::connect(("127.0.0.1", port)).unwrap()).collect();
        (&idle[0]).write_all(b"GET / HTTP/1.1\r\nHo").unwrap();
        assert!(get(&page, &format!("/{word}/"), "127.0.0.1:PORT").contains("the question"));
        drop(idle);
    }
}
