//! Sessions over HTTP: requests and answers as JSON, what happens as server-sent events, tasks as models of a chat.

mod answers;
mod app;
mod chat;
mod events;
mod extract;
mod guard;
mod metrics;
mod openapi;
mod options;
mod page_maker;
mod pages;
mod problem;
mod router;
mod routes;
mod serve;
mod spool;

pub use openapi::document as openapi;
pub use options::HttpOptions;
pub use page_maker::PageMaker;
pub use serve::{HttpServer, HttpServing};
