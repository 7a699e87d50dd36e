//! Models of providers in a build without the feature `http`: there are none.

use super::{Environment, ModelName, RetryPolicy};
use crate::error::{Error, ErrorKind, ModelErrorKind};
use crate::model::{CountedAs, Model, Reply, Request};
use std::convert::Infallible;

/// A model of a provider; without the feature `http` there is none.
#[derive(Debug)]
pub struct ProviderModel(Infallible);

impl ProviderModel {
    /// Opens the model of this name, `PROVIDER/NAME`.
    ///
    /// # Errors
    /// Always: this build has no client of providers.
    pub fn open(name: &str, environment: &Environment) -> Result<Self, Error> {
        Self::new(name.parse()?, environment, RetryPolicy::default())
    }

    /// The model of this name, with this retry policy.
    ///
    /// # Errors
    /// As [`ProviderModel::open`].
    pub fn new(name: ModelName, _: &Environment, _: RetryPolicy) -> Result<Self, Error> {
        let kind = ErrorKind::Model { reason: ModelErrorKind::Setting, status: None, tries: 0 };
        Err(Error::without_feature(kind, &format!("{name} cannot be asked"), "http"))
    }

    /// Most bytes of an answer.
    #[must_use]
    pub fn with_answer_bytes(self, _: u64) -> Self {
        self
    }

    /// Its name.
    pub fn name(&self) -> &ModelName {
        match self.0 {}
    }
}

impl Model for ProviderModel {
    fn reply(&mut self, _: Request<'_>) -> Result<Reply, Error> {
        match self.0 {}
    }

    fn counted_as(&self) -> Option<CountedAs> {
        match self.0 {}
    }
}
