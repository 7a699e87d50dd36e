//! `ptc serve`: sessions over HTTP.

use crate::args::ServeArgs;
use crate::commands::served;
use crate::commands::served_telemetry::ServedTelemetry;
use crate::report;
use crate::terminal::interrupt;
use crate::terminal::io::{CliError, Io};
use ptc_agent::{Cancel, Error, ErrorKind};
use ptc_server::http::{HttpOptions, HttpServer, HttpServing};
use ptc_server::{ServerOptions, Sessions};
use std::sync::Arc;
use std::time::Duration;

/// Runs the command.
pub fn serve(a: &ServeArgs, io: &mut Io<'_>) -> Result<i32, CliError> {
    let (mut http, mut options) = (HttpOptions::default(), ServerOptions::default());
    let given = served::settings(&a.set, a.limits.as_deref(), |name, text| {
        if HttpOptions::names().contains(&name) { http.set(text) } else { options.set(text) }
    })?;
    let access = served::access(a.token_file.as_deref(), &a.hosts, io)?.with_origins(&a.origins);
    let mut telemetry = ServedTelemetry::of(a.otel, io)?;
    let mut serving = served::serving(&a.tasks, options, &given, io)?;
    serving.observers = telemetry.observers();
    let runtime = served::runtime()?;
    let cancel = Cancel::default();
    let guard = interrupt::watch(&cancel);
    let served = runtime.block_on(async {
        let sessions = Sessions::start(serving).map_err(|r| Error::new(ErrorKind::Usage, r.to_string()))?;
        let mut all = HttpServing::new(sessions);
        let need = served::need(&access);
        (all.options, all.access, all.approvals) = (http, access, !a.no_approvals);
        all.page = Some(Arc::new(report::live_page));
        let server = HttpServer::bind(a.listen, all).await?;
        if !a.quiet {
            io.info(&format!("serving http://{}{need}, until Ctrl-C", server.address()));
        }
        telemetry.during(io, server.serve(served::signalled(cancel.clone()))).await;
        Ok::<(), Error>(())
    });
    drop(guard);
    // What a client began and nobody waits for any more keeps nobody from ending.
    runtime.shutdown_timeout(Duration::from_secs(1));
    telemetry.finish(io);
    served?;
    if !a.quiet {
        io.info("stopped; sessions are kept");
    }
    Ok(interrupt::code())
}
