//! `nats-config`: keys for a manager and workers, and the configuration of a NATS server that lets them do no more than
//! they need.

#[cfg(feature = "cluster")]
use crate::{CliError, Exit, show};
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct NatsConfigArgs {
    /// Names of the workers, each of which gets a key of its own
    #[arg(long, value_name = "NAME", value_delimiter = ',', required = true)]
    pub workers: Vec<String>,
    /// Folder for the configuration and the keys; keys that are there are kept
    #[arg(long, value_name = "DIR", default_value = "nats")]
    pub out: PathBuf,
    /// Where the server listens
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:4222")]
    pub listen: String,
    /// The server's certificate, which is needed unless it listens on this machine only
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    pub tls_cert: Option<PathBuf>,
    /// The certificate's key
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    pub tls_key: Option<PathBuf>,
}

/// Writes the keys and the configuration.
#[cfg(feature = "cluster")]
pub(crate) fn run(args: &NatsConfigArgs) -> Result<Exit, CliError> {
    use crate::show::plain;
    use anyhow::Context;
    use cornerman_cluster::names::fitted;
    use cornerman_cluster::{Certificate, ClusterError, ServerAccess, configuration, make_key};
    use std::fs;
    use std::io::Write;
    use std::path::Path;

    if let Some(name) = args.workers.iter().find(|name| fitted(name) != **name || *name == "manager") {
        return Err(usage!(
            "--workers {name}: a worker's name has up to 40 letters, digits, `-` and `_`, and is not `manager`"
        ));
    }
    let absolute = |path: &Path| {
        let whole = path.canonicalize().with_context(|| format!("reading {}", path.display()));
        whole.map(|whole| whole.to_string_lossy().into_owned()).map_err(|error| CliError::Usage(error.into()))
    };
    let certificate = match (&args.tls_cert, &args.tls_key) {
        (Some(certificate), Some(key)) => {
            Some(Certificate { certificate: absolute(certificate)?, key: absolute(key)? })
        }
        _ => None,
    };
    let host = args.listen.rsplit_once(':').map_or("", |(host, _)| host);
    if certificate.is_none() && !["127.0.0.1", "localhost", "[::1]"].contains(&host) {
        return Err(usage!(
            "--listen {}: a server that other machines reach needs a certificate (`--tls-cert FILE --tls-key FILE`), and \
             one that only this machine reaches listens at 127.0.0.1:PORT",
            args.listen
        ));
    }
    fs::create_dir_all(&args.out).map_err(CliError::at("creating", &args.out))?;
    // A key that exists is kept, because its worker may have it already.
    let key = |name: &str, of: Option<(&str, &str)>| -> Result<String, ClusterError> {
        let path = args.out.join(format!("{name}.key"));
        if !path.exists() {
            return make_key(&path, of);
        }
        let server = ServerAccess { url: String::new(), creds: Some(path.clone()), ca: None };
        let known = server.identity()?.key.map(|key| key.public_key());
        known.ok_or(ClusterError::File { path, why: "it has no key".into() })
    };
    let manager = key("manager", None)?;
    let mut workers = Vec::new();
    for name in &args.workers {
        workers.push((name.clone(), key(name, Some((name, &manager)))?));
    }
    let path = args.out.join("nats.conf");
    let text = configuration(&args.listen, certificate.as_ref(), &manager, &workers);
    fs::write(&path, text).map_err(CliError::at("writing", &path))?;
    let mut out = show::stdout();
    writeln!(out, "wrote {}, and in the same folder:", plain(path.display()))?;
    writeln!(out, "  manager.key  for the machine that runs the tournament; its public part is {manager}")?;
    for (name, _) in &workers {
        writeln!(out, "  {name}.key  for the worker {name}, and no other machine")?;
    }
    Ok(Exit::Fine)
}
