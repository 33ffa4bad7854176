//! Workers, managers, servers and networks are lost at random, and every game is recorded once.

use super::lab::{Lab, Running, lowest_isolation};
use crate::support::{is_installed, times, trial};
use cornerman::rng::Rng;
use libtest_mimic::Trial;
use std::process::Command;
use std::time::Duration;

pub fn trials() -> Vec<Trial> {
    vec![
        trial!(kills_lose_no_game_and_repeat_none, ["nats-server"]),
        trial!(a_worker_without_network_is_replaced_and_joins_again, if namespaces),
    ]
}

/// Reference bots of rock-paper-scissors whose hands follow from the game alone.
const HANDS: [&str; 6] = ["@rock", "@rotate", "@beat-last", "@frequency", "@markov", "@hydra"];

fn kills_lose_no_game_and_repeat_none() {
    let mut lab = Lab::new();
    let kills = times(30, "kills");
    // Each board is a match of two games of each pair, and takes a few seconds.
    let boards = (2 * kills / 3).max(3) as u32;
    let contest = lab.contest(&HANDS, "ruleset = \"rps-polyglot\"", boards);
    let names = ["one", "two", "three"];
    let mut workers: Vec<Running> = names.iter().map(|name| lab.worker(name)).collect();
    let mut manager = lab.manager(&contest, &[]);
    let mut rng = Rng::new(1994);
    for kill in 0..kills {
        // Time for some games, and for a manager or worker to begin.
        std::thread::sleep(Duration::from_millis(300 + rng.below(1500)));
        match rng.below(6) {
            0 => {
                lab.kill_server();
                std::thread::sleep(Duration::from_millis(rng.below(1500)));
                lab.start_server();
            }
            1 | 2 => {
                manager.kill();
                manager = lab.manager(&contest, &[]);
            }
            _ => {
                let which = rng.below(3) as usize;
                workers[which].kill();
                workers[which] = lab.worker(names[which]);
            }
        }
        for (worker, name) in
            workers.iter_mut().zip(names).filter_map(|(worker, name)| (!worker.runs()).then_some((worker, name)))
        {
            *worker = lab.worker(name);
        }
        if !manager.runs() {
            match manager.code() {
                Some(0) => break,
                // It was started while there was no server.
                Some(3) if manager.log().trim_end().ends_with("Connection refused (os error 111)") => {
                    manager = lab.manager(&contest, &[]);
                }
                _ => panic!("after {kill} kills: {}", manager.log()),
            }
        }
    }
    assert_eq!(manager.code(), Some(0), "{}", manager.log());
    lab.verify();
    let many = lab.games("many.db");
    let one = lab.games_without(&contest);
    assert_eq!(many.len(), 30 * boards as usize);
    assert!(many == one, "the games are not those of one machine");
}

/// Whether this trial can make network namespaces.
fn namespaces() -> Result<(), String> {
    let made = || ip(&["netns", "add", "cornerman-probe"]) && ip(&["netns", "del", "cornerman-probe"]);
    match () {
        () if !is_installed("nats-server") => Err("nats-server is not on this machine".to_string()),
        () if !is_installed("ip") => Err("ip is not on this machine".to_string()),
        () if !made() => Err("this user cannot make network namespaces".to_string()),
        () => Ok(()),
    }
}

fn ip(args: &[&str]) -> bool {
    Command::new("ip").args(args).output().is_ok_and(|done| done.status.success())
}

/// A network namespace, which is connected to this one and removed at the end.
struct Network {
    name: String,
    /// The name of its link on this side.
    link: String,
    /// The address of this side.
    here: String,
}

impl Network {
    fn new(number: u8) -> Network {
        let id = std::process::id() % 10_000;
        let name = format!("cm-{id}-{number}");
        let link = format!("cmh{id}n{number}");
        let there = format!("cmt{id}n{number}");
        let network = Network { name, link, here: format!("10.213.{number}.1") };
        let name = network.name.as_str();
        let link = network.link.as_str();
        let address = |last: u8| format!("10.213.{number}.{last}/24");
        for args in [
            vec!["netns", "add", name],
            vec!["link", "add", link, "type", "veth", "peer", "name", &there, "netns", name],
            vec!["addr", "add", &address(1), "dev", link],
            vec!["link", "set", link, "up"],
            vec!["-n", name, "addr", "add", &address(2), "dev", &there],
            vec!["-n", name, "link", "set", &there, "up"],
        ] {
            assert!(ip(&args), "ip {args:?}");
        }
        network
    }

    fn worker(&self, lab: &Lab, name: &str) -> Running {
        let inner = lab.command(name, &[]);
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.name]).arg(inner.get_program());
        command.args([
            "worker",
            "--nats",
            &format!("nats://{}:{}", self.here, lab.port),
            "--name",
            name,
            "--workers",
            "1",
        ]);
        command.args(lowest_isolation());
        command.current_dir(lab.scratch.path()).env("XDG_CACHE_HOME", crate::support::cache());
        Running::start(command, lab.scratch.path().join(format!("{name}.log")))
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        ip(&["link", "del", &self.link]);
        ip(&["netns", "del", &self.name]);
    }
}

fn a_worker_without_network_is_replaced_and_joins_again() {
    let lab = Lab::new();
    let networks = [Network::new(1), Network::new(2), Network::new(3)];
    // Bots that take their time, so that the tournament outlasts the outage.
    let write_bots = |seconds: &str| {
        for name in ["slow", "slower"] {
            lab.scratch.file(&format!("{name}/bot.toml"), "game = \"rps\"\nrun = [\"python3\", \"bot.py\"]\n");
            lab.scratch.file(
                &format!("{name}/bot.py"),
                format!("import sys, time\nprint('{name}', flush=True)\nsys.stdin.readline()\nfor n in range(10000):\n    time.sleep({seconds})\n    print(n % 3, flush=True)\n    if not sys.stdin.readline():\n        break\n"),
            );
        }
    };
    write_bots("0.002");
    let contest = lab.contest(&["slow", "slower", "@rotate"], "ruleset = \"rps-polyglot\"", 6);
    let workers: Vec<Running> =
        networks.iter().zip(["one", "two", "three"]).map(|(network, name)| network.worker(&lab, name)).collect();
    let mut manager = lab.manager(&contest, &[]);
    for worker in &workers {
        worker.wait_for("joined as");
    }
    assert!(ip(&["link", "set", &networks[0].link, "down"]));
    manager.wait_for("one is silent");
    assert!(ip(&["link", "set", &networks[0].link, "up"]));
    let twice = || manager.log().matches("one has joined").count() == 2;
    crate::support::leftovers::wait_for("the worker to join again", || twice().then_some(()));
    assert_eq!(manager.code(), Some(0), "{}", manager.log());
    lab.verify();
    // Their moves do not depend on their time.
    write_bots("0");
    assert!(lab.games("many.db") == lab.games_without(&contest), "the games are not those of one machine");
}
