//! Rock-paper-scissors bots with one fault each (R3–R8), and some that only look as if they had one. The faultless bot
//! is a sequence of steps, of which each fault replaces one or, rarely, several.

use crate::lines::{
    abort_if, brief_thread, drawn_at_start, exit_if, flush_at_the_end, kept_back, kept_back_if, leave, read,
    read_but, read_pieces, remember, sleep_if, stay, write,
};
use crate::process::replace_itself;
use crate::protocol::{self, Steps};
use crate::{MutantKind, Mutants};
use std::io::{self, Write};
use std::process::{ExitCode, abort, exit};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LazyLock, Mutex};
use std::thread::{available_parallelism, sleep, spawn};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The steps of a match.
pub struct RpsSteps {
    /// Those that no game decides.
    protocol: Steps,
    /// Returns its name, with the line feed.
    name: fn() -> String,
    /// Runs before the hand of each round is chosen.
    heed: fn(&KnownRounds),
    /// Chooses the hand.
    choose: fn(&KnownRounds) -> u64,
    /// Returns a hand as text, with its line feed.
    render: fn(&KnownRounds, u64) -> String,
}

/// What the bot knows before a round.
pub struct KnownRounds {
    /// The seed that it was sent.
    pub seed: u64,
    /// The number of rounds that it was sent.
    pub rounds: u64,
    /// The opponent's hands so far.
    pub foes: Vec<u64>,
    /// Their sum.
    sum: u64,
    /// Its own hands so far.
    pub own: Vec<u64>,
}

impl KnownRounds {
    /// The number of the next round, from 1.
    pub fn round(&self) -> usize {
        self.foes.len() + 1
    }

    /// Whether the next round is the last.
    pub fn is_last(&self) -> bool {
        self.round() as u64 == self.rounds
    }

    /// How many rounds it has tied (`lead` is 0), won (1) or lost (2).
    pub fn count(&self, lead: u64) -> usize {
        self.own.iter().zip(&self.foes).filter(|(own, foe)| (*own + 3 - *foe) % 3 == lead).count()
    }

    /// The faultless hand, which depends on the seed and all of the opponent's hands.
    pub fn mixed(&self) -> u64 {
        (self.seed + self.sum + self.foes.len() as u64 / 2) % 3
    }
}

/// The bot without a fault.
impl Default for RpsSteps {
    fn default() -> RpsSteps {
        RpsSteps::with(Steps::default())
    }
}

impl RpsSteps {
    /// The bot that plays faultlessly with these steps.
    fn with(protocol: Steps) -> RpsSteps {
        RpsSteps {
            protocol,
            name: || "Mutant\n".to_string(),
            heed: |_| (),
            choose: KnownRounds::mixed,
            render: |_, hand| format!("{hand}\n"),
        }
    }

    /// Plays a match.
    pub fn run(&self) -> ExitCode {
        self.protocol.run(|| _ = self.play())
    }

    fn play(&self) -> Option<()> {
        let Steps { read, heed, answer, write, .. } = &self.protocol;
        write(&(self.name)());
        let number =
            || Some(read()?.trim_matches([' ', '\r']).parse::<u64>().unwrap_or_else(|_| not_understood()));
        let seed = number()?;
        let rounds = number()?;
        let mut history = KnownRounds { seed, rounds, foes: Vec::new(), sum: 0, own: Vec::new() };
        for _ in 0..rounds {
            (self.heed)(&history);
            heed(history.round());
            let hand = (self.choose)(&history);
            write(&answer(history.round(), &(self.render)(&history, hand)));
            history.own.push(hand);
            let foe = number()?;
            history.foes.push(foe);
            history.sum += foe;
        }
        Some(())
    }
}

fn not_understood() -> ! {
    _ = writeln!(io::stderr(), "error: expected a number");
    exit(2)
}

/// The mutants of rock-paper-scissors.
pub fn mutants() -> Mutants {
    let kinds: LazyLock<Vec<MutantKind>> = LazyLock::new(|| protocol::kinds("rps"));
    Mutants { id: "rps", prefix: "rps-", kinds, usage: "rps-KIND", play: |kind, _| Some(bot(kind)?.run()) }
}

