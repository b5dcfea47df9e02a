"""What stands behind `make`: set-up, stages, and the Sphinx extensions of the book."""
