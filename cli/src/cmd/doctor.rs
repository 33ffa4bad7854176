//! `doctor`: reports what this machine offers for running bots, and how to get more; with `--syscalls`, lists the
//! system calls that a bot makes in its sandbox, and which of them are refused; with `--nats`, what a server allows a
//! worker.

use crate::options::{IsolationArgs, LanguagesArgs, NatsUserArgs, PlayFormat};
use crate::show::{self, BAD, DIM, NAME, count, duration};
use crate::{CliError, Exit, Registry, bots, rules};
use clap::Args;
use cornerman::game::{Seat, Setup};
use cornerman_harness::bot::Bot;
use cornerman_harness::doctor::{MachineFindings, MoveTimes, Tool, examine};
use cornerman_harness::player::marks::{claim_marks, move_request, state_file};
use cornerman_harness::player::protocol::{Lines, Protocol};
use cornerman_harness::sandbox::calls::{self, Family, ObservedCall};
use cornerman_harness::sandbox::promises::not_kept;
use cornerman_harness::sandbox::{CallTrace, Conditions, Ended, Isolation, Level, RunRequest, SandboxError};
use cornerman_harness::text::signal_name;
use cornerman_report::json::micros;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{self, Write};

#[derive(Args)]
pub(crate) struct DoctorArgs {
    /// Say whether this machine is fit to play games of tournaments that are managed elsewhere: exit code 1 if not
    #[arg(long, conflicts_with = "syscalls")]
    pub worker: bool,
    /// With a worker's key, try everything at this NATS server that no worker may do: exit code 1 if the server allows
    /// it
    #[arg(long, value_name = "URL", conflicts_with_all = ["syscalls", "worker"])]
    pub nats: Option<String>,
    #[command(flatten)]
    pub user: NatsUserArgs,
    /// Run this bot with the first input of its game, and show its system calls and which of them the sandbox refuses
    #[arg(long, value_name = "BOT")]
    pub syscalls: Option<String>,
    /// The bot's game: {games} [default: the one that it names, or else that its answers show]
    #[arg(long, requires = "syscalls")]
    pub game: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = PlayFormat::Text)]
    pub format: PlayFormat,
    #[command(flatten)]
    pub isolation: IsolationArgs,
    #[command(flatten)]
    pub languages: LanguagesArgs,
}

/// Examines the machine and prints the findings; or prints the system calls of a bot, or what a NATS server allows.
pub(crate) fn run(args: DoctorArgs, games: &Registry) -> Result<Exit, CliError> {
    if let Some(bot) = &args.syscalls {
        return run_traced(bot, &args, games);
    }
    if let Some(url) = &args.nats {
        return server(url, &args);
    }
    if args.isolation.isolation.or(args.isolation.isolation_at_most).is_some() {
        return Err(CliError::usage(
            "--isolation and --isolation-at-most only apply to --syscalls BOT; without it, doctor tries all levels",
        ));
    }
    let findings = examine(&args.languages.read()?)?;
    let unfit = args.worker.then(|| unfit(&findings));
    let out = &mut show::stdout();
    match args.format {
        PlayFormat::Json => writeln!(out, "{}", show::json(describe(&findings, unfit.clone())))?,
        PlayFormat::Text => {
            print(&findings, out)?;
            match unfit.as_deref() {
                None => {}
                Some([]) => line(out, "worker", &format!("fit: {} games at a time", findings.cores))?,
                Some(why) => line(out, "worker", &format!("{}: {}", show::paint(BAD, "not fit"), why.join("; ")))?,
            }
        }
    }
    Ok(if unfit.is_none_or(|why| why.is_empty()) { Exit::Fine } else { Exit::No })
}

/// Leaves `--nats` to the build that can reach a server.
#[cfg(not(feature = "cluster"))]
fn server(_: &str, _: &DoctorArgs) -> Result<Exit, CliError> {
    Err(super::tournament::in_whole_build())
}

