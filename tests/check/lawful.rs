//! Lawful bots that are odd in some way: they start slowly, have threads, consist of shell tools, answer in pieces, are
//! large, or have a language runtime that does more than the bot's code says. None of them fails a must.

use crate::support::{Ran, Scratch, trial};
use libtest_mimic::Trial;
use std::fmt::Write;

/// A bot: its game, its name, the tools that it needs, the first line of its file, and the rest.
type Odd = (&'static str, &'static str, &'static [&'static str], &'static str, &'static str);

const SH: &str = "#!/bin/sh";
const BASH: &str = "#!/bin/bash";
const PYTHON: &str = "#!/usr/bin/env python3";
const PERL: &str = "#!/usr/bin/env perl";
const RUBY: &str = "#!/usr/bin/env ruby";
const NODE: &str = "#!/usr/bin/env node";
const PHP: &str = "#!/usr/bin/env php";
const TCL: &str = "#!/usr/bin/env tclsh";
const GUILE: &str = "#!/usr/bin/env -S guile -q -s\n!#";
const AWK: &str = "#!/usr/bin/env -S gawk -f";

/// Rock-paper-scissors: the opponent's last hand, or the next one.
const HANDS: &[Odd] = &[
    (
        "rps",
        "sh_repeats",
        &[],
        SH,
        "echo Parrot; read s; read n; h=$((s % 3))\nwhile :; do echo $h; read h || exit; done",
    ),
    (
        "rps",
        "sh_in_pieces",
        &[],
        SH,
        "printf Slow; printf 'ly\\n'; read s; read n; h=$((s % 3))\nwhile :; do printf $h; printf '\\n'; read h || exit; done",
    ),
    (
        "rps",
        "sh_blanks_around",
        &[],
        SH,
        "echo Blank; read s; read n; h=$((s % 3))\nwhile :; do echo \" $h  \"; read h || exit; done",
    ),
    (
        "rps",
        "sh_returns",
        &[],
        SH,
        "printf 'Return\\r\\n'; read s; read n; h=0\nwhile :; do printf \"$h\\r\\n\"; read h || exit; done",
    ),
    (
        "rps",
        "sh_through_cat",
        &["cat"],
        SH,
        "(echo Pipe; read s; read n; h=1\nwhile :; do echo $h; read h || exit; done) | cat",
    ),
    (
        "rps",
        "sh_stays",
        &["cat"],
        SH,
        "echo Stays; read s; read n; h=1\nwhile [ $n -gt 0 ]; do echo $h; read h || exit; n=$((n-1)); done; cat >/dev/null; exec tail -f /dev/null",
    ),
    (
        "rps",
        "sh_leaves_early",
        &[],
        SH,
        "echo Hasty; read s; read n; h=1\nwhile [ $n -gt 1 ]; do echo $h; read h || exit; n=$((n-1)); done; echo $h",
    ),
    (
        "rps",
        "sh_status",
        &[],
        SH,
        "echo Status; read s; read n; h=1\nwhile :; do echo $h; read h || exit 77; done",
    ),
    (
        "rps",
        "sh_temporary_file",
        &["mktemp"],
        SH,
        "echo Scratch; read s; read n; t=$(mktemp); echo $((s % 3)) >$t; read h <$t; rm $t\nwhile :; do echo $h; read h || exit; done",
    ),
    (
        "rps",
        "sh_chatters",
        &[],
        SH,
        "echo Chat; read s; read n; h=1\nwhile :; do echo \"hm\" >&2; echo $h; read h || exit; done",
    ),
    (
        "rps",
        "bash_reads_all",
        &["bash"],
        BASH,
        "echo 'Bash & Söhne'; read -r s; read -r n; h=$((s % 3))\nwhile :; do echo $h; read -r h || exit; h=${h//[^0-9]/}; done",
    ),
    (
        "rps",
        "sed_alone",
        &["sed"],
        SH,
        "echo Sed; exec sed -u -n -e '1d;2{s/.*/1/p;d};s/0/1/p;t;s/1/2/p;t;s/2/0/p'",
    ),
    (
        "rps",
        "awk_flushes",
        &["gawk"],
        AWK,
        "BEGIN { print \"Awk\"; fflush() }\nNR == 2 { print 0; fflush() }\nNR > 2 { print ($1 + 1) % 3; fflush() }",
    ),
    (
        "rps",
        "perl_autoflush",
        &["perl"],
        PERL,
        "$| = 1; print \"Perl\\n\"; $s = <STDIN>; $n = <STDIN>; $h = $s % 3;\nwhile (1) { print \"$h\\n\"; $_ = <STDIN>; last unless defined; $h = ($_ + 1) % 3; }",
    ),
    (
        "rps",
        "perl_sysread",
        &["perl"],
        PERL,
        "syswrite STDOUT, \"Sys\\n\"; sub line { my $l = ''; while (sysread STDIN, my $c, 1) { return $l if $c eq \"\\n\"; $l .= $c } exit }\nline(); line(); my $h = 0; while (1) { syswrite STDOUT, \"$h\\n\"; $h = (line() + 2) % 3 }",
    ),
    (
        "rps",
        "ruby_sync",
        &["ruby"],
        RUBY,
        "$stdout.sync = true\nputs 'Ruby'\ns = gets.to_i; gets\nh = s % 3\nloop { puts h; l = gets or break; h = l.to_i }",
    ),
    (
        "rps",
        "node_events",
        &["node"],
        NODE,
        "let n = 0, rest = '';\nconsole.log('Node');\nprocess.stdin.on('data', d => { const l = (rest + d).split('\\n'); rest = l.pop(); for (const x of l) if (++n > 1) console.log(n === 2 ? 0 : (+x + 1) % 3); });",
    ),
    (
        "rps",
        "node_readline",
        &["node"],
        NODE,
        "const rl = require('readline').createInterface({ input: process.stdin });\nprocess.stdout.write('Readline\\n'); let n = 0;\nrl.on('line', l => { if (++n > 1) setTimeout(() => process.stdout.write((n % 3) + '\\n'), 1); });",
    ),
    (
        "rps",
        "php_lines",
        &["php"],
        PHP,
        "<?php echo \"Php\\n\"; $s = (int) fgets(STDIN); fgets(STDIN); $h = $s % 3;\nwhile (true) { echo \"$h\\n\"; $l = fgets(STDIN); if ($l === false) break; $h = ((int) $l + 1) % 3; }",
    ),
    (
        "rps",
        "tcl_gets",
        &["tclsh"],
        TCL,
        "puts Tcl; flush stdout; gets stdin; gets stdin; set h 0\nwhile 1 { puts $h; flush stdout; if {[gets stdin l] < 0} break; set h [expr {($l + 1) % 3}] }",
    ),
    (
        "rps",
        "guile_reads",
        &["guile"],
        GUILE,
        "(display \"Guile\\n\") (force-output) (read) (read)\n(let loop ((h 0)) (display h) (newline) (force-output)\n  (let ((l (read))) (if (not (eof-object? l)) (loop (modulo (+ l 1) 3)))))",
    ),
    (
        "rps",
        "python_unbuffered",
        &["python3"],
        "#!/usr/bin/env -S python3 -u",
        "print('U'); input(); input(); h = 0\nwhile True:\n    print(h)\n    try: h = (int(input()) + 1) % 3\n    except EOFError: break",
    ),
    (
        "rps",
        "python_os_write",
        &["python3"],
        PYTHON,
        "import os\nos.write(1, b'Os\\n'); f = os.fdopen(0, 'rb', 0); f.readline(); f.readline(); h = 0\nwhile True:\n    os.write(1, b'%d\\n' % h); l = f.readline()\n    if not l: break\n    h = int(l)",
    ),
    (
        "rps",
        "python_in_pieces",
        &["python3"],
        PYTHON,
        "import os, time\ndef out(t):\n    for c in t: os.write(1, c.encode()); time.sleep(0.001)\nout('Piece\\n'); input(); input(); h = 0\nwhile True:\n    out(f'{h}\\n')\n    try: h = int(input())\n    except EOFError: break",
    ),
    (
        "rps",
        "python_starts_slowly",
        &["python3"],
        PYTHON,
        "import time; time.sleep(1.5); print('Late riser', flush=True); input(); input(); h = 0\nwhile True:\n    print(h, flush=True)\n    try: h = int(input())\n    except EOFError: break",
    ),
    (
        "rps",
        "python_thread_reads",
        &["python3"],
        PYTHON,
        "import queue, sys, threading\nq = queue.Queue()\ndef reads():\n    for l in sys.stdin: q.put(l)\n    q.put(None)\nthreading.Thread(target=reads, daemon=True).start()\nprint('Threaded', flush=True); q.get(); q.get(); h = 0\nwhile True:\n    print(h, flush=True); l = q.get()\n    if l is None: break\n    h = int(l)",
    ),
    (
        "rps",
        "python_selects",
        &["python3"],
        PYTHON,
        "import os, select\nb = b''\ndef line():\n    global b\n    while b'\\n' not in b:\n        select.select([0], [], [], 0.5); d = os.read(0, 4096)\n        if not d: raise SystemExit\n        b += d\n    l, b = b.split(b'\\n', 1); return l\nprint('Select', flush=True); line(); line(); h = 0\nwhile True: print(h, flush=True); h = (int(line()) + 1) % 3",
    ),
    (
        "rps",
        "python_asyncio",
        &["python3"],
        PYTHON,
        "import asyncio, sys\nasync def main():\n    r = asyncio.StreamReader(); await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(r), sys.stdin)\n    print('Async', flush=True); await r.readline(); await r.readline(); h = 0\n    while True:\n        print(h, flush=True); l = await r.readline()\n        if not l: break\n        h = int(l)\nasyncio.run(main())",
    ),
    (
        "rps",
        "python_ignores_signals",
        &["python3"],
        PYTHON,
        "import signal\nfor s in (signal.SIGPIPE, signal.SIGTERM, signal.SIGHUP): signal.signal(s, signal.SIG_IGN)\nprint('Deaf', flush=True); input(); input(); h = 0\nwhile True:\n    print(h, flush=True)\n    try: h = int(input())\n    except EOFError: break",
    ),
    (
        "rps",
        "python_name_of_all_scripts",
        &["python3"],
        PYTHON,
        "import sys\nsys.stdout.buffer.write('Größe 石頭剪刀布 🪨\\n'.encode()); sys.stdout.flush(); input(); input(); h = 0\nwhile True:\n    print(h, flush=True)\n    try: h = int(input())\n    except EOFError: break",
    ),
    (
        "rps",
        "python_large",
        &["python3"],
        PYTHON,
        "big = bytes(200_000_000)\nprint('Large', flush=True); input(); input(); h = 0\nwhile True:\n    print(h, flush=True)\n    try: h = int(input())\n    except EOFError: break",
    ),
];

