//! A whole season through the command line: 24 entries in four stages, every decision at the worst moment, and standings that
//! are worked out a second time.

mod derived;

use super::decisions::{fine, rows, run, standings};
use super::unattended;
use crate::support::leftovers::wait_for;
use crate::support::{PROGRAM, Scratch, cache, small_arena, trial};
use cornerman::format::LeftGames;
use libtest_mimic::Trial;
use rusqlite::{Connection, OpenFlags};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

pub fn trials() -> Vec<Trial> {
    vec![trial!(a_season_is_decided_at_the_worst_moments_and_derived_again, ["awk"])]
}

fn a_season_is_decided_at_the_worst_moments_and_derived_again() {
    let scratch = Scratch::new();
    Season::new(&scratch, &|| unattended(&scratch, "c.toml --no-check --workers 4 --oversubscribe")).play();
}

/// A contest that is played, killed, resumed and decided about. Bots on hold keep its stages open, so it does not matter how
/// fast the others play.
pub struct Season<'a> {
    scratch: &'a Scratch,
    /// The run that plays `c.toml` into `c.db`.
    start: &'a dyn Fn() -> Command,
    run: Option<Run>,
}

/// A process, which does not outlive its trial.
struct Run(Child);

impl Run {
    fn start(mut command: Command, log: &Path) -> Run {
        let log = File::options().create(true).append(true).open(log).expect("a log");
        Run(command.stdout(Stdio::null()).stderr(log).spawn().expect("it can be started"))
    }

