#!/bin/sh
# Gradescope runs this once, when it makes the image in which submissions are tried.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
cat "$here/NEEDS"
# The programs that submissions need: change this to those of your course.
command -v python3 >/dev/null 2>&1 || {
    apt-get update
    apt-get install -y python3
}
chmod +x "$here/mancala"
"$here/mancala" --version || {
    echo "setup.sh: this image cannot run the zip's mancala; it has $(getconf GNU_LIBC_VERSION)" >&2
    exit 1
}
