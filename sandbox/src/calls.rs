//! Which system calls a bot may make from [`Level::Scoped`] up: families of allowed calls, and of refused calls with
//! the error that each returns.
//!
//! Every other call is refused with "no such system call", including calls of future kernels. Programs then assume an
//! older kernel and do without the call. `docs/sandbox.md` shows the families.

mod arguments;
mod families;
mod program;
mod rule;

pub use crate::sys::SystemCall;
pub use families::{ALLOWED, REFUSED};
pub(crate) use program::{Grants, ProgramPart, compile};
pub use rule::{Call, CallPermission, Family};

use crate::level::Level;
use crate::sys::Pass;
use families::{UNKNOWN, families};
use rule::Test;
use serde::{Deserialize, Serialize};

/// The filter's decision about a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallDecision {
    /// The kernel carries the call out.
    Allowed,
    /// The call fails with this error number; with 0 it does nothing and seems to succeed.
    Refused(i32),
}

impl SystemCall {
    /// The filter's decision if a bot that is not a build makes this call at `level`.
    pub fn answer(&self, level: Level) -> CallDecision {
        self.answer_to(level, None)
    }

    /// Like [`SystemCall::answer`], for a process that has `pass` if one is given.
    fn answer_to(&self, level: Level, pass: Option<Pass>) -> CallDecision {
        let passes = |test: &Test| match *test {
            Test::Argument { number, bits, values } => {
                values.contains(&(self.arguments[usize::from(number)] as u32 & bits))
            }
            Test::Pass => pass.is_some_and(|pass| pass.word() == self.arguments[5]),
        };
        let rule = find(self.number).map_or(UNKNOWN, |(_, call)| call.rule(level));
        let case = rule.cases.iter().find(|case| case.tests.iter().all(passes));
        case.map_or(rule.otherwise, |case| case.answer)
    }
}

/// How often a bot made one system call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObservedCall {
    /// The call's number.
    pub number: u32,
    /// How often the bot made it.
    pub times: u64,
    /// How often the filter refused it.
    pub refused: u64,
    /// The error number of the first refusal (0 if it seemed to succeed), and the arguments that were refused.
    pub refusal: Option<(i32, [u64; 6])>,
}

/// The call with this number and its family, if any family contains it.
pub fn find(number: u32) -> Option<(&'static Family, &'static Call)> {
    families()
        .flat_map(|family| family.calls().map(move |call| (family, call)))
        .find(|(_, call)| call.number == number)
}

