//! The referee: one game at one table, whatever the game and whoever plays, told as a stream of events.

use crate::player::{Conduct, Fault, Player, Remark, Spent, Turn};
use crate::sandbox::SandboxError;
use cornerman::game::{LiveGame, Outcome, Seat, Seats, Setup};

/// What happens at a table. All that reporters ever see.
#[derive(Clone, Debug)]
pub enum Event {
    /// The players are seated.
    GameStarted {
        /// Their names, by seat.
        names: Vec<String>,
        /// What the game started from.
        setup: Setup,
        /// The board.
        board: Vec<u8>,
    },
    /// A seat made a legal move.
    Moved {
        /// Which move of the game it is, from 1.
        number: u32,
        /// Who made it.
        seat: Seat,
        /// The move in the game's notation.
        notation: String,
        /// The board after it; empty for those who [need none](play_unseen).
        board: Vec<u8>,
        /// What it used up.
        spent: Spent,
        /// What should be known of it.
        remarks: Vec<Remark>,
        /// The beginning of what the bot wrote to standard error.
        errors: Vec<u8>,
    },
    /// A seat forfeited.
    Faulted {
        /// Which move of the game it would have been, from 1.
        number: u32,
        /// Who forfeited.
        seat: Seat,
        /// Why.
        fault: Fault,
        /// What it was shown.
        view: Vec<u8>,
        /// What it answered, if anything.
        answer: Vec<u8>,
        /// What it used up.
        spent: Spent,
        /// The beginning of what the bot wrote to standard error.
        errors: Vec<u8>,
    },
    /// The game is over.
    GameEnded {
        /// How.
        outcome: Outcome,
        /// Moves made.
        moves: u32,
        /// How each seat behaved.
        conduct: Vec<Conduct>,
    },
}

/// Plays the game that is set up at `table` to its end and reports it to `watch`.
///
/// # Errors
/// When the kit fails, or the machine cannot give a bot its time. Whatever a player does is an event.
pub fn play(
    table: &mut dyn LiveGame,
    setup: &Setup,
    players: &mut [Box<dyn Player>],
    watch: &mut dyn FnMut(Event),
) -> Result<Outcome, SandboxError> {
    run(table, setup, players, &mut EventSink { watch, boards: true })
}

/// As [`play`], for those who need no board after each move: to draw one costs more than many a bot's move.
///
/// # Errors
/// As [`play`].
pub fn play_unseen(
    table: &mut dyn LiveGame,
    setup: &Setup,
    players: &mut [Box<dyn Player>],
    watch: &mut dyn FnMut(Event),
) -> Result<Outcome, SandboxError> {
    run(table, setup, players, &mut EventSink { watch, boards: false })
}

/// Who is told of a game.
struct EventSink<'a> {
    watch: &'a mut dyn FnMut(Event),
    /// Whether with a board after each move.
    boards: bool,
}

fn run(
    table: &mut dyn LiveGame,
    setup: &Setup,
    players: &mut [Box<dyn Player>],
    telling: &mut EventSink,
) -> Result<Outcome, SandboxError> {
    assert_eq!(players.len(), usize::from(table.seats()), "a table has one player a seat");
    for (seat, player) in (0u8..).map(Seat).zip(players.iter_mut()) {
        player.start(setup, seat)?;
    }
    let names = players.iter().map(|player| player.name().to_string()).collect();
    (telling.watch)(Event::GameStarted { names, setup: setup.clone(), board: table.board() });
    let (mut moves, mut forfeited) = (0, Seats::NONE);
    let outcome = loop {
        if let Some(outcome) = table.outcome() {
            break outcome;
        }
        let acting: Vec<(Seat, Vec<u8>)> = table.to_act().iter().map(|seat| (seat, table.view(seat))).collect();
        // A human takes long: a bot is not to wait for it with its answer.
        if acting.len() > 1 && players.iter().all(|player| player.isolation().is_some()) {
            // All think at the same time, and none learns from when it is asked what another one does.
            for (seat, view) in &acting {
                players[seat.index()].ask_ahead(view)?;
            }
        }
        for (seat, view) in acting {
            match turn(table, seat, view, players, moves + 1, telling)? {
                true => moves += 1,
                false => forfeited = forfeited.with(seat),
            }
        }
    };
    for (seat, player) in (0u8..).map(Seat).zip(players.iter_mut()).filter(|(seat, _)| !forfeited.contains(*seat))
    {
        player.send_final_view(&table.view(seat))?;
    }
    let conduct = players.iter_mut().map(|player| player.finish()).collect::<Result<_, _>>()?;
    (telling.watch)(Event::GameEnded { outcome: outcome.clone(), moves, conduct });
    Ok(outcome)
}