/// Prints what a worker's key allows at the NATS server at `url`, of all that it must not.
#[cfg(feature = "cluster")]
fn server(url: &str, args: &DoctorArgs) -> Result<Exit, CliError> {
    let possible = super::tournament::server(url, &args.user).probe()?;
    let out = &mut show::stdout();
    match (args.format, possible.is_empty()) {
        (PlayFormat::Json, _) => writeln!(out, "{}", show::json(ServerJson { url, possible: &possible }))?,
        (PlayFormat::Text, true) => line(out, "server", "this key allows nothing that a worker must not do")?,
        (PlayFormat::Text, false) => {
            line(out, "server", &show::paint(BAD, "this key allows more than a worker needs: it can"))?;
            possible.iter().try_for_each(|words| line(out, "", words))?;
            advise(out, "`nats-config` writes a configuration that allows none of it")?;
        }
    }
    Ok(if possible.is_empty() { Exit::Fine } else { Exit::No })
}

/// Why a machine is not fit to be a worker: a manager may refuse it, or its measured times are not reliable. Empty if
/// it is fit.
pub(crate) fn unfit(found: &MachineFindings) -> Vec<String> {
    let level = found.isolation.level;
    let weak = (level < Level::Namespaced)
        .then(|| format!("its isolation is only {level}, and a tournament may require {}", Level::Namespaced));
    weak.into_iter().chain(noise(&found.timing)).collect()
}

/// How noisy a machine is, in words; `None` if it is quiet.
pub(crate) fn noise(timing: &MoveTimes) -> Option<String> {
    let worst = duration(timing.worst);
    let lag = duration(timing.lag);
    timing.is_noisy().then(|| {
        format!(
            "other programs slow it down: an empty move took {worst}, and in {} moves it waited {lag}",
            timing.moves
        )
    })
}

fn print(found: &MachineFindings, out: &mut dyn Write) -> io::Result<()> {
    line(out, "version", crate::VERSION)?;
    let user = if found.root { "root" } else { "an ordinary user" };
    line(out, "machine", &format!("{}, {} cores, running as {user}", found.kernel, found.cores))?;
    isolation(found, out)?;
    match &found.control_groups {
        Ok(version) => {
            let use_of = "limit and count the memory, processes and processor time of everything a bot starts";
            line(out, "control groups", &format!("{version}: {use_of}"))?;
        }
        Err(why) => {
            let what = show::paint(BAD, "none");
            let so = "memory is limited per process only, and processor time is a lower bound";
            line(out, "control groups", &format!("{what} ({why}): {so}"))?;
            let scope = "systemd-run --user --scope -p Delegate=yes …";
            advise(out, &format!("run Cornerman as root, or in a scope of your own: `{scope}`"))?;
        }
    }
    match found.landlock {
        Some(version) => line(out, "Landlock", &format!("version {version}"))?,
        None => line(out, "Landlock", "none in this kernel")?,
    }
    let mib = |bytes: u64| bytes.div_ceil(1 << 20);
    let kept = match (&found.cache, found.cache_bytes) {
        (Ok(folder), (bytes, most)) => {
            format!("{}: {} MiB of at most {} MiB", show::plain(folder.display()), mib(bytes), mib(most))
        }
        (Err(why), _) => format!("nowhere: {}", show::plain(why)),
    };
    line(out, "built programs", &kept)?;
    timing(found, out)?;
    found.tools.iter().try_for_each(|tool| print_tool(tool, out))
}

fn isolation(found: &MachineFindings, out: &mut dyn Write) -> io::Result<()> {
    line(out, "isolation", &show::paint(NAME, found.isolation.level))?;
    for refusal in &found.isolation.refused {
        line(out, "", &format!("not {}: cannot {}: {}", refusal.level, refusal.step, refusal.why))?;
        advise(out, &refusal.advice())?;
    }
    for (promise, needed) in not_kept(found.isolation.level) {
        line(out, "", &format!("not promised here, as it needs {}: a bot {}", needed.name(), promise.bot))?;
    }
    Ok(())
}

