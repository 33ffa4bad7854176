//! Runs a program that is handed out, copied alone into an empty folder, with an empty cache and nothing of the checkout.
//!
//! `CORNERMAN_PROGRAM` names it. `cargo test` leaves these trials out: `cargo xtask dist` makes the program first.

use libtest_mimic::{Arguments, Completion, Failed, Trial};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output};
use tempfile::TempDir;

/// The steps of a user: a name, the arguments, and words that are printed.
const STEPS: [(&str, &[&str], &str); 6] = [
    ("it_names_its_build", &["--version"], "cornerman 0."),
    ("two_reference_bots_play", &["play", "@greedy", "@parity", "--quiet"], "wins"),
    ("each_game_has_its_bots", &["play", "@hydra", "@rps-random", "--seed", "1", "--quiet"], "wins"),
    ("a_bot_is_made_and_checked", &["new", "mine", "--lang", "python"], "mine"),
    ("a_match_of_go_is_played", &["play", "@capture", "@go-random", "--rules", "go-9x9", "--quiet"], "wins"),
    ("its_completions_name_bots", &["completions", "bash"], "@greedy"),
];

fn main() -> ExitCode {
    let args = Arguments::from_args();
    let mut trials: Vec<Trial> =
        STEPS.iter().map(|&(name, args, words)| trial(name, move |user| user.check(args, 0, words))).collect();
    trials.push(trial("each_bot_has_a_program_of_its_own", |user| {
        user.check(PLAY, 0, "wins");
        let programs = user.programs();
        assert_eq!(programs.len(), 2, "{programs:?}");
        assert_ne!(fs::read(&programs[0]).unwrap(), fs::read(&programs[1]).unwrap());
    }));
    trials.push(trial("a_damaged_program_is_unpacked_again", |user| {
        user.check(PLAY, 0, "wins");
        let [program, _] = &user.programs()[..] else { panic!("two programs") };
        let whole = fs::read(program).unwrap();
        fs::write(program, &whole[..whole.len() / 2]).unwrap();
        user.check(PLAY, 0, "wins");
        assert!(fs::read(program).unwrap() == whole, "{} is still damaged", program.display());
    }));
    trials.push(trial_if("a_cache_mounted_noexec_is_named", mounts_can_be_made, |user| {
        fs::create_dir(user.folder().join("cache")).unwrap();
        let mount = "mount -t tmpfs -o noexec tmpfs cache && exec ./cornerman play @greedy @parity";
        let mut shell = user.command("unshare");
        let ran = shell.args(["--user", "--map-root-user", "--mount", "sh", "-c", mount]).output().unwrap();
        judge(&ran, 2, "is on a file system that is mounted `noexec`");
    }));
    libtest_mimic::run(&args, trials).exit_code()
}

const PLAY: &[&str] = &["play", "@greedy", "@parity", "--quiet"];

fn trial(name: &str, check: impl FnOnce(&User) + Send + 'static) -> Trial {
    trial_if(name, || Ok(()), check)
}

fn trial_if(
    name: &str,
    can_be_run: impl FnOnce() -> Result<(), String> + Send + 'static,
    check: impl FnOnce(&User) + Send + 'static,
) -> Trial {
    Trial::ignorable_test(name, move || {
        if let Err(why) = can_be_run() {
            return Ok(Completion::ignored_with(why));
        }
        let program = std::env::var_os("CORNERMAN_PROGRAM")
            .ok_or("CORNERMAN_PROGRAM should name the program that `cargo xtask dist` made")?;
        check(&User::with_program(Path::new(&program)).map_err(Failed::from)?);
        Ok(Completion::Completed)
    })
}

/// A user who has nothing but the program.
struct User(TempDir);

impl User {
    fn with_program(program: &Path) -> std::io::Result<User> {
        let user = User(tempfile::tempdir()?);
        // Bots run as other users.
        fs::set_permissions(user.folder(), PermissionsExt::from_mode(0o755))?;
        // `cp` copies it, not this process: children that other threads start meanwhile would inherit the file open for
        // writing, and it could not be executed.
        let copied = Command::new("cp").arg(program).arg(user.folder().join("cornerman")).status()?;
        assert!(copied.success(), "{}: {copied}", program.display());
        Ok(user)
    }

    fn folder(&self) -> &Path {
        self.0.path()
    }

    /// `program` in the user's folder, with nothing of the environment but a plain `PATH`.
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.folder()).env_clear().env("PATH", "/usr/bin:/bin").env("HOME", self.folder());
        command.env("XDG_CACHE_HOME", self.folder().join("cache"));
        command
    }

    #[track_caller]
    fn check(&self, args: &[&str], code: i32, words: &str) {
        let program = self.folder().join("cornerman");
        let ran = self.command(&program.to_string_lossy()).args(args).output().unwrap();
        judge(&ran, code, words);
    }

    /// The programs in the cache.
    fn programs(&self) -> Vec<PathBuf> {
        let places = fs::read_dir(self.folder().join("cache/cornerman")).unwrap();
        let folders = places.filter_map(|place| fs::read_dir(place.unwrap().path().join("files")).ok());
        let mut programs: Vec<PathBuf> = folders.flatten().map(|program| program.unwrap().path()).collect();
        programs.sort();
        programs
    }
}

#[track_caller]
fn judge(ran: &Output, code: i32, words: &str) {
    let said = [&ran.stdout[..], &ran.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    assert_eq!(ran.status.code(), Some(code), "{said}");
    assert!(said.contains(words), "expected `{words}` in: {said}");
}

fn mounts_can_be_made() -> Result<(), String> {
    let tried = Command::new("unshare").args(["--user", "--map-root-user", "--mount", "true"]).status();
    if tried.is_ok_and(|status| status.success()) {
        Ok(())
    } else {
        Err("no mount namespace can be made here".into())
    }
}
