#!/usr/bin/env bash
# Gradescope runs this once, as root, while it builds the image for the assignment. It installs bubblewrap, a Python of
# its own and the pinned packages under /opt/grading, which every account may read, and closes our own files to all but
# root. Nothing of a student is here yet.
set -euo pipefail

source=/autograder/source
home=/opt/grading

export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends bubblewrap libseccomp2 ca-certificates python3 python3-venv

# The Python of the image may be too old: uv, as pinned, fetches the one with which the marks were tried.
python3 -m venv "$home/first"
"$home/first/bin/python" -m pip install --quiet "$(grep -o '^uv==[^ ;]*' "$source/constraints.txt")"
export UV_PYTHON_INSTALL_DIR="$home/python" UV_NO_CACHE=1
uv="$home/first/bin/uv"
"$uv" venv --quiet --python "$(cat "$source/python-version")" "$home/venv"
"$uv" pip install --quiet --compile-bytecode --python "$home/venv/bin/python" \
    --requirement "$source/requirements.txt" --constraint "$source/constraints.txt"
rm -rf "$home/first"

chmod -R a+rX,go-w "$home"
chown -R root:root "$source"
chmod -R u=rwX,go= "$source"

# A build that cannot grade should fail now, and not when the first student hands in.
"$home/venv/bin/python" -I -B -c "import sys; sys.path.insert(0, '$source')
from exercises.grading.exports.at_gradescope import run
run.check_installation()"
