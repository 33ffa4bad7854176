//! How a bot is run (B5): input in pieces or left open, another working directory, an empty environment, output
//! into a file. Whatever it does wrong only then fails the check of that condition.

use crate::catalog::Id;
use crate::games::boxing::case::Case;
use crate::games::boxing::id;
use crate::job::Job;
use crate::pipes::{job, protocol};
use crate::surroundings::{BYTE_BY_BYTE, Condition, ELSEWHERE, INTO_A_FILE, WITHOUT_ENVIRONMENT};

const CONDITIONS: [(Id, Condition); 4] = [
    (id::RUN_CHUNK, BYTE_BY_BYTE),
    (id::RUN_CWD, ELSEWHERE),
    (id::RUN_ENV, WITHOUT_ENVIRONMENT),
    (id::RUN_FILE, INTO_A_FILE),
];

/// A job for every condition, on each of `cases`, and for an input that is left open, on the first of them.
pub fn jobs(cases: &[Case]) -> Vec<Job> {
    let mut jobs: Vec<Job> = Vec::new();
    for question in cases.iter().map(Case::question) {
        jobs.extend(CONDITIONS.map(|(check, condition)| {
            let question = question.clone();
            job(&[check], 1, move |bench| protocol::under_condition(bench, check, &question, condition))
        }));
    }
    let question = cases[0].question();
    jobs.push(job(&[id::RUN_OPEN], 1, move |bench| protocol::input_left_open(bench, id::RUN_OPEN, &question)));
    jobs
}
