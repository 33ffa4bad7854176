//! The connection to a NATS server.

use crate::ClusterError;
use async_nats::{Client, ConnectErrorKind, ConnectOptions, Event, ServerError};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Prints a line for people.
pub type Say = Arc<dyn Fn(&str) + Send + Sync>;

/// A server, and who one is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Server {
    /// Its address: `nats://HOST:PORT`, or `tls://HOST:PORT`.
    pub url: String,
    /// A file of credentials (`.creds`), or with an nkey's seed.
    pub creds: Option<PathBuf>,
    /// A file of the authority that signed the server's certificate.
    pub ca: Option<PathBuf>,
}

impl Server {
    /// Connects. Later interruptions are said, and the connection is then made anew as often as it takes.
    ///
    /// # Errors
    /// If there is no server, it refuses the user, or a file cannot be used.
    pub async fn connect(&self, name: &str, say: &Say) -> Result<Client, ClusterError> {
        let options = self.options()?.name(name).event_callback(announcer(&self.url, say));
        let options = options.connection_timeout(Duration::from_secs(5)).reconnect_delay_callback(|attempts| {
            // A server that was restarted is back in a second or two.
            Duration::from_millis(100 * u64::try_from(attempts).unwrap_or(u64::MAX).min(20))
        });
        options.connect(&self.url).await.map_err(|error| {
            let url = self.url.clone();
            let cause = std::error::Error::source(&error).map_or(String::new(), |cause| format!(": {cause}"));
            let why = format!("{error}{}", if error.to_string().contains(&cause) { "" } else { &cause });
            match error.kind() {
                ConnectErrorKind::ServerParse => ClusterError::Mistake(format!(
                    "--nats {url}: {why}; expected an address such as nats://ring1:4222"
                )),
                ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => {
                    ClusterError::Refused { url, why }
                }
                _ => ClusterError::Unreachable { url, why },
            }
        })
    }

    fn options(&self) -> Result<ConnectOptions, ClusterError> {
        let mut options = ConnectOptions::new();
        if let Some(path) = &self.creds {
            let text = read(path)?;
            let wrong = |why: String| ClusterError::File { path: path.clone(), why };
            let seed = text.lines().map(str::trim).find(|line| line.starts_with("SU"));
            options = match (text.contains("BEGIN NATS USER JWT"), seed) {
                (true, _) => options.credentials(&text).map_err(|error| wrong(error.to_string()))?,
                (false, Some(seed)) => options.nkey(seed.to_string()),
                (false, None) => {
                    return Err(wrong(
                        "it is neither a `.creds` file nor the seed of a user's nkey, which begins with SU"
                            .to_string(),
                    ));
                }
            };
        }
        if let Some(path) = &self.ca {
            read(path)?;
            options = options.add_root_certificates(path.clone()).require_tls(true);
        }
        Ok(options)
    }
}

fn read(path: &Path) -> Result<String, ClusterError> {
    fs::read_to_string(path)
        .map_err(|error| ClusterError::File { path: path.to_path_buf(), why: error.to_string() })
}

/// Says when the connection is lost and made again, each once.
fn announcer(url: &str, say: &Say) -> impl Fn(Event) -> std::future::Ready<()> + Send + Sync + 'static {
    let (url, say, lost, last) =
        (url.to_string(), Arc::clone(say), AtomicBool::new(false), std::sync::Mutex::new(String::new()));
    move |event| {
        match event {
            Event::Disconnected if !lost.swap(true, Ordering::Relaxed) => {
                say(&format!("the connection to the NATS server at {url} is lost; trying to connect again"));
            }
            Event::Connected if lost.swap(false, Ordering::Relaxed) => {
                last.lock().map(|mut last| last.clear()).ok();
                say(&format!("connected to the NATS server at {url} again"));
            }
            Event::ServerError(error) => {
                let hint = match error {
                    ServerError::AuthorizationViolation => "; are the credentials expired or revoked?",
                    _ => "",
                };
                let words = format!("the NATS server at {url} says: {error}{hint}");
                // A refused client tries again every few seconds, and hears the same each time.
                let is_new =
                    last.lock().is_ok_and(|mut last| std::mem::replace(&mut *last, words.clone()) != words);
                if is_new {
                    say(&words);
                }
            }
            _ => {}
        }
        std::future::ready(())
    }
}
