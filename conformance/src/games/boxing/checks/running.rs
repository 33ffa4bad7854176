//! Special conditions of a run (B5): input in pieces or left open, another working directory, an empty environment, and
//! output into a file. A fault that shows only in such a condition fails the check of the condition.

use crate::catalog::Id;
use crate::games::boxing::case::Case;
use crate::games::boxing::id;
use crate::job::Job;
use crate::pipes::{job, protocol};
use crate::special_conditions::{
    BYTE_BY_BYTE, IN_FOREIGN_FOLDER, OUTPUT_TO_FILE, SpecialCondition, WITHOUT_ENVIRONMENT,
};

const CONDITIONS: [(Id, SpecialCondition); 4] = [
    (id::RUN_CHUNK, BYTE_BY_BYTE),
    (id::RUN_CWD, IN_FOREIGN_FOLDER),
    (id::RUN_ENV, WITHOUT_ENVIRONMENT),
    (id::RUN_FILE, OUTPUT_TO_FILE),
];

/// A job for each condition with each of `cases`, and one for an input that is left open, with the first case.
pub(crate) fn jobs(cases: &[Case]) -> Vec<Job> {
    let mut jobs: Vec<Job> = Vec::new();
    for question in cases.iter().map(Case::question) {
        jobs.extend(CONDITIONS.map(|(check, condition)| {
            let question = question.clone();
            job(&[check], 1, move |runner| protocol::under_condition(runner, check, &question, condition))
        }));
    }
    let question = cases[0].question();
    jobs.push(job(&[id::RUN_OPEN], 1, move |runner| protocol::input_left_open(runner, id::RUN_OPEN, &question)));
    jobs
}
