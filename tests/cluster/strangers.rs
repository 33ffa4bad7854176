//! Strangers: wrong keys, forged announcements and results, replaced bots, and contests that ask too much.

use super::LONG_GAMES;
use super::lab::{Lab, Running};
use crate::support::{PATIENCE, Ran, is_offered, trial};
use cornerman::format::{EntrantId, GameId, Pairing};
use cornerman::game::{End, Outcome, Setup};
use cornerman_cluster::API;
use cornerman_cluster::message::{
    self, Announcement, Context, JobKey, JobOutcome, SentJob, SentResult, Signed, Status, Welcome, WorkerHello,
};
use cornerman_cluster::names::{EVERY_WORKER, Messages, TOURNAMENTS, TournamentId, WorkerKey, inbox};
use cornerman_cluster::objects::Objects;
use cornerman_harness::machine::Machine;
use cornerman_harness::record::{BuildFacts, GameRecord, SeatRecord};
use cornerman_harness::run::Job;
use cornerman_harness::sandbox::Level;
use futures_util::StreamExt;
use libtest_mimic::Trial;
use std::time::Duration;

pub fn trials() -> Vec<Trial> {
    vec![
        trial!(a_worker_without_a_key_is_not_let_in, ["nats-server"]),
        trial!(a_workers_key_allows_nothing_that_it_must_not, ["nats-server"]),
        trial!(a_withdrawn_key_is_said_and_waited_out, ["nats-server"]),
        trial!(keys_are_made_once, ["nats-server"]),
        trial!(a_forged_result_is_refused_and_its_worker_named, ["nats-server"]),
        trial!(a_result_that_was_not_asked_for_is_ignored, ["nats-server"]),
        trial!(an_announcement_that_another_has_signed_is_ignored, ["nats-server"]),
        trial!(the_manager_answers_nobody_elsewhere, ["nats-server"]),
        trial!(the_server_is_led_to_nothing, ["nats-server"]),
        trial!(a_worker_plays_no_contest_that_asks_too_much, ["nats-server"]),
        trial!(a_corrupted_bundle_is_refused_and_named, ["nats-server"]),
        trial!(an_object_is_whole_or_refused, ["nats-server"]),
        trial!(messages_of_any_bytes_stop_nothing, ["nats-server"]),
        trial!(a_worker_of_another_version_gets_no_games, ["nats-server"]),
    ]
}

const BOTS: [&str; 3] = ["@first-fit", "@greedy", "@parity"];

/// Makes a key that the server does not know.
fn unknown_key(lab: &Lab) -> std::path::PathBuf {
    let other = lab.scratch.path().join("other.key");
    Ran::from_command(crate::support::cornerman(["worker", "--make-key", other.to_str().unwrap()])).fine();
    other
}

fn a_worker_without_a_key_is_not_let_in() {
    let mut lab = Lab::with_keys(&["one"]);
    for creds in [Some(unknown_key(&lab)), None] {
        match creds {
            Some(creds) => lab.creds.insert("one", creds),
            None => lab.creds.remove("one"),
        };
        let mut worker = lab.worker("one");
        assert_eq!(worker.code(), Some(2), "{}", worker.log());
        assert!(worker.log().contains("refuses this user"), "{}", worker.log());
    }
    // Nor is a manager, with a worker's key.
    let mut lab = Lab::with_keys(&["one"]);
    let contest = lab.contest(&BOTS, "", 1);
    lab.creds.insert("manager", lab.creds["one"].clone());
    let mut manager = lab.manager(&contest, &[]);
    assert_eq!(manager.code(), Some(2), "{}", manager.log());
    assert!(manager.log().contains("it is the key of the worker one"), "{}", manager.log());
}