/// The name of an error number with which the filter refuses calls.
pub fn errno_name(errno: i32) -> &'static str {
    match errno {
        0 => "success",
        libc::EAFNOSUPPORT => "EAFNOSUPPORT",
        libc::EINVAL => "EINVAL",
        libc::ENOPROTOOPT => "ENOPROTOOPT",
        libc::ENOSYS => "ENOSYS",
        libc::ENOTTY => "ENOTTY",
        libc::EOPNOTSUPP => "EOPNOTSUPP",
        libc::EPERM => "EPERM",
        _ => "an error",
    }
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
            assert!(names.insert(call.name()), "{} is listed twice", call.name());
            assert!(seen.insert(call.number), "{}'s number is listed twice", call.name());
        }
    }

    #[test]
    fn allowed_families_allow_and_refused_families_refuse() {
        let at = [Level::Scoped, Level::Namespaced];
        for call in ALLOWED.iter().flat_map(Family::calls) {
            assert!(
                at.iter().any(|&level| !matches!(call.permission(level), CallPermission::Never(_))),
                "{}",
                call.name()
            );
        }
        for call in REFUSED.iter().flat_map(Family::calls) {
            assert!(
                at.iter().all(|&level| matches!(call.permission(level), CallPermission::Never(_))),
                "{}",
                call.name()
            );
        }
    }

    /// Checks the answers to a call with these first arguments, at both levels.
    #[track_caller]
    fn check(name: &str, arguments: &[u64], scoped: CallDecision, namespaced: CallDecision) {
        let call = families().flat_map(Family::calls).find(|call| call.name() == name).unwrap();
        let mut six = [0; 6];
        six[..arguments.len()].copy_from_slice(arguments);
        let call = SystemCall { number: call.number, arguments: six };
        assert_eq!((call.answer(Level::Scoped), call.answer(Level::Namespaced)), (scoped, namespaced), "{name}");
    }

    #[test]
    fn arguments_decide() {
        use CallDecision::{Allowed, Refused};
        let no = Refused(libc::EPERM);
        check("read", &[], Allowed, Allowed);
        check("mount", &[], no, no);
        check("clone", &[libc::SIGCHLD as u64], Allowed, Allowed);
        check("clone", &[libc::CLONE_NEWUSER as u64 | libc::SIGCHLD as u64], no, no);
        check("socket", &[libc::AF_INET as u64], Refused(libc::EAFNOSUPPORT), Refused(libc::EAFNOSUPPORT));
        check("getsockopt", &[0, 1, libc::SO_TYPE as u64], Allowed, Allowed);
        check("getsockopt", &[0, 1, 57], Refused(libc::ENOPROTOOPT), Refused(libc::ENOPROTOOPT));
        check("setsockopt", &[0, 41, 32], Refused(libc::ENOPROTOOPT), Refused(libc::ENOPROTOOPT));
        check("fcntl", &[0, libc::F_GETLK as u64], Allowed, Allowed);
        check("fcntl", &[0, libc::F_OFD_SETLKW as u64], Refused(0), Refused(0));
        check("fcntl", &[0, libc::F_NOTIFY as u64], no, no);
        check("flock", &[], Refused(0), Refused(0));
        check("preadv2", &[], Allowed, Allowed);
        check("preadv2", &[0, 0, 0, 0, 0, 8], Refused(libc::EOPNOTSUPP), Refused(libc::EOPNOTSUPP));
        check("madvise", &[0, 0, libc::MADV_DONTNEED as u64], Allowed, Allowed);
        check("madvise", &[0, 0, libc::MADV_PAGEOUT as u64], Refused(libc::EINVAL), Refused(libc::EINVAL));
        check("clock_gettime", &[libc::CLOCK_TAI as u64], Allowed, Allowed);
        // The clock of the calling process is allowed, that of process 1 is not.
        check("clock_gettime", &[-6i64 as u64], Allowed, Allowed);
        check("clock_gettime", &[-14i64 as u64], Refused(libc::EINVAL), Refused(libc::EINVAL));
        check("clone", &[libc::CLONE_PIDFD as u64], Refused(libc::ENOSYS), Refused(libc::ENOSYS));
        check("socketpair", &[1, libc::SOCK_STREAM as u64 | libc::SOCK_CLOEXEC as u64], Allowed, Allowed);
        check("socketpair", &[1, libc::SOCK_DGRAM as u64], no, no);
        check("socketpair", &[1, libc::SOCK_RAW as u64], no, no);
        check("chmod", &[], no, Allowed);
        check("mkdirat", &[0, 0, 0o077], no, Allowed);
        check("mkdirat", &[0, 0, 0o777], Allowed, Allowed);
        check("umask", &[0o077], Allowed, Allowed);
        check("umask", &[0o100], no, Allowed);
        check("setsid", &[], no, Allowed);
        check("setresuid", &[0, 0, 0], Allowed, Allowed);
        check("setgroups", &[], no, no);
        check("setpgid", &[], Refused(0), Allowed);
        check("sched_setscheduler", &[0], Refused(0), Refused(0));
        check("sched_setscheduler", &[7], Refused(0), Refused(0));
        check("prlimit64", &[7], no, no);
        check("ioctl", &[1, libc::TIOCSTI], Refused(libc::ENOTTY), Refused(libc::ENOTTY));
        // The kernel uses only the lower half of the argument.
        check("ioctl", &[1, 1 << 32 | libc::TIOCSTI], Refused(libc::ENOTTY), Refused(libc::ENOTTY));
        check("ioctl", &[1, libc::FIONREAD], Allowed, Allowed);
        check("inotify_init1", &[], Refused(libc::ENOSYS), Refused(libc::ENOSYS));
    }

    #[test]
    fn unknown_calls_do_not_exist() {
        for number in [600, 0x4000_0000, u32::MAX] {
            let call = SystemCall { number, arguments: [0; 6] };
            assert_eq!(call.answer(Level::Namespaced), CallDecision::Refused(libc::ENOSYS));
        }
    }
}