fn timing(found: &MachineFindings, out: &mut dyn Write) -> io::Result<()> {
    let fair = if found.has_unified_groups {
        "control groups measure how long bots wait for a processor, and pause bots that are not to move"
    } else {
        "each thread's wait for a processor is measured, and signals pause bots that are not to move"
    };
    line(out, "fair time", fair)?;
    let timing = &found.timing;
    let median = duration(timing.median);
    let most = duration(timing.percentile_99);
    let worst = duration(timing.worst);
    let moves = timing.moves;
    let details = format!("{moves} moves; 99 of 100 within {most}, worst {worst}");
    line(out, "a move", &format!("by a bot that does nothing takes {median} ({details})"))?;
    line(out, "a sandbox", &format!("opens and closes in {}", duration(timing.setup)))?;
    if timing.is_noisy() {
        let what = show::paint(BAD, "noisy");
        line(out, "timing", &format!("{what}: other programs held the machine up for {}", duration(timing.lag)))?;
        let cost = "they cost bots no games, but take time (`help fair-time`)";
        advise(out, &format!("stop other programs before a contest: {cost}"))
    } else {
        line(out, "timing", "quiet: nothing else on this machine slows bots down")
    }
}

fn print_tool(tool: &Tool, out: &mut dyn Write) -> io::Result<()> {
    match &tool.found {
        Some((path, version)) => {
            let what = show::plain(version);
            line(out, &tool.language, &format!("{} {}", path.display(), show::paint(DIM, what)))
        }
        None => {
            let Tool { language, name, package, .. } = tool;
            line(out, language, &format!("no `{name}`; install it with `apt-get install {package}`"))
        }
    }
}

/// Where the second column begins.
const INDENT: usize = 16;

/// A line of two columns, the second folded to the width of the terminal.
fn line(out: &mut dyn Write, label: &str, text: &str) -> io::Result<()> {
    let line = format!("{label:<width$} {text}", width = INDENT - 1);
    writeln!(out, "{}", show::folded(line.trim_end(), INDENT))
}

/// A line of advice about the finding above it.
fn advise(out: &mut dyn Write, advice: &str) -> io::Result<()> {
    line(out, "", &format!("  {advice}"))
}

/// What `doctor` prints as JSON.
#[derive(Serialize, JsonSchema)]
pub(crate) struct DoctorJson<'a> {
    /// The build of Cornerman.
    version: &'a str,
    /// The kernel's name and version.
    kernel: &'a str,
    /// The processors that this process may use.
    cores: usize,
    /// Whether this process is run by root.
    root: bool,
    /// The best level of isolation, and what is missing for better ones.
    isolation: &'a Isolation,
    /// The version of Landlock; `null` if the kernel has none.
    landlock: Option<u32>,
    /// The version of the control groups that sandboxes use; `null` if they use none.
    control_groups: Option<&'a str>,
    /// Whether these measure how long bots wait for a processor.
    control_groups_unified: bool,
    /// Why sandboxes use none.
    control_groups_refused: Option<String>,
    /// The times of moves of a bot that does nothing.
    timing: TimingJson,
    /// The tools that build and run bots.
    tools: Vec<ToolJson<'a>>,
    /// With `--worker`: whether the machine is fit to be one.
    #[serde(skip_serializing_if = "Option::is_none")]
    worker: Option<WorkerJson>,
}

#[derive(Serialize, JsonSchema)]
struct TimingJson {
    /// How many moves were played.
    moves: usize,
    /// The median of their times.
    median_us: u64,
    /// The time that 99 of 100 do not exceed.
    percentile_99_us: u64,
    /// The longest time.
    worst_us: u64,
    /// How long this program waited for a processor during these moves.
    host_lag_us: u64,
    /// The median time to open and close a sandbox.
    setup_us: u64,
}

#[derive(Serialize, JsonSchema)]
struct ToolJson<'a> {
    /// Its name.
    name: &'a str,
    /// The language that it is for.
    language: &'a str,
    /// Where it is; `null` if it is not on this machine.
    path: Option<String>,
    /// Its version line.
    version: Option<&'a str>,
}

#[derive(Serialize, JsonSchema)]
struct WorkerJson {
    /// Whether it is fit.
    fit: bool,
    /// Why it is not.
    unfit: Vec<String>,
}