/// What `nats-config` allows suffices for a tournament, and for nothing else.
fn a_workers_key_allows_nothing_that_it_must_not() {
    let lab = Lab::with_keys(&["one", "two"]);
    let contest = lab.contest(&BOTS, "", 1);
    lab.scratch.file("bot/bot.toml", "run = [\"sh\", \"bot.sh\"]\n");
    let workers = [lab.worker("one"), lab.worker("two")];
    let mut manager = lab.manager(&contest, &[]);
    assert_eq!(manager.code(), Some(0), "{}", manager.log());
    let log = std::fs::read_to_string(lab.scratch.path().join("nats.log")).unwrap();
    assert!(!log.contains("Violation"), "{log}");
    assert!(!manager.log().contains("ignored"), "{}", manager.log());
    drop(workers);
    let possible = |lab: &Lab, user: &str| {
        let ran = Ran::from_command(lab.doctor(user));
        let found: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{ran:?}"));
        let possible = found["possible"].as_array().expect("a list").len();
        assert_eq!(ran.code, Some(i32::from(possible > 0)), "{ran:?}");
        possible
    };
    let all = cornerman_cluster::forbidden().len();
    assert_eq!((possible(&lab, "one"), possible(&lab, "manager"), possible(&Lab::new(), "one")), (0, all, all));
}

fn a_withdrawn_key_is_said_and_waited_out() {
    let lab = Lab::with_keys(&["one"]);
    let contest = lab.contest(&BOTS, LONG_GAMES, 5);
    let worker = lab.worker("one");
    let mut manager = lab.manager(&contest, &[]);
    worker.wait_for("joined as");
    let path = lab.scratch.path().join("nats.conf");
    let conf = std::fs::read_to_string(&path).unwrap();
    let public = |file: &str| {
        let server = cornerman_cluster::ServerAccess {
            url: String::new(),
            creds: Some(lab.scratch.path().join(file)),
            ca: None,
        };
        server.identity().unwrap().key.unwrap().public_key()
    };
    unknown_key(&lab);
    std::fs::write(&path, conf.replace(&public("one.key"), &public("other.key"))).unwrap();
    lab.signal_server("HUP");
    worker.wait_for("refuses this user");
    std::fs::write(&path, conf).unwrap();
    lab.signal_server("HUP");
    assert_eq!(manager.code(), Some(0), "{}", manager.log());
    worker.wait_for("connected to the NATS server");
}

/// A worker that comes later gets a key, and the others keep theirs.
fn keys_are_made_once() {
    let lab = Lab::with_keys(&["one"]);
    let key = std::fs::read_to_string(&lab.creds["one"]).unwrap();
    let config =
        |args: &[&str]| Ran::from_command(lab.scratch.cornerman([&["nats-config", "--out", "."], args].concat()));
    config(&["--workers", "one,two"]).fine();
    assert_eq!(std::fs::read_to_string(&lab.creds["one"]).unwrap(), key);
    let conf = std::fs::read_to_string(lab.scratch.path().join("nats.conf")).unwrap();
    assert_eq!(conf.matches("permissions").count(), 2, "{conf}");
    for (args, words) in [
        (&["--workers", "a b"][..], "--workers a b: a worker's name has"),
        (&["--workers", "one", "--listen", "0.0.0.0:4222"], "needs a certificate"),
    ] {
        let ran = config(args);
        assert!(ran.code == Some(2) && ran.stderr.replace('\n', " ").contains(words), "{ran:?}");
    }
    let one = lab.creds["one"].to_str().unwrap();
    let again = Ran::from_command(crate::support::cornerman(["worker", "--make-key", one]));
    assert!(again.code == Some(2) && again.stderr.contains("there is a key already"), "{again:?}");
    let other = ["worker", "--nats", "nats://127.0.0.1:1", "--creds", one, "--name", "two"];
    let other = Ran::from_command(crate::support::cornerman(other));
    assert!(other.code == Some(2) && other.stderr.contains("is for the worker one"), "{other:?}");
}

/// Runs something that speaks with the server.
fn run<T>(body: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(body)
}

async fn client(lab: &Lab, user: &str) -> async_nats::Client {
    let options = match lab.creds.get(user) {
        Some(creds) => {
            let text = std::fs::read_to_string(creds).unwrap();
            let seed = text.lines().find(|line| line.starts_with("SU")).unwrap();
            async_nats::ConnectOptions::with_nkey(seed.to_string())
        }
        None => async_nats::ConnectOptions::new(),
    };
    options.custom_inbox_prefix(inbox(user)).connect(lab.url()).await.unwrap()
}

