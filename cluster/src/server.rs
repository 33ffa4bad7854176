//! Connects to a NATS server, with the user's key if there is one.

use crate::ClusterError;
use crate::rights::{API, Attempt, forbidden};
use async_nats::jetstream::context::{GetStreamError, GetStreamErrorKind, PublishError};
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::{self, Context, ErrorCode};
use async_nats::{Client, ConnectError, ConnectErrorKind, ConnectOptions, Event};
use nkeys::KeyPair;
use std::fs::{self, OpenOptions};
use std::future::{Ready, ready};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::runtime::Runtime;

/// How long to wait for refusals after everything was sent to the server.
const REFUSAL_TIMEOUT: Duration = Duration::from_millis(500);

/// Prints a line for the user.
pub type LogFn = Arc<dyn Fn(&str) + Send + Sync>;

/// A NATS server, and the credentials with which to connect to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerAccess {
    /// Its address: `nats://HOST:PORT`, or `tls://HOST:PORT`.
    pub url: String,
    /// A file with credentials (`.creds`) or with the seed of an nkey.
    pub creds: Option<PathBuf>,
    /// A file with the certificate of the authority that signed the server's.
    pub ca: Option<PathBuf>,
}

impl ServerAccess {
    /// Connects as the program `name`; answers go to subjects below `inbox`. If the connection breaks later, logs
    /// that and reconnects, however long it takes.
    ///
    /// # Errors
    /// If the server cannot be reached, it refuses the user, or a file cannot be used.
    pub async fn connect(&self, name: &str, inbox: &str, log: &LogFn) -> Result<Client, ClusterError> {
        let lost = Arc::new(AtomicBool::new(false));
        let options = self.options()?.name(name).custom_inbox_prefix(inbox);
        let options = options.event_callback(connection_logger(&self.url, log, &lost));
        let options = options.reconnect_delay_callback(|attempts| {
            // Waits at most two seconds: a restarted server is back that soon.
            Duration::from_millis(100 * u64::try_from(attempts).unwrap_or(u64::MAX).min(20))
        });
        let client = options.connect(&self.url).await.map_err(|error| self.connect_error(&error))?;
        tokio::spawn(self.clone().log_reconnect_failures(lost, Arc::clone(log)));
        Ok(client)
    }

    /// Checks that a manager can use the server, before anything else is done.
    ///
    /// # Errors
    /// If it cannot.
    pub fn reach(&self) -> Result<(), ClusterError> {
        let identity = self.identity()?;
        if let Some(worker) = &identity.worker {
            let path = self.creds.clone().unwrap_or_default();
            let why = format!("it is the key of the worker {worker}, and a tournament needs the manager's");
            return Err(ClusterError::File { path, why: why.into() });
        }
        runtime()?.block_on(async {
            let client = self.connect_with_callback(|_| ready(())).await?;
            // Any answer will do, even that this stream does not exist.
            match jetstream::new(client).get_stream("CORNERMAN_none").await {
                Err(error) if !is_not_found(&error) => {
                    Err(ClusterError::of_server(&self.url, identity.key.is_some(), "keep messages", &error))
                }
                _ => Ok(()),
            }
        })
    }