/// The bot of this kind, if there is one.
fn bot(kind: &str) -> Option<RpsSteps> {
    let groups = [preparing, naming, heeding, choosing, showing, ending, reading_or_writing, in_several_steps];
    let of_protocol = || Some(RpsSteps::with(protocol::steps(kind.strip_prefix("rps-")?)?));
    groups.into_iter().find_map(|group| group(kind)).or_else(of_protocol)
}

/// What a bot requires of its environment, and leaves behind, before anything is written.
fn preparing(kind: &str) -> Option<RpsSteps> {
    let prepare: fn() -> Result<(), String> = match kind {
        "rps-threads" => || {
            spawn(|| sleep(Duration::from_secs(30)));
            Ok(())
        },
        "rps-brief-thread" => brief_thread,
        "rps-starts-late" => || {
            sleep(Duration::from_millis(2500));
            Ok(())
        },
        "rps-hidden-history" => || {
            _ = std::fs::create_dir_all(".cache/past");
            remember(".cache/past")
        },
        _ => return None,
    };
    Some(RpsSteps::with(Steps { prepare, ..Steps::default() }))
}

/// Names.
fn naming(kind: &str) -> Option<RpsSteps> {
    let name: fn() -> String = match kind {
        "rps-near-long-name" => || format!("{} 石头 \n", "Fäustling ".repeat(20)),
        "rps-changing-name" => || format!("Mutant {}\n", now()),
        "rps-rarely-another-name" => {
            || if now().is_multiple_of(6) { "Mutant of another kind\n" } else { "Mutant\n" }.to_string()
        }
        "rps-name-of-home" => || format!("Mutant of {}\n", std::env::var("HOME").unwrap_or_default()),
        "rps-name-with-pid" => || format!("Mutant {}\n", std::process::id()),
        "rps-name-without-lf" => || "Mutant".to_string(),
        "rps-empty-name" => || "\n".to_string(),
        "rps-banner" => || "Mutant\nThe best bot there is\n".to_string(),
        "rps-asks" => || "Mutant\nseed? ".to_string(),
        _ => return None,
    };
    Some(RpsSteps { name, ..RpsSteps::default() })
}

/// What happens before a hand is chosen: mostly that a bot ends.
fn heeding(kind: &str) -> Option<RpsSteps> {
    let heed: fn(&KnownRounds) = match kind {
        "rps-near-limit" => |known| sleep_if(known.round() == 1, 250),
        "rps-floods" => |_| {
            loop {
                write("0\n");
            }
        },
        "rps-sleeps-late" => |known| sleep_if(known.round() == 720, 3000),
        "rps-stops-at-999" => |known| exit_if(known.round() == 999, 1),
        "rps-dies-on-paper" => |known| exit_if(known.foes.contains(&1), 1),
        "rps-dies-on-seed-0" => |known| exit_if(known.seed == 0, 1),
        "rps-short-seed" => |known| abort_if(known.seed > 32767),
        "rps-takes-its-seed-for-the-rounds" => |known| exit_if(known.round() as u64 > known.seed, 0),
        "rps-one-round-short" => |known| exit_if(known.is_last(), 0),
        "rps-leaves-after-rock" => |known| exit_if(known.foes.contains(&0), 0),
        "rps-leaves-after-ties" => |known| exit_if(known.count(0) == 150, 0),
        "rps-room-for-a-thousand" => |known| abort_if(known.round() > 1000),
        "rps-dies-late" => |known| abort_if(known.round() == 850),
        "rps-dies-of-losses" => |known| abort_if(known.count(2) == 120),
        "rps-history-late" => |known| {
            if let (200.., Ok(home)) = (known.round(), std::env::var("HOME")) {
                _ = remember(&home);
            }
        },
        "rps-history-with-its-last-hand" => |known| {
            if known.is_last() {
                _ = remember("/dev/shm");
            }
        },
        _ => return None,
    };
    Some(RpsSteps { heed, ..RpsSteps::default() })
}