    fn has_ended(&mut self) -> bool {
        self.0.try_wait().expect("it is our child").is_some()
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

/// Entrants of East that play all the time; others leave or are on hold.
const STAYING: &str = "'random East4', 'smallest East5', 'slow East'";

impl<'a> Season<'a> {
    /// Writes `c.toml` and its bots.
    pub fn new(scratch: &'a Scratch, start: &'a dyn Fn() -> Command) -> Season<'a> {
        scratch.file("small.arena", small_arena(8));
        scratch.file("larger.arena", small_arena(16));
        for (name, body) in
            [("slow", "sleep 0.1; move"), ("late Füller", "move"), ("guest", "move"), ("guest2", "move")]
        {
            scratch.script(name, body);
        }
        let bots = ["first-fit", "greedy", "parity", "mirror", "random", "smallest"];
        let group = |name: &str, others: usize| {
            let bots = bots.iter().cycle().take(others).enumerate();
            let entrant = |(nth, bot)| format!("{{ path = \"@{bot}\", name = \"{bot} {name}{nth}\" }}, ");
            let entrants: String = bots.map(entrant).collect();
            let slow = format!("{{ path = \"./slow\", name = \"slow {name}\" }}");
            format!("[[groups]]\nname = \"{name}\"\nentrants = [{entrants}{slow}]\n")
        };
        let text = format!(
            "name = \"Season\"\nseed = 5\nboards = [\"small.arena\", \"larger.arena\"]\n\
             fillers = [\"@random\", \"@smallest\", \"@first-fit\", \"@mirror\"]\n{}{}\
             [[stages]]\nname = \"East\"\nkind = \"all-play-all\"\ngroup = \"East\"\nboards = [1]\n\
             [[stages]]\nname = \"West\"\nkind = \"pair-swiss\"\ngroup = \"West\"\nrounds = 3\ngames = 1\nboard = 2\n\
             [[stages]]\nname = \"Fours\"\nkind = \"swiss\"\nfrom = [\"East\", \"West\"]\ntop = [4, 5]\nrounds = 2\nboard = 2\n\
             [[stages]]\nname = \"Final\"\nkind = \"knockout\"\ntop = 4\nboards = [1]\n",
            group("East", 7),
            group("West", 15),
        );
        scratch.file("c.toml", text);
        Season { scratch, start, run: None }
    }

    /// Plays it to its end, and checks the standings.
    pub fn play(mut self) {
        self.groups();
        self.between_stages();
        self.finals();
        self.afterwards();
        fine(self.scratch, "verify c.db");
        fine(self.scratch, "audit c.db");
        let chosen = [("greedy East1", LeftGames::Lost), ("parity East2", LeftGames::Keep)];
        derived::standings_follow(self.scratch, "c.db", &chosen);
    }

    /// Both groups are played, all against all and by a Swiss system.
    fn groups(&mut self) {
        self.begin();
        wait_for("the first game", || (self.count("SELECT count(*) FROM games") > 0).then_some(()));
        self.kill();
        // No run plays, so the command writes into the record itself. The first round of West cannot end without this bot.
        let waiting = self.one(
            "SELECT name FROM entrants WHERE grp = 'West' AND number NOT IN (SELECT entrant FROM seats) ORDER BY number DESC",
        );
        self.decide(&format!("hold '{waiting}'"));
        self.decide("hold 'mirror East3'");
        self.begin();
        let have_begun =
            || self.games(0, STAYING).len() > 1 && !self.games(1, "SELECT name FROM entrants").is_empty();
        wait_for("games of both groups", || have_begun().then_some(()));
        // While games are played, in the middle of a round of both.
        self.decide("withdraw 'greedy East1' --games lost");
        self.decide("admit 'late Füller' --stage 2 --no-check");
        self.decide("replace 'mirror West3' @greedy --no-check --from s2/r2");
        self.decide(&format!("annul {}", self.games(0, STAYING)[0]));
        self.award_and_be_killed();
        // Its match falls away.
        self.decide(&format!("withdraw '{waiting}'"));
        // Games of a bot on hold are open.
        self.finish(1);
    }

    /// No run plays. East is not over, as one of its bots is on hold, and no later stage has begun.
    fn between_stages(&mut self) {
        self.decide("withdraw 'first-fit West0'");
        self.decide(&format!("undo {}", self.decisions()));
        self.decide("withdraw 'parity East2' --games keep");
        // The bot has played more than half of its games, so its other games are lost.
        self.decide("disqualify 'first-fit East0'");
        let all = "SELECT name FROM entrants";
        self.decide(&format!("annul {}", self.games(1, all)[0]));
        let played = self.games(0, STAYING).pop().expect("they have played");
        let loser = format!(
            "SELECT e.name FROM game_names n JOIN seats s ON s.game = n.game JOIN entrants e ON e.number = s.entrant
             WHERE n.name = '{played}' ORDER BY s.place DESC"
        );
        self.decide(&format!("award {played} '{}'", self.one(&loser)));
        for (guest, stage) in [("guest", 3), ("guest2", 4)] {
            self.decide(&format!("admit {guest} --stage {stage} --no-check"));
            self.decide(&format!("hold {guest}"));
        }
        let text = fs::read_to_string(self.scratch.path().join("c.toml")).expect("the contest");
        self.scratch.file("c.toml", text + "third_place = true\n[publish]\ncontact = \"Ann\"\n");
        self.decide("amend c.toml");
        self.decide("release 'mirror East3'");
    }

    /// The best play games of four, and the best of these a knockout.
    fn finals(&mut self) {
        // The guest's first game of four is open.
        self.finish(1);
        let seated = "SELECT name FROM entrants WHERE number IN
                      (SELECT entrant FROM seats s JOIN games g ON g.id = s.game WHERE stage = 2)";
        let seated: BTreeSet<String> = self.list(seated).into_iter().collect();
        let printed = fine(self.scratch, "standings c.db --format json").stdout;
        let printed: serde_json::Value = serde_json::from_str(&printed).expect("JSON");
        let all = rows(&printed["stages"][2]["standings"]).into_iter().map(|(name, ..)| name);
        let is_with_guest =
            |name: &String| !seated.contains(name) && (name.contains("East") || name.contains("West"));
        let leaver = all.into_iter().find(is_with_guest).expect("it has four seats");
        // A filler has its seat.
        self.decide(&format!("withdraw '{leaver}'"));
        self.decide("release guest");
        // The other guest's first match is open.
        self.finish(1);
        self.decide("withdraw guest2");
        self.finish(0);
    }

    /// The season is over.
    fn afterwards(&mut self) {
        let all = "SELECT name FROM entrants";
        let last_round = self.games(3, all);
        let last = last_round.iter().max().expect("it was played");
        self.decide(&format!("annul {last}"));
        self.finish(0);
        let winner = standings(self.scratch, "c.db").swap_remove(0).0;
        self.decide(&format!("disqualify '{winner}'"));
    }

    fn begin(&mut self) {
        self.run = Some(Run::start((self.start)(), &self.log()));
    }

    /// Ends the run as a power failure would.
    fn kill(&mut self) {
        self.run = None;
    }

    /// The file to which the runs print.
    fn log(&self) -> PathBuf {
        self.scratch.path().join("runs.log")
    }

    /// Plays the remaining games, including those that follow from decisions taken just before the run ended, and checks the
    /// exit code.
    #[track_caller]
    fn finish(&mut self, code: i32) {
        if let Some(run) = &mut self.run {
            wait_for("the end of the run", || run.has_ended().then_some(()));
        }
        self.begin();
        let run = self.run.as_mut().expect("it was started");
        let ended = wait_for("the end of the run", || run.0.try_wait().expect("it is our child"));
        self.run = None;
        assert_eq!(ended.code(), Some(code), "{}", fs::read_to_string(self.log()).expect("a log"));
    }

    /// Takes a decision, which is recorded by the run, if there is one.
    #[track_caller]
    fn decide(&self, what: &str) {
        let before = self.decisions();
        fine(self.scratch, &format!("decide c.db {what} --why 'it is a season' --yes"));
        assert_eq!(self.decisions(), before + 1, "{what}");
    }

    /// Awards an open game of East. The command that asks for it is killed before there is an answer, and so is the run. The
    /// next run makes sure that the decision is recorded exactly once.
    fn award_and_be_killed(&mut self) {
        let (game, bot) = self.open_game();
        let before = self.decisions();
        let mut asking = Command::new(PROGRAM);
        asking.args(["decide", "c.db", "award", &game, &bot, "--why", "killed", "--yes"]);
        asking.current_dir(self.scratch.path()).env("XDG_CACHE_HOME", cache());
        let requests = self.scratch.path().join("c.db.decide");
        let mut asking = Run::start(asking, &self.log());
        let has_asked = || requests.read_dir().is_ok_and(|mut files| files.next().is_some());
        wait_for("the request", || (has_asked() || asking.has_ended()).then_some(()));
        drop(asking);
        self.kill();
        self.begin();
        wait_for("the decision", || (self.decisions() > before && !has_asked()).then_some(()));
        assert_eq!(self.decisions(), before + 1);
    }

    /// A game of East that no one has played, between two that stay, and the number of one of them.
    fn open_game(&self) -> (String, String) {
        let played: BTreeSet<String> = self.list("SELECT name FROM game_names").into_iter().collect();
        let all = (1..8).flat_map(|round| (1..5).map(move |table| format!("s1/r{round}/m{table}/g2")));
        for game in all.filter(|game| !played.contains(game)) {
            // The first three leave.
            let plays =
                |bot: &u32| run(self.scratch, &format!("decide c.db award {game} {bot} --why x")).code == Some(0);
            if let [bot, _] = (4..=8).filter(plays).collect::<Vec<u32>>()[..] {
                return (game, bot.to_string());
            }
        }
        panic!("no game of East is open");
    }

    fn record(&self) -> rusqlite::Result<Connection> {
        Connection::open_with_flags(self.scratch.path().join("c.db"), OpenFlags::SQLITE_OPEN_READ_ONLY)
    }

    fn list(&self, sql: &str) -> Vec<String> {
        let db = self.record().expect("a record");
        let mut select = db.prepare(sql).expect("SQL");
        let rows = select.query_map([], |row| row.get(0)).expect("rows");
        rows.map(|row| row.expect("text")).collect()
    }

    /// The first row of a query.
    #[track_caller]
    fn one(&self, sql: &str) -> String {
        self.list(sql).into_iter().next().expect("a row")
    }

    /// A number; 0 while there is no record.
    fn count(&self, sql: &str) -> u32 {
        self.record().and_then(|db| db.query_row(sql, [], |row| row.get(0))).unwrap_or(0)
    }

    fn decisions(&self) -> u32 {
        self.count("SELECT count(*) FROM decisions")
    }

    /// The games of a stage, from 0, between `bots` alone, those of the last round first.
    fn games(&self, stage: u8, bots: &str) -> Vec<String> {
        self.list(&format!(
            "SELECT n.name FROM game_names n JOIN games g ON g.id = n.game
             WHERE g.stage = {stage} AND g.attempt = 0 AND NOT EXISTS
             (SELECT 1 FROM seats s JOIN entrants e ON e.number = s.entrant WHERE s.game = g.id AND e.name NOT IN ({bots}))
             ORDER BY g.round DESC, g.tbl, g.game"
        ))
    }
}
