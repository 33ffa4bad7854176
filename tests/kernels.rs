//! Runs the command and the hostile bots on other kernels: those of several releases of Debian, each booted in QEMU.
//!
//! `tests/kernels/fetch` downloads the kernels. A booted machine has busybox, the programs that are tried, and no compiler;
//! `tests/kernels/init` is its first process. All steps run as root and as an ordinary user, and all but two require the
//! level `namespaced`. A run boots two of the kernels, and the two others on the next day. On each, a quarter of the hostile
//! bots is tried as root, and another quarter as the ordinary user; which ones changes from day to day. With `ALL_TRIALS=1`
//! in the environment, all kernels are booted, and all bots are tried as both users.

use libtest_mimic::{Arguments, Completion, Failed, Trial};
use serde_json::Value;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::{Arc, OnceLock};
use std::time::{SystemTime, UNIX_EPOCH};
use tempfile::TempDir;

const USERS: [&str; 2] = ["root", "boxer"];

/// The releases whose kernels are booted.
const RELEASES: [&str; 4] = ["bullseye", "bookworm", "trixie", "sid"];

/// The steps on each kernel, for each user: a name and a command line.
const STEPS: [(&str, &str); 6] = [
    ("doctor", "cornerman doctor --format json"),
    ("check", "cornerman check /ring/bots/rock --isolation namespaced --budget 1"),
    ("check_at_scoped", "cornerman check /ring/bots/rock --isolation-at-most scoped --budget 1"),
    ("check_at_restricted", "cornerman check /ring/bots/rock --isolation-at-most restricted --budget 1"),
    ("tournament", "cornerman tournament /ring/cup.toml --isolation namespaced --db cup.db --no-check"),
    ("hostile_bots", "hostile namespaced:: --test-threads 3"),
];

const CONTEST: &str = "name = \"Cup\"\nruleset = \"rps-polyglot\"\nseed = 1\nentrants = [\"bots/*\"]\n\
                       [[stages]]\nname = \"Round robin\"\nkind = \"all-play-all\"\nboards = [1]\n";

/// What a bot is built from, in a shell: it always plays the hand of its folder's number.
const BOT: &str = "echo Bot\nread -r seed\nread -r rounds\ni=0\nwhile [ $i -lt $rounds ]; do echo HAND; read -r foe \
                   || break; i=$((i + 1)); done\n";

fn main() -> ExitCode {
    let mut args = Arguments::from_args();
    // Two machines at a time, each with one processor.
    args.test_threads.get_or_insert(2);
    let lab = Arc::new(Lab::default());
    let mut trials = Vec::new();
    let releases = releases(&args);
    for (step, _) in STEPS {
        for user in USERS {
            for &release in &releases {
                let lab = lab.clone();
                let run = move || lab.judge(release, user, step);
                trials.push(Trial::ignorable_test(format!("{release}::{user}::{step}"), run));
            }
        }
    }
    libtest_mimic::run(&args, trials).exit_code()
}

/// The releases whose kernels are booted: every other one, and the others on the next day. All of them, if all trials are
/// asked for or `args` name some.
fn releases(args: &Arguments) -> Vec<&'static str> {
    let all = std::env::var_os("ALL_TRIALS").is_some_and(|set| set == "1");
    if all || args.list || args.filter.is_some() {
        return RELEASES.to_vec();
    }
    let day = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() / 86_400);
    let chosen: Vec<&str> = RELEASES.into_iter().skip((day % 2) as usize).step_by(2).collect();
    println!(
        "kernels: those of {}, tomorrow others; with ALL_TRIALS=1 in the environment all",
        chosen.join(" and ")
    );
    chosen
}

/// The machines, each booted when its first trial runs.
#[derive(Default)]
struct Lab {
    image: OnceLock<Result<Image, String>>,
    machines: [OnceLock<Booted>; RELEASES.len()],
}

/// The steps that succeeded, and all that was printed.
struct Booted {
    succeeded: BTreeSet<String>,
    console: String,
}