/// The Boxing Match: a vacant spot.
const ARENAS: &[Odd] = &[
    (
        "boxing",
        "awk_first_spot",
        &["awk"],
        SH,
        "awk -v m=\"$(printf %s \"$1\" | sed 's/[\\\\&]/\\\\\\\\&/g')\" '{ if (!d && sub(/-/, m)) d = 1; print }'",
    ),
    (
        "boxing",
        "shell_alone",
        &["bash"],
        BASH,
        "LC_ALL=C; d=; while IFS= read -r l; do if [[ ! $d && $l == *-* ]]; then l=${l%%-*}$1${l#*-}; d=1; fi; printf '%s\\n' \"$l\"; done",
    ),
    (
        "boxing",
        "tools_in_a_pipe",
        &["python3", "cat"],
        SH,
        "cat | python3 -c 'import sys\na = sys.stdin.buffer.read(); sys.stdout.buffer.write(a.replace(b\"-\", sys.argv[1].encode(), 1))' \"$1\" | cat",
    ),
    (
        "boxing",
        "perl_last_spot",
        &["perl"],
        PERL,
        "local $/; binmode STDIN; binmode STDOUT; my $a = <STDIN>; my $i = rindex $a, '-'; substr($a, $i, 1) = $ARGV[0] if $i >= 0; print $a;",
    ),
    (
        "boxing",
        "ruby_binary",
        &["ruby"],
        RUBY,
        "$stdin.binmode; $stdout.binmode; a = $stdin.read(528); i = a.index('-'); a[i] = ARGV[0] if i; $stdout.write a",
    ),
    (
        "boxing",
        "node_buffer",
        &["node"],
        NODE,
        "const fs = require('fs'); const a = fs.readFileSync(0); const i = a.indexOf(45); if (i >= 0) a[i] = process.argv[2].charCodeAt(0); fs.writeSync(1, a);",
    ),
    (
        "boxing",
        "php_string",
        &["php"],
        PHP,
        "<?php $a = stream_get_contents(STDIN); $i = strpos($a, '-'); if ($i !== false) $a[$i] = $argv[1]; fwrite(STDOUT, $a);",
    ),
    (
        "boxing",
        "tcl_binary",
        &["tclsh"],
        TCL,
        "fconfigure stdin -translation binary; fconfigure stdout -translation binary\nset a [read stdin]; set i [string first - $a]\nif {$i >= 0} { set a [string replace $a $i $i [lindex $argv 0]] }\nputs -nonewline $a",
    ),
    (
        "boxing",
        "python_in_pieces",
        &["python3"],
        PYTHON,
        "import os, sys, time\na = sys.stdin.buffer.read(528).replace(b'-', sys.argv[1].encode(), 1)\nfor i in range(0, 528, 50): os.write(1, a[i:i + 50]); time.sleep(0.002)",
    ),
    (
        "boxing",
        "python_reads_bytes",
        &["python3"],
        PYTHON,
        "import os, sys\na = b''.join(os.read(0, 1) for _ in range(528)).replace(b'-', sys.argv[1].encode(), 1)\nos.write(1, a)",
    ),
    (
        "boxing",
        "python_thread_answers",
        &["python3"],
        PYTHON,
        "import sys, threading\na = sys.stdin.buffer.read(528).replace(b'-', sys.argv[1].encode(), 1)\ndef out(): sys.stdout.buffer.write(a); sys.stdout.flush()\nt = threading.Thread(target=out); t.start(); t.join()",
    ),
    (
        "boxing",
        "python_keeps_notes",
        &["python3"],
        PYTHON,
        "import sys\nmark = sys.argv[1]\na = sys.stdin.buffer.read(528).replace(b'-', mark.encode(), 1)\ntry:\n    with open('/tmp/arena.' + mark, 'a+b') as f: f.write(b'x' * 4096)\nexcept OSError: pass\nsys.stdout.buffer.write(a)",
    ),
    (
        "boxing",
        "python_child_answers",
        &["python3"],
        PYTHON,
        "import subprocess, sys\na = sys.stdin.buffer.read(528)\nsys.stdout.buffer.write(subprocess.run(['tr', 'x', 'x'], input=a.replace(b'-', sys.argv[1].encode(), 1), stdout=subprocess.PIPE).stdout)",
    ),
    (
        "boxing",
        "python_forks",
        &["python3"],
        PYTHON,
        "import os, sys\na = sys.stdin.buffer.read(528).replace(b'-', sys.argv[1].encode(), 1)\nif (child := os.fork()) == 0: os.write(1, a); os._exit(0)\nos.waitpid(child, 0)",
    ),
];

