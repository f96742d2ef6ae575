#!/usr/bin/env bash
# Plays a tournament in shards, one host a shard at a time, with GNU parallel.
#
#   parallel.sh SHARDS FOLDER [HOSTS] -- OPTIONS OF mancala tournament
#
# HOSTS is what parallel's --sshlogin takes, such as host1,host2: mancala, the bots and this folder
# must be at the same paths there. Without it, all is played on this machine, with all its cores.
# When the same command is run again, it goes on where it stopped.
set -euo pipefail

usage() {
  echo "usage: ${0##*/} SHARDS FOLDER [HOSTS] -- OPTIONS OF mancala tournament" >&2
  exit 2
}
[[ $# -ge 3 && $1 =~ ^[1-9][0-9]*$ ]] || usage
shards=$1 folder=$2 hosts=:
shift 2
[[ $1 == -- ]] || { hosts=$1; shift; }
[[ ${1-} == -- ]] || usage
shift
mkdir -p "$folder"

# A host plays one shard at a time: a tournament uses all cores of its machine by itself.
seq "$shards" | parallel --will-cite --jobs 1 --sshlogin "$hosts" --workdir "$PWD" --quote \
  mancala tournament "$@" --shard "{}/$shards" --record "$folder/part-{}.jsonl" --resume --quiet \
  > "$folder/shards.log"
exec mancala standings "$folder"/part-*.jsonl
