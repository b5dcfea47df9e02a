"""What other systems are given: grades for Canvas and Moodle, an autograder for Gradescope, a release for nbgrader."""
