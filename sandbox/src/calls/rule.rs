//! A system call and what is done about it, and a family of calls.

use crate::level::Level;

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
    pub(super) const fn new(name: &'static str, reason: &'static str, calls: &'static [Call]) -> Family {
        Family { name, reason, calls, others: &[], older: &[] }
    }

    /// With calls that are given by their numbers.
    pub(super) const fn others(self, others: &'static [Call]) -> Family {
        Family { others, ..self }
    }

    /// With calls that only x86-64 has: the first forms of others, mostly.
    pub(super) const fn older(self, older: &'static [Call]) -> Family {
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
pub(super) enum Rule {
    Allow,
    /// Refused with this error number. 0: nothing is done, and the caller is told that it was.
    Refuse(i32),
    /// Allowed if all tests hold, refused with this error number otherwise.
    If(&'static [Test], i32),
}

/// A test of a call's arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Test {
    /// These bits of an argument are one of these values. Only the lower half of an argument is looked at, which is all
    /// of it that the kernel looks at in the calls that are tested.
    Argument { number: u8, bits: u32, values: &'static [u32] },
    /// The sixth argument, of a call that has fewer, is the server's pass.
    Pass,
}

impl Call {
    pub(super) const fn new(symbol: &'static str, number: Option<u32>) -> Call {
        Call { symbol, number, namespaced: Rule::Allow, scoped: Rule::Allow, in_docker: false }
    }

    const fn always(self, rule: Rule) -> Call {
        Call { namespaced: rule, scoped: rule, ..self }
    }

    /// Allowed if all tests hold.
    pub(super) const fn only(self, tests: &'static [Test], otherwise: i32) -> Call {
        self.always(Rule::If(tests, otherwise))
    }

    /// Allowed at `namespaced`; at `scoped` only if all tests hold.
    pub(super) const fn at_scoped_only(self, tests: &'static [Test], otherwise: i32) -> Call {
        Call { scoped: Rule::If(tests, otherwise), ..self }
    }

    /// Not allowed at `scoped`.
    pub(super) const fn not_at_scoped(self, answer: i32) -> Call {
        Call { scoped: Rule::Refuse(answer), ..self }
    }

    /// Nothing is done, and it seems to succeed.
    pub(super) const fn pretended(self) -> Call {
        self.refused(0)
    }

    pub(super) const fn refused(self, answer: i32) -> Call {
        self.always(Rule::Refuse(answer))
    }

    /// For the sandbox's server only.
    pub(super) const fn servers(self, otherwise: i32) -> Call {
        self.only(&[Test::Pass], otherwise)
    }

    pub(super) const fn in_docker(self) -> Call {
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
    pub fn terms(&self, level: Level) -> CallPermission {
        match self.rule(level) {
            Rule::Allow => CallPermission::Always,
            Rule::Refuse(0) => CallPermission::Pretended,
            Rule::If(_, 0) => CallPermission::PartlyPretended,
            Rule::If(tests, errno) if tests.contains(&Test::Pass) => CallPermission::Never(errno),
            Rule::If(..) => CallPermission::SomeArguments,
            Rule::Refuse(errno) => CallPermission::Never(errno),
        }
    }

    /// What is done about it at `level`.
    pub(super) fn rule(&self, level: Level) -> Rule {
        match level {
            Level::Namespaced => self.namespaced,
            Level::Scoped => self.scoped,
            Level::Restricted | Level::Plain => Rule::Allow,
        }
    }
}

/// When a bot may make a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CallPermission {
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
