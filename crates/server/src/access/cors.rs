//! What browsers ask before a page of another site may use the server, and what they are told.

use super::{Access, one};
use hyper::Method;
use hyper::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD, HeaderMap, HeaderValue,
    ORIGIN, VARY,
};

const METHODS: HeaderValue = HeaderValue::from_static("GET, POST, DELETE");
/// Headers that a page may send.
const SENT: HeaderValue =
    HeaderValue::from_static("authorization, content-type, last-event-id, mcp-protocol-version, mcp-session-id");
/// Headers of answers that a page may read.
const READ: HeaderValue =
    HeaderValue::from_static("location, mcp-session-id, retry-after, www-authenticate, x-ptc-session");
/// Seconds for which a browser need not ask again.
const AGE: HeaderValue = HeaderValue::from_static("600");

impl Access {
    /// Headers for the answer to a page that may use the server though it is of another site; none for others.
    pub(crate) fn for_page(&self, headers: &HeaderMap) -> HeaderMap {
        let mut all = HeaderMap::new();
        if !self.origins.is_empty() {
            all.append(VARY, HeaderValue::from_static("Origin"));
        }
        let origin = one(headers, &ORIGIN).filter(|o| self.is_other_page(o));
        if let Some(origin) = origin.and_then(|o| HeaderValue::from_str(o).ok()) {
            all.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
            all.insert(ACCESS_CONTROL_EXPOSE_HEADERS, READ);
        }
        all
    }

    /// What a browser is told that asks whether such a page may send a request. It has no token yet: the request will.
    pub(crate) fn preflight(&self, method: &Method, headers: &HeaderMap, authority: Option<&str>) -> Option<HeaderMap> {
        if method != Method::OPTIONS || !headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD) {
            return None;
        }
        self.asks_us(headers, authority).ok()?;
        let mut all = self.for_page(headers);
        all.contains_key(ACCESS_CONTROL_ALLOW_ORIGIN).then_some(())?;
        all.remove(ACCESS_CONTROL_EXPOSE_HEADERS);
        all.insert(ACCESS_CONTROL_ALLOW_METHODS, METHODS);
        all.insert(ACCESS_CONTROL_ALLOW_HEADERS, SENT);
        all.insert(ACCESS_CONTROL_MAX_AGE, AGE);
        Some(all)
    }
}