impl Lab {
    fn judge(&self, release: &str, user: &str, step: &str) -> Result<Completion, Failed> {
        let Some(kernel) = kernel_of(release) else {
            return Ok(Completion::ignored_with("its kernel is not here: run tests/kernels/fetch"));
        };
        for tool in ["qemu-system-x86_64", "busybox", "ldd"] {
            if path_of(tool).is_none() {
                return Ok(Completion::ignored_with(format!("{tool} is not on this machine")));
            }
        }
        if !cfg!(target_arch = "x86_64") {
            return Ok(Completion::ignored_with("the kernels are for x86-64"));
        }
        let image = self.image.get_or_init(|| Image::make().map_err(|error| error.to_string()));
        let image = image.as_ref().map_err(String::as_str)?;
        let number = RELEASES.iter().position(|known| *known == release).unwrap_or_default();
        let booted = self.machines[number].get_or_init(|| image.boot(&kernel, number));
        if booted.succeeded.contains(&format!("{user} {step} 0")) {
            return Ok(Completion::Completed);
        }
        let from = booted.console.find(&format!("== {user}: {step}:")).unwrap_or_default();
        let to = booted.console[from..].find("\n== ").map_or(booted.console.len(), |length| from + length);
        Err(format!("{}\n{}", kernel.display(), &booted.console[from..to]).into())
    }
}

/// The kernel of a release, if it was fetched.
fn kernel_of(release: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).parent()?.join("kernels");
    let mut files = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    files.find(|path| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&format!("{release}-")))
    })
}

fn path_of(tool: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).map(|folder| folder.join(tool)).find(|path| path.is_file())
}

/// The files of a machine.
struct Image {
    folder: TempDir,
}

