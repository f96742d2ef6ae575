// What the script of a page computes, for the tests: node script.mjs PAGE.js vectors FILE,
// … random SEEDS GAMES, … boards PAGE.html, … filters ROUNDS.
import { readFileSync } from "node:fs";

const [file, what, ...rest] = process.argv.slice(2);
const script = readFileSync(file, "utf8");
const { sow, isOver, swept, play, ending, directions, unpacked, GameRow } = new Function(
  `${script}\nreturn { sow, isOver, swept, play, ending, directions, unpacked, GameRow };`,
)();

const STORES = { learneroo: "sow", kalah: "skip", ece1021: "skip", cs221: "skip", mancala5000: "sow" };

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

/** A digest of the random games of each combination with so many seeds, in the order of the test. */
function random(seeds, games) {
  for (const direction of ["forward", "backward", "either"]) {
    for (const opponent_store of ["sow", "skip"]) {
      for (const empty_capture of [true, false]) {
        const rules = { seeds, opponent_store, direction, empty_capture };
        const setting = { rules, max_moves: 200, adjudicate: "none" };
        console.log(digest(setting, games));
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
      const after = play(setting, position, legal[Math.floor(state / 65536) % legal.length], moves + 1);
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
          limit: move.limit,
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

/** Tries filters on random rounds; says one that shows others than a plain predicate. */
function filters(rounds) {
  let state = 7;
  const draw = (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor(state / 65536) % below;
  };
  const names = ["a", "b", "c"];
  const kinds = ["timeout", "exited", "illegal_move"];
  const reasons = ["completed", "move_limit", "decided"];
  const rules = { opponent_store: "sow", direction: "forward", empty_capture: true, seeds: 3 };
  const setting = { rules, max_moves: 20, adjudicate: "none", move_time_ms: 1, start_time_ms: 1, game_time_ms: null };
  const data = { bots: names.map((name) => [name, name]), settings: [setting] };
  const games = Array.from({ length: rounds }, () => {
    const bots = [draw(3), draw(3)];
    const first = draw(2);
    // Of each bot of the match, as the round is told and not as it is packed.
    const faults = [new Set(), new Set()];
    const notes = { substituted: [] };
    let position = { board: Array.from({ length: 14 }, (_, cell) => (cell % 7 === 6 ? 0 : 3)), mover: 0 };
    let packed = "";
    for (let moves = 0; ending(setting, position, moves) === null; moves += 1) {
      const own = position.mover * 7;
      let house = draw(6);
      while (position.board[own + house] === 0) house = (house + 1) % 6;
      if (draw(15) === 0) {
        const kind = kinds[draw(3)];
        notes.substituted.push([moves, kind, ""]);
        faults[position.mover === 0 ? first : 1 - first].add(kind);
      }
      packed += `${"ABCDEF"[house]}A`;
      position = play(setting, position, { house, direction: "forward" }, moves + 1).position;
    }
    if (draw(3) === 0) {
      notes.fault = { bot: draw(2), kind: kinds[draw(3)], detail: "", stderr: "" };
      faults[notes.fault.bot].add(notes.fault.kind);
    }
    const seeds = draw(37);
    const game = { bots, faults, score: [seeds, 36 - seeds], reason: reasons[draw(3)], opening: draw(3), blunders: draw(2) };
    const texts = Array.from({ length: 13 }, (_, column) => ({ 10: game.opening, 12: game.blunders })[column] ?? "");
    const row = { children: texts.map((text) => ({ textContent: String(text) })) };
    const round = [first, game.reason, game.score, packed, "", notes];
    return { ...game, isForfeit: "fault" in notes, row: new GameRow(data, [1, 0, 0, ...bots, 0, [round]], 0, row) };
  });
  const isFor = (game, asked) =>
    [[0, 1], [1, 0]].some(([bot, opponent]) => {
      if (asked.bot !== "" && names[game.bots[bot]] !== asked.bot) return false;
      if (asked.opponent !== "" && names[game.bots[opponent]] !== asked.opponent) return false;
      const margin = game.score[bot] - game.score[opponent];
      if (asked.result === "won" && margin <= 0) return false;
      if (asked.result === "lost" && margin >= 0) return false;
      if (asked.result === "drawn" && margin !== 0) return false;
      return asked.fault === "" || game.faults[bot].has(asked.fault);
    }) &&
    (asked.ending === "" || (game.isForfeit ? "forfeit" : game.reason) === asked.ending) &&
    (asked.opening === "" || String(game.opening) === asked.opening) &&
    (asked.blunders === "" || game.blunders > 0);
  const choices = {
    bot: ["", ...names], opponent: ["", ...names], result: ["", "won", "drawn", "lost"],
    ending: ["", "forfeit", ...reasons], fault: ["", ...kinds], opening: ["", "0", "1", "2"], blunders: ["", "some"],
  };
  let all = [{}];
  for (const [name, values] of Object.entries(choices)) {
    all = all.flatMap((asked) => values.map((value) => ({ ...asked, [name]: value })));
  }
  let some = 0;
  for (const asked of all) {
    const shown = games.map((game) => game.row.matches(asked));
    const expected = games.map((game) => isFor(game, asked));
    if (String(shown) !== String(expected)) {
      console.log("others for", JSON.stringify(asked));
      return;
    }
    if (expected.includes(true) && expected.includes(false)) some += 1;
  }
  console.log(`${all.length}\n${some}`);
}

const withNumbers = (act) => (...texts) => act(...texts.map(Number));
({ vectors, random: withNumbers(random), boards, filters: withNumbers(filters) })[what](...rest);
