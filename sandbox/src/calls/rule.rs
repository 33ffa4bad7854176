//! Defines system calls with their rules, and families of calls.

use super::CallDecision;
use crate::level::Level;

/// System calls that are allowed for the same reason, or refused for the same reason.
#[derive(Debug)]
pub struct Family {
    /// What these calls have in common.
    pub name: &'static str,
    /// Why they are allowed, or refused.
    pub reason: &'static str,
    calls: &'static [Call],
    others: &'static [Call],
    older: &'static [Call],
}

impl Family {
    pub(super) const fn new(name: &'static str, reason: &'static str, calls: &'static [Call]) -> Family {
        Family { name, reason, calls, others: &[], older: &[] }
    }

    /// Adds calls that are given by their numbers.
    pub(super) const fn others(self, others: &'static [Call]) -> Family {
        Family { others, ..self }
    }

    /// Adds calls that only x86-64 has, mostly the first forms of other calls.
    pub(super) const fn older(self, older: &'static [Call]) -> Family {
        Family { older, ..self }
    }

    /// All calls of the family.
    pub fn calls(&self) -> impl Iterator<Item = &'static Call> {
        self.calls.iter().chain(self.others).chain(self.older)
    }
}

/// A system call, and when it is allowed.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    symbol: &'static str,
    number: Option<u32>,
    /// The rule at `namespaced`.
    namespaced: CallRule,
    /// The rule at `scoped`.
    scoped: CallRule,
    /// Whether Docker's default profile allows the call.
    pub docker_allows: bool,
}

/// How the filter decides about a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CallRule {
    Allow,
    /// Refused with this error number. With 0 the call does nothing and seems to succeed.
    Refuse(i32),
    /// Allowed if all tests pass, refused with this error number otherwise.
    If(&'static [Test], i32),
    /// Answered as in the first case whose tests all pass, refused with this error number otherwise.
    Cases(&'static [RuleCase], i32),
    /// Refused with this error number, except that the keeper makes the call for builds.
    ByKeeper(i32),
}

/// The answer to calls that pass all of these tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RuleCase {
    pub tests: &'static [Test],
    pub answer: CallDecision,
}

/// A condition on a call's arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Test {
    /// These bits of an argument have one of these values. Only the lower half of the argument is compared, because
    /// the kernel uses only that in the calls tested.
    Argument { number: u8, bits: u32, values: &'static [u32] },
    /// The sixth argument, which these calls do not have, is the server's pass.
    Pass,
}

impl Call {
    pub(super) const fn new(symbol: &'static str, number: Option<u32>) -> Call {
        Call { symbol, number, namespaced: CallRule::Allow, scoped: CallRule::Allow, docker_allows: false }
    }

    const fn always(self, rule: CallRule) -> Call {
        Call { namespaced: rule, scoped: rule, ..self }
    }

    /// Allowed if all tests pass.
    pub(super) const fn only(self, tests: &'static [Test], otherwise: i32) -> Call {
        self.always(CallRule::If(tests, otherwise))
    }

    /// The answer of the first of `cases` whose tests pass, else refused.
    pub(super) const fn by_cases(self, cases: &'static [RuleCase], otherwise: i32) -> Call {
        self.always(CallRule::Cases(cases, otherwise))
    }

    /// Allowed at `namespaced`, and at `scoped` if all tests pass.
    pub(super) const fn at_scoped_only(self, tests: &'static [Test], otherwise: i32) -> Call {
        Call { scoped: CallRule::If(tests, otherwise), ..self }
    }

    /// Not allowed at `scoped`.
    pub(super) const fn not_at_scoped(self, answer: i32) -> Call {
        Call { scoped: CallRule::Refuse(answer), ..self }
    }

    /// Refused at `scoped`, except that the keeper makes the call for builds.
    pub(super) const fn by_keeper_at_scoped(self, otherwise: i32) -> Call {
        Call { scoped: CallRule::ByKeeper(otherwise), ..self }
    }

    /// Refused, but the call seems to succeed.
    pub(super) const fn pretended(self) -> Call {
        self.refused(0)
    }

    pub(super) const fn refused(self, answer: i32) -> Call {
        self.always(CallRule::Refuse(answer))
    }

    /// Allowed only to the sandbox's server.
    pub(super) const fn server_only(self, otherwise: i32) -> Call {
        self.only(&[Test::Pass], otherwise)
    }

    pub(super) const fn docker_allows(self) -> Call {
        Call { docker_allows: true, ..self }
    }

    /// The call's name, without `SYS_`.
    pub fn name(&self) -> &'static str {
        self.symbol.strip_prefix("SYS_").unwrap_or(self.symbol)
    }

    /// The call's number on this architecture, if it exists there.
    pub fn number(&self) -> Option<u32> {
        self.number
    }

    /// When a bot may make the call at `level`.
    pub fn permission(&self, level: Level) -> CallPermission {
        match self.rule(level) {
            CallRule::Allow => CallPermission::Always,
            CallRule::If(tests, errno) if tests.contains(&Test::Pass) => CallPermission::refused(errno),
            CallRule::If(_, 0) => CallPermission::PartlyPretended,
            CallRule::Cases(cases, _) if cases.iter().any(|case| case.answer == CallDecision::Refused(0)) => {
                CallPermission::PartlyPretended
            }
            CallRule::If(..) | CallRule::Cases(..) => CallPermission::SomeArguments,
            CallRule::ByKeeper(_) => CallPermission::OwnFilesOfBuilds,
            CallRule::Refuse(errno) => CallPermission::refused(errno),
        }
    }

    /// The call's rule at `level`.
    pub(super) fn rule(&self, level: Level) -> CallRule {
        match level {
            Level::Namespaced => self.namespaced,
            Level::Scoped => self.scoped,
            Level::Restricted | Level::Plain => CallRule::Allow,
        }
    }
}

impl CallPermission {
    fn refused(errno: i32) -> CallPermission {
        if errno == 0 { CallPermission::Pretended } else { CallPermission::Never(errno) }
    }
}

/// When a bot may make a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CallPermission {
    /// With any arguments.
    Always,
    /// With some arguments only.
    SomeArguments,
    /// In builds, for files in their own folders.
    OwnFilesOfBuilds,
    /// With some arguments; with others the call does nothing and seems to succeed.
    PartlyPretended,
    /// Never: the call does nothing and seems to succeed.
    Pretended,
    /// Never: the call fails with this error number.
    Never(i32),
}
