// Greedy: chooses the house that leaves the most seeds in its own store.
//
// Try it (with Node.js):
//
//     mancala match "node examples/javascript/greedy.js" builtin:easy
//
// The referee sends one JSON object a line. Only "turn" wants an answer: one line
// with the house to play. For a bot of your own, begin with `choose`.

"use strict";

// The board is an array of 14 cells, always seen from our side: our houses are
// 0 to 5 and our store is 6, the opponent's houses are 7 to 12 and its store is 13.
// House c faces house 12 - c.
const OWN_STORE = 6;
const OPPONENT_STORE = 13;

// What the `start` message says about the rules; these (learneroo) hold until one arrives.
let rules = { opponent_store: "sow", direction: "forward", empty_capture: true };

/** Returns the board after the move; the board that was passed in stays as it is. */
function play(before, house) {
  const board = [...before];
  let seeds = board[house];
  board[house] = 0;

  // Sow one seed a cell. Where the direction is free ("either"), we go forward.
  const step = rules.direction === "backward" ? -1 : 1;
  let cell = house;
  while (seeds > 0) {
    cell = (cell + step + 14) % 14;
    if (cell === OPPONENT_STORE && rules.opponent_store === "skip") continue;
    board[cell] += 1;
    seeds -= 1;
  }

  // The last seed in an own house that was empty captures the facing house.
  const facing = 12 - cell;
  if (cell < OWN_STORE && board[cell] === 1 && (board[facing] > 0 || rules.empty_capture)) {
    board[OWN_STORE] += board[cell] + board[facing];
    board[cell] = 0;
    board[facing] = 0;
  }

  return board;
}

/** Returns the best legal house, the first one when several are as good. */
function choose(board, legal) {
  let best = legal[0];
  let most = -1;
  for (const house of legal) {
    const stored = play(board, house)[OWN_STORE];
    if (stored > most) {
      best = house;
      most = stored;
    }
  }
  return best;
}

function receive(line) {
  const message = JSON.parse(line);
  if (message.type === "start") {
    if (message.protocol !== 1) {
      console.error(`greedy.js knows no version ${message.protocol} of the protocol`);
      process.exit(1);
    }
    rules = message.rules;
  } else if (message.type === "turn") {
    process.stdout.write(`${choose(message.board, message.legal)}\n`);
  }
}

// Input arrives in pieces that may end in the middle of a line. (Newer versions of node:readline
// also split at U+2028, which may stand inside a JSON string, so we look for "\n" ourselves.)
let unfinished = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (piece) => {
  const lines = (unfinished + piece).split("\n");
  unfinished = lines.pop();
  lines.forEach(receive);
});
process.stdin.on("end", () => {
  if (unfinished !== "") receive(unfinished);
});
