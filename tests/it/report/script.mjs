// What the script of a page computes, for the tests: node script.mjs PAGE.js vectors FILE,
// … random GAMES, … boards PAGE.html.
import { readFileSync } from "node:fs";

const [file, what, argument] = process.argv.slice(2);
const script = readFileSync(file, "utf8");
const { sow, isOver, swept, play, ending, directions, unpacked } = new Function(
  `${script}\nreturn { sow, isOver, swept, play, ending, directions, unpacked };`,
)();

const STORES = { learneroo: "sow", kalah: "skip", ece1021: "skip", cs221: "skip", mancala5000: "sow" };
const SEEDS = { learneroo: 3, kalah: 4, ece1021: 4, cs221: 5, mancala5000: 4 };

/** A line for each vector that is not reproduced. */
function vectors(path) {
  let count = 0;
  for (const line of readFileSync(path, "utf8").trim().split("\n")) {
    const vector = JSON.parse(line);
    const rules = { opponent_store: STORES[vector.rules], direction: vector.direction, empty_capture: vector.empty_capture };
    const sown = sow(rules, vector.board, { house: vector.move, direction: vector.sow });
    const over = isOver(sown.board);
    const after = swept(sown.board);
    const found = [sown.board, sown.captured, sown.extraTurn, over, over ? [after[6], after[13]] : null];
    const expected = [vector.after, vector.captured, vector.extra_turn, vector.over, vector.final];
    if (JSON.stringify(found) !== JSON.stringify(expected)) console.log(line, JSON.stringify(found));
    count += 1;
  }
  console.log(count);
}

/** A digest of the random games of each combination, in the order of the test. */
function random(games) {
  for (const name of Object.keys(STORES)) {
    for (const direction of ["forward", "backward", "either"]) {
      for (const opponent_store of ["sow", "skip"]) {
        for (const empty_capture of [true, false]) {
          const rules = { name, seeds: SEEDS[name], opponent_store, direction, empty_capture };
          const setting = { rules, max_moves: 200, adjudicate: "none" };
          console.log(digest(setting, games));
        }
      }
    }
  }
}

function digest(setting, games) {
  let state = 1;
  let hash = 0x811c9dc5;
  const add = (byte) => {
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  };
  const ways = directions(setting.rules);
  for (let game = 0; game < games; game += 1) {
    const { seeds } = setting.rules;
    let position = { board: Array.from({ length: 14 }, (_, cell) => (cell % 7 === 6 ? 0 : seeds)), mover: 0 };
    let moves = 0;
    for (; ending(setting, position, moves) === null; moves += 1) {
      const offset = position.mover * 7;
      const legal = [];
      for (let house = 0; house < 6; house += 1) {
        if (position.board[offset + house] > 0) for (const way of ways) legal.push({ house, direction: way });
      }
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      const after = play(setting.rules, position, legal[Math.floor(state / 65536) % legal.length]);
      position = after.position;
      position.board.forEach(add);
      add(after.sown.captured);
      add(after.sown.extraTurn ? 1 : 0);
    }
    add({ completed: 0, move_limit: 1, decided: 2 }[ending(setting, position, moves)]);
    swept(position.board).forEach(add);
  }
  return hash;
}

/** The rounds of a page as `replay --format json` has them. */
function boards(path) {
  const page = readFileSync(path, "utf8");
  const data = JSON.parse(/<script type="application\/json" id="data">(.*?)<\/script>/s.exec(page)[1]);
  const rounds = data.matches.map((match) =>
    match[6].map((_, index) => {
      const round = unpacked(data, match, index);
      return {
        opening: round.positions[0].board,
        final: round.final,
        moves: round.moves.map((move, at) => ({
          move: move.ply.house,
          direction: move.ply.direction,
          first: move.mover === 0,
          ms: move.ms,
          captured: move.sown.captured,
          extra_turn: move.sown.extraTurn,
          board: round.positions[at + 1].board,
          value: move.value,
          loss: move.loss,
          substituted: move.substitute,
        })),
      };
    }),
  );
  console.log(JSON.stringify(rounds));
}

({ vectors, random: (games) => random(Number(games)), boards })[what](argument);