/// The manager's streams, as a worker reaches them.
fn jetstream(lab: &Lab, client: &async_nats::Client) -> async_nats::jetstream::Context {
    if lab.creds.is_empty() {
        async_nats::jetstream::new(client.clone())
    } else {
        async_nats::jetstream::with_prefix(client.clone(), API)
    }
}

/// A worker of this test's own.
struct Impostor {
    client: async_nats::Client,
    jetstream: async_nats::jetstream::Context,
    tournament: TournamentId,
    key: WorkerKey,
    welcome: Welcome,
}

impl Impostor {
    /// Joins the tournament that is announced, as a worker of the version `kit`.
    async fn join(lab: &Lab, kit: &str) -> Impostor {
        let client = client(lab, "impostor").await;
        let announced = announced(&client).await;
        let tournament = announced.tournament;
        let objects = Objects::open(&jetstream(lab, &client), &tournament).await.unwrap();
        let bytes = objects.get(&announced.context, 1 << 20).await.unwrap();
        let context: Context = message::from_json(&bytes).unwrap();
        let key = WorkerKey::new("impostor");
        let hello = WorkerHello {
            worker: key.clone(),
            context: announced.context.clone(),
            machine: Machine { name: "impostor".to_string(), ..Machine::this() },
            kit: kit.to_string(),
            rules: context.rules.clone(),
            level: Level::Namespaced,
            threads: 1,
            noise: None,
            refuses: None,
            bots: context.entrants.iter().map(|_| Ok(BuildFacts::default())).collect(),
        };
        let subject = tournament.subject(Messages::Hello, key.as_str());
        let answer = loop {
            match client.request(subject.clone(), message::to_json(&hello).into()).await {
                Ok(answer) => break answer,
                // The manager does not listen yet.
                Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
            }
        };
        let jetstream = jetstream(lab, &client);
        Impostor { client, jetstream, tournament, key, welcome: message::from_json(&answer.payload).unwrap() }
    }

    /// The first job that it is given.
    async fn job(&self) -> SentJob {
        let Welcome::Joined { consumer } = &self.welcome else { panic!("{:?}", self.welcome) };
        let status = message::to_json(&Status { held: Vec::new(), leaving: false });
        self.client
            .publish(self.tournament.subject(Messages::Status, self.key.as_str()), status.into())
            .await
            .unwrap();
        let consumer: async_nats::jetstream::consumer::PullConsumer =
            self.jetstream.get_consumer_from_stream(consumer, self.tournament.jobs()).await.unwrap();
        let mut messages = consumer.messages().await.unwrap();
        let job = messages.next().await.unwrap().unwrap();
        let jobs: Vec<SentJob> = message::from_bytes(&job.payload).unwrap();
        jobs.into_iter().next().unwrap()
    }

    /// Gives back what it was given.
    async fn leave(&self) {
        let leaves = message::to_json(&Status { held: Vec::new(), leaving: true });
        let subject = self.tournament.subject(Messages::Status, self.key.as_str());
        self.client.publish(subject, leaves.into()).await.unwrap();
        self.client.flush().await.unwrap();
    }

    async fn send(&self, result: &SentResult) {
        let subject = self.tournament.subject(Messages::Result, self.key.as_str());
        self.jetstream.publish(subject, message::to_bytes(&vec![result]).into()).await.unwrap().await.unwrap();
    }
}

async fn announced(client: &async_nats::Client) -> Announcement {
    let mut heard = client.subscribe(TOURNAMENTS).await.unwrap();
    let signed: Signed = message::from_json(&heard.next().await.unwrap().payload).unwrap();
    signed.announcement(None).unwrap()
}

