#!/usr/bin/env bash
# Plays a tournament in shards, as a job array of Slurm. The array's size is the number of shards:
#
#   sbatch --wait --array=1-8 examples/cluster/slurm.sh FOLDER OPTIONS OF mancala tournament
#   mancala standings FOLDER/part-*.jsonl
#
# mancala, the bots and FOLDER must be at the same paths on all nodes. When the same array is
# submitted again, each task goes on where it stopped.
#SBATCH --job-name=mancala
#SBATCH --cpus-per-task=1
set -euo pipefail

folder=$1
shift
mkdir -p "$folder"
shard=$SLURM_ARRAY_TASK_ID
exec mancala tournament "$@" --shard "$shard/$SLURM_ARRAY_TASK_COUNT" \
  --jobs "${SLURM_CPUS_PER_TASK:-1}" --record "$folder/part-$shard.jsonl" --resume --quiet \
  > "$folder/part-$shard.txt"
