//! The connection to a NATS server.

use crate::ClusterError;
use crate::rights::{API, Attempt, forbidden};
use async_nats::jetstream::context::{GetStreamError, GetStreamErrorKind};
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

/// How long refusals are waited for, after the server has answered.
const REFUSED_WITHIN: Duration = Duration::from_millis(500);

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
    /// Connects as the program `name`; answers go to subjects below `inbox`. Later interruptions are said, and the
    /// connection is then made anew as often as it takes.
    ///
    /// # Errors
    /// If there is no server, it refuses the user, or a file cannot be used.
    pub async fn connect(&self, name: &str, inbox: &str, say: &Say) -> Result<Client, ClusterError> {
        let lost = Arc::new(AtomicBool::new(false));
        let options = self.options()?.name(name).custom_inbox_prefix(inbox);
        let options = options.event_callback(announcer(&self.url, say, &lost));
        let options = options.reconnect_delay_callback(|attempts| {
            // A server that was restarted is back in a second or two.
            Duration::from_millis(100 * u64::try_from(attempts).unwrap_or(u64::MAX).min(20))
        });
        let client = options.connect(&self.url).await.map_err(|error| self.failure(&error))?;
        tokio::spawn(self.clone().explain(lost, Arc::clone(say)));
        Ok(client)
    }

    /// Sees whether a manager can use the server, before anything else is done.
    ///
    /// # Errors
    /// If it cannot.
    pub fn reach(&self) -> Result<(), ClusterError> {
        let identity = self.identity()?;
        if let Some(worker) = &identity.worker {
            let path = self.creds.clone().unwrap_or_default();
            let why = format!("it is the key of the worker {worker}, and a tournament needs the manager's");
            return Err(ClusterError::File { path, why });
        }
        runtime()?.block_on(async {
            let client = self.connect_hearing(|_| ready(())).await?;
            // An answer about a stream that is not there.
            match async_nats::jetstream::new(client).get_stream("CORNERMAN_none").await {
                Err(error) if !is_not_found(&error) => {
                    Err(ClusterError::of_server(&self.url, identity.key.is_some(), "keep messages", &error))
                }
                _ => Ok(()),
            }
        })
    }

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
        tokio::time::sleep(REFUSED_WITHIN).await;
        let refused = refused.lock().unwrap_or_else(PoisonError::into_inner);
        let is_refused = |attempt: &Attempt| {
            let named = format!("\"{}\"", attempt.subject());
            refused.iter().any(|error| error.to_lowercase().contains(&named.to_lowercase()))
        };
        let possible = attempts.iter().filter(|(_, attempt)| !is_refused(attempt));
        Ok(possible.map(|(words, _)| *words).collect())
    }

    /// Connects, and passes to `hear` what happens to the connection.
    ///
    /// # Errors
    /// Those of [`Server::connect`].
    pub(crate) async fn connect_hearing(
        &self,
        hear: impl Fn(Event) -> Ready<()> + Send + Sync + 'static,
    ) -> Result<Client, ClusterError> {
        let options = self.options()?.event_callback(hear);
        options.connect(&self.url).await.map_err(|error| self.failure(&error))
    }

    /// Says why the connection cannot be made again while it is lost: the client that tries does not tell.
    async fn explain(self, lost: Arc<AtomicBool>, say: Say) {
        const EVERY: Duration = Duration::from_secs(5);
        let mut said = String::new();
        loop {
            tokio::time::sleep(EVERY).await;
            if !lost.load(Ordering::Relaxed) {
                said.clear();
                continue;
            }
            let why = match self.options() {
                Ok(options) => options.connect(&self.url).await.map_err(|error| self.failure(&error)).err(),
                Err(why) => Some(why),
            };
            let why = why.map_or(String::new(), |why| why.to_string());
            if !why.is_empty() && why != said {
                say(&why);
                said = why;
            }
        }
    }

    fn failure(&self, error: &ConnectError) -> ClusterError {
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

    /// Who one is at the server.
    ///
    /// # Errors
    /// If the file of credentials cannot be used.
    pub fn identity(&self) -> Result<Identity, ClusterError> {
        let Some(path) = &self.creds else { return Ok(Identity::default()) };
        let text = read(path)?;
        let wrong = |error: nkeys::error::Error| ClusterError::File { path: path.clone(), why: error.to_string() };
        let key = KeyPair::from_seed(&self.seed(path, &text)?).map_err(wrong)?;
        let noted = |what: &str| Some(text.lines().find_map(|line| line.strip_prefix(what))?.trim().to_string());
        Ok(Identity { key: Some(Arc::new(key)), worker: noted(WORKER_NOTE), manager: noted(MANAGER_NOTE) })
    }

    fn seed(&self, path: &Path, text: &str) -> Result<String, ClusterError> {
        let why = "it is neither a `.creds` file nor the seed of a user's nkey, which begins with SU".to_string();
        let seed = text.lines().map(str::trim).find(|line| line.starts_with("SU"));
        seed.map(str::to_string).ok_or(ClusterError::File { path: path.to_path_buf(), why })
    }

    fn options(&self) -> Result<ConnectOptions, ClusterError> {
        let mut options = ConnectOptions::new().connection_timeout(Duration::from_secs(5));
        if let Some(path) = &self.creds {
            let text = read(path)?;
            options = if text.contains("BEGIN NATS USER JWT") {
                let wrong = |error: io::Error| ClusterError::File { path: path.clone(), why: error.to_string() };
                options.credentials(&text).map_err(wrong)?
            } else {
                options.nkey(self.seed(path, &text)?)
            };
        }
        if let Some(path) = &self.ca {
            read(path)?;
            options = options.add_root_certificates(path.clone()).require_tls(true);
        }
        Ok(options)
    }
}

