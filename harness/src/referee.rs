//! The referee: plays one game, of any kind and between any players, and reports it as a stream of events.

use crate::player::{Answer, Conduct, Fault, Player, Remark, Spent, Turn};
use crate::sandbox::SandboxError;
use cornerman::game::{LiveGame, Outcome, Seat, Seats, Setup};

/// Something that happened in a game. Events are all that recorders, reports and pictures are made from.
#[derive(Clone, Debug)]
pub enum Event {
    /// The players are seated.
    GameStarted {
        /// The players' names, by seat.
        names: Vec<String>,
        /// The setup that the game started from.
        setup: Setup,
        /// The board in the game's text form; empty if the game hides something and a person plays, who sees it.
        board: Vec<u8>,
    },
    /// A seat made a legal move.
    Moved {
        /// The number of the move in the game, from 1.
        number: u32,
        /// The seat that made it.
        seat: Seat,
        /// The move in the game's notation.
        notation: String,
        /// The board after it. If several seats acted at once, all but the last seat have the board before these
        /// actions. Empty in a game played [without boards](play_unseen), or if a person must not see it.
        board: Vec<u8>,
        /// The resources that it used.
        spent: Spent,
        /// Observations that have no consequence.
        remarks: Vec<Remark>,
        /// The end of what the bot wrote to standard error at this move; empty if one process plays the whole game.
        errors: Vec<u8>,
    },
    /// A seat forfeited.
    Faulted {
        /// The number that its move would have had in the game, from 1.
        number: u32,
        /// The seat that forfeited.
        seat: Seat,
        /// The reason.
        fault: Fault,
        /// The view that it was to answer.
        view: Vec<u8>,
        /// The answer, if the rules rejected it; empty for any other fault.
        answer: Vec<u8>,
        /// The resources that it used.
        spent: Spent,
        /// The end of what the bot wrote to standard error: at its move; or, if one process plays the whole game, until
        /// it ended, and empty if it had not.
        errors: Vec<u8>,
    },
    /// The game is over.
    GameEnded {
        /// The result.
        outcome: Outcome,
        /// The number of legal moves that were made.
        moves: u32,
        /// How the player in each seat behaved.
        conduct: Vec<Conduct>,
    },
}

/// Plays `game`, which was opened with `setup`, to its end and reports every event to `watch`, whose error ends the
/// game.
///
/// # Errors
/// That of `watch`; or when a sandbox fails, or the machine is too busy to give a bot its time. What a player does
/// wrong is an event.
///
/// # Panics
/// If there is not one player for each seat.
pub fn play<E: From<SandboxError>>(
    game: &mut dyn LiveGame,
    setup: &Setup,
    players: &mut [Box<dyn Player>],
    watch: &mut dyn FnMut(Event) -> Result<(), E>,
) -> Result<Outcome, E> {
    run(game, setup, players, Boards::Drawn, watch)
}

/// Like [`play`], with empty boards in [`Event::Moved`], because drawing one takes longer than many bots' moves.
///
/// # Errors
/// The same as for [`play`], except those of `watch`, which cannot end the game.
///
/// # Panics
/// The same as for [`play`].
pub fn play_unseen(
    game: &mut dyn LiveGame,
    setup: &Setup,
    players: &mut [Box<dyn Player>],
    watch: &mut dyn FnMut(Event),
) -> Result<Outcome, SandboxError> {
    let watch = &mut |event| {
        watch(event);
        Ok(())
    };
    run(game, setup, players, Boards::Empty, watch)
}

/// The boards in [`Event::Moved`].
#[derive(PartialEq, Eq)]
enum Boards {
    Drawn,
    Empty,
}