/// Go: a first stone in the centre as black, and passes.
const STONES: &[Odd] = &[
    (
        "go",
        "sh_passes",
        &[],
        SH,
        "[ $1 = black ] && echo pass; while read m; do [ \"$m\" = time ] || echo pass; done",
    ),
    (
        "go",
        "sh_small_letters",
        &[],
        SH,
        "[ $1 = black ] && echo c3; while read m; do case $m in time) ;; *) echo Pass;; esac; done",
    ),
    (
        "go",
        "sh_in_pieces",
        &[],
        SH,
        "[ $1 = black ] && { printf D; printf '4\\n'; }; while read m; do [ \"$m\" = time ] || { printf pa; printf 'ss\\n'; }; done",
    ),
    (
        "go",
        "sh_returns_and_blanks",
        &[],
        SH,
        "[ $1 = black ] && printf 'D4 \\r\\n'; while read m; do [ \"$m\" = time ] || printf ' pass\\r\\n'; done",
    ),
    (
        "go",
        "perl_passes",
        &["perl"],
        PERL,
        "$| = 1; print \"pass\\n\" if $ARGV[0] eq 'black'; while (<STDIN>) { print \"pass\\n\" unless /^time/ }",
    ),
    (
        "go",
        "ruby_passes",
        &["ruby"],
        RUBY,
        "$stdout.sync = true; puts 'pass' if ARGV[0] == 'black'; while l = $stdin.gets do puts 'pass' unless l.strip == 'time' end",
    ),
    (
        "go",
        "node_passes",
        &["node"],
        NODE,
        "if (process.argv[2] === 'black') console.log('E5');\nrequire('readline').createInterface({ input: process.stdin }).on('line', l => { if (l !== 'time') console.log('pass'); });",
    ),
    (
        "go",
        "awk_passes",
        &["gawk"],
        SH,
        "[ $1 = black ] && echo pass; exec gawk '$1 != \"time\" { print \"pass\"; fflush() }'",
    ),
    ("go", "sed_passes", &["sed"], SH, "[ $1 = black ] && echo pass; exec sed -u -e '/^time/d' -e 's/.*/pass/'"),
    (
        "go",
        "python_ponders",
        &["python3"],
        PYTHON,
        "import sys, threading, time\nif sys.argv[1] == 'black': print('C3', flush=True)\nthreading.Thread(target=lambda: time.sleep(1e6), daemon=True).start()\nfor l in sys.stdin:\n    if l.strip() != 'time': print('pass', flush=True)",
    ),
    (
        "go",
        "python_starts_slowly",
        &["python3"],
        PYTHON,
        "import sys, time\ntime.sleep(2)\nif sys.argv[1] == 'black': print('C3', flush=True)\nfor l in sys.stdin:\n    if l.strip() != 'time': print('pass', flush=True)",
    ),
    (
        "go",
        "python_sleeps_before_moves",
        &["python3"],
        PYTHON,
        "import sys, time\nif sys.argv[1] == 'black': print('C3', flush=True)\nfor l in sys.stdin:\n    if l.strip() != 'time': time.sleep(0.1); print('pass', flush=True)",
    ),
    (
        "go",
        "python_reads_in_a_thread",
        &["python3"],
        PYTHON,
        "import queue, sys, threading\nq = queue.Queue()\nthreading.Thread(target=lambda: [q.put(l) for l in sys.stdin] + [q.put('')]).start()\nif sys.argv[1] == 'black': print('C3', flush=True)\nwhile l := q.get():\n    if l.strip() != 'time': print('pass', flush=True)",
    ),
    (
        "go",
        "python_warns_itself",
        &["python3"],
        PYTHON,
        "import sys\nprint('ready', file=sys.stderr)\nif sys.argv[1] == 'black': print('C3', flush=True)\nfor l in sys.stdin:\n    if l.strip() != 'time': print('got', l, file=sys.stderr); print('pass', flush=True)",
    ),
];

