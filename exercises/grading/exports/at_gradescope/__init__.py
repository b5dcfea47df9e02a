"""What runs on Gradescope: `setup.sh` once for an assignment, then `run_autograder` and `run` for each submission."""