/// A result of the job that says that the first seat has won without a move.
fn forged_result(job: &SentJob) -> SentResult {
    let record = GameRecord {
        pairing: job.job.pairing.clone(),
        setup: job.job.setup.clone(),
        outcome: Outcome { places: vec![1, 2], points: vec![1, 0], territory: vec![1, 0], end: End::Played },
        started_ms: 0,
        wall: Duration::ZERO,
        host: "impostor".to_string(),
        moves: Vec::new(),
        faults: Vec::new(),
        seats: vec![SeatRecord::default(); 2],
    };
    let played = JobOutcome::Over(Box::new(record));
    SentResult { run: job.run.clone(), key: job.key, attempt: job.attempt, token: job.token, played }
}

/// A lab whose server lets in an impostor and an honest worker, and the manager of a contest on this number of boards.
fn attacked(boards: u32) -> (Lab, Running) {
    let lab = Lab::with_keys(&["impostor", "honest"]);
    let contest = lab.contest(&BOTS, "", boards);
    let manager = lab.manager(&contest, &[]);
    (lab, manager)
}

/// The contest is played by an honest worker, and nothing of the impostor's is in the record.
fn is_played_by_others(lab: &Lab, manager: &mut Running) {
    let _worker = lab.worker("honest");
    assert_eq!(manager.code(), Some(0), "{}", manager.log());
    assert_eq!(lab.query("SELECT DISTINCT host FROM games"), ["honest"]);
    lab.verify();
}

fn a_forged_result_is_refused_and_its_worker_named() {
    let (lab, mut manager) = attacked(12);
    run(async {
        let impostor = Impostor::join(&lab, &message::kit()).await;
        let job = impostor.job().await;
        impostor.send(&forged_result(&job)).await;
        manager.wait_for("impostor gets no more games: ");
        // What comes later counts as little, and it is not let in again, with another id.
        impostor
            .send(&SentResult { played: JobOutcome::Lost("bad luck".to_string()), ..forged_result(&job) })
            .await;
        let again = Impostor::join(&lab, &message::kit()).await;
        assert!(matches!(again.welcome, Welcome::Refused(_)), "{:?}", again.welcome);
    });
    is_played_by_others(&lab, &mut manager);
    assert!(!manager.log().contains("bad luck"), "{}", manager.log());
}

/// Results of games that the worker was not given, in this run of the manager or another, lost or played. No worker is
/// banned for them.
fn a_result_that_was_not_asked_for_is_ignored() {
    let (lab, mut manager) = attacked(12);
    run(async {
        let impostor = Impostor::join(&lab, &message::kit()).await;
        let job = impostor.job().await;
        let mut other = job.clone();
        other.key.id.table += 1;
        other.job.pairing.id = other.key.id;
        let forged = forged_result(&job);
        for result in [
            forged_result(&other),
            SentResult { played: JobOutcome::Lost("bad luck".to_string()), ..forged_result(&other) },
            SentResult { run: "another".to_string(), ..forged.clone() },
            SentResult { attempt: 7, ..forged.clone() },
            SentResult { key: JobKey { look: 1, ..forged.key }, ..forged.clone() },
            SentResult { token: [0; 16], ..forged },
        ] {
            impostor.send(&result).await;
        }
        manager.wait_for("which it was not given, or not with these bots: ignored");
        impostor.leave().await;
    });
    manager.wait_for("impostor has left");
    is_played_by_others(&lab, &mut manager);
    let log = manager.log();
    assert!(log.contains("6 messages came from workers that may not send them"), "{log}");
    assert!(!log.contains("no more games") && !log.contains("bad luck"), "{log}");
}

