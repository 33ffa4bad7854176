//! The referee: one game at one table, whatever the game and whoever plays, told as a stream of events.

use crate::player::{Conduct, Fault, Player, Remark, Spent};
use crate::sandbox::SandboxError;
use cornerman::game::{Outcome, Seat, Seats, Setup, Table};

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
    /// A seat lost on time while the machine itself was held up: the game does not count and is played again.
    GameVoided {
        /// Whose time it was.
        seat: Seat,
        /// Which move of the game it would have been, from 1.
        number: u32,
        /// What the move used up, and how far the machine was held up meanwhile.
        spent: Spent,
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

/// How often a game is begun again because the machine was held up, before a loss on time counts all the same.
const MOST_REPLAYS: u32 = 3;

/// Plays a game to its end and tells `watch` of it. `table` sets up the game, once more for each time that it
/// has to be played again because the machine, not a bot, was too slow.
///
/// # Errors
/// When the kit fails. Whatever a player does is an event.
pub fn play(
    table: &dyn Fn() -> Box<dyn Table>,
    setup: &Setup,
    players: &mut [Box<dyn Player>],
    watch: &mut dyn FnMut(Event),
) -> Result<Outcome, SandboxError> {
    run(table, setup, players, &mut Telling { watch, boards: true })
}

/// As [`play`], for those who need no board after each move: to draw one costs more than many a bot's move.
///
/// # Errors
/// As [`play`].
pub fn play_unseen(
    table: &dyn Fn() -> Box<dyn Table>,
    setup: &Setup,
    players: &mut [Box<dyn Player>],
    watch: &mut dyn FnMut(Event),
) -> Result<Outcome, SandboxError> {
    run(table, setup, players, &mut Telling { watch, boards: false })
}

/// Who is told of a game.
struct Telling<'a> {
    watch: &'a mut dyn FnMut(Event),
    /// Whether with a board after each move.
    boards: bool,
}

fn run(
    table: &dyn Fn() -> Box<dyn Table>,
    setup: &Setup,
    players: &mut [Box<dyn Player>],
    telling: &mut Telling,
) -> Result<Outcome, SandboxError> {
    for replays_left in (0..=MOST_REPLAYS).rev() {
        if let Some(outcome) = attempt(&mut *table(), setup, players, replays_left > 0, telling)? {
            return Ok(outcome);
        }
    }
    unreachable!("the last attempt counts whatever happens")
}

/// One attempt at a game; `None` when it is void, which it can be only if `may_be_void`.
fn attempt(
    table: &mut dyn Table,
    setup: &Setup,
    players: &mut [Box<dyn Player>],
    may_be_void: bool,
    telling: &mut Telling,
) -> Result<Option<Outcome>, SandboxError> {
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
        for seat in table.to_act().iter() {
            match turn(table, seat, players[seat.index()].as_mut(), moves + 1, may_be_void, telling)? {
                Turn::Moved => moves += 1,
                Turn::Forfeited => forfeited = forfeited.with(seat),
                Turn::Void => {
                    players.iter_mut().try_for_each(|player| player.finish().map(drop))?;
                    return Ok(None);
                }
            }
        }
    };
    for (seat, player) in (0u8..).map(Seat).zip(players.iter_mut()).filter(|(seat, _)| !forfeited.contains(*seat))
    {
        player.tell(&table.view(seat))?;
    }
    let conduct = players.iter_mut().map(|player| player.finish()).collect::<Result<_, _>>()?;
    (telling.watch)(Event::GameEnded { outcome: outcome.clone(), moves, conduct });
    Ok(Some(outcome))
}

enum Turn {
    Moved,
    Forfeited,
    Void,
}

