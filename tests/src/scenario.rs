//! Scenarios of turns in Markdown: what a model answers turn by turn, and the policies under which that is looked at.
//!
//! Front lines `key = value` give the task and what all policies share; `## Policy NAME` starts one that says more;
//! each `## Turn N` is a reply, taken as it is.

use ptc_agent::{ReplayModel, Tool, Toolbox, arg};
use ptc_lisp::memory::Memory;
use ptc_lisp::types::Type;
use ptc_lisp::value::Value;
use ptc_turns::{Config, Input, Json, Policy, Session, TurnContext};
use serde_json::Map;
use std::path::Path;

/// A scenario, read.
pub struct Scenario {
    /// The name of its file.
    pub name: String,
    /// Its first line.
    pub title: String,
    /// The task: the first user message.
    pub prompt: String,
    /// Most turns.
    pub max_turns: u64,
    /// Policies by name; one without a name when the file has no `## Policy`.
    pub policies: Vec<(String, Policy)>,
    /// What the model answers.
    pub replies: Vec<String>,
}

type Keys = Map<String, serde_json::Value>;

impl Scenario {
    /// Reads a file.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn load(path: &Path) -> Result<Self, String> {
        let name = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        let text = std::fs::read_to_string(path).map_err(|e| format!("{name}: {e}"))?;
        Self::parse(&name, &text).map_err(|e| format!("{name}: {e}"))
    }

    /// Reads a text.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn parse(name: &str, text: &str) -> Result<Self, String> {
        let (mut shared, mut policies): (Keys, Vec<(String, Keys)>) = (Keys::new(), Vec::new());
        let mut lines = text.lines();
        let title = lines.next().and_then(|l| l.strip_prefix("# ")).ok_or("the first line must be a title")?;
        for line in lines.take_while(|l| !l.starts_with("## Turn ")) {
            if let Some(name) = line.strip_prefix("## Policy ") {
                policies.push((name.to_owned(), Keys::new()));
            } else if let Some((key, value)) = line.split_once(" = ") {
                let value = serde_json::from_str(value).map_err(|e| format!("{line}: {e}"))?;
                policies.last_mut().map_or(&mut shared, |p| &mut p.1).insert(key.to_owned(), value);
            }
        }
        let prompt = shared.remove("prompt").and_then(|v| v.as_str().map(str::to_owned)).ok_or("no prompt")?;
        let max_turns = shared.remove("max_turns").and_then(|v| v.as_u64()).unwrap_or(8);
        if policies.is_empty() {
            policies.push((String::new(), Keys::new()));
        }
        let policy = |(name, own): (String, Keys)| {
            let keys: Keys = shared.clone().into_iter().chain(own).collect();
            serde_json::from_value(keys.into()).map(|p| (name, p)).map_err(|e| e.to_string())
        };
        let policies = policies.into_iter().map(policy).collect::<Result<_, _>>()?;
        let replies = ReplayModel::parse(name, text).map_err(|e| e.to_string())?.replies().to_vec();
        Ok(Scenario { name: name.to_owned(), title: title.to_owned(), prompt, max_turns, policies, replies })
    }

    /// The session before its first turn.
    pub fn session(&self, policy: &Policy) -> Session {
        Session::new(Config {
            system: Some("You buy for a shop.".into()),
            prompt: self.prompt.clone(),
            max_turns: self.max_turns,
            policy: policy.clone(),
            tools: tools().specs(),
            inputs: vec![products()],
            ..Config::default()
        })
    }

    /// The session after its last turn.
    ///
    /// # Errors
    /// When it ends before its replies do.
    pub fn play(&self, policy: &Policy) -> Result<Session, String> {
        let mut session = self.session(policy);
        self.replies.iter().try_for_each(|reply| take(&mut session, reply)).map(|()| session)
    }

    /// The memory before each turn, and after the last.
    ///
    /// # Errors
    /// When the session ends before its replies do.
    pub fn memories(&self, policy: &Policy) -> Result<Vec<Memory>, String> {
        let mut session = self.session(policy);
        let mut memories = vec![session.memory().clone()];
        for reply in &self.replies {
            take(&mut session, reply)?;
            memories.push(session.memory().clone());
        }
        Ok(memories)
    }
}

/// One more turn, with the tools of this file and a clock that does not advance.
///
/// # Errors
/// When the session has ended.
pub fn take(session: &mut Session, reply: &str) -> Result<(), String> {
    session.reply(reply, TurnContext::with_tools(&mut tools())).map(|_| ()).map_err(|e| format!("{reply}: {e}"))
}

const PRODUCTS: &str = r#"[
  {"name": "Laptop", "price": 1200, "description": "14-inch, aluminium", "category": "Electronics"},
  {"name": "Desk", "price": 480, "description": "Standing desk, oak", "category": "Furniture"},
  {"name": "Mouse", "price": 25, "description": "Wireless, three buttons", "category": "Electronics"},
  {"name": "Monitor", "price": 400, "description": "27-inch, matt", "category": "Electronics"},
  {"name": "Keyboard", "price": 89, "description": "Mechanical, quiet", "category": "Electronics"}
]"#;

const REVIEWS: &str = "Customer Review Summary for Electronics:\n- Laptop: Average rating 4.5/5\n- Mouse: Average rating 3.2/5\n- Monitor: Average rating 4.7/5\n- Keyboard: Average rating 4.3/5\n";

const INVENTORY: &str = "Warehouse Inventory Report:\nLaptop - 23 units in stock\nMouse - OUT OF STOCK\nMonitor - OUT OF STOCK\nKeyboard - 61 units in stock\n";

/// Answers are read from JSON, as recorded ones are: then a replay holds the same bytes of memory too.
fn json(text: &str) -> Value {
    ptc_lisp::json::parse_text(text, &ptc_lisp::limits::Limits::default()).unwrap_or_default()
}

fn text(text: &str) -> Value {
    json(&serde_json::Value::from(text).to_string())
}

fn products() -> Input {
    Input {
        name: "products".into(),
        value: json(PRODUCTS),
        sha256: "0".into(),
        file: None,
        json: Json::new(PRODUCTS.into()),
        note: None,
    }
}

/// A shop: reviews by category, the inventory, and the price of a delivery, which fails for places it does not know.
fn tools() -> Toolbox {
    Toolbox::new()
        .with(
            Tool::new("search-reviews", |args| match arg(&args, "category").as_str() {
                Some("Electronics") => Ok(text(REVIEWS)),
                _ => Err("no reviews in this category".into()),
            })
            .param("category", Type::String),
        )
        .with(Tool::new("get-inventory", |_| Ok(text(INVENTORY))).no_params())
        .with(
            Tool::new("delivery", |args| match arg(&args, "place").as_str() {
                Some("Bern") => Ok(json("{\"days\": 2, \"cost\": 9}")),
                Some("Oslo") => Ok(json("{\"days\": 4, \"cost\": 17}")),
                _ => Err("nobody delivers there".into()),
            })
            .param("place", Type::String),
        )
}