/// Hands that depend on what they must not, or not on what they must.
fn choosing(kind: &str) -> Option<RpsSteps> {
    let choose: fn(&KnownRounds) -> u64 = match kind {
        "rps-clock-seeded" => |known| (known.mixed() + now()) % 3,
        "rps-second-seeded" => |known| drawn(known, now_in_seconds()),
        "rps-pid-seeded" => |known| drawn(known, std::process::id().into()),
        "rps-address-seeded" => |known| {
            let here = 0_u8;
            drawn(known, (&raw const here) as u64 >> 12)
        },
        "rps-environment-seeded" => |known| {
            let text: String = std::env::vars().map(|(name, value)| name + &value).collect();
            drawn(known, text.bytes().fold(0, |sum, byte| sum * 31 % 65_521 + u64::from(byte)))
        },
        "rps-folder-seeded" => |known| {
            let folder = std::env::current_dir().unwrap_or_default();
            drawn(known, folder.as_os_str().len() as u64)
        },
        "rps-locale-seeded" => |known| drawn(known, std::env::var("LANG").map_or(0, |lang| lang.len() as u64)),
        "rps-processor-seeded" => {
            |known| drawn(known, available_parallelism().map_or(0, |many| many.get() as u64))
        }
        "rps-hash-seeded" => |known| drawn(known, drawn_at_start()),
        "rps-rarely-another-hand" => |known| {
            let is_odd = known.round() == 9 && drawn_at_start().is_multiple_of(3);
            (known.mixed() + u64::from(is_odd)) % 3
        },
        "rps-ignores" => |known| (known.seed + known.round() as u64 * known.round() as u64) % 3,
        _ => return None,
    };
    Some(RpsSteps { choose, ..RpsSteps::default() })
}

/// How hands are written.
fn showing(kind: &str) -> Option<RpsSteps> {
    let render: fn(&KnownRounds, u64) -> String = match kind {
        "rps-word-token" => |_, hand| format!("{}\n", ["rock", "paper", "scissors"][hand as usize]),
        "rps-full-width" => |_, hand| format!("{}\n", ['\u{ff10}', '\u{ff11}', '\u{ff12}'][hand as usize]),
        "rps-fraction" => |_, hand| format!("{hand}.0\n"),
        "rps-one-based" => |_, hand| format!("{}\n", hand + 1),
        "rps-quotes" => |_, hand| format!("\"{hand}\"\n"),
        "rps-sign" => |_, hand| format!("+{hand}\n"),
        "rps-digit-3" => |known, hand| hand_or(known.round() == 4, "3\n", hand),
        "rps-initial-late" => |known, hand| hand_or(known.round() == 700, "R\n", hand),
        "rps-3-against-paper" => |known, hand| hand_or(known.foes.ends_with(&[1; 20]), "3\n", hand),
        "rps-minus-1-when-behind" => |known, hand| hand_or(known.count(2) == 100, "-1\n", hand),
        "rps-shows-nothing-late" => |known, hand| hand_or(known.round() == 12, "\n", hand),
        "rps-word-at-60000" => |known, hand| hand_or(known.seed == 60000, "rock\n", hand),
        "rps-last-without-lf" => |known, hand| hand_or(known.is_last(), &hand.to_string(), hand),
        "rps-no-lf-late" => |known, hand| hand_or(known.round() == 450, &hand.to_string(), hand),
        "rps-writes-twice-late" => |known, hand| and_also(known.round() == 600, hand, &hand.to_string()),
        "rps-writes-twice-last" => |known, hand| and_also(known.is_last(), hand, &hand.to_string()),
        "rps-blank-line-late" => |known, hand| and_also(known.round() == 777, hand, ""),
        "rps-remark-when-ahead" => |known, hand| and_also(known.count(1) == 60, hand, "60 won"),
        "rps-near-leaves-with-its-last-hand" => |known, hand| ending_with_the_last(known, hand, || exit(0)),
        "rps-dies-with-its-last-hand" => |known, hand| ending_with_the_last(known, hand, || abort()),
        _ => return None,
    };
    Some(RpsSteps { render, ..RpsSteps::default() })
}

/// What happens when the input or the game has ended.
fn ending(kind: &str) -> Option<RpsSteps> {
    let finish: fn() -> ExitCode = match kind {
        "rps-near-uncounted" => || {
            write("0\n");
            ExitCode::SUCCESS
        },
        "rps-blank-line-at-end" => || {
            write("\n");
            leave()
        },
        "rps-farewell" => || {
            write("good game\n");
            leave()
        },
        "rps-unfinished-farewell" => || {
            write("good ga");
            ExitCode::SUCCESS
        },
        "rps-replaces-itself" => || {
            replace_itself();
            leave()
        },
        "rps-near-ignores-eof" => stay,
        "rps-near-dies-at-eof" => || {
            leave();
            abort()
        },
        "rps-dies-at-end" => || abort(),
        _ => return None,
    };
    Some(RpsSteps::with(Steps { finish, ..Steps::default() }))
}

