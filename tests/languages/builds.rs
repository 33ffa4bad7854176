//! The usual tools build bots in the sandbox.

use super::plays;
use crate::support::{Scratch, trial};
use libtest_mimic::Trial;

/// A bot that is built: the tools, its files, and the keys of its `bot.toml`.
struct Build {
    name: &'static str,
    tools: &'static [&'static str],
    files: &'static [(&'static str, &'static str)],
    keys: &'static str,
}

const C: (&str, &str) = ("bot.c", include_str!("bot.c"));
const CMAKE: (&str, &str) =
    ("CMakeLists.txt", "cmake_minimum_required(VERSION 3.10)\nproject(bot C)\nadd_executable(bot bot.c)\n");

const BUILDS: [Build; 13] = [
    Build {
        name: "make",
        tools: &["make", "cc"],
        files: &[C, ("Makefile", "bot: bot.o\n\t$(CC) -o $@ $^\n")],
        keys: "build = ['make']\nrun = ['./bot']",
    },
    Build {
        name: "cmake_with_make",
        tools: &["cmake", "make", "cc"],
        files: &[C, CMAKE],
        keys: "build = ['sh', '-c', 'cmake -G \"Unix Makefiles\" . && make']\nrun = ['./bot']",
    },
    Build {
        name: "cmake_with_ninja",
        tools: &["cmake", "ninja", "cc"],
        files: &[C, CMAKE],
        keys: "build = ['sh', '-c', 'cmake -G Ninja . && ninja']\nrun = ['./bot']",
    },
    Build {
        name: "meson",
        tools: &["meson", "ninja", "cc"],
        files: &[C, ("meson.build", "project('bot', 'c')\nexecutable('bot', 'bot.c')\n")],
        keys: "build = ['sh', '-c', 'meson setup out && ninja -C out']\nrun = ['out/bot']",
    },
    Build {
        name: "autotools",
        tools: &["autoreconf", "automake", "make", "cc"],
        files: &[
            C,
            (
                "configure.ac",
                "AC_INIT([bot], [1])\nAM_INIT_AUTOMAKE([foreign])\nAC_PROG_CC\nAC_CONFIG_FILES([Makefile])\nAC_OUTPUT\n",
            ),
            ("Makefile.am", "bin_PROGRAMS = bot\nbot_SOURCES = bot.c\n"),
        ],
        keys: "build = ['sh', '-c', 'autoreconf -i && ./configure && make']\nrun = ['./bot']",
    },
    Build {
        name: "gcc",
        tools: &["gcc"],
        files: &[C],
        keys: "build = ['gcc', '-O2', '-o', 'bot', 'bot.c']\nrun = ['./bot']",
    },
    Build {
        name: "clang",
        tools: &["clang"],
        files: &[C],
        keys: "build = ['clang', '-O2', '-o', 'bot', 'bot.c']\nrun = ['./bot']",
    },
    Build {
        name: "cargo",
        tools: &["cargo"],
        files: &[
            ("Cargo.toml", "[package]\nname = \"bot\"\nversion = \"0.1.0\"\nedition = \"2024\"\n"),
            ("src/main.rs", include_str!("bot.rs")),
        ],
        keys: "build = ['cargo', 'build', '--release', '--offline']\nrun = ['target/release/bot']",
    },
    Build {
        name: "go_modules",
        tools: &["go"],
        files: &[("go.mod", "module bot\n\ngo 1.19\n"), ("bot.go", include_str!("bot.go"))],
        keys: "build = ['go', 'build', '-buildvcs=false', '-o', 'bot', '.']\nrun = ['./bot']",
    },
    Build {
        name: "javac_and_jar",
        tools: &["javac", "jar", "java"],
        files: &[("Bot.java", include_str!("Bot.java"))],
        keys: "build = ['sh', '-c', 'javac Bot.java && jar cfe bot.jar Bot *.class']\nrun = ['java', '-jar', 'bot.jar']",
    },
    Build {
        name: "npm_run",
        tools: &["npm", "node"],
        files: &[
            ("package.json", "{\"name\": \"bot\", \"scripts\": {\"build\": \"node build.js\"}}\n"),
            (
                "build.js",
                "const fs = require('fs');\nfs.mkdirSync('dist');\n\
                 fs.writeFileSync('dist/bot.js', fs.readFileSync('bot.ts', 'utf8').replace(/^type .*$/m, ''));\n",
            ),
            ("bot.ts", concat!("type Square = string;\n", include_str!("bot.js"))),
        ],
        keys: "build = ['npm', 'run', 'build']\nrun = ['node', 'dist/bot.js']",
    },
    Build {
        name: "ghc",
        tools: &["ghc"],
        files: &[("Main.hs", include_str!("bot.hs"))],
        keys: "build = ['ghc', '-o', 'bot', 'Main.hs']\nrun = ['./bot']",
    },
    Build {
        name: "dune",
        tools: &["dune"],
        files: &[
            ("dune-project", "(lang dune 2.9)\n"),
            ("dune", "(executable (name bot))\n"),
            ("bot.ml", include_str!("bot.ml")),
        ],
        keys: "build = ['dune', 'build', './bot.exe']\nrun = ['_build/default/bot.exe']",
    },
];

pub fn trials() -> Vec<Trial> {
    BUILDS.iter().map(|it| trial(&format!("languages::builds::{}", it.name), it.tools, || check(it))).collect()
}

fn check(it: &Build) {
    let scratch = Scratch::new();
    for (name, content) in it.files {
        scratch.file(&format!("bot/{name}"), content);
    }
    scratch.file("bot/bot.toml", format!("{}\n", it.keys));
    plays(&scratch, &[], Scratch::cornerman);
}
