//! What an organizer can do when the machine refuses a step of setting up a level.

use super::level::{Level, Refusal};

impl Refusal {
    /// What would make the step succeed, if that is known.
    pub fn advice(&self) -> &'static str {
        let has = |word: &str| self.step.contains(word);
        match self.level {
            Level::Namespaced if self.why.contains("os error 28") => {
                "no more user namespaces are allowed: as root, run `sysctl user.max_user_namespaces=10000`"
            }
            Level::Namespaced if has("namespaces") || has("map the") || has("give up other groups") => {
                "unprivileged user namespaces are forbidden here: as root, run \
                 `sysctl kernel.apparmor_restrict_unprivileged_userns=0` (Ubuntu) or \
                 `sysctl kernel.unprivileged_userns_clone=1` (older Debian); start a container with \
                 `--security-opt seccomp=unconfined --security-opt apparmor=unconfined`"
            }
            Level::Namespaced if has("/proc") => {
                "parts of /proc are hidden, as in many containers: start the container with \
                 `--security-opt systempaths=unconfined`, or run the kit outside it"
            }
            Level::Namespaced if has("mount") || has("root") => {
                "mounts inside a user namespace are refused: use Linux 5.12 or later, without a security \
                 module that forbids them"
            }
            Level::Namespaced | Level::Scoped if has("Landlock") => {
                "Linux 6.12 or later is needed, with `landlock` in the list of the boot option `lsm=`"
            }
            Level::Namespaced | Level::Scoped if has("filter") => {
                "the kernel must be built with CONFIG_SECCOMP_FILTER"
            }
            _ if has("control group") => "another program may have changed the control groups: try again",
            _ => "there is no advice for this step",
        }
    }
}