impl Image {
    fn make() -> io::Result<Image> {
        let image = Image { folder: tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))? };
        for folder in
            ["usr/bin", "usr/lib", "lib64", "etc", "root", "home/boxer", "ring/bots", "proc", "sys", "dev"]
        {
            fs::create_dir_all(image.root().join(folder))?;
        }
        symlink("usr/bin", image.root().join("bin"))?;
        symlink("usr/lib", image.root().join("lib"))?;
        image.add_program(Path::new(env!("CARGO_BIN_EXE_cornerman")), "cornerman")?;
        image.add_program(&hostile_trials()?, "hostile")?;
        image.add_hostile_bots()?;
        image.add_program(&path_of("busybox").unwrap_or_default(), "busybox")?;
        run(Command::new("chroot").arg(image.root()).args(["/usr/bin/busybox", "--install", "-s", "/usr/bin"]))?;
        image.add_text("etc/passwd", "root:x:0:0::/root:/bin/sh\nboxer:x:1000:1000::/home/boxer:/bin/sh\n")?;
        image.add_text("etc/group", "root:x:0:\nboxer:x:1000:\n")?;
        image.add_text("init", include_str!("kernels/init"))?;
        image.add_text("ring/steps", &STEPS.map(|(name, command)| format!("{name} {command}\n")).concat())?;
        image.add_text("ring/cup.toml", CONTEST)?;
        for (hand, name) in ["rock", "paper", "scissors"].into_iter().enumerate() {
            image.add_text(&format!("ring/bots/{name}/source"), &BOT.replace("HAND", &hand.to_string()))?;
            let build = "build = [\"sh\", \"-c\", \"(echo '#!/bin/sh'; cat source) > bot; chmod +x bot\"]";
            let bot = format!("name = \"{name}\"\ngame = \"rps\"\n{build}\nrun = [\"./bot\"]\n");
            image.add_text(&format!("ring/bots/{name}/bot.toml"), &bot)?;
        }
        let pack = "find . | busybox cpio -o -H newc > ../image";
        run(Command::new("sh").args(["-c", pack]).current_dir(image.root()))?;
        Ok(image)
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("root")
    }

    fn add_text(&self, name: &str, content: &str) -> io::Result<()> {
        let path = self.root().join(name);
        fs::create_dir_all(path.parent().unwrap_or(&path))?;
        fs::write(&path, content)?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755))
    }

    /// Adds a program under this name, without its tables for debuggers, and the libraries that it is linked with.
    fn add_program(&self, program: &Path, name: &str) -> io::Result<()> {
        let copy = self.root().join("usr/bin").join(name);
        run(Command::new("strip").arg("-o").arg(&copy).arg(program))
            .or_else(|_| fs::copy(program, &copy).map(drop))?;
        let listed = Command::new("ldd").arg(program).output()?;
        let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
        for library in listed.split_whitespace().filter(|word| word.starts_with('/')) {
            let copy = self.root().join(&library[1..]);
            fs::create_dir_all(copy.parent().unwrap_or(&copy))?;
            fs::copy(library, copy)?;
        }
        Ok(())
    }

    /// Adds the hostile bots, and in place of a compiler a script that returns them.
    fn add_hostile_bots(&self) -> io::Result<()> {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../sandbox/tests/hostile/bots");
        let files: Vec<PathBuf> = fs::read_dir(sources)?.flatten().map(|entry| entry.path()).collect();
        let is_source = |path: &&PathBuf| path.extension() == Some(OsStr::new("c"));
        let built = self.folder.path().join("hostile-bots");
        let options = ["-std=gnu11", "-O1", "-w", "-D_GNU_SOURCE", "-pthread", "-lrt", "-o"];
        run(Command::new("cc").args(options).arg(&built).args(files.iter().filter(is_source)))?;
        self.add_program(&built, "hostile-bots")?;
        self.add_text(
            "usr/bin/cc",
            "#!/bin/sh\nwhile [ $# -gt 1 ]; do [ \"$1\" = -o ] && cp /usr/bin/hostile-bots \"$2\"; shift; done\n",
        )
    }

    /// Boots a machine with this kernel, that of release number `number`, and waits until it has done all steps. A machine
    /// whose kernel fails before its first step is booted again, because on an emulated processor, kernels that change
    /// their own code sometimes fail.
    fn boot(&self, kernel: &Path, number: usize) -> Booted {
        const MOST_BOOTS: usize = 3;
        let mut booted = self.boot_once(kernel, number);
        for _ in 1..MOST_BOOTS {
            if booted.console.contains("== root: ") {
                break;
            }
            booted = self.boot_once(kernel, number);
        }
        booted
    }

    fn boot_once(&self, kernel: &Path, number: usize) -> Booted {
        let name = kernel.file_name().unwrap_or_default();
        let [console, results] = ["console", "results"].map(|what| self.folder.path().join(what).join(name));
        for file in [&console, &results] {
            fs::create_dir_all(file.parent().unwrap_or(file)).expect("a folder");
        }
        let serial = |file: &Path| format!("file:{}", file.display());
        let mut qemu = Command::new("qemu-system-x86_64");
        // Without features of the processor that are slow to emulate.
        qemu.args(["-accel", "tcg", "-cpu", "max,la57=off,smap=off,smep=off,umip=off,pku=off"]);
        qemu.args(["-smp", "2", "-m", "2500", "-display", "none", "-no-reboot"]);
        qemu.args(["-nodefaults", "-serial", &serial(&console), "-serial", &serial(&results)]);
        let share = |turn| format!("{}/{}", (number + turn) % RELEASES.len(), RELEASES.len());
        let all = std::env::var("ALL_TRIALS").unwrap_or_default();
        let variables = format!("ALL_TRIALS={all} root_share={} boxer_share={}", share(0), share(1));
        qemu.args(["-append", &format!("console=ttyS0 quiet panic=-1 mitigations=off {variables}")]);
        qemu.arg("-kernel").arg(kernel);
        qemu.arg("-initrd").arg(self.folder.path().join("image")).stdin(Stdio::null());
        let ran = run(&mut qemu);
        let read = |path: &Path| String::from_utf8_lossy(&fs::read(path).unwrap_or_default()).replace('\r', "");
        let mut console = read(&console);
        if let Err(failed) = ran {
            console += &format!("\n{failed}\n");
        }
        Booted { succeeded: read(&results).lines().map(str::to_string).collect(), console }
    }
}

/// The program of the trials of hostile bots, which is built like this one.
fn hostile_trials() -> io::Result<PathBuf> {
    let build = ["test", "--workspace", "--test", "hostile", "--no-run", "--message-format=json", "--quiet"];
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built =
        Command::new(cargo).args(build).current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).output()?;
    let messages = String::from_utf8_lossy(&built.stdout).into_owned();
    let mut artifacts = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let found = artifacts.find_map(|artifact| match artifact["target"]["name"].as_str() {
        Some("hostile") => artifact["executable"].as_str().map(PathBuf::from),
        _ => None,
    });
    found.ok_or_else(|| io::Error::other(String::from_utf8_lossy(&built.stderr).into_owned()))
}

fn run(command: &mut Command) -> io::Result<()> {
    let output = command.output().map_err(|error| io::Error::other(format!("{command:?}: {error}")))?;
    if output.status.success() {
        return Ok(());
    }
    Err(io::Error::other(format!("{command:?}: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr))))
}
