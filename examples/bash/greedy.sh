#!/usr/bin/env bash
# Greedy: chooses the house that leaves the most seeds in its own store.
#
# Try it:
#
#     mancala match "bash examples/bash/greedy.sh" builtin:easy
#
# The referee sends one JSON object a line. Only "turn" wants an answer: one line
# with the house to play. For a bot of your own, begin with `choose`.

# The board is an array of 14 cells, always seen from our side: our houses are
# 0 to 5 and our store is 6, the opponent's houses are 7 to 12 and its store is 13.
# House c faces house 12 - c.
own_store=6
opponent_store=13

# What the `start` message says about the rules; these (learneroo) hold until one arrives.
step=1 # -1 is backward; where the direction is free ("either"), we go forward
skip_opponent_store=0
empty_capture=1

# Functions answer in a variable, because $(...) would start a process for every call.

# play HOUSE: sets `after` to the board after the move.
play() {
  local cell=$1 seeds=${board[$1]} facing
  after=("${board[@]}")
  after[cell]=0

  # Sow one seed a cell.
  while (( seeds > 0 )); do
    (( cell = (cell + step + 14) % 14 ))
    if (( cell == opponent_store && skip_opponent_store )); then continue; fi
    (( after[cell] += 1, seeds -= 1 ))
  done

  # The last seed in an own house that was empty captures the facing house.
  (( facing = 12 - cell ))
  if (( cell < own_store && after[cell] == 1 && (after[facing] > 0 || empty_capture) )); then
    (( after[own_store] += after[cell] + after[facing] ))
    (( after[cell] = 0, after[facing] = 0 ))
  fi
}

# choose: sets `best` to the best legal house, the first one when several are as good.
choose() {
  local house most=-1
  for house in "${legal[@]}"; do
    play "$house"
    if (( after[own_store] > most )); then
      (( best = house, most = after[own_store] ))
    fi
  done
}

# Bash has no JSON parser, so we take the blanks out of a line and then look for the text of a
# field, such as "board":[ . This relies on the names that we look for standing only once in a
# message, not again inside another field. (Text inside a string cannot be mistaken for a field,
# because quotes inside a string are written \" .)
board_field='"board":\[([0-9,]+)\]'
legal_field='"legal":\[([0-9,]+)\]'
version_field='"protocol":([0-9]+)'

while IFS= read -r line || [[ -n $line ]]; do
  line=${line//[[:blank:]]/}
  if [[ $line == *'"type":"start"'* ]]; then
    if [[ $line =~ $version_field && ${BASH_REMATCH[1]} != 1 ]]; then
      echo "greedy.sh knows no version ${BASH_REMATCH[1]} of the protocol" >&2
      exit 1
    fi
    step=1 skip_opponent_store=0 empty_capture=0
    if [[ $line == *'"direction":"backward"'* ]]; then step=-1; fi
    if [[ $line == *'"opponent_store":"skip"'* ]]; then skip_opponent_store=1; fi
    if [[ $line == *'"empty_capture":true'* ]]; then empty_capture=1; fi
  elif [[ $line == *'"type":"turn"'* ]]; then
    # "3,0,12" becomes the array (3 0 12): the commas turn into blanks, and Bash splits at those.
    [[ $line =~ $board_field ]] && board=(${BASH_REMATCH[1]//,/ })
    [[ $line =~ $legal_field ]] && legal=(${BASH_REMATCH[1]//,/ })
    choose
    echo "$best"
  fi
done
