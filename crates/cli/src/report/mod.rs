//! A session as an HTML report: one self-contained file that needs no network, and in which nothing of the trace can run
//! (docs/report.md).

mod about;
mod chart;
mod csp;
mod definitions;
mod escape;
mod file;
pub mod highlight;
mod live;
mod page;
mod pages;
mod problems;
mod prompts;
mod related;
mod summary;
mod timeline;
mod turn;
mod value;

pub use about::About;
pub use csp::sha256;
pub use escape::{count, fill, html, number};
pub use file::{COMPARISON, SESSION, check, write};
pub use live::LivePage;
#[cfg(feature = "server")]
pub use page::live_page;
pub use pages::write_all;
pub use prompts::Maker;