pub fn trials() -> Vec<Trial> {
    let odd = [HANDS, ARENAS, STONES].into_iter().flatten();
    let mut trials: Vec<Trial> = odd.map(|&bot| trial_for(bot)).collect();
    for (name, game, tools, source) in SOURCES {
        let file = name.to_string();
        trials.push(trial(
            &format!("check::lawful::{game}::source_{}", file.replace('.', "_")),
            tools,
            move || {
                passes(game, &file, source.to_string(), false);
            },
        ));
    }
    trials
}

fn trial_for((game, name, tools, first, rest): Odd) -> Trial {
    trial(&format!("check::lawful::{game}::{name}"), tools, move || {
        passes(game, name, format!("{first}\n{rest}\n"), true);
    })
}

/// Checks that the bot in a file of this name passes all musts.
#[track_caller]
fn passes(game: &str, name: &str, source: String, is_script: bool) {
    let scratch = Scratch::new();
    if is_script {
        scratch.executable(name, source);
    } else {
        scratch.file(name, source);
    }
    let bot = format!("./{name}");
    let args = ["check", &bot, "--game", game, "--budget", "0"];
    let ran = Ran::from_command(scratch.cornerman(args));
    let mut said = ran.stdout.clone();
    write!(said, "{}", ran.stderr).expect("a string");
    assert_eq!(ran.code, Some(0), "{said}");
}

