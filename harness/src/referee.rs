//! The referee: one game at one table, whatever the game and whoever plays, told as a stream of events.

use crate::player::{Conduct, Fault, Player, Remark, Spent};
use crate::sandbox::SandboxError;
use cornerman::game::{Outcome, Seat, Setup, Table};

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
        /// The board after it.
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

/// Plays a game to its end and tells `watch` of it.
///
/// # Errors
/// When the kit fails. Whatever a player does is an event.
pub fn play(
    table: &mut dyn Table,
    setup: &Setup,
    players: &mut [Box<dyn Player>],
    watch: &mut dyn FnMut(Event),
) -> Result<Outcome, SandboxError> {
    assert_eq!(players.len(), usize::from(table.seats()), "a table has one player a seat");
    for (seat, player) in (0u8..).map(Seat).zip(players.iter_mut()) {
        player.start(setup, seat)?;
    }
    let names = players.iter().map(|player| player.name().to_string()).collect();
    watch(Event::GameStarted { names, setup: setup.clone(), board: table.board() });
    let mut moves = 0;
    let outcome = loop {
        if let Some(outcome) = table.outcome() {
            break outcome;
        }
        for seat in table.to_act().iter() {
            if turn(table, seat, players[seat.index()].as_mut(), moves + 1, watch)? {
                moves += 1;
            }
        }
    };
    let conduct = players.iter_mut().map(|player| player.finish()).collect::<Result<_, _>>()?;
    watch(Event::GameEnded { outcome: outcome.clone(), moves, conduct });
    Ok(outcome)
}

/// One seat's turn: whether it made a legal move.
fn turn(
    table: &mut dyn Table,
    seat: Seat,
    player: &mut dyn Player,
    number: u32,
    watch: &mut dyn FnMut(Event),
) -> Result<bool, SandboxError> {
    let view = table.view(seat);
    let answered = player.ask(&view)?;
    let (spent, remarks, errors) = (answered.spent, answered.remarks, answered.errors);
    let answer = answered.given.as_ref().cloned().unwrap_or_default();
    let played = answered.given.and_then(|given| table.answer(seat, &given).map_err(Fault::Broke));
    let legal = played.is_ok();
    watch(match played {
        Ok(notation) => Event::Moved { number, seat, notation, board: table.board(), spent, remarks, errors },
        Err(fault) => {
            table.forfeit(seat);
            Event::Faulted { number, seat, fault, view, answer, spent, errors }
        }
    });
    Ok(legal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::Answer;
    use crate::sandbox::Isolation;
    use cornerman::game::End;

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
            let given = if self.0.is_empty() { Err(Fault::Died { signal: 11 }) } else { Ok(self.0.remove(0)) };
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
        let mut table = (cornerman::games::find("boxing").unwrap().open)(&setup).unwrap();
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

    #[test]
    fn an_illegal_answer_is_an_event_with_the_bytes() {
        let events = check(&[&["B"], &[]], &[2, 1], &[0, 0], End::Forfeited);
        assert!(matches!(&events[1], Event::Faulted { fault: Fault::Broke(v), answer, .. }
            if v.kind == "mark" && *answer == arena("B", 3)));
    }
}