/// One seat's turn: whether it made a move.
fn turn(
    table: &mut dyn LiveGame,
    seat: Seat,
    view: Vec<u8>,
    players: &mut [Box<dyn Player>],
    number: u32,
    telling: &mut EventSink,
) -> Result<bool, SandboxError> {
    let (before, rest) = players.split_at_mut(seat.index());
    let Some((player, after)) = rest.split_first_mut() else { unreachable!("a table has one player a seat") };
    let answered = player.ask_while(&Turn { view: &view, game: table, seat }, &mut || {
        let mut again = false;
        for other in before.iter_mut().chain(after.iter_mut()) {
            again |= other.pause()?;
        }
        Ok(again)
    })?;
    let (spent, remarks, errors) = (answered.spent, answered.remarks, answered.errors);
    let (played, answer) = match answered.reply {
        Ok(reply) => match table.play(seat, &reply) {
            Ok(notation) => (Ok(notation), Vec::new()),
            Err(violation) => (Err(Fault::IllegalMove(violation)), reply.as_bytes().to_vec()),
        },
        Err(fault) => (Err(fault), Vec::new()),
    };
    let moved = played.is_ok();
    (telling.watch)(match played {
        Ok(notation) => {
            let board = if telling.boards { table.board() } else { Vec::new() };
            Event::Moved { number, seat, notation, board, spent, remarks, errors }
        }
        Err(fault) => {
            table.forfeit(seat);
            Event::Faulted { number, seat, fault, view, answer, spent, errors }
        }
    });
    Ok(moved)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{boxing, rps};
    use crate::kit::AnyKit;
    use crate::player::{Answer, IdleCallback};
    use crate::sandbox::Isolation;
    use cornerman::game::{End, Reply};

    /// A player that gives what it was told to, then fails.
    struct Scripted(Vec<Vec<u8>>);

    impl Player for Scripted {
        fn name(&self) -> &str {
            "scripted"
        }
        fn isolation(&self) -> Option<&Isolation> {
            None
        }
        fn start(&mut self, _: &Setup, _: Seat) -> Result<(), SandboxError> {
            Ok(())
        }
        fn ask_while(&mut self, _: &Turn, _: IdleCallback) -> Result<Answer, SandboxError> {
            let given = if self.0.is_empty() {
                Err(Fault::Died { signal: 11, rule: "B5" })
            } else {
                Ok(Reply::Answer(self.0.remove(0)))
            };
            Ok(Answer { reply: given, spent: Spent::default(), remarks: Vec::new(), errors: Vec::new() })
        }
        fn finish(&mut self) -> Result<Conduct, SandboxError> {
            Ok(Conduct::default())
        }
    }

    /// An arena of which only the first `vacant` spots are vacant, the ones before `marks` taken by them.
    fn arena(marks: &str, vacant: usize) -> Vec<u8> {
        let mut arena = [[b'o'; 32]; 16];
        arena[0][..vacant].fill(b'-');
        arena[0][..marks.len()].copy_from_slice(marks.as_bytes());
        cornerman::games::boxing::Arena::from_rows(arena).to_bytes().to_vec()
    }

    fn check(scripts: &[&[&str]], places: &[u8], points: &[i64], end: End) -> Vec<Event> {
        let setup = Setup { seats: scripts.len() as u8, board: arena("", 3), ..Setup::default() };
        let mut table = boxing::KIT.usual().open(&setup).unwrap();
        let script = |moves: &&[&str]| Scripted(moves.iter().map(|marks| arena(marks, 3)).collect());
        let mut players: Vec<Box<dyn Player>> =
            scripts.iter().map(|moves| Box::new(script(moves)) as Box<dyn Player>).collect();
        let mut events = Vec::new();
        let outcome = play(&mut *table, &setup, &mut players, &mut |event| events.push(event)).unwrap();
        assert_eq!((outcome.places.as_slice(), outcome.points.as_slice(), outcome.end), (places, points, end));
        events
    }

    #[test]
    fn the_last_spot_wins() {
        check(&[&["A", "ABA"], &["AB"]], &[1, 2], &[2, 0], End::Played);
    }

    #[test]
    fn a_bot_that_dies_forfeits_and_the_marks_on_the_arena_are_the_winners_score() {
        check(&[&["A"], &[]], &[1, 2], &[1, 0], End::Forfeited);
    }

    #[test]
    fn a_seat_that_forfeits_leaves_the_sequence() {
        let events = check(&[&["A", "ACA"], &[], &["AC"]], &[1, 2, 2], &[2, 0, 0], End::Played);
        let faults: Vec<u8> = events
            .iter()
            .filter_map(|event| match event {
                Event::Faulted { seat, .. } => Some(seat.0),
                _ => None,
            })
            .collect();
        assert_eq!(faults, [1]);
    }

    /// A player that shows `hand` in each round, and notes in `log` what it is asked to do.
    struct Noting {
        name: &'static str,
        log: std::rc::Rc<std::cell::RefCell<Vec<String>>>,
        sandboxed: Isolation,
    }

    impl Noting {
        fn note(&self, what: &str) {
            self.log.borrow_mut().push(format!("{} {what}", self.name));
        }
    }

    impl Player for Noting {
        fn name(&self) -> &str {
            self.name
        }
        fn isolation(&self) -> Option<&Isolation> {
            Some(&self.sandboxed)
        }
        fn start(&mut self, _: &Setup, _: Seat) -> Result<(), SandboxError> {
            Ok(())
        }
        fn ask_ahead(&mut self, _: &[u8]) -> Result<(), SandboxError> {
            self.note("begins");
            Ok(())
        }
        fn pause(&mut self) -> Result<bool, SandboxError> {
            self.note("rests");
            Ok(false)
        }
        fn ask_while(&mut self, _: &Turn, idle: IdleCallback) -> Result<Answer, SandboxError> {
            self.note("thinks");
            idle()?;
            Ok(Answer {
                reply: Ok(Reply::Answer(b"1".to_vec())),
                spent: Spent::default(),
                remarks: Vec::new(),
                errors: Vec::new(),
            })
        }
        fn finish(&mut self) -> Result<Conduct, SandboxError> {
            Ok(Conduct::default())
        }
    }

    #[test]
    fn who_acts_at_the_same_time_begins_at_the_same_time_and_the_others_rest() {
        let rules = rps::KIT.usual();
        let setup = Setup { seats: 2, marks: rules.marks.clone(), seed: 1, ..Setup::default() };
        let log = std::rc::Rc::default();
        let sandboxed = Isolation { level: crate::sandbox::Level::Plain, refused: Vec::new() };
        let noting = |name| {
            let player = Noting { name, log: std::rc::Rc::clone(&log), sandboxed: sandboxed.clone() };
            Box::new(player) as Box<dyn Player>
        };
        let mut players = vec![noting("a"), noting("b")];
        play(&mut *rules.open(&setup).unwrap(), &setup, &mut players, &mut |_| {}).unwrap();
        let first_round = ["a begins", "b begins", "a thinks", "b rests", "b thinks", "a rests"];
        assert_eq!(log.borrow()[..6], first_round);
    }

    #[test]
    fn an_illegal_answer_is_an_event_with_the_bytes() {
        let events = check(&[&["B"], &[]], &[2, 1], &[0, 0], End::Forfeited);
        assert!(matches!(&events[1], Event::Faulted { fault: Fault::IllegalMove(v), answer, .. }
            if v.kind == "mark" && *answer == arena("B", 3)));
    }
}