/// What `doctor --nats` prints as JSON.
#[cfg(feature = "cluster")]
#[derive(Serialize)]
struct ServerJson<'a> {
    url: &'a str,
    /// What the key allows and must not.
    possible: &'a [&'a str],
}

fn describe(found: &MachineFindings, unfit: Option<Vec<String>>) -> DoctorJson<'_> {
    let tools = found.tools.iter().map(|tool| ToolJson {
        name: &tool.name,
        language: &tool.language,
        path: tool.found.as_ref().map(|(path, _)| path.display().to_string()),
        version: tool.found.as_ref().map(|(_, version)| version.as_str()),
    });
    DoctorJson {
        version: crate::VERSION,
        kernel: &found.kernel,
        cores: found.cores,
        root: found.root,
        isolation: &found.isolation,
        landlock: found.landlock,
        control_groups: found.control_groups.as_ref().ok().copied(),
        control_groups_unified: found.has_unified_groups,
        control_groups_refused: found.control_groups.as_ref().err().map(ToString::to_string),
        timing: TimingJson {
            moves: found.timing.moves,
            median_us: micros(found.timing.median),
            percentile_99_us: micros(found.timing.percentile_99),
            worst_us: micros(found.timing.worst),
            host_lag_us: micros(found.timing.lag),
            setup_us: micros(found.timing.setup),
        },
        tools: tools.collect(),
        worker: unfit.map(|unfit| WorkerJson { fit: unfit.is_empty(), unfit }),
    }
}

/// The mark that a bot is given in games that have marks.
const MARK: u8 = b'A';

/// The heading of calls that are in no family.
const UNLISTED: &str = "on no list";

/// Runs the bot `spec` with the first input of its game, and prints its system calls.
fn run_traced(spec: &str, args: &DoctorArgs, games: &Registry) -> Result<Exit, CliError> {
    let languages = args.languages.read()?;
    let conditions = args.isolation.conditions()?;
    let bot = bots::load(spec, args.isolation.loader(&languages, games))?;
    let request = first_input(&bot, args.game.as_deref(), games, conditions)?;
    let mut sandbox = bot.sandbox(Conditions { can_trace: true, ..conditions })?;
    let level = sandbox.isolation().level;
    let marks: &[u8] = if level.shares_tmp() { &[MARK] } else { &[] };
    let claim = claim_marks(marks).map_err(SandboxError::Start)?;
    let trace = sandbox.trace(&request)?;
    sandbox.clear_state(&state_file(MARK))?;
    drop(claim);
    let out = &mut show::stdout();
    match args.format {
        PlayFormat::Json => writeln!(out, "{}", describe_calls(&bot, level, &trace))?,
        PlayFormat::Text => print_calls(&bot, level, &trace, out)?,
    }
    Ok(Exit::Fine)
}

/// The run in which a bot is sent the first input that the first seat of a game gets, by the game's usual ruleset.
fn first_input(
    bot: &Bot,
    game: Option<&str>,
    games: &Registry,
    conditions: Conditions,
) -> Result<RunRequest, CliError> {
    let ruleset = rules::rules(game, None, std::slice::from_ref(bot), games, conditions)?;
    let setup = Setup { seats: ruleset.seats.0, board: ruleset.board(1), seed: 1, ..Setup::default() };
    let first = Seat(0);
    let view = ruleset.open(&setup)?.view(first);
    let unknown = || usage!("{} does not speak a protocol of the game {}", bot.spec, ruleset.game());
    Ok(match ruleset.protocol(first, bot.engine_protocol.as_deref()).ok_or_else(unknown)? {
        Protocol::Pipe(_) => move_request(MARK, &view),
        Protocol::Lines(Lines { args, codec, .. }) => {
            RunRequest::with_input(args, &codec(&setup, first, ruleset.clock).request_move(&view, false))
        }
    })
}

