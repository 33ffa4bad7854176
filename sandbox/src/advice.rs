//! Advises an organizer what to do when the machine refuses a step of setting up a level.
//!
//! The same refusal of the same call can have several causes, so this inspects the machine's settings to find the
//! cause.

use super::level::{Level, Refusal};
use super::sys::landlock_version;
use std::borrow::Cow;
use std::fs;
use std::path::PathBuf;

impl Refusal {
    /// Why the machine refuses the step, and what would make it succeed.
    pub fn advice(&self) -> String {
        advice(self, &MachineFacts::of_this_machine()).into_owned()
    }
}

/// What is known about the machine, from which the cause of a refusal follows.
#[derive(Clone, Debug, Default)]
struct MachineFacts {
    is_root: bool,
    /// Whether AppArmor forbids user namespaces to programs without a profile (Ubuntu 23.10 and later).
    needs_profile: bool,
    /// Whether only root may make user namespaces (older Debian).
    only_root_may: bool,
    /// How many user namespaces may exist at a time; `None` if the kernel does not say.
    most_namespaces: Option<u64>,
    /// Whether this process seems to be in a container: its system calls are filtered, or a part of `/proc` is covered.
    is_contained: bool,
    has_landlock: bool,
    program: PathBuf,
}

impl MachineFacts {
    fn of_this_machine() -> MachineFacts {
        let setting = |name: &str| {
            let text = fs::read_to_string(format!("/proc/sys/{name}")).ok()?;
            text.trim().parse::<u64>().ok()
        };
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let is_filtered =
            status.lines().any(|line| line.strip_prefix("Seccomp:").is_some_and(|mode| mode.trim() == "2"));
        let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
        let is_covered = mounts
            .lines()
            .filter_map(|line| line.split(' ').nth(4)?.strip_prefix("/proc/"))
            .any(|covered| !covered.starts_with("sys/fs/binfmt_misc"));
        MachineFacts {
            is_root: rustix::process::geteuid().is_root(),
            needs_profile: setting("kernel/apparmor_restrict_unprivileged_userns") == Some(1),
            only_root_may: setting("kernel/unprivileged_userns_clone") == Some(0),
            most_namespaces: setting("user/max_user_namespaces"),
            is_contained: is_filtered || is_covered,
            has_landlock: landlock_version().is_some(),
            program: std::env::current_exe().unwrap_or_default(),
        }
    }
}

const ONLY_ROOT_MAY: &str =
    "only root may make user namespaces here: as root, run `sysctl kernel.unprivileged_userns_clone=1`";

const NO_NAMESPACES: &str =
    "user namespaces are switched off: as root, run `sysctl user.max_user_namespaces=10000`";

const NAMESPACES_USED_UP: &str = "all user namespaces that are allowed at a time are in use: end what uses them, \
     or, as root, run `sysctl user.max_user_namespaces=10000`";

const CONTAINER: &str = "the container forbids it: start it with `--security-opt unmask=ALL` (Podman) or \
     `--security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined` \
     (Docker); neither `--privileged` nor a capability is needed";

const SECURITY_MODULE: &str =
    "a security module of this machine forbids it: the kernel's log (`dmesg`) names the module and its rule";

const OLD_KERNEL: &str = "use Linux 5.10 or later, built with CONFIG_USER_NS";

const NO_LANDLOCK: &str =
    "the kernel has no Landlock: use Linux 5.13 or later, with `landlock` in the list of the boot option `lsm=`";

const NO_FILTER: &str = "the kernel must be built with CONFIG_SECCOMP_FILTER";

/// For a step that failed because something that existed a moment before is gone.
const CHANGED: &str = "another program may have removed something, such as a control group: try again";

const UNKNOWN: &str = "the reason is not known";