/// Plays a game, as [`play`] and [`play_unseen`] say.
fn run<E: From<SandboxError>>(
    game: &mut dyn LiveGame,
    setup: &Setup,
    players: &mut [Box<dyn Player>],
    boards: Boards,
    watch: &mut dyn FnMut(Event) -> Result<(), E>,
) -> Result<Outcome, E> {
    assert_eq!(players.len(), usize::from(game.seats()), "a game has one player for each seat");
    for (seat, player) in (0u8..).map(Seat).zip(players.iter_mut()) {
        player.start(setup, seat)?;
    }
    let names = players.iter().map(|player| player.name().to_string()).collect();
    // A person who plays sees each board that is reported, and must not see what the game hides.
    let has_person = players.iter().any(|player| player.isolation().is_none());
    let board = if has_person && game.is_hidden() { Vec::new() } else { game.board() };
    watch(Event::GameStarted { names, setup: setup.clone(), board })?;
    let mut moves = 0;
    let mut forfeited = Seats::NONE;
    let outcome = loop {
        if let Some(outcome) = game.outcome() {
            break outcome;
        }
        let acting: Vec<(Seat, Vec<u8>)> = game.to_act().iter().map(|seat| (seat, game.view(seat))).collect();
        // A bot that is asked ahead would have to wait for a human, who may take long.
        if acting.len() > 1 && players.iter().all(|player| player.isolation().is_some()) {
            // All bots think at the same time, so that none learns from the timing of its request what another one did.
            for (seat, view) in &acting {
                players[seat.index()].ask_ahead(view)?;
            }
        }
        let mut answers = Vec::new();
        for (seat, view) in acting {
            let answer = ask(game, seat, &view, players)?;
            answers.push((seat, view, answer));
        }
        let draws = boards == Boards::Drawn && !(has_person && game.is_hidden());
        forfeited = turn(game, answers, &mut moves, forfeited, draws, watch)?;
    };
    for (seat, player) in (0u8..).map(Seat).zip(players.iter_mut()).filter(|(seat, _)| !forfeited.contains(*seat))
    {
        player.send_final_view(&game.view(seat))?;
    }
    let conduct = players.iter_mut().map(|player| player.finish()).collect::<Result<_, _>>()?;
    watch(Event::GameEnded { outcome: outcome.clone(), moves, conduct })?;
    Ok(outcome)
}

/// Asks the player in `seat` for its move. If it thinks for some milliseconds, the others pause meanwhile.
fn ask(
    game: &dyn LiveGame,
    seat: Seat,
    view: &[u8],
    players: &mut [Box<dyn Player>],
) -> Result<Answer, SandboxError> {
    let (before, rest) = players.split_at_mut(seat.index());
    let Some((player, after)) = rest.split_first_mut() else {
        unreachable!("a game has one player for each seat")
    };
    player.ask_while(&Turn { view, game, seat }, &mut || {
        let mut again = false;
        for other in before.iter_mut().chain(after.iter_mut()) {
            again |= other.pause()?;
        }
        Ok(again)
    })
}

