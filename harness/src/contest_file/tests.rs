//! The results of reading contest files, and the mistakes that are reported.

mod boards;
mod entrants;

use super::*;
use crate::games::go::GTP;
use crate::kit::AnyKit;
use crate::sandbox::Limits;
use cornerman::contest::{Participants, Quota};
use cornerman::format::{Pairing, Plan, Results};
use cornerman::formats::scoring::ScoringKind;
use cornerman::formats::{BoardNumber, Bounded, Format};
use cornerman::game::{End, Outcome};
use cornerman::rng::Rng;
use std::collections::BTreeSet;
use std::sync::LazyLock;
use std::time::Duration;

/// Names of reference bots that contests may use.
#[rustfmt::skip]
pub(super) const REFERENCES: [&str; 16] = [
    "first-fit", "smallest", "random", "mirror", "greedy", "parity",
    "go-random", "capture", "monte",
    "rock", "rps-random", "rotate", "beat-last", "frequency", "markov", "hydra",
];

/// The built-in games, and these reference bots.
pub(super) fn available() -> Available<'static> {
    static GAMES: LazyLock<Games> = LazyLock::new(crate::games::all);
    Available { games: &GAMES, references: &REFERENCES }
}

/// A file with two entries and `rest`.
pub(super) fn parse(rest: &str) -> Result<ContestFile, Vec<Mistake>> {
    parse_whole(&format!("name = \"Club night\"\nentrants = [\"@greedy\", \"@mirror\"]\n{rest}"))
}

fn parse_whole(text: &str) -> Result<ContestFile, Vec<Mistake>> {
    ContestFile::parse(Path::new("club/c.toml"), text, available())
}

fn in_short(mistake: &Mistake) -> String {
    mistake.to_string().replace("club/c.toml:", "")
}

fn stage(rest: &str) -> StageSpec {
    parse(&format!("[[stages]]\n{rest}")).unwrap().spec.stages.remove(0)
}

#[track_caller]
pub(super) fn check(rest: &str, wanted: &[&str]) {
    assert_eq!(parse(rest).unwrap_err().iter().map(in_short).collect::<Vec<_>>(), wanted);
}

#[track_caller]
fn check_whole(text: &str, wanted: &str) {
    assert_eq!(parse_whole(text).unwrap_err().iter().map(in_short).collect::<Vec<_>>(), [wanted]);
}

#[test]
fn a_game_that_is_the_same_again_is_refused() {
    let with = |ruleset: &str| {
        let head = format!("name = \"x\"\nruleset = \"{ruleset}\"\nentrants = [\"@rock\", \"@rotate\"]\n");
        head + "[[stages]]\nkind = \"all-play-all\"\ngames_per_order = 20\n"
    };
    let why = "6: the rules have the same seeds for every game, so that more games of a pair in the same order would be the \
               same game again: leave this out, or `seeds` out of the rules";
    check_whole(&with("rps-published"), why);
    assert!(parse_whole(&with("rps-polyglot")).is_ok());
}

#[test]
fn a_contest_changes_rules_by_their_keys() {
    let stage = "[[stages]]\nkind = \"all-play-all\"\n";
    let file = parse(&format!("[rules]\nmax_square = 8\n{stage}")).unwrap();
    assert_eq!(file.ruleset.title, "The Boxing Match, 1994, with max_square = 8");
    let by_hand = available().games.ruleset("boxing-1994", Path::new(".")).unwrap();
    let by_hand = available().games.with_setting(&by_hand, "max_square", "8").unwrap();
    let rules = |text: &str| text.parse::<toml::Table>().unwrap().remove("rules").unwrap();
    assert_eq!(rules(&file.ruleset.text), rules(&by_hand.text));
    check(
        &format!("[rules]\nmax_sqare = 8\nmax_square = 80\nhard_ms = 5\n{stage}"),
        &[
            "4: boxing-1994 has no key `max_sqare` (did you mean `max_square`?); its keys are max_square, seats, marks",
            "5: 80 is out of range: 1 to 16",
            "6: boxing-1994 has no key `hard_ms`; its keys are max_square, seats, marks",
        ],
    );
    check(&format!("rules = 5\n{stage}"), &["3: `rules` must be a table with the header [rules]"]);
}

#[test]
fn keys_have_defaults() {
    let file = parse("[[stages]]\nkind = \"all-play-all\"\n").unwrap();
    assert_eq!(
        (file.spec.name.as_str(), file.game(), file.ruleset.id.as_str()),
        ("Club night", "boxing", "boxing-1994")
    );
    assert_eq!((file.spec.seed, file.workers, file.limits()), (0, None, Limits::default()));
    assert_eq!((file.spec.stages[0].name.as_str(), file.stage_lines[0]), ("Stage 1", 3));
    let specs: Vec<&str> = file.entrants.iter().map(|entrant| entrant.spec.as_str()).collect();
    assert_eq!((specs, file.organizers), (vec!["@greedy", "@mirror"], vec![]));
}