fn an_announcement_that_another_has_signed_is_ignored() {
    // A server that lets everyone announce.
    let lab = Lab::new();
    let keys = Lab::with_keys(&["one"]);
    let contest = lab.contest(&BOTS, "", 1);
    let key = |file: &std::path::Path| {
        let server =
            cornerman_cluster::ServerAccess { url: String::new(), creds: Some(file.to_path_buf()), ca: None };
        server.identity().unwrap().key.unwrap()
    };
    let manager_key = key(&keys.creds["manager"]);
    let worker = lab.worker_with("one", &["--manager", &manager_key.public_key()]);
    worker.wait_for("waits for tournaments");
    let forged = Announcement {
        tournament: TournamentId::from_record(&[1]),
        contest: "Forged".to_string(),
        run: "run".to_string(),
        kit: message::kit(),
        context: "0".repeat(64),
        over: false,
    };
    let by_manager = Signed::new(&forged, Some(&manager_key));
    let by_other = Signed::new(&forged, Some(&key(&unknown_key(&lab))));
    run(async {
        let client = client(&lab, "stranger").await;
        for signed in [
            Signed::new(&forged, None),
            by_other.clone(),
            Signed { key: by_manager.key.clone(), ..by_other },
            Signed { text: by_manager.text.replace("Forged", "Framed"), ..by_manager },
        ] {
            client.publish(TOURNAMENTS, message::to_json(&signed).into()).await.unwrap();
        }
        client.publish(TOURNAMENTS, "nonsense".into()).await.unwrap();
        client.flush().await.unwrap();
    });
    worker.wait_for("ignored 4 announcements that are not the manager's: its signature is wrong");
    let more = ["--creds", keys.creds["manager"].to_str().unwrap()];
    let mut manager = lab.manager(&contest, &more);
    assert_eq!(manager.code(), Some(0), "{}", manager.log());
    assert!(!worker.log().contains("Forged") && !worker.log().contains("Framed"), "{}", worker.log());
}

/// The manager may use every subject, so it must not be led to send something to one that a worker names.
fn the_manager_answers_nobody_elsewhere() {
    let (lab, mut manager) = attacked(1);
    run(async {
        // The manager listens once it has refused someone.
        let Impostor { client, tournament, .. } = Impostor::join(&lab, "0.0.1/1").await;
        let watcher = self::client(&lab, "manager").await;
        let victims = [format!("$JS.API.STREAM.DELETE.{}", tournament.results()), inbox("honest") + ".1"];
        let key = WorkerKey::new("impostor");
        let mut overheard = watcher.subscribe(victims[1].clone()).await.unwrap();
        watcher.flush().await.unwrap();
        for victim in victims {
            for messages in [Messages::Hello, Messages::Status] {
                let status = message::to_json(&Status { held: Vec::new(), leaving: false });
                let subject = tournament.subject(messages, key.as_str());
                client.publish_with_reply(subject, victim.clone(), status.into()).await.unwrap();
            }
        }
        client.flush().await.unwrap();
        let heard = tokio::time::timeout(Duration::from_secs(1), overheard.next()).await;
        assert!(heard.is_err(), "{heard:?}");
    });
    is_played_by_others(&lab, &mut manager);
    assert!(manager.log().contains("messages came from workers that may not send them"), "{}", manager.log());
}

/// The server may use every subject too, and it sends an answer to the subject that the request names.
fn the_server_is_led_to_nothing() {
    let (lab, mut manager) = attacked(12);
    run(async {
        let impostor = Impostor::join(&lab, &message::kit()).await;
        impostor.job().await;
        let client = &impostor.client;
        let id = &impostor.tournament;
        let requests = [
            (format!("{API}.DIRECT.GET.{}", id.objects()), "{\"seq\":1}"),
            (format!("{API}.CONSUMER.INFO.{}.impostor", id.jobs()), ""),
            (format!("{API}.CONSUMER.MSG.NEXT.{}.impostor", id.jobs()), "1"),
        ];
        let victims = [
            format!("$JS.API.STREAM.DELETE.{}", id.results()),
            format!("$JS.API.STREAM.PURGE.{}", id.jobs()),
            format!("$JS.API.CONSUMER.DELETE.{}.=manager", id.results()),
        ];
        for (request, payload) in &requests {
            for victim in &victims {
                client.publish_with_reply(request.clone(), victim.clone(), (*payload).into()).await.unwrap();
            }
        }
        client.flush().await.unwrap();
        tokio::time::sleep(Duration::from_secs(1)).await;
        let jetstream = async_nats::jetstream::new(self::client(&lab, "manager").await);
        for (stream, consumers) in [(id.jobs(), 1), (id.results(), 1), (id.objects(), 0)] {
            let mut there =
                jetstream.get_stream(&stream).await.unwrap_or_else(|error| panic!("{stream}: {error}"));
            let info = there.info().await.unwrap();
            assert_eq!(info.state.consumer_count, consumers, "{stream}");
        }
        impostor.leave().await;
    });
    is_played_by_others(&lab, &mut manager);
}

