//! What is sent to a collector of OpenTelemetry.

use clap::Args;

#[derive(Args, Clone, Copy, Default)]
pub struct OtelArgs {
    /// Send spans and metrics to a collector of OpenTelemetry, where the OTEL_ variables say; they are sent without this too
    /// where OTEL_EXPORTER_OTLP_ENDPOINT is set
    #[cfg(feature = "otel")]
    #[arg(long)]
    pub otel: bool,
    /// Send prompts, replies, programs, values, and arguments and answers of tools with them
    #[cfg(feature = "otel")]
    #[arg(long)]
    pub otel_content: bool,
}

impl OtelArgs {
    /// The options as they are written.
    #[cfg(feature = "otel")]
    pub fn options(self) -> String {
        let all = [(self.otel, " --otel"), (self.otel_content, " --otel-content")];
        all.into_iter().filter(|(given, _)| *given).map(|(_, option)| option).collect()
    }

    /// There are none.
    #[cfg(not(feature = "otel"))]
    pub fn options(self) -> String {
        String::new()
    }
}