#[test]
fn a_level_of_isolation_can_be_demanded() {
    let stages = "[[stages]]\nkind = \"all-play-all\"\n";
    assert_eq!(parse(stages).unwrap().spec.isolation, None);
    for level in crate::sandbox::Level::ALL {
        assert_eq!(parse(&format!("isolation = \"{level}\"\n{stages}")).unwrap().spec.isolation, Some(level));
    }
    let unknown = "3: unknown variant `namespced`, expected one of `plain`, `restricted`, `scoped`, `namespaced` (did \
                   you mean `namespaced`?)";
    check(&format!("isolation = \"namespced\"\n{stages}"), &[unknown]);
}

#[test]
fn the_check_of_an_entry_has_a_budget() {
    let stages = "[[stages]]\nkind = \"all-play-all\"\n";
    let budget = |rest: &str| parse(&format!("{rest}{stages}")).unwrap().spec.check_budget();
    assert_eq!(budget(""), CHECK_BUDGET);
    assert_eq!(budget("check_budget_s = 90\n"), Duration::from_secs(90));
    check(&format!("check_budget_s = 86401\n{stages}"), &["3: check_budget_s: 86401 is out of range: 0 to 86400"]);
}

fn boards(indices: &[u32]) -> Option<Vec<BoardNumber>> {
    Some(indices.iter().copied().map(BoardNumber).collect())
}

#[test]
fn formats_have_the_defaults_of_the_requirements() {
    let texts = [
        "kind = \"all-play-all\"",
        "kind = \"all-play-all\"\nscoring = \"bonus\"",
        "kind = \"all-play-all\"\nscoring = \"bonus\"\nbonus = { first_tie = 7 }",
        "kind = \"all-play-all\"\nscoring = \"won-minus-lost\"\ntables = [\"margins\", \"wins\"]\nthreshold = 31",
        "kind = \"permutations\"",
        "kind = \"seeding\"\nprograms = [\"@parity\"]",
        "kind = \"brackets\"",
        "kind = \"swiss\"",
        "kind = \"swiss\"\nboard = 3\nrounds = 5",
        "kind = \"pair-swiss\"",
        "kind = \"gauntlet\"",
        "kind = \"gauntlet\"\nscoring = \"margins\"\nthreshold = 7",
        "kind = \"knockout\"",
    ];
    let read = |text| format!("{text}\n=> {}\n\n", serde_json::to_string(&stage(text).format).unwrap());
    insta::assert_snapshot!(texts.map(read).concat());
}

#[test]
fn brackets_without_a_game_are_refused_with_their_line() {
    let refused = |rest: &str| {
        let found = parse(&format!("[[stages]]\nkind = \"gauntlet\"\n\n{rest}")).unwrap().contest();
        found.map(drop).map_err(|mistake| mistake.to_string())
    };
    let wanted = "club/c.toml:6: brackets of 2 entrants have no games, so the order of seeding would decide: let at \
                  least 5 take part, or use another kind, such as `knockout`";
    assert_eq!(refused("[[stages]]\nkind = \"brackets\"\n"), Err(wanted.to_string()));
    assert_eq!(refused("[[stages]]\nkind = \"brackets\"\n[[stages]]\nkind = \"all-play-all\"\n"), Ok(()));
}

/// Checks the defaults of stages that give only their kind: the number of boards, the scorings and the threshold of an
/// all-play-all, and the organizer's bots of brackets and of a seeding.
#[track_caller]
fn check_defaults(ruleset: &str, boards: u32, scorings: &[ScoringKind], threshold: Option<u32>, bots: [&str; 2]) {
    let text = format!("name = \"x\"\nruleset = \"{ruleset}\"\nentrants = [\"@hydra\"]\n[[stages]]\n");
    let read = |kind| {
        let text = format!("{text}kind = \"{kind}\"\n");
        ContestFile::parse(Path::new("c.toml"), &text, available()).unwrap()
    };
    let format = |kind| read(kind).spec.stages.remove(0).format;
    let Format::AllPlayAll(everyone) = format("all-play-all") else { panic!("{ruleset}") };
    let kinds: Vec<ScoringKind> =
        everyone.scoring.into_iter().chain(everyone.tables.into_iter().flatten()).collect();
    let found = (everyone.boards.map_or(0, |boards| boards.len() as u32), &kinds[..], everyone.threshold);
    assert_eq!(found, (boards, scorings, threshold), "{ruleset}");
    let Format::Permutations(permutations) = format("permutations") else { panic!("{ruleset}") };
    let Format::PairSwiss(few) = format("pair-swiss") else { panic!("{ruleset}") };
    let found = (permutations.scoring, few.scoring.unwrap_or_default());
    assert_eq!(found, (Some(scorings[0]), scorings[0]), "{ruleset}");
    for (kind, wanted) in [("brackets", bots[0]), ("seeding", bots[1])] {
        let organizers: Vec<String> = read(kind).organizers.into_iter().map(|bot| bot.spec).collect();
        assert_eq!(organizers.join(" "), wanted, "{ruleset}: {kind}");
    }
}