/// Plays a turn, given the view and the answer of each seat that acts, and reports what each of them did, with boards
/// if `draws`. Returns `forfeited` with those that forfeit now; `moves` is the number of moves in the game so far.
fn turn<E: From<SandboxError>>(
    game: &mut dyn LiveGame,
    answers: Vec<(Seat, Vec<u8>, Answer)>,
    moves: &mut u32,
    mut forfeited: Seats,
    draws: bool,
    watch: &mut dyn FnMut(Event) -> Result<(), E>,
) -> Result<Seats, E> {
    let acts: Vec<_> =
        answers.iter().map(|(seat, _, answer)| (*seat, answer.reply.as_ref().ok().cloned())).collect();
    // Until all of them have acted, the board is as it was.
    let unchanged = if draws && acts.len() > 1 { game.board() } else { Vec::new() };
    let made = game.act_together(&acts);
    let last = acts.last().map(|(seat, _)| *seat);
    for ((seat, view, answer), made) in answers.into_iter().zip(made) {
        let Answer { reply, spent, remarks, errors } = answer;
        let number = *moves + 1;
        let (fault, answer) = match (reply, made) {
            (Ok(_), Some(Ok(notation))) => {
                *moves = number;
                let board = if draws && last == Some(seat) { game.board() } else { unchanged.clone() };
                watch(Event::Moved { number, seat, notation, board, spent, remarks, errors })?;
                continue;
            }
            (Ok(reply), Some(Err(violation))) => (Fault::IllegalMove(violation), reply.as_bytes().to_vec()),
            (Err(fault), _) => (fault, Vec::new()),
            (Ok(_), None) => unreachable!("a reply is legal or not"),
        };
        forfeited = forfeited.with(seat);
        watch(Event::Faulted { number, seat, fault, view, answer, spent, errors })?;
    }
    Ok(forfeited)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{boxing, rps};
    use crate::kit::AnyKit;
    use crate::player::{Answer, IdleCallback};
    use crate::sandbox::Isolation;
    use cornerman::game::{End, Reply};

    /// A player that gives the listed answers in order, then dies.
    struct Scripted(Vec<Vec<u8>>);

    impl Player for Scripted {
        fn name(&self) -> &str {
            "scripted"
        }
        fn isolation(&self) -> Option<&Isolation> {
            None
        }
        fn shares_state_file(&self) -> bool {
            false
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

    /// An arena of which only the first `vacant` spots are not obstacles; the first of them have `marks`.
    fn arena(marks: &str, vacant: usize) -> Vec<u8> {
        let mut arena = [[b'o'; 32]; 16];
        arena[0][..vacant].fill(b'-');
        arena[0][..marks.len()].copy_from_slice(marks.as_bytes());
        cornerman::games::boxing::Arena::from_rows(arena).to_bytes().to_vec()
    }

    fn check(scripts: &[&[&str]], places: &[u8], points: &[i64], end: End) -> Vec<Event> {
        let setup = Setup { seats: scripts.len() as u8, board: arena("", 3), ..Setup::default() };
        let mut game = boxing::KIT.default_ruleset().open(&setup).unwrap();
        let script = |moves: &&[&str]| Scripted(moves.iter().map(|marks| arena(marks, 3)).collect());
        let mut players: Vec<Box<dyn Player>> =
            scripts.iter().map(|moves| Box::new(script(moves)) as Box<dyn Player>).collect();
        let mut events = Vec::new();
        let keep = &mut |event| {
            events.push(event);
            Ok::<(), SandboxError>(())
        };
        let outcome = play(&mut *game, &setup, &mut players, keep).unwrap();
        assert_eq!((outcome.places.as_slice(), outcome.points.as_slice(), outcome.end), (places, points, end));
        events
    }

    #[test]
    fn the_bot_that_takes_the_last_spot_wins() {
        check(&[&["A", "ABA"], &["AB"]], &[1, 2], &[2, 0], End::Played);
    }

    #[test]
    fn a_bot_that_dies_forfeits_and_the_winner_scores_its_marks_on_the_arena() {
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

    /// A player that shows paper in each round, and logs what it is asked to do.
    struct Logging {
        name: &'static str,
        log: std::rc::Rc<std::cell::RefCell<Vec<String>>>,
        sandboxed: Isolation,
    }

    impl Logging {
        fn note(&self, what: &str) {
            self.log.borrow_mut().push(format!("{} {what}", self.name));
        }
    }

    impl Player for Logging {
        fn name(&self) -> &str {
            self.name
        }
        fn isolation(&self) -> Option<&Isolation> {
            Some(&self.sandboxed)
        }
        fn shares_state_file(&self) -> bool {
            false
        }
        fn start(&mut self, _: &Setup, _: Seat) -> Result<(), SandboxError> {
            Ok(())
        }
        fn ask_ahead(&mut self, _: &[u8]) -> Result<(), SandboxError> {
            self.note("is asked ahead");
            Ok(())
        }
        fn pause(&mut self) -> Result<bool, SandboxError> {
            self.note("pauses");
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
    fn seats_that_act_at_the_same_time_are_asked_ahead_and_the_others_pause() {
        let rules = rps::KIT.default_ruleset();
        let setup = Setup { seats: 2, marks: rules.marks.clone(), seed: 1, ..Setup::default() };
        let log = std::rc::Rc::default();
        let sandboxed = Isolation { level: crate::sandbox::Level::Plain, refused: Vec::new() };
        let logging = |name| {
            let player = Logging { name, log: std::rc::Rc::clone(&log), sandboxed: sandboxed.clone() };
            Box::new(player) as Box<dyn Player>
        };
        let mut players = vec![logging("a"), logging("b")];
        play_unseen(&mut *rules.open(&setup).unwrap(), &setup, &mut players, &mut |_| {}).unwrap();
        let first_round = ["a is asked ahead", "b is asked ahead", "a thinks", "b pauses", "b thinks", "a pauses"];
        assert_eq!(log.borrow()[..6], first_round);
    }

    #[test]
    fn an_illegal_answer_is_an_event_with_its_bytes() {
        let events = check(&[&["B"], &[]], &[2, 1], &[0, 0], End::Forfeited);
        assert!(matches!(&events[1], Event::Faulted { fault: Fault::IllegalMove(v), answer, .. }
            if v.kind == "mark" && *answer == arena("B", 3)));
    }
}