    /// Tries what a worker's key must not allow ([`forbidden`]). Returns in words what the server allows nevertheless.
    ///
    /// # Errors
    /// If the server cannot be reached.
    pub fn probe(&self) -> Result<Vec<&'static str>, ClusterError> {
        runtime()?.block_on(self.try_forbidden())
    }

    async fn try_forbidden(&self) -> Result<Vec<&'static str>, ClusterError> {
        let refused: Arc<Mutex<Vec<String>>> = Arc::default();
        let collected = Arc::clone(&refused);
        let client = self.connect_with_callback(move |event| {
            if let Event::ServerError(error) = event {
                collected.lock().unwrap_or_else(PoisonError::into_inner).push(error.to_string());
            }
            ready(())
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
        tokio::time::sleep(REFUSAL_TIMEOUT).await;
        let refused = refused.lock().unwrap_or_else(PoisonError::into_inner);
        let is_refused = |attempt: &Attempt| {
            let named = format!("\"{}\"", attempt.subject());
            refused.iter().any(|error| error.to_lowercase().contains(&named.to_lowercase()))
        };
        let possible = attempts.iter().filter(|(_, attempt)| !is_refused(attempt));
        Ok(possible.map(|(words, _)| *words).collect())
    }

    /// Connects, and calls `on_event` for each event of the connection.
    pub(crate) async fn connect_with_callback(
        &self,
        on_event: impl Fn(Event) -> Ready<()> + Send + Sync + 'static,
    ) -> Result<Client, ClusterError> {
        let options = self.options()?.event_callback(on_event);
        options.connect(&self.url).await.map_err(|error| self.connect_error(&error))
    }

    /// While the connection is lost, logs why it cannot be made again. The client retries by itself, but does not
    /// report why it fails, so this tries to connect as well.
    async fn log_reconnect_failures(self, lost: Arc<AtomicBool>, log: LogFn) {
        const EVERY: Duration = Duration::from_secs(5);
        let mut last_logged = String::new();
        loop {
            tokio::time::sleep(EVERY).await;
            if !lost.load(Ordering::Relaxed) {
                last_logged.clear();
                continue;
            }
            if let Err(why) = self.connect_with_callback(|_| ready(())).await
                && why.to_string() != last_logged
            {
                last_logged = why.to_string();
                log(&last_logged);
            }
        }
    }

    fn connect_error(&self, error: &ConnectError) -> ClusterError {
        let url = self.url.clone();
        let cause = std::error::Error::source(error).map_or(String::new(), |cause| format!(": {cause}"));
        let why = format!("{error}{}", if error.to_string().contains(&cause) { "" } else { &cause });
        match error.kind() {
            ConnectErrorKind::ServerParse => ClusterError::Mistake(format!(
                "--nats {url}: {why}; expected an address such as nats://ring1:4222"
            )),
            ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => {
                ClusterError::Refused { url, why }
            }
            _ if why.contains("peer certificate") => {
                let why = format!("{why}; `--ca FILE` names the authority that signed it");
                ClusterError::Unreachable { url, why }
            }
            _ => ClusterError::Unreachable { url, why },
        }
    }

    /// Reads the user's identity from the file of credentials.
    ///
    /// # Errors
    /// If the file cannot be used.
    pub fn identity(&self) -> Result<Identity, ClusterError> {
        let Some(path) = &self.creds else { return Ok(Identity::default()) };
        let text = read_file(path)?;
        let key = KeyPair::from_seed(&find_seed(path, &text)?)
            .map_err(|error| ClusterError::File { path: path.clone(), why: error.into() })?;
        let noted = |what: &str| Some(text.lines().find_map(|line| line.strip_prefix(what))?.trim().to_string());
        Ok(Identity { key: Some(Arc::new(key)), worker: noted(WORKER_NOTE), manager: noted(MANAGER_NOTE) })
    }

    fn options(&self) -> Result<ConnectOptions, ClusterError> {
        let mut options = ConnectOptions::new().connection_timeout(PATIENCE);
        if let Some(path) = &self.creds {
            let text = read_file(path)?;
            options = if text.contains("BEGIN NATS USER JWT") {
                let wrong = |error: io::Error| ClusterError::File { path: path.clone(), why: error.into() };
                options.credentials(&text).map_err(wrong)?
            } else {
                options.nkey(find_seed(path, &text)?)
            };
        }
        if let Some(path) = &self.ca {
            read_file(path)?;
            options = options.add_root_certificates(path.clone()).require_tls(true);
        }
        Ok(options)
    }
}

impl Identity {
    /// Access to the manager's streams for this user, through `client`.
    pub fn jetstream(&self, client: &Client) -> Context {
        match self.worker {
            // At a server with keys, each worker has an account of its own, and reaches the manager's streams by this
            // prefix.
            Some(_) => jetstream::with_prefix(client.clone(), API),
            None => jetstream::new(client.clone()),
        }
    }
}