#[test]
fn what_a_stage_leaves_out_is_what_its_game_says() {
    use ScoringKind::{Margins, Wins, WonMinusLost};
    let boxing = ["@random @smallest @first-fit", "@first-fit @greedy @parity"];
    check_defaults("boxing-1994", 3, &[Wins], None, boxing);
    let rps = ["@rps-random @rock @rotate", "@beat-last @frequency @markov"];
    check_defaults("rps-polyglot", 1, &[WonMinusLost, Margins], Some(31), rps);
    check_defaults("rps-published", 1, &[WonMinusLost, Margins], Some(7), rps);
    check_defaults("go-usenix-1983", 1, &[Wins], None, ["@go-random @capture", "@go-random @capture @monte"]);
}

#[track_caller]
fn check_game(game: &str, stage: &str, wanted: &str) {
    check_whole(&format!("name = \"x\"\ngame = \"{game}\"\n[[stages]]\n{stage}\n"), wanted);
}

#[test]
fn a_format_is_refused_if_the_rules_do_not_allow_its_number_of_seats() {
    let any = ": `all-play-all` and `gauntlet` play games of any number";
    let swiss = format!("4: swiss plays games of 4 seats, but a game of this ruleset has 2{any}");
    check_game("go", "kind = \"swiss\"", &swiss);
    check_game(
        "go",
        "kind = \"all-play-all\"\nseats = 3",
        "5: seats = 3, but a game of this ruleset has 2 to 2 seats",
    );
    check_game(
        "rps",
        "kind = \"permutations\"\nboard = 1\nmax_entrants = 3",
        "6: max_entrants = 3 is too many: a game has at most 2 seats",
    );
    let permutations = "name = \"x\"\ngame = \"rps\"\n[[stages]]\nkind = \"permutations\"\n";
    let file = ContestFile::parse(Path::new("c.toml"), permutations, available()).unwrap();
    let Format::Permutations(settings) = &file.spec.stages[0].format else { panic!("{file:?}") };
    assert_eq!(settings.max_entrants, Some(Bounded::new(2)));

    let folder = tempfile::tempdir().unwrap();
    let boxing = crate::games::boxing::KIT.default_ruleset().text;
    fs::write(folder.path().join("three.toml"), boxing.replace("[2, 8]", "[3, 8]")).unwrap();
    for kind in Format::NAMES {
        let text = format!("name = \"x\"\nruleset = \"three.toml\"\n\n[[stages]]\nkind = \"{kind}\"\n");
        let read = ContestFile::parse(&folder.path().join("c.toml"), &text, available());
        let message: Option<String> = read.err().map(|mistakes| mistakes[0].to_string());
        let wanted =
            format!("c.toml:5: {kind} plays games of 2 seats, but a game of this ruleset has 3 to 8{any}");
        match *kind {
            "all-play-all" | "gauntlet" | "swiss" | "permutations" => assert_eq!(message, None),
            _ => assert!(message.as_ref().is_some_and(|message| message.ends_with(&wanted)), "{message:?}"),
        }
    }
}

#[track_caller]
fn check_who(keys: &str, wanted: Participants) {
    let first =
        "[[stages]]\nkind = \"knockout\"\nname = \"One\"\n[[stages]]\nkind = \"knockout\"\nname = \"Two\"\n";
    let stages = parse(&format!("{first}[[stages]]\nkind = \"knockout\"\n{keys}")).unwrap().spec.stages;
    assert_eq!(stages[2].who, wanted);
}

#[test]
fn stages_take_their_entrants_from_those_before() {
    let best = |stage, best| Quota { stage, best };
    assert_eq!(stage("kind = \"swiss\"").who, Participants::All);
    check_who("", Participants::Qualified { stage: 1 });
    check_who("from = \"One\"", Participants::Qualified { stage: 0 });
    check_who("who = \"all\"", Participants::All);
    check_who("who = \"tied\"", Participants::TiedForFirst { stage: 1 });
    check_who("who = \"tied\"\nfrom = \"One\"", Participants::TiedForFirst { stage: 0 });
    check_who("top = 4", Participants::Best(vec![best(1, 4)]));
    check_who("top = 4\nfrom = [\"One\", \"Two\"]", Participants::Best(vec![best(0, 4), best(1, 4)]));
    check_who("top = [1, 2]\nfrom = [\"Two\", \"One\"]", Participants::Best(vec![best(1, 1), best(0, 2)]));
}

