//! Which system calls a bot may make: a list of what is allowed, by families, and what each refusal answers.
//!
//! Everything else is refused with "no such system call", also calls that future kernels will have: programs take
//! that for an older kernel and do without. `docs/sandbox.md` shows the families.

mod arguments;
mod families;
mod program;

pub use families::{ALLOWED, REFUSED};
pub(crate) use program::{Instruction, compile};

use crate::level::Level;
use crate::sys::Pass;
use serde::{Deserialize, Serialize};

/// System calls that are allowed, or refused, for the same reason.
#[derive(Debug)]
pub struct Family {
    /// What they are about.
    pub name: &'static str,
    /// Why they are allowed, or refused.
    pub reason: &'static str,
    calls: &'static [Call],
    others: &'static [Call],
    older: &'static [Call],
}

impl Family {
    const fn new(name: &'static str, reason: &'static str, calls: &'static [Call]) -> Family {
        Family { name, reason, calls, others: &[], older: &[] }
    }

    /// With calls that are given by their numbers.
    const fn others(self, others: &'static [Call]) -> Family {
        Family { others, ..self }
    }

    /// With calls that only x86-64 has: the first forms of others, mostly.
    const fn older(self, older: &'static [Call]) -> Family {
        Family { older, ..self }
    }

    /// All its calls.
    pub fn calls(&self) -> impl Iterator<Item = &'static Call> {
        self.calls.iter().chain(self.others).chain(self.older)
    }
}

/// A system call, and when it is allowed.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    symbol: &'static str,
    number: Option<u32>,
    /// In a root of the sandbox's own.
    namespaced: Rule,
    /// On the machine's own root.
    scoped: Rule,
    /// Whether Docker's default profile allows it.
    pub in_docker: bool,
}

/// What is done about a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    Allow,
    /// Refused with this error number. 0: nothing is done, and the caller is told that it was.
    Refuse(i32),
    /// Allowed if all tests hold, refused with this error number otherwise.
    If(&'static [Test], i32),
}

/// A test of a call's arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Test {
    /// These bits of an argument are one of these values. Only the lower half of an argument is looked at, which is all
    /// of it that the kernel looks at in the calls that are tested.
    Argument { number: u8, bits: u32, values: &'static [u32] },
    /// The sixth argument, of a call that has fewer, is the server's pass.
    Pass,
}

/// The answer to a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The kernel carries it out.
    Allowed,
    /// It fails with this error number; with 0 it does nothing and seems to succeed.
    Refused(i32),
}

/// What is answered to calls that are in no family.
const UNKNOWN: Rule = Rule::Refuse(libc::ENOSYS);

impl Call {
    const fn new(symbol: &'static str, number: Option<u32>) -> Call {
        Call { symbol, number, namespaced: Rule::Allow, scoped: Rule::Allow, in_docker: false }
    }

    const fn always(self, rule: Rule) -> Call {
        Call { namespaced: rule, scoped: rule, ..self }
    }

    /// Allowed if all tests hold.
    const fn only(self, tests: &'static [Test], otherwise: i32) -> Call {
        self.always(Rule::If(tests, otherwise))
    }

    /// Allowed at `namespaced`; at `scoped` only if all tests hold.
    const fn at_scoped_only(self, tests: &'static [Test], otherwise: i32) -> Call {
        Call { scoped: Rule::If(tests, otherwise), ..self }
    }

    /// Not allowed at `scoped`.
    const fn not_at_scoped(self, answer: i32) -> Call {
        Call { scoped: Rule::Refuse(answer), ..self }
    }

    /// Nothing is done, and it seems to succeed.
    const fn pretended(self) -> Call {
        self.refused(0)
    }

    const fn refused(self, answer: i32) -> Call {
        self.always(Rule::Refuse(answer))
    }

    /// For the sandbox's server only.
    const fn servers(self, otherwise: i32) -> Call {
        self.only(&[Test::Pass], otherwise)
    }

    const fn in_docker(self) -> Call {
        Call { in_docker: true, ..self }
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        self.symbol.strip_prefix("SYS_").unwrap_or(self.symbol)
    }

    /// Its number on this architecture, if it has one.
    pub fn number(&self) -> Option<u32> {
        self.number
    }

    /// When a bot may make it at `level`, in words.
    pub fn terms(&self, level: Level) -> Terms {
        match self.rule(level) {
            Rule::Allow => Terms::Always,
            Rule::Refuse(0) => Terms::Pretended,
            Rule::If(_, 0) => Terms::PartlyPretended,
            Rule::If(tests, errno) if tests.contains(&Test::Pass) => Terms::Never(errno),
            Rule::If(..) => Terms::SomeArguments,
            Rule::Refuse(errno) => Terms::Never(errno),
        }
    }

    fn rule(&self, level: Level) -> Rule {
        match level {
            Level::Namespaced => self.namespaced,
            Level::Scoped => self.scoped,
            Level::Restricted | Level::Plain => Rule::Allow,
        }
    }
}

/// When a bot may make a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Terms {
    /// Whatever the arguments.
    Always,
    /// With some arguments only.
    SomeArguments,
    /// With some arguments; with others it does nothing and seems to succeed.
    PartlyPretended,
    /// It does nothing and seems to succeed.
    Pretended,
    /// It fails with this error number.
    Never(i32),
}

/// A call as it was made: its number and its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Made {
    /// Its number.
    pub number: u32,
    /// What was in the registers of its arguments.
    pub arguments: [u64; 6],
}

impl Made {
    /// What a bot is answered at `level`.
    pub fn answer(&self, level: Level) -> Answer {
        self.answer_to(level, None)
    }