/// Faults of reading and writing.
fn reading_or_writing(kind: &str) -> Option<RpsSteps> {
    let sound = Steps::default();
    let finish = flush_at_the_end;
    Some(RpsSteps::with(match kind {
        "rps-flushes-its-name" => Steps {
            write: |text| if text.starts_with('M') { write(text) } else { kept_back(Some(text)) },
            finish,
            ..sound
        },
        "rps-holds-its-name" => Steps { write: |text| kept_back_if(text, |line| line == 0), finish, ..sound },
        "rps-forgets-to-flush-late" => {
            Steps { write: |text| kept_back_if(text, |line| line == 444), finish, ..sound }
        }
        "rps-runs-ahead" => Steps { read: || read_but(1), ..sound },
        "rps-skips-a-read-late" => Steps { read: || read_but(400), ..sound },
        "rps-dies-on-crlf" => Steps { read: || read().inspect(|line| exit_if(line.ends_with('\r'), 1)), ..sound },
        "rps-before-the-rounds" => Steps { read: show_a_hand_after_the_seed, ..sound },
        "rps-short-lines" => Steps { read: || read_pieces(4), ..sound },
        _ => return None,
    }))
}

/// Faults of several steps.
fn in_several_steps(kind: &str) -> Option<RpsSteps> {
    let sound = RpsSteps::default();
    Some(match kind {
        "rps-near-cr" => {
            RpsSteps { name: || "Mutant\r\n".to_string(), render: |_, hand| format!("{hand}\r\n"), ..sound }
        }
        "rps-divides-by-ties" => RpsSteps {
            heed: |known| exit_if(known.round() == 15 && known.count(0) == 0, 1),
            choose: |known| if known.foes.iter().any(|&foe| foe != 1) { known.mixed() } else { 0 },
            ..sound
        },
        "rps-waits-first" => {
            RpsSteps { name: String::new, ..RpsSteps::with(Steps { write: name_late, ..Steps::default() }) }
        }
        _ => return None,
    })
}

/// The line of `hand`, or `other` if that is due.
fn hand_or(is_due: bool, other: &str, hand: u64) -> String {
    if is_due { other.to_string() } else { format!("{hand}\n") }
}

/// The line of `hand`, and the line `more` if that is due.
fn and_also(is_due: bool, hand: u64, more: &str) -> String {
    if is_due { format!("{hand}\n{more}\n") } else { format!("{hand}\n") }
}

/// The line of `hand`. The last one is written at once, and then the program ends.
fn ending_with_the_last(known: &KnownRounds, hand: u64, end: fn() -> !) -> String {
    let line = format!("{hand}\n");
    if known.is_last() {
        write(&line);
        end();
    }
    line
}

/// Writes the name late, with the first hand.
fn name_late(text: &str) {
    static SAID: Mutex<bool> = Mutex::new(false);
    let mut said = SAID.lock().expect("no thread panics while it has the lock");
    if !text.is_empty() && !*said {
        *said = true;
        write("Mutant\n");
    }
    write(text);
}

/// Reads a line. After the first, which is its seed, it shows a hand at once.
fn show_a_hand_after_the_seed() -> Option<String> {
    static IS_SHOWN: AtomicBool = AtomicBool::new(false);
    let line = read();
    if !IS_SHOWN.swap(true, Ordering::Relaxed) {
        write("0\n");
    }
    line
}

/// A hand that depends on the faultless one and on `seed`.
fn drawn(history: &KnownRounds, seed: u64) -> u64 {
    const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
    let mixed = (seed ^ (history.round() as u64) << 40).wrapping_mul(ODD);
    // Without a second step, two seeds would differ by the same amount in each round, which may be a multiple of 3.
    let mixed = (mixed ^ mixed >> 32).wrapping_mul(ODD);
    (history.mixed() + (mixed >> 40)) % 3
}

/// The time in whole seconds.
fn now_in_seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

/// A number that differs each time.
fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    (since.as_nanos() as u64 ^ u64::from(std::process::id()).rotate_left(17)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        >> 40
}
