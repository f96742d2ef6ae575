#!/bin/sh
# Makes autograder.zip for Gradescope: examples/autograder/make_zip.sh [MANCALA [ZIP]]
# MANCALA is the program to put in; by default it is built here.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
zip=${2:-autograder.zip}
if [ $# -ge 1 ]; then
    mancala=$1
else
    (cd "$here/../.." && cargo build --release --locked)
    mancala=$here/../../target/release/mancala
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here/gradescope/setup.sh" "$here/gradescope/run_autograder" "$work"
cp "$mancala" "$work/mancala"
chmod +x "$work/setup.sh" "$work/run_autograder" "$work/mancala"
# The newest version of glibc whose functions it calls.
glibc=$(grep -ao 'GLIBC_[0-9][0-9.]*' "$work/mancala" | sort -uV | tail -n 1)
cat >"$work/NEEDS" <<NEEDS
This mancala was built on $(uname -m) and needs glibc ${glibc#GLIBC_} or newer.
Bots play in the sandbox on Linux 6.12 or newer, from Linux 5.13 on where user namespaces are
allowed, and elsewhere without it; each result says which.
NEEDS
cat "$work/NEEDS"
rm -f "$zip"
case $zip in /*) ;; *) zip=$PWD/$zip ;; esac
# The files stand at the root of the zip.
if command -v zip >/dev/null 2>&1; then
    (cd "$work" && zip -q "$zip" ./*)
else
    (cd "$work" && python3 -m zipfile -c "$zip" ./*)
fi