fn print_calls(bot: &Bot, level: Level, trace: &CallTrace, out: &mut dyn Write) -> io::Result<()> {
    let ended = words(&trace.report.ended);
    let took = duration(trace.report.wall);
    let isolation = if level < Level::Namespaced { format!(" at isolation {level}") } else { String::new() };
    call_line(out, "bot", &format!("{}{isolation}: {ended}, after {took}", show::paint(NAME, &bot.spec)))?;
    for (family, observed) in by_family(&trace.calls) {
        let calls = observed.iter().map(|one| format!("{} {}", name(one), show::paint(DIM, one.times)));
        call_line(out, family, &calls.collect::<Vec<_>>().join(", "))?;
    }
    let refused: Vec<&ObservedCall> = trace.calls.iter().filter(|one| one.refused > 0).collect();
    if refused.is_empty() {
        call_line(out, "refused", "none")?;
    }
    for one in refused {
        call_line(out, &show::paint(BAD, format!("{:<FAMILIES$}", "refused")), &refusal(one))?;
    }
    let errors = trace.report.stderr_tail(20);
    if !errors.is_empty() {
        call_line(out, "standard error", "")?;
        errors.lines().try_for_each(|words| writeln!(out, "  {}", show::plain(words)))?;
    }
    Ok(())
}

/// A refused call with its arguments, what the bot got as an answer, how often, and the reason of the call's family.
fn refusal(one: &ObservedCall) -> String {
    let (errno, [first, second, ..]) = one.refusal.unwrap_or_default();
    let answer = match errno {
        0 => "did nothing and seemed to succeed".to_string(),
        errno => calls::errno_name(errno).to_string(),
    };
    let why = calls::REFUSED.iter().find(|family| family.calls().any(|call| call.number == one.number));
    let why = why.map_or(String::new(), |family| format!("; {}", family.reason));
    let how_often = if one.refused == one.times {
        count(one.refused, "time")
    } else {
        format!("{} of {}", one.refused, count(one.times, "time"))
    };
    format!("{}({first:#x}, {second:#x}, …): {answer}, {how_often}{}", name(one), show::paint(DIM, why))
}

/// The calls by family, in the order of the sandbox's lists.
fn by_family(seen: &[ObservedCall]) -> Vec<(&'static str, Vec<&ObservedCall>)> {
    let mut by_name: BTreeMap<&str, Vec<&ObservedCall>> = BTreeMap::new();
    for one in seen {
        by_name.entry(family(one)).or_default().push(one);
    }
    let order = calls::ALLOWED.iter().chain(calls::REFUSED).map(|family: &Family| family.name).chain([UNLISTED]);
    order.filter_map(|name| Some((name, by_name.remove(name)?))).collect()
}

fn family(one: &ObservedCall) -> &'static str {
    calls::find(one.number).map_or(UNLISTED, |(family, _)| family.name)
}

fn name(one: &ObservedCall) -> String {
    calls::find(one.number).map_or(format!("call {}", one.number), |(_, call)| call.name().to_string())
}

/// How a traced run ended.
fn words(ended: &Ended) -> String {
    match ended {
        Ended::Exited(status) => format!("exit status {status}"),
        Ended::Signalled(signal) => format!("killed by {}", signal_name(*signal)),
        Ended::TimedOut => "stopped when its time was up".to_string(),
        Ended::CannotStart { why, .. } => format!("could not be started: {why}"),
        other => other.to_string(),
    }
}

fn describe_calls(bot: &Bot, level: Level, trace: &CallTrace) -> Value {
    let calls = trace.calls.iter().map(|one| {
        json!({
            "name": name(one),
            "number": one.number,
            "family": family(one),
            "times": one.times,
            "refused": one.refused,
            "error": one.refusal.map(|(errno, _)| errno),
            "arguments": one.refusal.map(|(_, arguments)| arguments),
        })
    });
    json!({
        "schema": 1,
        "bot": bot.spec,
        "isolation": level,
        "ended": words(&trace.report.ended),
        "calls": calls.collect::<Vec<_>>(),
    })
}

/// The width of the column with the families of calls.
const FAMILIES: usize = 26;

fn call_line(out: &mut dyn Write, label: &str, text: &str) -> io::Result<()> {
    writeln!(out, "{}", show::folded(&format!("{label:<FAMILIES$} {text}"), FAMILIES + 1))
}
