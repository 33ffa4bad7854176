//! Strangers: wrong keys, forged results, corrupted bundles.

use super::lab::Lab;
use crate::support::trial;
use cornerman::game::{End, Outcome};
use cornerman_cluster::message::{
    self, Announcement, Context, Hello, Played, SentJob, SentResult, Status, Welcome,
};
use cornerman_cluster::names::{Messages, TOURNAMENTS, TournamentId, WorkerKey};
use cornerman_harness::machine::Machine;
use cornerman_harness::record::{BuildFacts, GameRecord, SeatRecord};
use cornerman_harness::sandbox::Level;
use futures_util::StreamExt;
use libtest_mimic::Trial;
use std::time::Duration;

pub fn trials() -> Vec<Trial> {
    vec![
        trial!(a_worker_without_a_key_is_not_let_in, ["nats-server"]),
        trial!(a_worker_may_only_take_jobs_and_give_results, ["nats-server"]),
        trial!(a_withdrawn_key_is_said_and_waited_out, ["nats-server"]),
        trial!(a_forged_result_is_refused_and_its_worker_named, ["nats-server"], || forged(&forged_result)),
        trial!(a_result_that_was_not_asked_for_is_refused, ["nats-server"], || forged(&unasked_result)),
        trial!(a_corrupted_bundle_is_refused_and_named, ["nats-server"]),
        trial!(a_worker_of_another_version_gets_no_games, ["nats-server"]),
    ]
}

const USERS: [(&str, &str); 2] = [("manager", "MANAGER_KEY"), ("workers", "WORKERS_KEY")];
const BOTS: [&str; 3] = ["@first-fit", "@greedy", "@parity"];

fn a_worker_without_a_key_is_not_let_in() {
    let mut lab = Lab::with_keys(&USERS);
    let other = lab.scratch.path().join("other.key");
    crate::support::Ran::of(crate::support::cornerman(["worker", "--make-key", other.to_str().unwrap()])).fine();
    for creds in [Some(other), None] {
        match creds {
            Some(creds) => lab.creds.insert("workers", creds),
            None => lab.creds.remove("workers"),
        };
        let mut worker = lab.worker("stranger");
        assert_eq!(worker.code(), Some(2), "{}", worker.log());
        assert!(worker.log().contains("refuses this user"), "{}", worker.log());
    }
}

/// The configuration of the documentation suffices for a tournament, and for little else.
fn a_worker_may_only_take_jobs_and_give_results() {
    let lab = Lab::with_keys(&USERS);
    let contest = lab.contest(&BOTS, "", 1);
    lab.scratch.file("bot/bot.toml", "run = [\"sh\", \"bot.sh\"]\n");
    let worker = lab.worker("one");
    let mut manager = lab.manager(&contest, &[]);
    assert_eq!(manager.code(), Some(0), "{}", manager.log());
    assert!(!worker.log().contains("Permissions Violation"), "{}", worker.log());
    run(async {
        let client = client(&lab, "workers").await;
        let mut others = client.subscribe("cornerman.*.result.*").await.unwrap();
        client.publish(TOURNAMENTS, "x".into()).await.unwrap();
        client.publish("$JS.API.STREAM.DELETE.CORNERMAN_x_JOBS", "".into()).await.unwrap();
        client.flush().await.unwrap();
        let heard = tokio::time::timeout(Duration::from_millis(300), others.next()).await;
        assert!(heard.is_err() || heard.is_ok_and(|heard| heard.is_none()));
    });
    let log = std::fs::read_to_string(lab.scratch.path().join("nats.log")).unwrap();
    for subject in ["Subscription Violation", "Publish Violation", "STREAM.DELETE"] {
        assert!(log.contains(subject), "{subject} is allowed: {log}");
    }
}

fn a_withdrawn_key_is_said_and_waited_out() {
    let lab = Lab::with_keys(&USERS);
    let contest = lab.contest(&BOTS, "", 12);
    let worker = lab.worker("one");
    let mut manager = lab.manager(&contest, &[]);
    worker.wait_for("joined as");
    let path = lab.scratch.path().join("nats.conf");
    let conf = std::fs::read_to_string(&path).unwrap();
    let (other, reload) = (lab.scratch.path().join("other.key"), || lab.signal_server("HUP"));
    let public =
        crate::support::Ran::of(crate::support::cornerman(["worker", "--make-key", other.to_str().unwrap()]));
    std::fs::write(&path, conf.replace("$WORKERS_KEY", public.fine().trim())).unwrap();
    reload();
    worker.wait_for("refuses this user");
    std::fs::write(&path, conf).unwrap();
    reload();
    assert_eq!(manager.code(), Some(0), "{}", manager.log());
    worker.wait_for("connected to the NATS server");
}

/// Runs something that speaks with the server.
fn run<T>(body: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(body)
}

async fn client(lab: &Lab, user: &str) -> async_nats::Client {
    let options = match lab.creds.get(user) {
        Some(creds) => {
            async_nats::ConnectOptions::with_nkey(std::fs::read_to_string(creds).unwrap().trim().to_string())
        }
        None => async_nats::ConnectOptions::new(),
    };
    options.connect(lab.url()).await.unwrap()
}

/// A worker of this test's own.
struct Impostor {
    client: async_nats::Client,
    tournament: TournamentId,
    key: WorkerKey,
    welcome: Welcome,
}