impl Identity {
    /// The streams of the manager, as this user of `client` reaches them.
    pub fn jetstream(&self, client: &Client) -> Context {
        match self.worker {
            // A worker of a server with keys has an account of its own.
            Some(_) => jetstream::with_prefix(client.clone(), API),
            None => jetstream::new(client.clone()),
        }
    }
}

/// The beginning of the line of a key's file that says which worker it is for.
const WORKER_NOTE: &str = "# worker ";

/// The beginning of the line of a key's file that has the manager's public key.
const MANAGER_NOTE: &str = "# manager ";

/// Who one is at a server, by a file of credentials.
#[derive(Clone, Default)]
pub struct Identity {
    /// The key; `None` without a file.
    pub key: Option<Arc<KeyPair>>,
    /// The name of the worker that the key is for, if the file says so.
    pub worker: Option<String>,
    /// The public key of the manager whose tournaments are to be played, if the file has it.
    pub manager: Option<String>,
}

/// Writes the seed of a new user's nkey to a new file at `path`, which only its owner can read, and returns the public
/// key. If it is for a worker, `of` is the worker's name and its manager's public key, which the file then has too.
///
/// # Errors
/// If there is a file already, or it cannot be written.
pub fn make_key(path: &Path, of: Option<(&str, &str)>) -> Result<String, ClusterError> {
    let failed = |why: String| ClusterError::File { path: path.to_path_buf(), why };
    let key = KeyPair::new_user();
    let seed = key.seed().map_err(|error| failed(error.to_string()))?;
    let notes =
        of.map_or(String::new(), |(worker, manager)| format!("{WORKER_NOTE}{worker}\n{MANAGER_NOTE}{manager}\n"));
    let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
    let written = file.and_then(|mut file| writeln!(file, "{notes}{seed}"));
    written.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => failed("there is a key already, which is kept: name another file".to_string()),
        _ => failed(error.to_string()),
    })?;
    Ok(key.public_key())
}

fn is_not_found(error: &GetStreamError) -> bool {
    matches!(error.kind(), GetStreamErrorKind::JetStream(error) if error.error_code() == ErrorCode::STREAM_NOT_FOUND)
}

/// What a single connection needs.
///
/// # Errors
/// If this machine does not give it.
pub(crate) fn runtime() -> Result<Runtime, ClusterError> {
    let made = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    let what = "start a thread for the network".to_string();
    made.map_err(|error| ClusterError::Machine { what, why: error.to_string() })
}

fn read(path: &Path) -> Result<String, ClusterError> {
    fs::read_to_string(path)
        .map_err(|error| ClusterError::File { path: path.to_path_buf(), why: error.to_string() })
}

/// Says when the connection is lost and made again, each once.
fn announcer(url: &str, say: &Say, lost: &Arc<AtomicBool>) -> impl Fn(Event) -> Ready<()> + Send + Sync + 'static {
    let url = url.to_string();
    let say = Arc::clone(say);
    let lost = Arc::clone(lost);
    move |event| {
        match event {
            Event::Disconnected if !lost.swap(true, Ordering::Relaxed) => {
                say(&format!("the connection to the NATS server at {url} is lost; trying to connect again"));
            }
            Event::Connected if lost.swap(false, Ordering::Relaxed) => {
                say(&format!("connected to the NATS server at {url} again"));
            }
            _ => {}
        }
        ready(())
    }
}
