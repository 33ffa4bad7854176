#!/bin/sh
# A Boxing bot that must pass: a script that runs the program beside it (the test puts `mutant` there) as its child, in any
# working directory and any environment.
"${0%/*}/mutant" none "$@"