/// One seat's turn.
fn turn(
    table: &mut dyn Table,
    seat: Seat,
    player: &mut dyn Player,
    number: u32,
    may_be_void: bool,
    telling: &mut Telling,
) -> Result<Turn, SandboxError> {
    let view = table.view(seat);
    let answered = player.ask(&view)?;
    let (spent, remarks, errors) = (answered.spent, answered.remarks, answered.errors);
    let excused = matches!(&answered.given, Err(Fault::TimedOut { limit, .. }) if spent.host_lag.excuses(*limit));
    if excused && may_be_void {
        (telling.watch)(Event::GameVoided { seat, number, spent });
        return Ok(Turn::Void);
    }
    let (played, answer) = match answered.given {
        Ok(given) => (table.answer(seat, &given).map_err(Fault::Broke), given),
        Err(fault) => (Err(fault), Vec::new()),
    };
    let done = if played.is_ok() { Turn::Moved } else { Turn::Forfeited };
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
    Ok(done)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::HostLag;
    use crate::player::Answer;
    use crate::sandbox::Isolation;
    use cornerman::game::End;
    use std::cell::Cell;
    use std::rc::Rc;
    use std::time::Duration;

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
        fn ask(&mut self, _: &[u8]) -> Result<Answer, SandboxError> {
            let given =
                if self.0.is_empty() { Err(Fault::Died { signal: 11, rule: "B5" }) } else { Ok(self.0.remove(0)) };
            Ok(Answer { given, spent: Spent::default(), remarks: Vec::new(), errors: Vec::new() })
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
        let table = || (cornerman::games::find("boxing").unwrap().open)(&setup).unwrap();
        let script = |moves: &&[&str]| Scripted(moves.iter().map(|marks| arena(marks, 3)).collect());
        let mut players: Vec<Box<dyn Player>> =
            scripts.iter().map(|moves| Box::new(script(moves)) as Box<dyn Player>).collect();
        let mut events = Vec::new();
        let outcome = play(&table, &setup, &mut players, &mut |event| events.push(event)).unwrap();
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

    /// A player that is late, the machine being held up for so many milliseconds, the first `times`.
    struct Late {
        times: u32,
        lag: u64,
        then: Scripted,
        starts: Rc<Cell<u32>>,
    }

    impl Player for Late {
        fn name(&self) -> &str {
            "late"
        }
        fn isolation(&self) -> Option<&Isolation> {
            None
        }
        fn start(&mut self, _: &Setup, _: Seat) -> Result<(), SandboxError> {
            self.starts.set(self.starts.get() + 1);
            Ok(())
        }
        fn ask(&mut self, view: &[u8]) -> Result<Answer, SandboxError> {
            if self.times == 0 {
                return self.then.ask(view);
            }
            self.times -= 1;
            let total = Duration::from_millis(self.lag);
            let spent = Spent { host_lag: HostLag { total, worst: total }, ..Spent::default() };
            let given = Err(Fault::TimedOut { limit: Duration::from_secs(2), rule: "B10" });
            Ok(Answer { given, spent, remarks: Vec::new(), errors: Vec::new() })
        }
        fn finish(&mut self) -> Result<Conduct, SandboxError> {
            Ok(Conduct::default())
        }
    }

    fn check_late(times: u32, lag: u64, starts: u32, places: &[u8]) {
        let setup = Setup { seats: 2, board: arena("", 1), ..Setup::default() };
        let table = || (cornerman::games::find("boxing").unwrap().open)(&setup).unwrap();
        let started = Rc::new(Cell::new(0));
        let then = Scripted(vec![arena("A", 1)]);
        let late = Late { times, lag, then, starts: Rc::clone(&started) };
        let mut players: Vec<Box<dyn Player>> = vec![Box::new(late), Box::new(Scripted(Vec::new()))];
        let outcome = play(&table, &setup, &mut players, &mut |_| {}).unwrap();
        assert_eq!((started.get(), outcome.places.as_slice()), (starts, places));
    }

    #[test]
    fn a_loss_on_time_while_the_machine_was_held_up_is_void_at_most_three_times() {
        check_late(0, 0, 1, &[1, 2]);
        check_late(1, 500, 2, &[1, 2]);
        check_late(3, 500, 4, &[1, 2]);
        check_late(4, 500, 4, &[2, 1]);
    }

    #[test]
    fn a_loss_on_time_on_a_quiet_machine_counts() {
        check_late(1, 10, 1, &[2, 1]);
    }

    #[test]
    fn an_illegal_answer_is_an_event_with_the_bytes() {
        let events = check(&[&["B"], &[]], &[2, 1], &[0, 0], End::Forfeited);
        assert!(matches!(&events[1], Event::Faulted { fault: Fault::Broke(v), answer, .. }
            if v.kind == "mark" && *answer == arena("B", 3)));
    }
}