/// Each case is the text of a file, and then its mistakes in lines that begin with `!`. A text that does not begin with
/// `name` is put after a name and two entrants.
#[test]
fn mistakes_have_their_line_and_the_nearest_name() {
    for case in include_str!("tests/mistakes.txt").split("---\n") {
        let (text, wanted) = case.split_at(format!("\n{case}").find("\n!").expect("a case has mistakes"));
        let mistakes = if text.starts_with("name = \"") { parse_whole(text) } else { parse(text) };
        let lines: Vec<String> = mistakes.expect_err(text).iter().map(in_short).collect();
        let lines: String = lines.join("\n").lines().map(|line| format!("! {line}\n")).collect();
        assert_eq!(lines, wanted, "{text}");
    }
    check_whole("name = \" \"\n[[stages]]\nkind = \"all-play-all\"\n", "1: the `name` is empty");
}

#[test]
fn organizers_are_numbered_seed_programs_first() {
    let file = parse("fillers = [\"@parity\", \"@random\"]\n[[stages]]\nkind = \"seeding\"\nprograms = [\"@random\", \"@smallest\"]\n").unwrap();
    let specs: Vec<&str> = file.organizers.iter().map(|bot| bot.spec.as_str()).collect();
    assert_eq!((specs, file.spec.fillers), (vec!["@random", "@smallest", "@parity", "@random"], vec![2, 3]));
    let default = parse("[[stages]]\nkind = \"brackets\"\n").unwrap();
    let specs: Vec<&str> = default.organizers.iter().map(|bot| bot.spec.as_str()).collect();
    assert_eq!((specs, default.spec.fillers), (vec!["@random", "@smallest", "@first-fit"], vec![0, 1, 2]));
}

#[test]
fn limits_in_the_file_override_the_rulesets() {
    let file = parse("[limits]\nmemory_mib = 64\n[[stages]]\nkind = \"swiss\"\n").unwrap();
    assert_eq!((file.limits().memory, file.limits().hard), (64 << 20, Duration::from_secs(2)));
}

#[test]
fn an_engine_is_entered_by_its_command() {
    let engines = "\"gtp:gnugo --mode gtp\", { path = \"gtp:./x 'a b'\", name = \"X\" }";
    let text =
        format!("name = \"Go\"\ngame = \"go\"\nentrants = [{engines}]\n[[stages]]\nkind = \"pair-swiss\"\n");
    let file = ContestFile::parse(Path::new("club/c.toml"), &text, available()).unwrap();
    let entered =
        file.entrants.iter().map(|entrant| (entrant.spec.as_str(), &entrant.source, entrant.name.as_deref()));
    let engine = |command: &str| EntrySource::Engine(GTP, command.to_string());
    assert!(entered.eq([
        ("gtp:gnugo --mode gtp", &engine("gnugo --mode gtp"), None),
        ("gtp:./x 'a b'", &engine("./x 'a b'"), Some("X")),
    ]));
    let twice = text.replace("./x 'a b'\", name = \"X", "gnugo --mode gtp\", author = \"X");
    let mistakes = ContestFile::parse(Path::new("club/c.toml"), &twice, available()).unwrap_err();
    assert!(mistakes[0].to_string().contains("is already entered in line 3"), "{}", mistakes[0]);
}

#[test]
fn the_example_contests_are_valid() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../contests");
    let mut names: Vec<String> = Vec::new();
    for file in fs::read_dir(&folder).unwrap() {
        let path = file.unwrap().path();
        // Its game is a program, which a unit test cannot start: `tests/judges.rs` plays it.
        if path.ends_with("pahtum-finals.toml") {
            continue;
        }
        let contest = ContestFile::read(&path, available()).unwrap_or_else(|error| panic!("{error}"));
        assert!(contest.entrants.len() >= 4 && contest.excluded.is_empty(), "{:?}", contest.excluded);
        names.push(path.file_name().unwrap().to_string_lossy().into_owned());
    }
    names.sort();
    let all = ["boxing-full", "go-usenix", "go", "mini", "potm-1994", "potm-finals", "rps", "samurai"];
    assert_eq!(names, all.map(|name| format!("{name}.toml")));
}

#[test]
fn a_missing_contest_is_reported_with_the_nearest_file() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../contests");
    let missing = ContestFile::read(&folder.join("mini.tml"), available()).unwrap_err().to_string();
    assert!(
        missing.starts_with("no such contest: ") && missing.ends_with("(did you mean `mini.toml`?)"),
        "{missing}"
    );
}