    /// What is answered to whoever may have this pass.
    fn answer_to(&self, level: Level, pass: Option<Pass>) -> Answer {
        let holds = |test: &Test| match *test {
            Test::Argument { number, bits, values } => {
                values.contains(&(self.arguments[usize::from(number)] as u32 & bits))
            }
            Test::Pass => pass.is_some_and(|pass| pass.word() == self.arguments[5]),
        };
        match find(self.number).map_or(UNKNOWN, |(_, call)| call.rule(level)) {
            Rule::Allow => Answer::Allowed,
            Rule::If(tests, _) if tests.iter().all(holds) => Answer::Allowed,
            Rule::Refuse(errno) | Rule::If(_, errno) => Answer::Refused(errno),
        }
    }
}

/// How often a bot made a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observed {
    /// Its number.
    pub number: u32,
    /// How often it was made.
    pub times: u64,
    /// How often it was refused.
    pub refused: u64,
    /// What the first refusal answered, 0 for seeming success, and to which arguments.
    pub refusal: Option<(i32, [u64; 6])>,
}

/// The call of this number, and its family, if it is in any.
pub fn find(number: u32) -> Option<(&'static Family, &'static Call)> {
    families()
        .flat_map(|family| family.calls().map(move |call| (family, call)))
        .find(|(_, call)| call.number == Some(number))
}

/// The name of an error number that calls are refused with.
pub fn errno_name(errno: i32) -> &'static str {
    match errno {
        0 => "success",
        libc::EINVAL => "EINVAL",
        libc::ENOSYS => "ENOSYS",
        libc::ENOTTY => "ENOTTY",
        libc::EOPNOTSUPP => "EOPNOTSUPP",
        libc::EPERM => "EPERM",
        _ => "an error",
    }
}

fn families() -> impl Iterator<Item = &'static Family> {
    ALLOWED.iter().chain(REFUSED)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_call_is_in_one_family() {
        let mut seen = BTreeSet::new();
        let mut names = BTreeSet::new();
        for call in families().flat_map(Family::calls) {
            assert!(names.insert(call.name()), "{} is there twice", call.name());
            assert!(
                call.number.is_none_or(|number| seen.insert(number)),
                "{}'s number is there twice",
                call.name()
            );
        }
    }

    #[test]
    fn allowed_families_allow_and_refused_families_refuse() {
        let at = [Level::Scoped, Level::Namespaced];
        for call in ALLOWED.iter().flat_map(Family::calls) {
            assert!(at.iter().any(|&level| !matches!(call.terms(level), Terms::Never(_))), "{}", call.name());
        }
        for call in REFUSED.iter().flat_map(Family::calls) {
            assert!(at.iter().all(|&level| matches!(call.terms(level), Terms::Never(_))), "{}", call.name());
        }
    }

    /// What a bot is answered to a call by name, with these first arguments.
    #[track_caller]
    fn check(name: &str, arguments: &[u64], scoped: Answer, namespaced: Answer) {
        let call = families().flat_map(Family::calls).find(|call| call.name() == name).unwrap();
        let Some(number) = call.number else { return };
        let mut six = [0; 6];
        six[..arguments.len()].copy_from_slice(arguments);
        let made = Made { number, arguments: six };
        assert_eq!((made.answer(Level::Scoped), made.answer(Level::Namespaced)), (scoped, namespaced), "{name}");
    }

    #[test]
    fn arguments_decide() {
        use Answer::{Allowed, Refused};
        let no = Refused(libc::EPERM);
        check("read", &[], Allowed, Allowed);
        check("mount", &[], no, no);
        check("clone", &[libc::SIGCHLD as u64], Allowed, Allowed);
        check("clone", &[libc::CLONE_NEWUSER as u64 | libc::SIGCHLD as u64], no, no);
        check("socket", &[libc::AF_INET as u64], no, Allowed);
        check("socket", &[libc::AF_UNIX as u64], no, no);
        check("socketpair", &[1, libc::SOCK_STREAM as u64 | libc::SOCK_CLOEXEC as u64], Allowed, Allowed);
        check("socketpair", &[1, libc::SOCK_DGRAM as u64], no, no);
        check("socketpair", &[1, libc::SOCK_RAW as u64], no, no);
        check("chmod", &[], no, Allowed);
        check("mkdirat", &[0, 0, 0o077], no, Allowed);
        check("mkdirat", &[0, 0, 0o777], Allowed, Allowed);
        check("umask", &[0o077], Allowed, Allowed);
        check("umask", &[0o100], no, Allowed);
        check("setsid", &[], no, Allowed);
        check("setpgid", &[], no, Allowed);
        check("sched_setscheduler", &[0], Refused(0), Refused(0));
        check("sched_setscheduler", &[7], Refused(0), Refused(0));
        check("prlimit64", &[7], no, no);
        check("ioctl", &[1, libc::TIOCSTI], Refused(libc::ENOTTY), Refused(libc::ENOTTY));
        // The kernel looks at the lower half only.
        check("ioctl", &[1, 1 << 32 | libc::TIOCSTI], Refused(libc::ENOTTY), Refused(libc::ENOTTY));
        check("ioctl", &[1, libc::FIONREAD], Allowed, Allowed);
        check("inotify_init1", &[], Refused(libc::ENOSYS), Refused(libc::ENOSYS));
    }

    #[test]
    fn unknown_calls_do_not_exist() {
        for number in [600, 0x4000_0000, u32::MAX] {
            let made = Made { number, arguments: [0; 6] };
            assert_eq!(made.answer(Level::Namespaced), Answer::Refused(libc::ENOSYS));
        }
    }
}