fn advice(refusal: &Refusal, facts: &MachineFacts) -> Cow<'static, str> {
    let is_any_of = |errors: &[i32]| refusal.errno.is_some_and(|errno| errors.contains(&errno));
    let is_forbidden = is_any_of(&[libc::EPERM, libc::EACCES]);
    let advice = match refusal.level {
        _ if is_any_of(&[libc::ENOENT, libc::ESRCH]) => CHANGED,
        Level::Scoped if !facts.has_landlock => NO_LANDLOCK,
        Level::Scoped if is_any_of(&[libc::EINVAL, libc::ENOSYS]) => NO_FILTER,
        Level::Namespaced if is_any_of(&[libc::ENOSPC]) && facts.most_namespaces == Some(0) => NO_NAMESPACES,
        Level::Namespaced if is_any_of(&[libc::ENOSPC]) => NAMESPACES_USED_UP,
        Level::Namespaced if is_forbidden && facts.needs_profile && !facts.is_root => {
            return profile_advice(&facts.program.display().to_string()).into();
        }
        Level::Namespaced if is_forbidden && facts.only_root_may && !facts.is_root => ONLY_ROOT_MAY,
        Level::Namespaced if is_forbidden && facts.is_contained => CONTAINER,
        Level::Namespaced if is_forbidden => SECURITY_MODULE,
        Level::Namespaced if is_any_of(&[libc::EINVAL, libc::ENOSYS, libc::ENODEV]) => OLD_KERNEL,
        _ => UNKNOWN,
    };
    advice.into()
}

/// How to give `program` a profile that permits user namespaces and restricts nothing.
fn profile_advice(program: &str) -> String {
    format!(
        "AppArmor allows user namespaces only to programs with a profile: as root, run `printf 'abi <abi/4.0>,\\n\
         include <tunables/global>\\nprofile cornerman \"{program}\" flags=(unconfined) {{ userns, }}\\n' > \
         /etc/apparmor.d/cornerman && apparmor_parser -r /etc/apparmor.d/cornerman`"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(level: Level, errno: i32, facts: MachineFacts, wanted: &str) {
        let refusal = Refusal { level, step: "try".into(), why: "no".into(), errno: Some(errno) };
        assert_eq!(advice(&refusal, &facts), wanted);
    }

    #[test]
    fn the_cause_follows_from_the_error_and_the_machine() {
        let namespaced = |errno, facts, wanted: &str| check(Level::Namespaced, errno, facts, wanted);
        let none = MachineFacts::default;
        namespaced(libc::ENOSPC, MachineFacts { most_namespaces: Some(0), ..none() }, NO_NAMESPACES);
        namespaced(libc::ENOSPC, MachineFacts { most_namespaces: Some(7), ..none() }, NAMESPACES_USED_UP);
        let ubuntu = MachineFacts { needs_profile: true, program: "/opt/cornerman".into(), ..none() };
        namespaced(libc::EACCES, ubuntu.clone(), &profile_advice("/opt/cornerman"));
        // Root needs no profile.
        namespaced(libc::EPERM, MachineFacts { is_root: true, ..ubuntu.clone() }, SECURITY_MODULE);
        namespaced(libc::EPERM, MachineFacts { is_root: true, is_contained: true, ..ubuntu }, CONTAINER);
        namespaced(libc::EPERM, MachineFacts { only_root_may: true, ..none() }, ONLY_ROOT_MAY);
        namespaced(libc::EPERM, none(), SECURITY_MODULE);
        namespaced(libc::ENOSYS, none(), OLD_KERNEL);
        namespaced(libc::ENOENT, none(), CHANGED);
        check(Level::Scoped, libc::EOPNOTSUPP, none(), NO_LANDLOCK);
        check(Level::Scoped, libc::EINVAL, MachineFacts { has_landlock: true, ..none() }, NO_FILTER);
        check(Level::Restricted, libc::EIO, none(), UNKNOWN);
    }

    #[test]
    fn a_profile_names_the_program() {
        let advice = profile_advice("/opt/my tools/cornerman");
        assert!(advice.contains("profile cornerman \"/opt/my tools/cornerman\" flags=(unconfined) { userns, }"));
    }
}
