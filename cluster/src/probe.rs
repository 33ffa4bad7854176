//! Tries at a server what no worker may do.

use crate::rights::{Attempt, forbidden};
use crate::server::runtime;
use crate::{ClusterError, Server};
use async_nats::Event;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How long the server's refusals are waited for, after it has answered.
const WAIT: Duration = Duration::from_millis(500);

impl Server {
    /// Tries everything that a worker's key must not allow. Returns in words what is possible.
    ///
    /// # Errors
    /// If the server cannot be reached.
    pub fn probe(&self) -> Result<Vec<&'static str>, ClusterError> {
        runtime()?.block_on(self.tried())
    }

    async fn tried(&self) -> Result<Vec<&'static str>, ClusterError> {
        let refused: Arc<Mutex<Vec<String>>> = Arc::default();
        let heard = Arc::clone(&refused);
        let client = self.connect_hearing(move |event| {
            if let Event::ServerError(error) = event {
                heard.lock().unwrap_or_else(PoisonError::into_inner).push(error.to_string());
            }
            std::future::ready(())
        });
        let client = client.await?;
        let attempts = forbidden();
        let mut subscriptions = Vec::new();
        for (_, attempt) in &attempts {
            match attempt {
                Attempt::Publish(subject) => drop(client.publish(subject.clone(), Default::default()).await),
                Attempt::Subscribe(subject) => subscriptions.extend(client.subscribe(subject.clone()).await),
            }
        }
        client.flush().await.ok();
        tokio::time::sleep(WAIT).await;
        let refused = refused.lock().unwrap_or_else(PoisonError::into_inner);
        let is_refused = |attempt: &Attempt| {
            let named = format!("\"{}\"", attempt.subject());
            refused.iter().any(|error| error.to_lowercase().contains(&named.to_lowercase()))
        };
        let possible = attempts.iter().filter(|(_, attempt)| !is_refused(attempt));
        Ok(possible.map(|(words, _)| *words).collect())
    }
}