fn a_worker_plays_no_contest_that_asks_too_much() {
    if is_offered(Level::Namespaced).is_ok() {
        refuses(
            &["--isolation-at-most", "plain"],
            &[],
            "it is to be played at plain at most, and this worker plays at namespaced at least",
        );
    }
    refuses(&[], &["--most-memory", "16"], "may have memory up to 4096 MiB, and this worker allows 16 MiB");
    refuses(&[], &["--most-processes", "1"], "may have processes up to 64, and this worker allows 1");
}

/// Checks that a worker with the arguments `of_worker` refuses a contest whose manager has the arguments `of_manager`, and
/// that both give the reason `why`.
fn refuses(of_manager: &[&str], of_worker: &[&str], why: &str) {
    let lab = Lab::new();
    let contest = lab.contest(&BOTS, "", 1);
    let worker = lab.worker_with("careful", of_worker);
    let manager = lab.manager(&contest, of_manager);
    worker.wait_for("the manager gives careful no games: ");
    manager.wait_for("careful gets no games: ");
    for log in [worker.log(), manager.log()] {
        assert!(log.contains(why), "{why}: {log}");
    }
    assert!(!worker.log().contains("building"), "{}", worker.log());
}

/// An object that a stranger has stored, in any number of parts with any content, is refused unless it is whole.
fn an_object_is_whole_or_refused() {
    const MOST: usize = 1 << 20;
    let lab = Lab::new();
    run(async {
        let client = client(&lab, "stranger").await;
        let jetstream = async_nats::jetstream::new(client);
        let tournament = TournamentId::from_record(&[5]);
        let objects = Objects::make(&jetstream, &tournament).await.unwrap();
        for bytes in [Vec::new(), vec![7; 300_000], vec![7; MOST]] {
            let name = cornerman_harness::text::sha256(&bytes);
            // The second time it is there already.
            for _ in 0..2 {
                objects.put(&name, &bytes).await.unwrap();
                assert!(objects.get(&name, MOST).await.unwrap() == bytes, "{} bytes", bytes.len());
            }
        }
        let large = vec![7; MOST + 1];
        let name = cornerman_harness::text::sha256(&large);
        objects.put(&name, &large).await.unwrap();
        let refused = |name: String, words: &'static str| {
            let objects = &objects;
            async move {
                let why = objects.get(&name, MOST).await.unwrap_err().to_string();
                assert!(why.contains(words), "{words}: {why}");
            }
        };
        refused(name, "it has more than 1 MiB").await;
        for (number, part, words) in [
            ("2/2", "x", "its parts are in another order"),
            ("", "x", "a part has no number"),
            ("1/1", "other bytes", "what it gave is not what was asked for"),
        ] {
            let name = format!("{:064}", number.len());
            let mut headers = async_nats::HeaderMap::new();
            headers.insert("Cornerman-Part", number);
            let sent = jetstream.publish_with_headers(tournament.object(&name), headers, part.into()).await;
            sent.unwrap().await.unwrap();
            refused(name.clone(), words).await;
            let stream = jetstream.get_stream_no_info(tournament.objects()).await.unwrap();
            stream.purge().filter(tournament.object(&name)).await.unwrap();
        }
        refused("f".repeat(64), "does not give ffffffffffff").await;
    });
}

