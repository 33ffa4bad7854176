//! Measures the manager in a large tournament: games per second, its processor time per game, and its memory.
//!
//! 300 entrants play all against all on three boards in both orders: 269,100 games. Two worker processes simulate the
//! bots. Everything else is real: the plan, the server, the rules and the record on disk.

use cornerman::contest::{Contest, Field, Participants, Stage, Versions};
use cornerman::format::{EntrantId, Pairing, Results};
use cornerman::formats::{BoardNumber, Format, all_play_all};
use cornerman::game::{Reply, Seat, Setup};
use cornerman_cluster::message::{
    self, BotSource, Context, JobOutcome, SentBot, SentJob, SentResult, Status, Welcome, WorkerHello,
};
use cornerman_cluster::names::{Messages, TOURNAMENTS, TournamentId, WorkerKey, inbox};
use cornerman_cluster::{ManagedTournament, NatsWorkers, Requirements, ServerAccess};
use cornerman_harness::games::rps;
use cornerman_harness::machine::Machine;
use cornerman_harness::record::{
    BuildFacts, EntrantRecord, GameRecord, Header, MoveRecord, SeatRecord, StageRecord, TimeUsed, Writer,
};
use cornerman_harness::ruleset::{AnyKit, Games, Ruleset};
use cornerman_harness::run::{Progress, Recorder, Run, Until, setup_for};
use cornerman_harness::sandbox::Level;
use futures_util::StreamExt;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Rounds of a game.
const ROUNDS: u32 = 25;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    if let [_, word, url, name] = &args[..]
        && word == "worker"
    {
        return simulate(url, name);
    }
    // `cargo test` runs this without `--bench`, only to check that it works.
    let entrants = if args.iter().any(|arg| arg == "--bench") { 300 } else { 8 };
    let Some(server) = NatsServer::start() else { return println!("nats-server is not on this machine") };
    let _workers = ["one", "two"].map(|name| {
        let own = std::env::current_exe().expect("this program");
        KillOnDrop(Command::new(own).args(["worker", &server.url, name]).spawn().expect("a worker"))
    });
    manage(entrants, &server);
}

/// A process that is killed when the benchmark ends.
struct KillOnDrop(Child);

impl Drop for KillOnDrop {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

struct NatsServer {
    _process: KillOnDrop,
    folder: tempfile::TempDir,
    url: String,
}

impl NatsServer {
    fn start() -> Option<NatsServer> {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a temporary folder");
        let port = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a port").port();
        let mut command = Command::new("nats-server");
        command.args(["-a", "127.0.0.1", "-p", &port.to_string(), "-js", "-sd"]).arg(folder.path());
        let process = KillOnDrop(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()?);
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            std::thread::sleep(Duration::from_millis(20));
        }
        Some(NatsServer { _process: process, folder, url: format!("nats://127.0.0.1:{port}") })
    }
}

fn ruleset() -> Ruleset {
    let text = rps::KIT.default_ruleset().text.replace("rounds = 1000", &format!("rounds = {ROUNDS}"));
    Games::new([&rps::KIT as _]).parse(Path::new("rps.toml"), &text).expect("the ruleset is right")
}

fn manage(entrants: u16, server: &NatsServer) {
    let ruleset = ruleset();
    let boards = Some((0..3).map(BoardNumber).collect());
    let settings = all_play_all::AllPlayAllSettings { boards, ..Default::default() };
    let stages = vec![Stage { format: Format::AllPlayAll(settings), who: Participants::All }];
    let contest = Contest::new(Field::new(entrants, 0), stages, 1).expect("a contest");
    let path = server.folder.path().join("many.db");
    let header = Header { stages: vec![StageRecord::default()], ..Header::default() };
    let mut writer = Writer::create_or_resume(&path, &header).expect("a record");
    writer.add_entrants(&vec![EntrantRecord::default(); usize::from(entrants)]).expect("entrants");
    let bot = |number| SentBot {
        entrant: EntrantId(number),
        name: format!("bot {number}"),
        source: BotSource::Named("@none".to_string()),
        limits: ruleset.limits.clone(),
    };
    let context = Context {
        ruleset: ruleset.text.clone(),
        rules: message::rules_print(&ruleset),
        at_least: None,
        at_most: None,
        entrants: (0..entrants).map(bot).collect(),
        versions: Versions::default(),
    };
    let settings = ManagedTournament {
        tournament: TournamentId::from_record(&writer.identity().expect("an identity")),
        contest: "Many".to_string(),
        context,
        bundles: BTreeMap::new(),
        toolchains: vec![None; usize::from(entrants)],
        required: Requirements { quiet: false, ..Requirements::default() },
        again: 0.0,
        ruleset: &ruleset,
        on_hold: BTreeSet::new(),
        recorded: BTreeSet::new(),
    };
    let reached = ServerAccess { url: server.url.clone(), creds: None, ca: None };
    let mut workers =
        NatsWorkers::begin(&reached, settings, Arc::new(|words: &str| println!("  {words}"))).expect("a server");
    let mut planner = |results: &Results| contest.plan(results).expect("a plan");
    let setup = |pairing: &Pairing| setup_for(pairing, 1, &ruleset, Vec::new());
    let total = u64::from(entrants) * u64::from(entrants - 1) * 3;
    println!("{total} games of {ROUNDS} rounds, {} moves each", 2 * ROUNDS);
    println!("     games   seconds   games/s   manager ms/game   its memory MiB");
    let began = Instant::now();
    let mut played = 0;
    let mut shown = 0;
    let mut results = Results::new();
    let mut show = |progress: &Progress, _: &Results| {
        if let Progress::Played(games) = progress {
            played += games.len() as u64;
            if played * 8 / total > shown {
                shown = played * 8 / total;
                report(played, began.elapsed());
            }
        }
        Ok::<(), cornerman_harness::record::RecordError>(())
    };
    let ended = Run {
        planner: &mut planner,
        setup: &setup,
        workers: &mut workers,
        until: &Until::default(),
        sinks: &mut [&mut Recorder(&mut writer), &mut show],
    }
    .play(&mut results);
    println!("{:?}", ended.expect("the record can be written"));
    workers.end(true);
    assert_eq!(writer.results().expect("results").len() as u64, total);
}

