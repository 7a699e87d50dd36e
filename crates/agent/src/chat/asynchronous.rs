//! Calls of a chat that are awaited: each works on a thread of its own, and ends when nobody awaits it any more.

use super::{Answer, Chat, Parameters};
use crate::cancel::Cancel;
use crate::error::Error;
use crate::run_async::{Lost, on_thread};
use ptc_history::{Message, View};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::pin::pin;
use tokio::sync::mpsc;

impl Chat {
    /// [`Chat::chat`] to be awaited, in any runtime: the model and tools work on a thread of their own, which is started
    /// when the future is first polled. The future is `Send` and blocks nothing.
    ///
    /// Dropping it ends the call: the request to the model is dropped, calls of tools are given up, and the conversation
    /// is as it was before, whatever tools did already. The chat goes on with the next call, which waits for what cannot
    /// be given up. The chat's own [`Cancel`] is not raised; raising it ends a call that is awaited on with
    /// [`ErrorKind::Cancelled`](crate::ErrorKind::Cancelled).
    ///
    /// ```
    /// use ptc_agent::ReplayModel;
    /// use ptc_agent::chat::{Chat, Parameters};
    /// use ptc_history::Message;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), ptc_agent::Error> {
    /// let mut chat = Chat::new(ReplayModel::parse("replies", "## Turn 1\nParis.")?);
    /// let answer = chat.chat_async(vec![Message::user("The capital of France?")], &Parameters::default()).await?;
    /// assert_eq!((answer.text.as_str(), chat.conversation().len()), ("Paris.", 2));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Chat::chat`]; and when no thread can be had for it, or the model panicked.
    pub async fn chat_async(&mut self, messages: Vec<Message>, parameters: &Parameters) -> Result<Answer, Error> {
        let parameters = parameters.clone();
        self.call(&mut |(): ()| {}, move |chat, _| chat.chat(messages, &parameters)).await
    }

    /// [`Chat::invoke`] to be awaited, as [`Chat::chat_async`].
    ///
    /// # Errors
    /// As [`Chat::chat_async`].
    pub async fn invoke_async(&mut self, input: &str, parameters: &Parameters) -> Result<String, Error> {
        self.chat_async(vec![Message::user(input)], parameters).await.map(|a| a.text)
    }

    /// [`Chat::stream`] to be awaited, as [`Chat::chat_async`]; `said` is called by who polls the future.
    ///
    /// # Errors
    /// As [`Chat::chat_async`].
    pub async fn stream_async(
        &mut self,
        input: &str,
        parameters: &Parameters,
        said: &mut (dyn FnMut(&str) + Send),
    ) -> Result<Answer, Error> {
        let (input, parameters) = (input.to_owned(), parameters.clone());
        let mut told = |piece: String| said(&piece);
        self.call(&mut told, move |chat, tell| chat.stream(&input, &parameters, &mut |p| tell(p.to_owned()))).await
    }

    /// [`Chat::generate_object`] to be awaited, as [`Chat::chat_async`].
    ///
    /// # Errors
    /// As [`Chat::generate_object`] and [`Chat::chat_async`].
    pub async fn generate_object_async<T>(&mut self, input: &str, parameters: &Parameters) -> Result<T, Error>
    where
        T: DeserializeOwned + JsonSchema + Send + 'static,
    {
        let (input, parameters) = (input.to_owned(), parameters.clone());
        self.call(&mut |(): ()| {}, move |chat, _| chat.generate_object(&input, &parameters)).await
    }

    /// [`Chat::stream_object`] to be awaited, as [`Chat::chat_async`]; `seen` is called by who polls the future.
    ///
    /// # Errors
    /// As [`Chat::generate_object_async`].
    pub async fn stream_object_async<T>(
        &mut self,
        input: &str,
        parameters: &Parameters,
        seen: &mut (dyn FnMut(&Value) + Send),
    ) -> Result<T, Error>
    where
        T: DeserializeOwned + JsonSchema + Send + 'static,
    {
        let (input, parameters) = (input.to_owned(), parameters.clone());
        let mut told = |value: Value| seen(&value);
        self.call(&mut told, move |chat, tell| chat.stream_object(&input, &parameters, &mut |v| tell(v.clone()))).await
    }

    /// [`Chat::preview`] to be awaited: a model may be asked for summaries.
    ///
    /// # Errors
    /// As [`Chat::preview`], but in any runtime; and when no thread can be had for it, or a strategy panicked.
    pub async fn preview_async(&self, input: &str, parameters: &Parameters) -> Result<View, Error> {
        let (input, parameters) = (input.to_owned(), parameters.clone());
        let (chat, cancel) = self.for_call();
        on_thread("ptc-chat", cancel, LOST, move || chat.preview(&input, &parameters)).await?
    }

    /// Makes a call on a thread of its own; what it tells meanwhile is handed on here.
    async fn call<Piece: Send + 'static, T: Send + 'static>(
        &mut self,
        told: &mut (dyn FnMut(Piece) + Send),
        call: impl FnOnce(&mut Chat, &mut dyn FnMut(Piece)) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let (mut chat, cancel) = self.for_call();
        let (sender, mut pieces) = mpsc::unbounded_channel();
        let mut run = pin!(on_thread("ptc-chat", cancel, LOST, move || {
            // Nobody takes pieces of a call that was dropped.
            let answer = call(&mut chat, &mut |piece| drop(sender.send(piece)));
            (answer, chat.conversation)
        }));
        let ran = loop {
            tokio::select! {
                biased;
                Some(piece) = pieces.recv() => told(piece),
                ran = &mut run => break ran,
            }
        };
        while let Ok(piece) = pieces.try_recv() {
            told(piece);
        }
        let (answer, conversation) = ran?;
        self.conversation = conversation;
        answer
    }

    /// The same chat for another thread, with a flag of its own that ends it: model, tools and summaries are shared.
    fn for_call(&self) -> (Chat, Cancel) {
        let own = self.cancel.clone();
        let cancel = Cancel::within(move || own.cancelled());
        let chat = Chat {
            model: self.model.clone(),
            conversation: self.conversation.clone(),
            tools: self.tools.clone(),
            declared: self.declared.clone(),
            wire: self.wire.clone(),
            parameters: self.parameters.clone(),
            limits: self.limits.clone(),
            profile: self.profile.clone(),
            summarizer: self.summarizer.clone(),
            memo: self.memo.clone(),
            strategy: self.strategy.clone(),
            cancel: cancel.clone(),
        };
        (chat, cancel)
    }
}

/// What is said of a call that ended without an answer or an error.
const LOST: Lost = Lost { what: "call", hint: "the conversation is as it was before; make the call again" };