/// Messages of every kind from a sender that may send them: changed at random, or of no sense at all.
fn messages_of_any_bytes_stop_nothing() {
    let lab = Lab::new();
    let contest = lab.contest(&BOTS, LONG_GAMES, 12);
    let mut manager = lab.manager(&contest, &[]);
    let worker = run(async {
        let client = client(&lab, "impostor").await;
        let tournament = announced(&client).await.tournament;
        let mut statuses = client.subscribe(tournament.subject(Messages::Status, EVERY_WORKER)).await.unwrap();
        let mut refused = client.subscribe("$JS.EVENT.ADVISORY.CONSUMER.MSG_TERMINATED.>").await.unwrap();
        client.flush().await.unwrap();
        let worker = lab.worker("honest");
        let honest = WorkerKey::of_subject(&statuses.next().await.unwrap().subject);
        let key = WorkerKey::new("impostor");
        let mut rng = cornerman::rng::Rng::new(41);
        let status = message::to_json(&Status { held: Vec::new(), leaving: false });
        let pairing = Pairing {
            id: GameId { stage: 0, round: 9, table: 0, game: 0, attempt: 0 },
            seats: Vec::new(),
            board: 0,
        };
        let setup = Setup { seats: 2, board: vec![b'.'; 9], marks: vec![1, 2], seed: 7 };
        let job = Job { pairing: Pairing { seats: vec![EntrantId(0), EntrantId(1)], ..pairing.clone() }, setup };
        let key_of_job = JobKey::first(pairing.id);
        let job = SentJob { run: "run".to_string(), key: key_of_job, attempt: 1, job, token: [0; 16] };
        let job = message::to_bytes(&vec![job]);
        for _ in 0..2_000 {
            let mut bytes = match rng.below(4) {
                0 => status.clone(),
                1 => job.clone(),
                2 => message::to_bytes(&Vec::<SentResult>::new()),
                _ => vec![0xff; 40],
            };
            for _ in 0..=rng.below(8) {
                let at = rng.below(bytes.len() as u64) as usize;
                bytes[at] = rng.below(256) as u8;
            }
            let (messages, key) = [
                (Messages::Hello, &key),
                (Messages::Status, &key),
                (Messages::Result, &key),
                (Messages::Job, &honest),
            ][rng.below(4) as usize];
            let subject = tournament.subject(messages, key.as_str());
            let reply = inbox("impostor") + ".1";
            client.publish_with_reply(subject, reply, bytes.clone().into()).await.unwrap();
            client.publish(TOURNAMENTS, bytes.into()).await.unwrap();
        }
        client.flush().await.unwrap();
        let refused = tokio::time::timeout(PATIENCE, refused.next()).await;
        assert!(refused.is_ok(), "jobs that cannot be read are delivered again: {}", worker.log());
        worker
    });
    assert_eq!(manager.code(), Some(0), "{}", manager.log());
    assert_eq!(lab.query("SELECT DISTINCT host FROM games"), ["honest"]);
    lab.verify();
    drop(worker);
}

fn a_corrupted_bundle_is_refused_and_named() {
    let lab = Lab::new();
    lab.scratch.file("mine/bot.toml", "name = \"Mine\"\nrun = [\"sh\", \"bot.sh\"]\n");
    lab.scratch.file("mine/bot.sh", "exit 1\n");
    let contest = lab.contest(&["mine", "@greedy"], "", 1);
    let manager = lab.manager(&contest, &[]);
    run(async {
        let client = client(&lab, "stranger").await;
        let announced = announced(&client).await;
        let jetstream = async_nats::jetstream::new(client);
        let stream = jetstream.get_stream(announced.tournament.objects()).await.unwrap();
        let mut subjects = stream.info_with_subjects(announced.tournament.object("*")).await.unwrap();
        let prefix = announced.tournament.object("");
        while let Some(Ok((subject, _))) = subjects.next().await {
            let sha256 = subject.strip_prefix(&prefix).unwrap();
            if sha256 != announced.context {
                stream.purge().filter(&subject).await.unwrap();
                let objects = Objects::open(&jetstream, &announced.tournament).await.unwrap();
                objects.put(sha256, b"something else").await.unwrap();
            }
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
    manager.wait_for("impostor gets no games: it is another build of Cornerman, 0.0.1/1");
}