/// Prints a row: the games played so far, and what this process has used for them.
fn report(played: u64, took: Duration) {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let memory = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:")?.split_whitespace().next()?.parse::<u64>().ok());
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // Time in user mode and in the kernel, in ticks of 10 ms.
    let ticks: u64 = stat.split_whitespace().skip(13).take(2).filter_map(|ticks| ticks.parse::<u64>().ok()).sum();
    println!(
        "{played:>10} {:>9.1} {:>9.0} {:>17.3} {:>16}",
        took.as_secs_f64(),
        played as f64 / took.as_secs_f64(),
        ticks as f64 * 10.0 / played as f64,
        memory.unwrap_or_default() >> 10,
    );
}

/// A worker that simulates its games instead of running bots.
fn simulate(url: &str, name: &str) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let options = async_nats::ConnectOptions::new().custom_inbox_prefix(inbox(name));
        let client = options.connect(url).await.expect("the server is there");
        let mut received = client.subscribe(TOURNAMENTS).await.expect("it lets everyone listen");
        let announced = received.next().await.expect("a tournament").payload;
        let announced: message::Signed = message::from_json(&announced).expect("an announcement");
        let announced = announced.announcement(None).expect("an announcement");
        let ruleset = ruleset();
        let key = WorkerKey::new(name);
        let id = announced.tournament;
        let hello = WorkerHello {
            worker: key.clone(),
            context: announced.context.clone(),
            machine: Machine { name: name.to_string(), ..Machine::this() },
            kit: message::kit(),
            rules: message::rules_print(&ruleset),
            level: Level::Namespaced,
            threads: 16,
            noise: None,
            refuses: None,
            bots: vec![Ok(BuildFacts::default()); 300],
        };
        let subject = id.subject(Messages::Hello, key.as_str());
        let answer = loop {
            match client.request(subject.clone(), message::to_json(&hello).into()).await {
                Ok(answer) => break answer,
                // The manager is not listening yet.
                Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
            }
        };
        let Ok(Welcome::Joined { consumer }) = message::from_json(&answer.payload) else { panic!("not welcome") };
        let jetstream = async_nats::jetstream::new(client.clone());
        let status = id.subject(Messages::Status, key.as_str());
        let status_client = client.clone();
        tokio::spawn(async move {
            loop {
                let status_now = Status { held: Vec::new(), leaving: false };
                status_client.publish(status.clone(), message::to_json(&status_now).into()).await.ok();
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        });
        let consumer: async_nats::jetstream::consumer::PullConsumer =
            jetstream.get_consumer_from_stream(&consumer, id.jobs()).await.expect("a consumer");
        let mut messages = consumer.messages().await.expect("jobs");
        while let Some(Ok(received)) = messages.next().await {
            let jobs: Vec<SentJob> = message::from_bytes(&received.payload).expect("jobs");
            let result = |job: SentJob| {
                let played =
                    JobOutcome::Over(Box::new(simulated_game(&ruleset, job.job.pairing, job.job.setup, name)));
                SentResult { run: job.run, key: job.key, attempt: job.attempt, token: job.token, played }
            };
            let results: Vec<SentResult> = jobs.into_iter().map(result).collect();
            let subject = id.subject(Messages::Result, key.as_str());
            let stored = jetstream.publish(subject, message::to_bytes(&results).into()).await;
            stored.expect("it is sent").await.expect("it is stored");
            received.ack().await.ok();
        }
    });
}

/// Simulates a game with pseudo-random hands.
fn simulated_game(ruleset: &Ruleset, pairing: Pairing, setup: Setup, host: &str) -> GameRecord {
    let mut game = ruleset.open(&setup).expect("it can begin");
    let used = TimeUsed { wall: Duration::from_micros(12), cpu: Duration::from_micros(9), lag: Duration::ZERO };
    let mut moves = Vec::new();
    let mut hand = setup.seed;
    while game.outcome().is_none() {
        let seat =
            (0..setup.seats).map(Seat).find(|seat| game.to_act().contains(*seat)).expect("someone is to act");
        hand = hand.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let reply = Reply::Notation((hand >> 33).rem_euclid(3).to_string());
        let notation = game.play(seat, &reply).expect("a hand is legal");
        moves.push(MoveRecord { number: moves.len() as u32 + 1, seat, notation, used, remarks: Vec::new() });
    }
    GameRecord {
        outcome: game.outcome().expect("it is over"),
        pairing,
        setup,
        started_ms: 1_700_000_000_000,
        wall: Duration::from_millis(1),
        host: host.to_string(),
        moves,
        faults: Vec::new(),
        seats: vec![SeatRecord { level: Some(Level::Namespaced), asked: ROUNDS, ..SeatRecord::default() }; 2],
    }
}
