//! The placeholders in commands.

use super::*;

#[track_caller]
fn check_build(word: &str, below: &str, wanted: &str) {
    assert_eq!(fill_build_command(&[word.to_string()], Path::new(below)), [wanted]);
}

#[track_caller]
fn check_run(word: &str, source: &str, wanted: &str) {
    assert_eq!(fill_run_word(word, Path::new(source)), wanted);
}

#[test]
fn a_build_runs_in_its_folder() {
    check_build("{source}", "bot.c", "bot.c");
    check_build("{source}", "-bot.c", "./-bot.c");
    check_build("{source}", "src/bot.c", "src/bot.c");
    check_build("-out:{program}", "bot.cs", "-out:bot.program");
    check_build("{program}", "src/bot.c", "src/bot.program");
    check_build("{folder}/ghc", "bot.hs", "./ghc");
    check_build("{stem}.x", "src/My Bot.hs", "My Bot.x");
    check_build("-O2", "bot.c", "-O2");
}

#[test]
fn a_run_is_independent_of_the_working_directory() {
    check_run("{source}", "/c/f/bot.c", "/c/f/bot.c");
    check_run("{program}", "/c/f/bot.c", "/c/f/bot.program");
    check_run("{folder}", "/c/f/Bot.java", "/c/f");
    check_run("{class}", "/c/f/Bot.java", "Bot");
}