impl Impostor {
    /// Joins the tournament that is announced, as a worker of the version `kit`.
    async fn join(lab: &Lab, kit: &str) -> Impostor {
        let client = client(lab, "workers").await;
        let announced = announced(&client).await;
        let tournament = announced.tournament;
        let store = async_nats::jetstream::new(client.clone()).get_object_store(tournament.store()).await.unwrap();
        let mut bytes = Vec::new();
        let mut object = store.get(&announced.context).await.unwrap();
        tokio::io::AsyncReadExt::read_to_end(&mut object, &mut bytes).await.unwrap();
        let context: Context = message::from_json(&bytes).unwrap();
        let key = WorkerKey::new("impostor");
        let hello = Hello {
            worker: key.clone(),
            machine: Machine { name: "impostor".to_string(), ..Machine::this() },
            kit: kit.to_string(),
            rules: context.rules.clone(),
            level: Level::Namespaced,
            threads: 1,
            noise: None,
            bots: context.entrants.iter().map(|_| Ok(BuildFacts::default())).collect(),
        };
        let subject = tournament.subject(Messages::Hello, key.as_str());
        let answer = client.request(subject, message::to_json(&hello).into()).await.unwrap();
        Impostor { client, tournament, key, welcome: message::from_json(&answer.payload).unwrap() }
    }

    /// The first job that it is given.
    async fn job(&self) -> SentJob {
        let Welcome::Joined { consumer } = &self.welcome else { panic!("{:?}", self.welcome) };
        let status = message::to_json(&Status { held: Vec::new(), leaving: false });
        self.client
            .publish(self.tournament.subject(Messages::Status, self.key.as_str()), status.into())
            .await
            .unwrap();
        let jetstream = async_nats::jetstream::new(self.client.clone());
        let consumer: async_nats::jetstream::consumer::PullConsumer =
            jetstream.get_consumer_from_stream(consumer, self.tournament.jobs()).await.unwrap();
        let mut messages = consumer.messages().await.unwrap();
        let job = messages.next().await.unwrap().unwrap();
        let jobs: Vec<SentJob> = message::from_bytes(&job.payload).unwrap();
        jobs.into_iter().next().unwrap()
    }

    async fn send(&self, result: &SentResult) {
        let subject = self.tournament.subject(Messages::Result, self.key.as_str());
        let jetstream = async_nats::jetstream::new(self.client.clone());
        jetstream.publish(subject, message::to_bytes(&vec![result]).into()).await.unwrap().await.unwrap();
    }
}

async fn announced(client: &async_nats::Client) -> Announcement {
    let mut heard = client.subscribe(TOURNAMENTS).await.unwrap();
    message::from_json(&heard.next().await.unwrap().payload).unwrap()
}

/// A result that says that the first seat has won without a move.
fn forged_result(job: SentJob) -> SentResult {
    let record = GameRecord {
        pairing: job.job.pairing.clone(),
        setup: job.job.setup.clone(),
        outcome: Outcome { places: vec![1, 2], points: vec![1, 0], territory: vec![1, 0], end: End::Played },
        started_ms: 0,
        wall: Duration::ZERO,
        host: "impostor".to_string(),
        moves: Vec::new(),
        faults: Vec::new(),
        voids: Vec::new(),
        seats: vec![SeatRecord::default(); 2],
    };
    SentResult { run: job.run, key: job.key, attempt: job.attempt, played: Played::Over(Box::new(record)) }
}

/// A result of a game that another worker would be given.
fn unasked_result(mut job: SentJob) -> SentResult {
    job.key.id.table += 12;
    job.job.pairing.id = job.key.id;
    forged_result(job)
}

fn forged(forge: &dyn Fn(SentJob) -> SentResult) {
    let lab = Lab::with_keys(&USERS);
    let contest = lab.contest(&BOTS, "", 12);
    let mut manager = lab.manager(&contest, &[]);
    run(async {
        let impostor = Impostor::join(&lab, &message::kit()).await;
        let job = impostor.job().await;
        impostor.send(&forge(job)).await;
    });
    manager.wait_for("impostor gets no more games: ");
    let _worker = lab.worker("honest");
    assert_eq!(manager.code(), Some(0), "{}", manager.log());
    assert_eq!(lab.query("SELECT DISTINCT host FROM games"), ["honest"]);
    lab.verify();
}

fn a_corrupted_bundle_is_refused_and_named() {
    let lab = Lab::new();
    lab.scratch.file("mine/bot.toml", "name = \"Mine\"\nrun = [\"sh\", \"bot.sh\"]\n");
    lab.scratch.file("mine/bot.sh", "exit 1\n");
    let contest = lab.contest(&["mine", "@greedy"], "", 1);
    let manager = lab.manager(&contest, &[]);
    run(async {
        let client = client(&lab, "").await;
        let announced = announced(&client).await;
        let jetstream = async_nats::jetstream::new(client);
        let store = jetstream.get_object_store(announced.tournament.store()).await.unwrap();
        let mut objects = store.list().await.unwrap();
        let mut names = Vec::new();
        while let Some(object) = objects.next().await {
            names.push(object.unwrap().name);
        }
        for name in names.iter().filter(|name| **name != announced.context) {
            store.put(&**name, &mut &b"something else"[..]).await.unwrap();
        }
    });
    let worker = lab.worker("careful");
    worker.wait_for("Mine: the NATS server does not give");
    worker.wait_for("what it gave is not what was asked for");
    assert!(!manager.log().contains("careful has joined"), "{}", manager.log());
}

fn a_worker_of_another_version_gets_no_games() {
    let lab = Lab::new();
    let contest = lab.contest(&BOTS, "", 1);
    let manager = lab.manager(&contest, &[]);
    let impostor = run(Impostor::join(&lab, "0.0.1/1"));
    let Welcome::Refused(why) = impostor.welcome else { panic!("{:?}", impostor.welcome) };
    assert!(why.contains("0.0.1/1"), "{why}");
    manager.wait_for("impostor gets no games: its kit has the version 0.0.1/1");
}