/// How long to wait until a server accepts a connection: long enough for a busy machine.
const PATIENCE: Duration = Duration::from_secs(15);

/// The beginning of the line in a key file that names the worker it is for.
const WORKER_NOTE: &str = "# worker ";

/// The beginning of the line in a key file that contains the manager's public key.
const MANAGER_NOTE: &str = "# manager ";

/// The user's identity at a server, according to the file of credentials.
#[derive(Clone, Default)]
pub struct Identity {
    /// The key; `None` without a file.
    pub key: Option<Arc<KeyPair>>,
    /// The name of the worker that the key is for, if the file says so.
    pub worker: Option<String>,
    /// The public key of the manager whose tournaments the worker plays, if the file contains it.
    pub manager: Option<String>,
}

/// Makes an nkey for a new user. Writes its seed to a new file at `path` that only its owner can read, and returns the
/// public key. For a worker's key, `of` is the worker's name and its manager's public key, which the file then contains
/// as well.
///
/// # Errors
/// If the file exists already or cannot be written.
pub fn make_key(path: &Path, of: Option<(&str, &str)>) -> Result<String, ClusterError> {
    let failed = |why: async_nats::Error| ClusterError::File { path: path.to_path_buf(), why };
    let key = KeyPair::new_user();
    let seed = key.seed().map_err(|error| failed(error.into()))?;
    let notes =
        of.map_or(String::new(), |(worker, manager)| format!("{WORKER_NOTE}{worker}\n{MANAGER_NOTE}{manager}\n"));
    let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
    let written = file.and_then(|mut file| writeln!(file, "{notes}{seed}"));
    written.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => failed("there is a key already, which is kept: name another file".into()),
        _ => failed(error.into()),
    })?;
    Ok(key.public_key())
}

/// Finds the seed of a user's key in the `text` of the file at `path`.
fn find_seed(path: &Path, text: &str) -> Result<String, ClusterError> {
    let seed = text.lines().map(str::trim).find(|line| line.starts_with("SU"));
    seed.map(str::to_string).ok_or_else(|| ClusterError::File {
        path: path.to_path_buf(),
        why: "it is neither a `.creds` file nor the seed of a user's nkey, which begins with SU".into(),
    })
}

fn is_not_found(error: &GetStreamError) -> bool {
    matches!(error.kind(), GetStreamErrorKind::JetStream(error) if error.error_code() == ErrorCode::STREAM_NOT_FOUND)
}

/// Starts a runtime with one thread, which is enough for a connection.
pub(crate) fn runtime() -> Result<Runtime, ClusterError> {
    let made = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    let what = "start a thread for the network".to_string();
    made.map_err(|why| ClusterError::Machine { what, why })
}

fn read_file(path: &Path) -> Result<String, ClusterError> {
    fs::read_to_string(path).map_err(|error| ClusterError::File { path: path.to_path_buf(), why: error.into() })
}

/// Publishes a message, and waits until the server has stored it.
pub(crate) async fn publish_stored(
    jetstream: &Context,
    subject: &str,
    message: &PublishMessage,
) -> Result<(), PublishError> {
    jetstream.send_publish(subject.to_string(), message.clone()).await?.await.map(drop)
}

/// Returns a callback that logs when the connection is lost and when it is made again, each once.
fn connection_logger(
    url: &str,
    log: &LogFn,
    lost: &Arc<AtomicBool>,
) -> impl Fn(Event) -> Ready<()> + Send + Sync + 'static {
    let url = url.to_string();
    let log = Arc::clone(log);
    let lost = Arc::clone(lost);
    move |event| {
        match event {
            Event::Disconnected if !lost.swap(true, Ordering::Relaxed) => {
                log(&format!("the connection to the NATS server at {url} is lost; trying to connect again"));
            }
            Event::Connected if lost.swap(false, Ordering::Relaxed) => {
                log(&format!("connected to the NATS server at {url} again"));
            }
            _ => {}
        }
        ready(())
    }
}
