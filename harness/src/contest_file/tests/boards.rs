//! Tests of the boards that stages play on.

use super::*;

#[test]
fn a_stage_has_boards_by_default_that_no_other_stage_has() {
    let kinds = [
        "all-play-all",
        "permutations",
        "brackets",
        "knockout\"\nboards = [2, 1]\nname = \"k",
        "gauntlet",
        "permutations\"\nboard = 7\nname = \"p",
    ];
    let text: Vec<String> = kinds.iter().map(|kind| format!("[[stages]]\nkind = \"{kind}\"\n")).collect();
    let stages = parse(&text.concat()).unwrap().spec.stages;
    let boards_of = |stage: &StageSpec| match &stage.format {
        Format::AllPlayAll(settings) => settings.boards.clone(),
        Format::Knockout(settings) => {
            settings.boards.clone().map(|boards| boards.into_iter().chain(settings.tie_break_board).collect())
        }
        Format::Gauntlet(settings) => settings.boards.clone(),
        Format::Permutations(settings) => settings.board.map(|board| vec![board]),
        Format::Brackets(settings) => settings.first_board.map(|board| vec![board]),
        other => panic!("{other:?}"),
    };
    // The knockout names boards 0 and 1 and takes one for tie-break games; the last stage names 6.
    let wanted: [&[u32]; 6] = [&[2, 3, 4], &[5], &[7], &[1, 0, 1007], &[1008], &[6]];
    assert_eq!(stages.iter().map(boards_of).collect::<Vec<_>>(), wanted.map(boards));
}

/// Plays `file` to its end with invented results, most of them ties. Returns for each board the stages that were played
/// on it, and its text.
fn boards_played(file: &ContestFile) -> BTreeMap<u32, (BTreeSet<u8>, Vec<u8>)> {
    let contest = file.contest().unwrap();
    let boards = file.boards_of(&contest);
    let mut rng = Rng::new(file.spec.seed);
    let mut played = BTreeMap::new();
    let mut done = Results::new();
    while let Plan::Play(games) = contest.plan(&done).unwrap() {
        for Pairing { id, board, .. } in games {
            let stage = played.entry(board).or_insert_with(|| (BTreeSet::new(), boards.get(board)));
            stage.0.insert(id.stage);
            let winner = rng.below(12) as i64;
            let points = [winner, 11 - winner];
            let places = [1 + u8::from(winner != 0), 1 + u8::from(winner != 1)];
            let places = if winner < 2 { places } else { [1, 1] };
            let outcome =
                Outcome { places: places.into(), points: points.into(), territory: vec![0; 2], end: End::Played };
            done.insert(id, outcome);
        }
    }
    played
}

#[test]
fn no_two_boards_of_a_contest_are_equal() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../contests");
    for (name, most) in [("potm-finals.toml", 60), ("boxing-full.toml", 20)] {
        let mut file = ContestFile::read(&folder.join(name), available()).unwrap();
        // One of 41 generated arenas has no blocked spot.
        let open = cornerman::games::boxing::Arena::open().to_bytes().to_vec();
        let given = if most == 60 { vec![open] } else { Vec::new() };
        let entrant = file.entrants[0].clone();
        file.entrants.resize(most, entrant);
        let mut rounds = 0;
        for seed in 0..8 {
            let spec = ContestSpec { seed, ..file.spec.clone() };
            let file = ContestFile { spec, boards: given.clone(), ..file.clone() };
            let played = boards_played(&file);
            rounds = rounds.max(played.len());
            assert!(played.values().all(|(stages, _)| stages.len() == 1), "seed {seed}: two stages share a board");
            let texts: BTreeSet<&[u8]> = played.values().map(|(_, text)| text.as_slice()).collect();
            assert_eq!(texts.len(), played.len(), "{name}, seed {seed}: two boards are equal");
        }
        assert!(rounds > 20, "{rounds} boards are too few for a test");
    }
}

#[test]
fn a_board_is_the_same_in_whatever_order_boards_are_asked_for() {
    for seed in 0..5 {
        let text =
            format!("seed = {seed}\n[[stages]]\nkind = \"brackets\"\n[[stages]]\nkind = \"all-play-all\"\n");
        let file = parse(&text).unwrap();
        let contest = file.contest().unwrap();
        let numbers = [1002, 7, 1000, 500, 0, 39, 1001];
        let [forth, back] = [(); 2].map(|()| file.boards_of(&contest));
        let mut texts: Vec<Vec<u8>> = numbers.iter().map(|&number| forth.get(number)).collect();
        texts.reverse();
        assert_eq!(texts, numbers.iter().rev().map(|&number| back.get(number)).collect::<Vec<_>>());
    }
    // The rules of Go generate no boards.
    let go =
        "name = \"x\"\ngame = \"go\"\nentrants = [\"@monte\", \"@capture\"]\n[[stages]]\nkind = \"knockout\"\n";
    let go = ContestFile::parse(Path::new("c.toml"), go, available()).unwrap();
    assert_eq!(go.boards_of(&go.contest().unwrap()).get(1), b"");
}

#[test]
fn boards_must_be_ones_on_which_a_game_can_begin() {
    let folder = tempfile::tempdir().unwrap();
    let open = "--------------------------------\n".repeat(16);
    fs::write(folder.path().join("open.arena"), &open).unwrap();
    fs::write(folder.path().join("full.arena"), open.replace('-', "o")).unwrap();
    let read = |boards: &str| {
        let text =
            format!("name = \"x\"\nboards = [{boards}]\nentrants = [\"@greedy\"]\n[[stages]]\nkind = \"swiss\"\n");
        ContestFile::parse(&folder.path().join("c.toml"), &text, available())
    };
    assert_eq!(read("\"open.arena\"").unwrap().boards, [open.into_bytes()]);
    let mistake = &read("\"open.arena\", \"full.arena\"").unwrap_err()[0];
    assert!(
        mistake.to_string().ends_with("full.arena: the arena has no vacant spot: there is nothing to play for"),
        "{mistake}"
    );
}