/// Sources that are built, or run by a large runtime.
const SOURCES: &[(&str, &str, &[&str], &str)] = &[
    (
        "huge.c",
        "rps",
        &["gcc"],
        "#include <stdio.h>\nstatic volatile char big[64 << 20] = {1};\nint main(void) { char l[99]; int h = 0, n = 0; setvbuf(stdout, 0, _IONBF, 0); puts(\"Huge\");\n  while (fgets(l, 99, stdin)) { if (++n == 1) continue; if (n > 2) h = (l[0] - '0' + big[0]) % 3; printf(\"%d\\n\", h); } }\n",
    ),
    (
        "threads.go",
        "rps",
        &["go"],
        "package main\nimport (\"bufio\"; \"fmt\"; \"os\")\nfunc main() {\n\tlines := make(chan string)\n\tgo func() { s := bufio.NewScanner(os.Stdin); for s.Scan() { lines <- s.Text() }; close(lines) }()\n\tfmt.Println(\"Gopher\")\n\tn := 0\n\tfor l := range lines { n++; if n == 2 { fmt.Println(0) } else if n > 2 { fmt.Println((int(l[0]-'0') + 1) % 3) } }\n}\n",
    ),
    (
        "Virtual.java",
        "rps",
        &["javac"],
        "import java.io.*;\npublic class Virtual { public static void main(String[] a) throws Exception {\n  BufferedReader in = new BufferedReader(new InputStreamReader(System.in)); System.out.println(\"Virtual\"); in.readLine(); in.readLine();\n  int h = 0; while (true) { System.out.println(h); String l = in.readLine(); if (l == null) break; h = (Integer.parseInt(l.trim()) + 1) % 3; } } }\n",
    ),
    (
        "lazy.hs",
        "rps",
        &["ghc"],
        "import System.IO\nmain = do\n  hSetBuffering stdout LineBuffering\n  putStrLn \"Lazy\"\n  s <- getContents\n  mapM_ print (zipWith hand [1 :: Int ..] (drop 1 (lines s)))\nhand 1 _ = 0\nhand _ l = (read l + 1) `mod` 3 :: Int\n",
    ),
    (
        "words.ml",
        "rps",
        &["ocaml"],
        "let () = print_endline \"Words\"; ignore (read_line ()); ignore (read_line ());\n  let h = ref 0 in\n  try while true do print_endline (string_of_int !h); h := (int_of_string (String.trim (read_line ())) + 1) mod 3 done with End_of_file -> ()\n",
    ),
    (
        "largest.c",
        "boxing",
        &["gcc"],
        "#include <stdio.h>\n#include <string.h>\nint main(int c, char **v) { static char a[529]; size_t n = fread(a, 1, 528, stdin); char *p = memchr(a, '-', n); if (p && c > 1) *p = v[1][0]; fwrite(a, 1, n, stdout); return 0; }\n",
    ),
    (
        "Jvm.java",
        "boxing",
        &["javac"],
        "public class Jvm { public static void main(String[] v) throws Exception { byte[] a = System.in.readNBytes(528);\n  for (int i = 0; i < a.length; i++) if (a[i] == '-') { a[i] = (byte) v[0].charAt(0); break; }\n  System.out.write(a); System.out.flush(); } }\n",
    ),
    (
        "passes.c",
        "go",
        &["gcc"],
        "#include <stdio.h>\n#include <string.h>\nint main(int c, char **v) { char l[2000]; setlinebuf(stdout); if (c > 1 && !strcmp(v[1], \"black\")) puts(\"pass\");\n  while (fgets(l, sizeof l, stdin)) if (strncmp(l, \"time\", 4)) puts(\"pass\"); return 0; }\n",
    ),
    (
        "passes.go",
        "go",
        &["go"],
        "package main\nimport (\"bufio\"; \"fmt\"; \"os\")\nfunc main() {\n\tif os.Args[1] == \"black\" { fmt.Println(\"C3\") }\n\tfor s := bufio.NewScanner(os.Stdin); s.Scan(); { if s.Text() != \"time\" { fmt.Println(\"pass\") } }\n}\n",
    ),
];
