// The script of the page that `mancala report` writes: the board that plays, the list of games.
// It is read as it stands here; the format of its data is described in src/display/report/page/mod.rs.
"use strict";

// ---------- The rules. They are held against those of the program by a test.

/**
 * @typedef {"forward"|"backward"} Direction
 * @typedef {{name: string, seeds: number, opponent_store: "sow"|"skip",
 *   direction: "forward"|"backward"|"either", empty_capture: boolean}} Rules
 * @typedef {{house: number, direction: Direction}} Ply
 * @typedef {{path: number[], captured: number, from: number[], extraTurn: boolean,
 *   board: number[]}} Sown
 */

const STORE = 6;
const OTHER_STORE = 13;
const CELLS = 14;

/** The same board in the other player's view. @param {number[]} board */
function flipped(board) {
  return [...board.slice(7), ...board.slice(0, 7)];
}

/** A cell in the view of the other player if the side is 1. @param {number} cell @param {0|1} side */
function turned(cell, side) {
  return side === 0 ? cell : (cell + 7) % CELLS;
}

/** The seeds in the houses of the player whose view it is; of the other from cell 7 on. @param {number[]} board @param {number} [first] */
function inHouses(board, first = 0) {
  return board.slice(first, first + 6).reduce((sum, seeds) => sum + seeds, 0);
}

/** Whether a side has no seeds in its houses. @param {number[]} board */
function isOver(board) {
  return inHouses(board) === 0 || inHouses(board, 7) === 0;
}

/** The board after each player has taken the seeds on its own side. @param {number[]} board */
function swept(board) {
  const after = new Array(CELLS).fill(0);
  after[STORE] = board[STORE] + inHouses(board);
  after[OTHER_STORE] = board[OTHER_STORE] + inHouses(board, 7);
  return after;
}

/** The directions that rules leave to a player. @param {Rules} rules @returns {Direction[]} */
function directions(rules) {
  return rules.direction === "either" ? ["forward", "backward"] : [rules.direction];
}

/**
 * Sows the seeds of a house that has some. Boards, `path` (the cell of each seed in turn) and `from`
 * (the cells that a capture empties) are in the mover's view.
 * @param {Rules} rules @param {number[]} board @param {Ply} ply
 */
function sow(rules, board, ply) {
  const after = board.slice();
  const path = [];
  const step = ply.direction === "forward" ? 1 : CELLS - 1;
  let cell = ply.house;
  let seeds = after[cell];
  after[cell] = 0;
  for (; seeds > 0; seeds -= 1) {
    cell = (cell + step) % CELLS;
    if (cell === OTHER_STORE && rules.opponent_store === "skip") {
      cell = (cell + step) % CELLS;
    }
    after[cell] += 1;
    path.push(cell);
  }
  const facing = 12 - cell;
  const captures = cell < STORE && after[cell] === 1 && (after[facing] > 0 || rules.empty_capture);
  const from = captures ? [cell, facing] : [];
  const captured = from.reduce((sum, emptied) => sum + after[emptied], 0);
  for (const emptied of from) after[emptied] = 0;
  after[STORE] += captured;
  return { path, captured, from, extraTurn: cell === STORE && !isOver(after), board: after };
}

/**
 * @typedef {{board: number[], mover: 0|1}} Position  the board in the first mover's view; who is to
 *   move: 0 is who moved first
 * @typedef {{rules: Rules, max_moves: number, adjudicate: "none"|"lead",
 *   move_time_ms: number|null, start_time_ms: number, game_time_ms: number|null, words?: string}} Setting
 */

/** The board of a position in the view of who is to move. @param {Position} position */
function ownBoard(position) {
  return position.mover === 0 ? position.board : flipped(position.board);
}

/** The position after move `number`, and what it did. @param {Setting} setting @param {Position} position @param {Ply} ply @param {number} number */
function play(setting, position, ply, number) {
  const sown = sow(setting.rules, ownBoard(position), ply);
  const board = position.mover === 0 ? sown.board : flipped(sown.board);
  const mover = sown.extraTurn ? position.mover : /** @type {0|1} */ (1 - position.mover);
  const after = { board, mover };
  const extraTurn = sown.extraTurn && ending(setting, after, number) === null;
  return { position: after, sown: { ...sown, extraTurn } };
}

/**
 * How a round has ended after so many moves; null while it goes on.
 * @param {Setting} setting @param {Position} position @param {number} moves
 */
function ending(setting, position, moves) {
  const { board } = position;
  const all = board.reduce((sum, seeds) => sum + seeds, 0);
  if (isOver(board)) return "completed";
  if (setting.adjudicate === "lead" && 2 * Math.max(board[STORE], board[OTHER_STORE]) > all) {
    return "decided";
  }
  return moves >= setting.max_moves ? "move_limit" : null;
}

// ---------- The data of the page.

/**
 * @typedef {{bot: 0|1, kind: string, detail: string, stderr: string, late?: [number, number]}} FaultNote
 * @typedef {{fault?: FaultNote, substituted?: [number, string, string][],
 *   info?: [number, string][], replayed?: number}} Notes
 * @typedef {[0|1, string, [number, number], string, string, Notes|0]} PackedRound
 * @typedef {[number, number, number, number, number, number[]|0, PackedRound[]]} PackedMatch
 * @typedef {{bots: [string, string][], settings: Setting[], matches: PackedMatch[], words: Record<string, string>, reload: number}} PageData
 * @typedef {{ply: Ply, mover: 0|1, ms: number, substitute: string,
 *   detail: string, value: number|null, loss: number|null, blunder: boolean, info: string,
 *   limit: number|null, sown: Sown, isWhatIf: boolean}} Move
 * @typedef {{number: number, inTournament: number, round: number, setting: Setting,
 *   names: [string, string], reason: string, score: [number, number], notes: Notes,
 *   moves: Move[], positions: Position[], final: number[]}} Round  names and score are of who moved first and of the other
 */

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** Reads digits and numbers of a packed string. @param {string} text */
function unpacker(text) {
  let at = 0;
  const digit = () => DIGITS.indexOf(text[at++]);
  const number = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 32) {
      const next = digit();
      value += (next % 32) * scale;
      if (next < 32) return value;
    }
  };
  return { digit, number, isAtEnd: () => at >= text.length };
}

/** Plays a packed round again: that at a place in its match. @param {PageData} data @param {PackedMatch} match @param {number} index */
function unpacked(data, match, index) {
  const setting = data.settings[match[2]];
  const [first, reason, score, packedMoves, packedValues, packedNotes] = match[6][index];
  const seats = first === 0 ? [0, 1] : [1, 0];
  const notes = packedNotes === 0 ? {} : packedNotes;
  const standard = () => Array.from({ length: CELLS }, (_, cell) => (cell % 7 === STORE ? 0 : setting.rules.seeds));
  /** @type {Position[]} */
  const positions = [{ board: match[5] || standard(), mover: 0 }];
  /** @type {Move[]} */
  const moves = [];
  const digits = unpacker(packedMoves);
  const values = unpacker(packedValues);
  const { move_time_ms: moveTime, start_time_ms: start, game_time_ms: bank } = setting;
  /** What is left of each player's bank. */
  const left = [bank, bank];
  const substituted = new Map((notes.substituted || []).map((note) => [note[0], note]));
  const info = new Map(notes.info || []);
  while (!digits.isAtEnd()) {
    const position = positions[positions.length - 1];
    const digit = digits.digit();
    const isBackward = Math.floor(digit / 6) % 2 === 1 || setting.rules.direction === "backward";
    /** @type {Ply} */
    const ply = { house: digit % 6, direction: isBackward ? "backward" : "forward" };
    const after = play(setting, position, ply, positions.length);
    const value = values.isAtEnd() ? 0 : values.number();
    const loss = values.isAtEnd() ? 0 : values.number();
    const note = substituted.get(moves.length);
    const ms = digits.number() / 1000;
    // As the referee counts: at most the time of a move and what is left of the bank, and for the
    // first answer of a process the time to start on top.
    const toStart = Math.floor(digit / 12) % 2 === 1 ? start : 0;
    const own = left[position.mover];
    const limit = Math.min(moveTime ?? Infinity, own ?? Infinity) + toStart;
    if (own !== null) left[position.mover] = Math.max(0, own - Math.max(0, ms - toStart));
    moves.push({
      ply, mover: position.mover, sown: after.sown, isWhatIf: false, ms,
      limit: limit === Infinity ? null : limit,
      substitute: note ? note[1] : digit >= 24 ? "fault" : "",
      detail: note ? note[2] : "",
      value: value === 0 ? null : value % 2 === 1 ? (value - 1) / 2 : -value / 2,
      loss: loss === 0 ? null : Math.floor((loss - 1) / 2),
      blunder: loss > 0 && loss % 2 === 0,
      info: info.get(moves.length) || "",
    });
    positions.push(after.position);
  }
  const last = positions[positions.length - 1].board;
  const bots = [data.bots[match[3]][0], data.bots[match[4]][0]];
  return /** @type {Round} */ ({
    number: match[0], inTournament: match[1], round: index + 1, setting, reason, notes, moves, positions,
    names: [bots[seats[0]], bots[seats[1]]],
    score: [score[seats[0]], score[seats[1]]],
    final: notes.fault ? last : swept(last),
  });
}

// ---------- Elements.

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Record<string, string|number|boolean|((event: any) => void)>} Attributes */

/**
 * Makes an element. Functions are listeners, `false` leaves an attribute out.
 * @template {Element} E
 * @param {E} element @param {Attributes} attributes @param {(Node|string)[]} children
 */
function filledElement(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false) element.setAttribute(name, String(value));
  }
  element.append(...children);
  return element;
}

/** @template {keyof HTMLElementTagNameMap} K @param {K} tag @param {Attributes} attributes @param {...(Node|string)} children */
function html(tag, attributes, ...children) {
  return filledElement(document.createElement(tag), attributes, children);
}

/** @template {keyof SVGElementTagNameMap} K @param {K} tag @param {Attributes} attributes @param {...(Node|string)} children */
function svg(tag, attributes, ...children) {
  return filledElement(document.createElementNS(SVG, tag), attributes, children);
}

/** The element of the page with this id. @param {string} id */
const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @type {Record<string, string>} */
let words = {};

/** A letter of a script that is written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** A phrase with these in place of its `{}`, in order. @param {string} name @param {...(string|number)} parts */
function say(name, ...parts) {
  // Isolated, names from right to left do not turn around what stands between them.
  const texts = parts.map((part) => (RIGHT_TO_LEFT.test(String(part)) ? `\u2068${part}\u2069` : String(part)));
  let index = 0;
  return (words[name] || name).replace(/\{\}/g, () => texts[index++]);
}

/** A number and the word for that many, from two phrases. @param {number} count @param {string} one @param {string} many */
function counted(count, one, many) {
  return say(Math.abs(count) === 1 ? one : many, count);
}

/** A stranger's text, with a dot for each sign that cannot be seen. @param {string} text */
const visible = (text) => text.replace(/\p{C}/gu, "·");

/** The sign of who moved first, or of the other, in the lists and curves. @param {0|1} mover */
function keyMark(mover) {
  return html("span", { class: `key ${mover === 0 ? "first" : "second"}` }, mover === 0 ? "●" : "■");
}

/** The sign and the name of a player. @param {Round} round @param {0|1} mover */
function signAndName(round, mover) {
  return [keyMark(mover), " ", html("bdi", {}, round.names[mover])];
}

// ---------- The board as a drawing.

/** Sizes in the units of the drawing. */
const PIT = 92;
const PIT_RADIUS = 40;
const BOARD = { width: 8 * PIT + 24, top: -8, height: 308 };
const ROW_Y = [200, 100];

/** The middle of a cell, in the view of who sits below. @param {number} cell */
function cellAt(cell) {
  if (cell === STORE) return [12 + 7.5 * PIT, 150];
  if (cell === OTHER_STORE) return [12 + 0.5 * PIT, 150];
  const [column, row] = cell < STORE ? [cell + 1, 0] : [13 - cell, 1];
  return [12 + (column + 0.5) * PIT, ROW_Y[row]];
}

/** Where the seeds of a cell lie: so many that each can be counted. @param {number} cell @param {number} seeds */
function seedPlaces(cell, seeds) {
  const [x, y] = cellAt(cell);
  /** @type {[number, number][]} */
  const places = [];
  if (cell === STORE || cell === OTHER_STORE) {
    const [width, height] = [60, 150];
    let across = 3;
    while (Math.ceil(seeds / across) * (width / across) > height) across += 1;
    const step = width / across;
    for (let seed = 0; seed < seeds; seed += 1) {
      const [column, row] = [seed % across, Math.floor(seed / across)];
      places.push([x - width / 2 + (column + 0.5) * step, y + 72 - (row + 0.5) * step]);
    }
    return { places, radius: Math.min(7, step * 0.42) };
  }
  // The pattern of a sunflower: evenly filled from the middle, whatever the number.
  const spread = Math.min(10.5, (PIT_RADIUS - 8) / Math.sqrt(Math.max(1, seeds)));
  for (let seed = 0; seed < seeds; seed += 1) {
    const far = seeds === 1 ? 0 : spread * Math.sqrt(seed + 0.4);
    const angle = seed * 2.399963;
    places.push([x + far * Math.cos(angle), y + far * Math.sin(angle)]);
  }
  return { places, radius: Math.min(7, spread * 0.72) };
}

/**
 * The number of a house as readers want it: from 0, from 1, or as ECE-1021 counts its bins.
 * @param {number} house @param {string} numbering
 */
function shownHouse(house, numbering) {
  if (numbering === "ece") return 6 - house;
  return numbering === "one" ? house + 1 : house;
}

/**
 * What a drawing of the board shows.
 * @typedef {{board: number[], below: 0|1, numbering: string, from: number|null,
 *   to: number|null, captured: number[], legal: number[], names: [string, string], mover: 0|1|null,
 *   choose: (house: number) => void}} BoardView  `board`, `from`, `to` and `captured` are in the
 *   first mover's view, `legal` are houses of the mover
 */

/** Draws a board. Houses that may be played are buttons. @param {BoardView} view */
function drawBoard(view) {
  const shown = view.below === 0 ? view.board : flipped(view.board);
  const from = view.from === null ? null : turned(view.from, view.below);
  const to = view.to === null ? null : turned(view.to, view.below);
  const captured = view.captured.map((cell) => turned(cell, view.below));
  const drawing = svg("svg", {
    viewBox: `0 ${BOARD.top} ${BOARD.width} ${BOARD.height}`,
    class: "kalah",
    role: "group",
    "aria-label": say("board_label", view.names[1 - view.below], view.names[view.below]),
  });
  drawing.append(svg("rect", { class: "wood", x: 4, y: 30, width: BOARD.width - 8, height: 240, rx: 26 }));
  for (let cell = 0; cell < CELLS; cell += 1) {
    const [x, y] = cellAt(cell);
    const isStore = cell === STORE || cell === OTHER_STORE;
    const owner = cell <= STORE ? view.below : 1 - view.below;
    const house = cell % 7;
    const isLegal = !isStore && owner === view.mover && view.legal.includes(house);
    const marks = [cell === from && "from", cell === to && "to", captured.includes(cell) && "captured", isLegal && "legal"];
    const name = isStore
      ? say("store_label", view.names[owner], counted(shown[cell], "seed", "seeds"))
      : say("house_label", view.names[owner], shownHouse(house, view.numbering), counted(shown[cell], "seed", "seeds"));
    const pit = isStore
      ? svg("rect", { class: "pit", x: x - 36, y: 62, width: 72, height: 176, rx: 30 })
      : svg("circle", { class: "pit", cx: x, cy: y, r: PIT_RADIUS });
    const group = svg("g", {
      class: `cell ${marks.filter(Boolean).join(" ")}`,
      "data-cell": cell,
      role: isLegal ? "button" : "img",
      "aria-label": isLegal ? say("house_to_play", name) : name,
      tabindex: isLegal ? 0 : false,
      click: isLegal && (() => view.choose(house)),
    }, pit);
    const { places, radius } = seedPlaces(cell, shown[cell]);
    for (const [cx, cy] of places) {
      group.append(svg("circle", { class: "seed", cx: cx.toFixed(1), cy: cy.toFixed(1), r: radius.toFixed(1) }));
    }
    const isBelow = cell < STORE;
    const labelY = isStore ? 54 : isBelow ? 260 : 53;
    // The label of the cell says these numbers already.
    const text = { x, "text-anchor": "middle", "aria-hidden": "true" };
    drawing.append(group, svg("text", { class: "count", y: labelY, ...text }, `${shown[cell]}`));
    const number = `${shownHouse(house, view.numbering)}`;
    if (!isStore) drawing.append(svg("text", { class: "number", y: isBelow ? 292 : 22, ...text }, number));
  }
  return drawing;
}

// ---------- Curves beside the board.

/**
 * A point of a curve: the step after a move, its height, who moved, and a mark if it stands out.
 * @typedef {{step: number, value: number, mover: 0|1, mark: string, limit?: number|null}} Point
 * @typedef {{element: Element, moveTo: (step: number) => void}} Curve
 */

const CURVE = { width: 420, height: 134, left: 52, right: 18, top: 12, bottom: 28 };

/** A round distance between marks. @param {number} span @param {boolean} isWhole  of whole numbers */
function roundStep(span, isWhole) {
  const rough = Math.max(span / 4, isWhole ? 1 : 1e-9);
  const power = 10 ** Math.floor(Math.log10(rough));
  return ([1, 2, 5, 10].find((times) => times * power >= rough) || 10) * power;
}

const COMPACT = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });

/** A number beside a mark, short enough for the room there. @param {number} value */
function shownMark(value) {
  const size = Math.abs(value);
  if (size >= 1e5) return COMPACT.format(value);
  const round = Number(value.toPrecision(6));
  return size > 0 && size < 1e-3 ? round.toExponential() : String(round);
}

/**
 * Draws a curve over the moves of a round.
 * @param {string} title @param {string} unit @param {Point[]} points @param {number} steps
 * @param {(step: number) => void} choose
 */
function drawCurve(title, unit, points, steps, choose) {
  const { width, height, left, right, top, bottom } = CURVE;
  const heights = points.map((point) => point.value);
  const limits = points.map((point) => point.limit).filter((limit) => typeof limit === "number");
  // A limit far above all times would press them to the ground: it is told in words instead.
  const highest = Math.max(0, ...heights);
  const low = Math.min(0, ...heights);
  const nearLimits = limits.filter((limit) => limit <= 4 * highest);
  const step = roundStep(Math.max(highest, ...nearLimits) - low || 1, heights.every(Number.isInteger));
  const [from, to] = [Math.floor(low / step) * step, Math.ceil(Math.max(highest, ...nearLimits, low + step) / step) * step];
  /** @param {number} at */
  const x = (at) => left + (at / Math.max(1, steps)) * (width - left - right);
  /** @param {number} value */
  const y = (value) => top + ((to - value) / (to - from)) * (height - top - bottom);
  const drawing = svg("svg", {
    viewBox: `0 0 ${width} ${height}`,
    class: "curve",
    role: "img",
    "aria-label": say("curve_label", title, unit),
    click: (/** @type {MouseEvent} */ event) => {
      const box = drawing.getBoundingClientRect();
      const at = ((event.clientX - box.left) / box.width) * width;
      choose(Math.round(((at - left) / (width - left - right)) * steps));
    },
  });
  /** @param {string} name @param {number} x1 @param {number} x2 @param {number} y1 @param {number} y2 */
  const line = (name, x1, x2, y1, y2 = y1) => svg("line", { class: name, x1, x2, y1, y2 });
  /** @param {string} name @param {number} x @param {number} y @param {string} anchor @param {string} content */
  const text = (name, x, y, anchor, content) => svg("text", { class: name, x, y, "text-anchor": anchor }, content);
  const marks = Math.round((to - from) / step);
  for (let mark = 0; mark <= marks; mark += 1) {
    const value = from + mark * step;
    drawing.append(line("grid", left, width - right, y(value)));
    drawing.append(text("faint", left - 5, y(value) + 4, "end", shownMark(value)));
  }
  drawing.append(text("faint", left - 9, height - 8, "end", say("move_unit")));
  const every = roundStep(steps, true);
  for (let at = 0; at <= steps; at += every) drawing.append(text("faint", x(at), height - 8, "middle", `${at}`));
  drawing.append(line("axis", left, width - right, y(0)));
  for (const point of points) {
    if (typeof point.limit === "number" && point.limit <= to) {
      drawing.append(line("limit", x(point.step - 0.5), Math.min(x(point.step + 0.5), width - right), y(point.limit)));
    }
    const [cx, cy] = [x(point.step), y(point.value)];
    drawing.append(point.mover === 0
      ? svg("circle", { class: "first", cx, cy, r: 3 })
      : svg("rect", { class: "second", x: cx - 3, y: cy - 3, width: 6, height: 6 }));
    if (point.mark) drawing.append(text("blunder", cx, Math.max(14, cy - 6), "middle", point.mark));
  }
  const marker = line("now", 0, 0, top - 8, height - bottom);
  drawing.append(marker);
  return {
    element: html("figure", {}, html("figcaption", {}, `${title} (${unit})`), drawing),
    moveTo: (/** @type {number} */ now) => {
      const at = x(Math.min(now, steps)).toFixed(1);
      for (const end of ["x1", "x2"]) marker.setAttribute(end, at);
    },
  };
}

/** Keys of the number in `info` that says how good a position is, the surest first. */
const INFO_KEYS = ["value", "eval", "evaluation", "score"];

/** Numbers beyond this are no judgement of a position, and no axis has room for them. */
const MOST_SAID = 1e15;

/** The numbers in an `info` by their keys; "" is the key of one that is a number. @param {string} info */
function infoNumbers(info) {
  try {
    const said = JSON.parse(info);
    const parts = said !== null && typeof said === "object" ? said : { "": said };
    return new Map(Object.entries(parts).filter(([, part]) => typeof part === "number"));
  } catch {
    return new Map();
  }
}

/** Whether a bot was asked for a move; none is, for example, whose time bank is spent. @param {Move} move */
const wasAsked = (move) => move.ms > 0 || (move.substitute === "" && !move.isWhatIf);

/** All curves of a round of which something is known. @param {Round} round @param {(step: number) => void} choose */
function curvesOf(round, choose) {
  const { moves, positions } = round;
  const late = round.notes.fault?.late;
  const steps = moves.length + (late ? 1 : 0);
  /** @param {(move: Move, step: number) => number|null} height @returns {Point[]} */
  const points = (height) =>
    moves.flatMap((move, index) => {
      const value = height(move, index + 1);
      return value === null ? [] : [{ step: index + 1, value, mover: move.mover, mark: "" }];
    });
  const leads = positions.map(({ board }) => board[STORE] - board[OTHER_STORE]);
  const margin = points((_, step) => leads[step]);
  const times = points((move) => (wasAsked(move) ? move.ms : null)).map((point) => {
    const { substitute, limit } = moves[point.step - 1];
    return { ...point, limit, mark: substitute === "timeout" ? "✕" : "" };
  });
  if (late) times.push({ step: steps, value: late[0], mover: positions[moves.length].mover, mark: "✕", limit: late[1] });
  const known = moves.map((move) => (move.value === null ? null : move.mover === 0 ? move.value : -move.value));
  const last = moves.at(-1);
  if (last && last.value !== null && last.loss !== null) {
    // What the last move left of the value, less what it brought into the stores.
    const left = last.value - last.loss;
    known.push((last.mover === 0 ? left : -left) - (leads[moves.length] - leads[moves.length - 1]));
  }
  const values = known.flatMap((value, step) =>
    value === null ? [] : [{ step, value, mover: positions[step].mover, mark: moves[step - 1]?.blunder ? "✕" : "" }]);
  const said = new Map(moves.map((move) => [move, infoNumbers(move.info)]));
  const keys = [0, 1].map((mover) => {
    const all = moves.flatMap((move) => (move.mover === mover ? [...(said.get(move) || []).keys()] : []));
    return INFO_KEYS.find((key) => all.includes(key)) ?? all[0];
  });
  const judged = points((move) => {
    const number = said.get(move)?.get(keys[move.mover]);
    return number !== undefined && Math.abs(number) <= MOST_SAID ? number : null;
  });
  // Numbers with the same key have one axis; others may have another scale.
  const saidBy = keys[0] === keys[1] ? [{ key: keys[0], title: say("info_title"), all: judged }]
    : keys.map((key, mover) =>
      ({ key, title: say("info_of", round.names[mover]), all: judged.filter((point) => point.mover === mover) }));
  const { move_time_ms: limit, game_time_ms: bank } = round.setting;
  const timeTitle = say("times_title")
    + (limit === null ? "" : say("times_limit", limit)) + (bank === null ? "" : say("times_bank", bank))
    + (times.some((point) => point.mark) ? say("times_late") : "");
  return [
    { title: say("margin_title"), unit: say("seeds_unit"), all: margin },
    { title: timeTitle, unit: say("ms_unit"), all: times },
    { title: say("value_title"), unit: say("seeds_unit"), all: values },
    ...saidBy.map(({ key, title, all }) => ({ title: key ? `${title}: ${visible(key)}` : title, unit: say("info_unit"), all })),
  ]
    .filter(({ all }) => all.length > 0)
    .map(({ title, unit, all }) => drawCurve(title, unit, all, steps, choose));
}

// ---------- Moves in words.

/** A move in a sentence. @param {Round} round @param {Move} move @param {number} number @param {string} numbering */
function moveInWords(round, move, number, numbering) {
  const { sown, ply } = move;
  const house = shownHouse(ply.house, numbering);
  const way = round.setting.rules.direction === "either" ? ` ${say(ply.direction)}` : "";
  const parts = [
    say("plays", number, round.names[move.mover], house, way, counted(sown.path.length, "seed", "seeds")),
  ];
  if (sown.captured > 0) parts.push(say("captures", counted(sown.captured, "seed", "seeds")));
  if (sown.extraTurn) parts.push(say("moves_again"));
  if (move.substitute) parts.push(say("was_substituted", faultInWords(move.substitute, move.detail)));
  else if (move.blunder) parts.push(say("blunder", counted(move.loss || 0, "seed", "seeds")));
  else if (move.loss) parts.push(say("gave_away", counted(move.loss, "seed", "seeds")));
  return parts.join(" ");
}

/** What kind of fault it was, and what is known of it. @param {string} kind @param {string} detail */
function faultInWords(kind, detail) {
  return kind.replace(/_/g, " ") + (detail === "" ? "" : `: ${detail}`);
}

/**
 * How a round ended, in a sentence.
 * @param {Round} round @param {number[]} score @param {string} reason @param {FaultNote} [fault]
 */
function endInWords(round, [own, other], reason, fault) {
  const [first, second] = round.names;
  const score = say("score", own, other, first, second);
  // Whoever was at fault has no seeds.
  if (fault) return say("forfeited", own === 0 ? first : second, faultInWords(fault.kind, fault.detail), score);
  const result = own === other ? say("a_draw") : say("wins", own > other ? first : second);
  return say(`ended_${reason}`, result, score);
}

// ---------- The board that plays.

/** How long each seed takes to be sown, in milliseconds, at the three speeds; a move at once lasts five. @type {Record<string, number>} */
const SPEEDS = { slow: 380, normal: 150, fast: 45 };

/** Shows rounds and plays them. */
class Player {
  /** @param {PageData} data @param {HTMLElement} section */
  constructor(data, section) {
    this.data = data;
    this.section = section;
    /** @type {Round|null} */
    this.round = null;
    this.step = 0;
    /** The round with the moves that the reader plays instead, from a step on. @type {{from: number, moves: Move[], positions: Position[]}|null} */
    this.whatIf = null;
    /** @type {0|1} */
    this.below = 0;
    this.isPlaying = false;
    this.timer = 0;
    /** The house that has the focus again after seeds are sown. @type {string|null} */
    this.waitingCell = null;
    /** @type {Curve[]} */
    this.curves = [];
    /** @type {HTMLSelectElement[]} */
    this.selects = [];
    this.boardPlace = html("div", { class: "board-place" });
    this.sentence = html("p", { class: "sentence" });
    this.list = html("ol", { class: "moves", "aria-label": say("moves_label") });
    // The slider's own text is told already.
    const slide = () => this.goTo(Number(this.slider.value), false);
    this.slider = html("input", { type: "range", min: 0, "aria-label": say("slider_label"), input: slide });
    this.playButton = html("button", { type: "button", click: () => this.togglePlaying() });
    this.heading = html("h2", { tabindex: -1 });
    this.setting = html("p", { class: "faint setting" });
    this.back = html("button", { type: "button", click: () => this.leaveWhatIf() }, say("back"));
    this.choices = html("div", { class: "choices" });
    this.speed = this.choice("speed_label", ["slow", "normal", "fast"], "normal");
    this.numbering = this.choice("numbering_label", ["zero", "one", "ece"], "zero");
    this.direction = this.choice("direction_label", ["forward", "backward"], "forward");
    this.build();
  }

  /** Whether a reload would take something away from the reader. */
  get isBusy() {
    return this.isPlaying || this.whatIf !== null || this.timer !== 0 || !(getSelection()?.isCollapsed ?? true);
  }

  /** Adds a labelled choice of a few phrases. @param {string} label @param {string[]} values @param {string} now */
  choice(label, values, now) {
    const options = values.map((value) => html("option", { value, selected: value === now }, say(value)));
    const select = html("select", {}, ...options);
    this.selects.push(select);
    this.choices.append(html("label", {}, say(label), " ", select));
    return select;
  }

  /** Makes the parts of the section, once. */
  build() {
    /** @param {string} name @param {string} sign @param {() => void} act */
    const button = (name, sign, act) =>
      html("button", { type: "button", "aria-label": say(name), title: say(name), click: act }, sign);
    const controls = html("div", { class: "controls", role: "group", "aria-label": say("controls") },
      button("first_move", "|◀", () => this.goTo(0)),
      button("previous_move", "◀", () => this.goTo(this.step - 1)),
      this.playButton,
      button("next_move", "▶", () => this.next()),
      button("last_move", "▶|", () => this.goTo(this.last)),
      html("button", { type: "button", click: () => this.turn() }, say("turn")),
      this.back,
    );
    this.numbering.addEventListener("change", () => {
      this.fillList();
      this.show(false);
    });
    this.curvePlace = html("div", { class: "curves" });
    const close = html("button", { type: "button", class: "close", click: () => this.close() }, say("close"));
    this.neighbours = ["previous_round", "next_round"].map((name, at) =>
      html("button", { type: "button", click: () => this.neighbour(2 * at - 1)?.click() }, say(name)));
    const games = html("div", { class: "controls" }, ...this.neighbours, close);
    document.addEventListener("rows", () => this.showNeighbours());
    this.note = html("div", { class: "note" });
    const left = html("div", { class: "play" }, this.boardPlace, controls, this.slider, this.sentence, this.choices, this.note);
    const right = html("div", { class: "beside" }, this.list, this.curvePlace);
    const help = html("p", { class: "faint" }, say("keys"), " ", say("rings"));
    this.section.append(this.heading, this.setting, games, html("div", { class: "columns" }, left, right), help);
    this.section.addEventListener("keydown", (event) => this.key(event));
    let begin = { x: 0, y: 0, scrolled: 0 };
    this.boardPlace.addEventListener("touchstart", (event) => {
      const { clientX, clientY } = event.changedTouches[0];
      // Two fingers change the size of the page.
      begin = { x: event.touches.length > 1 ? NaN : clientX, y: clientY, scrolled: window.scrollY };
    }, { passive: true });
    this.boardPlace.addEventListener("touchend", (event) => {
      const { clientX, clientY } = event.changedTouches[0];
      const way = clientX - begin.x;
      // A scroll that drifts sideways is no swipe.
      if (window.scrollY !== begin.scrolled || Math.abs(way) <= Math.abs(clientY - begin.y)) return;
      if (way < -40) this.next();
      if (way > 40) this.goTo(this.step - 1);
    }, { passive: true });
  }

  /** The keys of the board. A choice or the slider keeps its own. @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (["SELECT", "INPUT"].includes(target.tagName) || event.ctrlKey || event.metaKey || event.altKey) return;
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: () => this.goTo(this.step - 1),
      ArrowRight: () => this.next(),
      Home: () => this.goTo(0),
      End: () => this.goTo(this.last),
      p: () => this.togglePlaying(),
      t: () => this.turn(),
      Escape: () => (this.whatIf ? this.leaveWhatIf() : this.close()),
    };
    // A drawing is no button of the browser's.
    if (target.matches(".legal")) keys.Enter = keys[" "] = () => target.dispatchEvent(new Event("click"));
    // A letter is the same with Caps Lock.
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  /** The moves and positions that are shown: the round's, or from a step on the reader's. */
  get shown() {
    return this.whatIf ?? /** @type {Round} */ (this.round);
  }

  /** The last step: the end of the round, after its last move. */
  get last() {
    return this.whatIf ? this.shown.moves.length : this.shown.moves.length + 1;
  }

  /**
   * Shows a round at a step. Returns whether there is such a step.
   * @param {number} matchIndex @param {number} roundIndex @param {number} step
   * @param {boolean} isOpened  whether the reader came to it, and the focus with it
   * @param {boolean} isLink  whether by a link, which leads to the game as it was played
   */
  open(matchIndex, roundIndex, step, isOpened, isLink) {
    const match = this.data.matches[matchIndex];
    const isSame = this.round?.number === match[0] && this.round.round === roundIndex + 1;
    const round = (isSame && this.round) || unpacked(this.data, match, roundIndex);
    if (step > round.moves.length + 1) return false;
    this.stop();
    // Under what if the address is that of the step where it began.
    if (!isSame || isLink || this.whatIf?.from !== step) {
      this.whatIf = null;
      this.step = step;
    }
    if (!isSame) {
      this.round = round;
      this.below = 0;
      this.fillRound();
    }
    this.fillList();
    this.showNeighbours();
    this.section.hidden = false;
    this.show(isOpened);
    if (isOpened) {
      this.section.scrollIntoView();
      this.heading.focus({ preventScroll: true });
    }
    return true;
  }

  /** The parts that are the same at every step of a round. */
  fillRound() {
    const round = /** @type {Round} */ (this.round);
    const place = round.inTournament > 0 ? say("in_tournament", round.inTournament) : "";
    this.heading.textContent = say("heading", round.number, place, round.round, round.names[0], round.names[1]);
    this.setting.textContent = round.setting.words || "";
    /** @type {HTMLElement} */ (this.direction.parentElement).hidden = round.setting.rules.direction !== "either";
    this.curves = curvesOf(round, (step) => {
      // The curves are those of the game.
      if (this.whatIf && step > this.whatIf.from) this.leaveWhatIf();
      this.goTo(step);
    });
    const legend = html("p", { class: "legend" }, ...signAndName(round, 0), " ", ...signAndName(round, 1));
    /** @type {HTMLElement} */ (this.curvePlace).replaceChildren(legend, ...this.curves.map(({ element }) => element));
  }

  /** The list of the moves that are shown. */
  fillList() {
    const round = this.round;
    if (!round) return;
    const items = this.shown.moves.map((move, index) => {
      const marks = [];
      if (move.sown.captured > 0) marks.push(say("mark_capture", move.sown.captured));
      if (move.sown.extraTurn) marks.push(say("mark_extra"));
      if (move.substitute) marks.push(say("mark_substitute"));
      if (move.blunder) marks.push(say("mark_blunder", counted(move.loss || 0, "seed", "seeds")));
      const way = round.setting.rules.direction === "either" ? ` ${say(move.ply.direction)}` : "";
      const house = `${shownHouse(move.ply.house, this.numbering.value)}${way}`;
      const time = wasAsked(move) ? `${move.ms.toFixed(3)} ms` : "";
      const button = html(
        "button",
        { type: "button", class: move.substitute ? "substitute" : move.isWhatIf ? "what-if" : "", click: () => this.goTo(index + 1) },
        keyMark(move.mover),
        html("span", { class: "unseen" }, round.names[move.mover]),
        html("b", {}, house),
        html("span", { class: "marks" }, marks.join(" ")),
        html("span", { class: "time" }, time),
      );
      return html("li", {}, button);
    });
    if (!this.whatIf) {
      const kind = round.notes.fault ? "fault" : round.reason;
      const button = html("button", { type: "button", class: `end ${kind}`, click: () => this.goTo(this.last) }, say(`end_${kind}`));
      items.push(html("li", { class: "end" }, button));
    }
    this.list.replaceChildren(...items);
    this.slider.max = String(this.last);
  }

  /** Shows the current step. @param {boolean} isTold  whether the live region tells it */
  show(isTold) {
    const { round } = this;
    if (!round) return;
    const isEnd = this.step > this.shown.moves.length;
    const position = this.shown.positions[Math.min(this.step, this.shown.moves.length)];
    const move = this.step > 0 && !isEnd ? this.shown.moves[this.step - 1] : null;
    const board = isEnd ? round.final : position.board;
    const cells = move ? movedCells(move) : { from: null, to: null, captured: [] };
    this.draw(board, cells, isEnd ? null : position);
    const text = this.stepInWords(isEnd, position);
    this.sentence.textContent = text;
    this.sentence.className = `sentence ${isEnd && round.notes.fault ? "fault" : ""} ${move && move.substitute ? "substitute" : ""}`;
    this.showNote(isEnd, move);
    if (isTold) byId("live").textContent = text;
    this.slider.value = String(this.step);
    this.slider.setAttribute("aria-valuetext", text);
    this.back.hidden = this.whatIf === null;
    // The curves are those of the game: under what if their mark stays where that left it.
    for (const curve of this.curves) curve.moveTo(Math.min(this.step, this.whatIf?.from ?? this.step));
    this.showCurrent();
    setAddress(`#${this.address}`);
  }

  /** The address of the step that is shown, or of that where what if began. */
  get address() {
    const round = /** @type {Round} */ (this.round);
    const step = this.whatIf?.from ?? this.step;
    return `match-${round.number}-round-${round.round}${step > 0 ? `-move-${step}` : ""}`;
  }

  /** Marks the current step in the list of moves. */
  showCurrent() {
    const now = /** @type {HTMLElement|null|undefined} */ (this.list.children[this.step - 1]?.firstElementChild);
    const before = this.list.querySelector("[aria-current]");
    if (now === before) return;
    before?.removeAttribute("aria-current");
    if (!now) return;
    now.setAttribute("aria-current", "step");
    // Where it is follows from the layout, which is made once before the next frame.
    requestAnimationFrame(() => { this.list.scrollTop = now.offsetTop - this.list.clientHeight / 2; });
  }

  /** The step in a sentence, with what comes next. @param {boolean} isEnd @param {Position} position */
  stepInWords(isEnd, position) {
    const round = /** @type {Round} */ (this.round);
    if (isEnd) return endInWords(round, round.score, round.reason, round.notes.fault);
    const told = this.step === 0
      ? say("opening_words", round.names[position.mover])
      : moveInWords(round, this.shown.moves[this.step - 1], this.step, this.numbering.value);
    if (!this.whatIf || this.step < this.shown.moves.length) return told;
    const how = ending(round.setting, position, this.step);
    if (how === null) return `${told} ${say("to_move", round.names[position.mover])}`;
    const final = swept(position.board);
    return `${told} ${say("what_if_end", endInWords(round, [final[STORE], final[OTHER_STORE]], how))}`;
  }

  /** What a bot said or did wrong at this step. @param {boolean} isEnd @param {Move|null} move */
  showNote(isEnd, move) {
    const round = /** @type {Round} */ (this.round);
    const parts = [];
    if (isEnd && round.notes.fault && round.notes.fault.stderr) {
      parts.push(html("p", {}, say("stderr")), html("pre", { tabindex: 0 }, round.notes.fault.stderr));
    }
    if (isEnd && round.notes.replayed) parts.push(html("p", {}, say("replayed", round.notes.replayed)));
    if (move && move.info) parts.push(html("p", {}, say("said"), " ", html("code", {}, move.info)));
    const next = this.whatIf && this.step > this.whatIf.from ? null : round.moves[this.step];
    if (next && next.value !== null) {
      parts.push(html("p", {}, say("value_is", round.names[next.mover], counted(next.value, "seed", "seeds"))));
    }
    /** @type {HTMLElement} */ (this.note).replaceChildren(...parts);
  }

  /**
   * Draws a board, with the legal houses of a position.
   * @param {number[]} board @param {{from: number|null, to: number|null, captured: number[]}} cells
   * @param {Position|null} position @param {0|1|null} sower  who sows just now
   */
  draw(board, cells, position, sower = null) {
    const round = /** @type {Round} */ (this.round);
    const isOn = position !== null && ending(round.setting, position, this.step) === null;
    const own = position && isOn ? ownBoard(position) : [];
    const legal = [0, 1, 2, 3, 4, 5].filter((house) => own[house] > 0);
    const mover = position && isOn ? position.mover : sower;
    // While seeds are sown no house can have the focus: it waits on the heading.
    const active = document.activeElement;
    const focused = active === this.heading ? this.waitingCell : active && active.getAttribute("data-cell");
    const { below, numbering: { value: numbering } } = this;
    const choose = (/** @type {number} */ house) => this.playInstead(house);
    const drawing = drawBoard({ board, below, numbering, ...cells, legal, names: round.names, mover, choose });
    const above = /** @type {0|1} */ (1 - this.below);
    const [top, bottom] = [above, this.below].map((side) => {
      const turn = side === mover ? [" ", html("strong", { class: "turn" }, say("turn_mark"))] : [];
      return html("p", { class: side === above ? "seat" : "seat below" }, ...signAndName(round, side), ...turn);
    });
    this.boardPlace.replaceChildren(top, drawing, bottom);
    const isMoving = sower !== null || this.isPlaying;
    this.waitingCell = isMoving ? focused : null;
    if (!focused) return;
    const again = drawing.querySelector(`[data-cell="${focused}"][tabindex]`) || drawing.querySelector("[tabindex]");
    const next = again instanceof SVGElement && !isMoving ? again : this.heading;
    next.focus({ preventScroll: true });
  }

  /** Goes to a step at once. @param {number} step @param {boolean} isTold */
  goTo(step, isTold = true) {
    this.stop();
    this.step = Math.min(Math.max(0, step), this.last);
    this.show(isTold);
  }

  /** Goes to the next step, the move sown seed by seed. */
  next() {
    const wasMoving = this.timer !== 0;
    this.clearTimer();
    if (this.step >= this.last) return this.pause();
    const isMove = ++this.step <= this.shown.moves.length;
    if (!isMove || wasMoving || prefersStill()) {
      this.show(true);
      this.goOn(isMove ? 5 * SPEEDS[this.speed.value] : 0);
      return;
    }
    setAddress(`#${this.address}`);
    this.animate(this.shown.moves[this.step - 1], this.shown.positions[this.step - 1]);
  }

  /** Sows a move seed by seed, then shows its step. @param {Move} move @param {Position} before */
  animate(move, before) {
    const board = ownBoard(before).slice();
    /** @param {number[]} own */
    const shown = (own) => (move.mover === 0 ? own : flipped(own));
    const pause = SPEEDS[this.speed.value];
    const from = turned(move.ply.house, move.mover);
    board[move.ply.house] = 0;
    /** @param {number|null} to  the cell of the last seed @param {number} seeds  how many are sown */
    const drawSown = (to, seeds) => {
      this.draw(shown(board), { from, to, captured: [] }, null, move.mover);
      this.timer = window.setTimeout(() => {
        if (seeds < move.sown.path.length) {
          const cell = move.sown.path[seeds];
          board[cell] += 1;
          return drawSown(turned(cell, move.mover), seeds + 1);
        }
        this.timer = 0;
        this.show(true);
        this.goOn(4 * pause);
      }, pause);
    };
    drawSown(null, 0);
  }

  /** While it plays, the next step after a pause. @param {number} pause */
  goOn(pause) {
    if (!this.isPlaying) return;
    if (this.step >= this.last) return this.pause();
    this.timer = window.setTimeout(() => {
      this.timer = 0;
      this.next();
    }, pause);
  }

  pause() {
    this.stop();
    // A move that is cut short was not told yet.
    this.show(Number(this.slider.value) !== this.step);
  }

  togglePlaying() {
    if (this.isPlaying) return this.pause();
    if (this.step >= this.last) this.step = 0;
    this.isPlaying = true;
    this.playButton.textContent = say("pause");
    this.next();
  }

  stop() {
    this.clearTimer();
    this.isPlaying = false;
    this.playButton.textContent = say("play");
  }

  clearTimer() {
    window.clearTimeout(this.timer);
    this.timer = 0;
  }

  /** Turns the board: who sat above sits below. */
  turn() {
    this.below = /** @type {0|1} */ (1 - this.below);
    this.pause();
  }

  /** Plays another house at the current step, by the rules of the match. @param {number} house */
  playInstead(house) {
    const round = /** @type {Round} */ (this.round);
    const position = this.shown.positions[this.step];
    this.stop();
    const rules = round.setting.rules;
    const direction = rules.direction === "either" ? /** @type {Direction} */ (this.direction.value) : directions(rules)[0];
    /** @type {Ply} */
    const ply = { house, direction };
    const after = play(round.setting, position, ply, this.step + 1);
    /** @type {Move} */
    const move = {
      ply, mover: position.mover, ms: 0, substitute: "", detail: "", value: null,
      loss: null, blunder: false, info: "", limit: null, sown: after.sown, isWhatIf: true,
    };
    this.whatIf = {
      from: Math.min(this.step, this.whatIf?.from ?? this.step),
      moves: [...this.shown.moves.slice(0, this.step), move],
      positions: [...this.shown.positions.slice(0, this.step + 1), after.position],
    };
    this.fillList();
    this.step += 1;
    if (prefersStill()) this.show(true);
    else this.animate(move, position);
  }

  /** Comes back to the game as it was played, where the reader left it. */
  leaveWhatIf() {
    if (!this.whatIf) return;
    const { from } = this.whatIf;
    this.whatIf = null;
    this.fillList();
    this.goTo(from);
    this.heading.focus({ preventScroll: true });
  }

  /** The link to another of the rounds whose rows are shown, in the order of the rows. @param {number} by */
  neighbour(by) {
    const rows = [...document.querySelectorAll("table.games tbody tr:not([hidden])")];
    const at = rows.findIndex((row) => row.id === this.rowId);
    return rows[at < 0 ? 0 : at + by]?.querySelector("a");
  }

  /** Leads to the previous and the next game only where there is one. */
  showNeighbours() {
    if (this.round) this.neighbours?.forEach((button, at) => { button.disabled = !this.neighbour(2 * at - 1); });
  }

  /** The row of the round in the list of games. */
  get rowId() {
    return `at-match-${this.round?.number}-round-${this.round?.round}`;
  }

  /** Hides the board, and scrolls nowhere. The focus goes to its row, or to the list if a filter hides that. */
  hide() {
    const { scrollX, scrollY } = window;
    this.stop();
    this.whatIf = null;
    this.section.hidden = true;
    const link = document.querySelector(`#${this.rowId}:not([hidden]) a`) || byId("games-heading");
    /** @type {HTMLElement} */ (link).focus({ preventScroll: true });
    window.scrollTo(scrollX, scrollY);
  }

  close() {
    this.hide();
    document.activeElement?.scrollIntoView({ block: "nearest" });
    setAddress("#games");
    writeAddress();
  }
}

/** How long after a step the address follows, in milliseconds: browsers ignore more than 200 changes in 10 s. */
const ADDRESS_MS = 250;

/** The address that waits for the reader to rest; empty for none. */
let nextAddress = "";
let addressTimer = 0;

/** Puts what is shown into the address soon, so that it can be sent to somebody. @param {string} address */
function setAddress(address) {
  nextAddress = address;
  window.clearTimeout(addressTimer);
  addressTimer = window.setTimeout(writeAddress, ADDRESS_MS);
}

/** Changes the address now, if it is to change. The history keeps beside it whether the board is open. */
function writeAddress() {
  try {
    history.replaceState(!byId("board").hidden, "", nextAddress || null);
  } catch {
    // Some browsers do not let a file change its own address.
  }
  nextAddress = "";
}

/** The cells that a move touched, in the first mover's view. @param {Move} move */
function movedCells(move) {
  const { path, from } = move.sown;
  const at = (/** @type {number} */ cell) => turned(cell, move.mover);
  return { from: at(move.ply.house), to: path.length > 0 ? at(path[path.length - 1]) : null, captured: from.map(at) };
}

const prefersStill = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

// ---------- The list of games: filters and sorting.

/** Columns of the list of games whose texts mean something to the script. */
const COLUMN = { opening: 10, givenAway: 11, blunders: 12 };

/** A row of the list, with what filters ask for. */
class GameRow {
  /** @param {PageData} data @param {PackedMatch} match @param {number} index @param {HTMLElement} row */
  constructor(data, match, index, row) {
    const [first, reason, score, , , notes] = match[6][index];
    const { fault, substituted = [] } = notes === 0 ? /** @type {Notes} */ ({}) : notes;
    this.row = row;
    const seats = first === 0 ? [0, 1] : [1, 0];
    this.names = seats.map((seat) => data.bots[[match[3], match[4]][seat]][0]);
    this.score = seats.map((seat) => score[seat]);
    /** The kinds of faults of who moved first, and of the other. */
    this.kinds = [new Set(), new Set()];
    if (fault) this.kinds[seats.indexOf(fault.bot)].add(fault.kind);
    // Whose move it was follows from the rules.
    const { moves } = substituted.length > 0 ? unpacked(data, match, index) : { moves: [] };
    for (const [move, kind] of substituted) this.kinds[moves[move].mover].add(kind);
    this.reason = fault ? "forfeit" : reason;
    const texts = [...row.children].map((cell) => (cell.textContent || "").trim());
    this.opening = texts[COLUMN.opening];
    this.blunders = Number(texts[COLUMN.blunders] || 0);
  }

  /**
   * Whether the row is what the filters ask for: one of its two bots is what is asked of the bot, its
   * opponent, the result and the fault.
   * @param {Record<string, string>} asked
   */
  matches(asked) {
    const isAsked = (/** @type {string} */ name, /** @type {string} */ is) => ["", is].includes(asked[name]);
    return isAsked("ending", this.reason) && isAsked("opening", this.opening)
      && (asked.blunders === "" || this.blunders > 0)
      && [0, 1].some((side) =>
        isAsked("bot", this.names[side]) && isAsked("opponent", this.names[1 - side])
          && isAsked("result", ["lost", "drawn", "won"][1 + Math.sign(this.score[side] - this.score[1 - side])])
          && (asked.fault === "" || this.kinds[side].has(asked.fault)));
  }
}

/** The filters above the list of games. */
class Filters {
  /** @param {PageData} data @param {HTMLElement} form */
  constructor(data, form) {
    this.rows = data.matches.flatMap((match) =>
      match[6].flatMap((_, index) => {
        const row = document.getElementById(`at-match-${match[0]}-round-${index + 1}`);
        return row ? [new GameRow(data, match, index, row)] : [];
      }),
    );
    /** @type {Map<string, HTMLSelectElement>} */
    this.selects = new Map();
    /** @param {Iterable<string>} values */
    const sorted = (values) => [...new Set(values)].filter((value) => value !== "").sort((a, b) => a.localeCompare(b, undefined, { numeric: true }));
    const names = sorted(this.rows.flatMap((row) => row.names));
    const plain = (/** @type {string} */ text) => text.replace(/_/g, " ");
    this.add(form, "bot", names);
    this.add(form, "opponent", names);
    this.add(form, "result", ["won", "drawn", "lost"], (value) => say(value));
    this.add(form, "ending", sorted(this.rows.map((row) => row.reason)), plain);
    this.add(form, "fault", sorted(this.rows.flatMap((row) => row.kinds.flatMap((kinds) => [...kinds]))), plain);
    this.add(form, "opening", sorted(this.rows.map((row) => row.opening)));
    this.add(form, "blunders", this.rows.some((row) => row.blunders > 0) ? ["some"] : [], (value) => say(value));
    /** What was asked for before a link to a pair asked for that. @type {Record<string, string>|null} */
    this.before = null;
    this.count = html("p", { class: "count" });
    const all = html("button", { type: "button", click: () => this.set({}) }, say("all_games"));
    const help = say(this.selects.get("fault")?.isConnected ? "filters_of" : "filters_of_result");
    form.append(all, this.count, html("p", { class: "faint" }, help));
    form.addEventListener("submit", (event) => event.preventDefault());
    form.hidden = false;
    this.set({}, false);
  }

  /**
   * A choice; one without a choice is left out.
   * @param {HTMLElement} form @param {string} name @param {string[]} values
   * @param {(value: string) => string} [shown]
   */
  add(form, name, values, shown = (value) => value) {
    const options = values.map((value) => html("option", { value }, shown(value)));
    // By its id it has the focus again after a reload, whatever choices are new before it.
    const attributes = { id: `filter-${name}`, change: () => this.set(this.asked) };
    const select = html("select", attributes, html("option", { value: "" }, say("any")), ...options);
    this.selects.set(name, select);
    if (values.length > 0) form.append(html("label", {}, say(`filter_${name}`), " ", select));
  }

  /** What is asked for, by the names of the choices. */
  get asked() {
    return Object.fromEntries([...this.selects].map(([name, select]) => [name, select.value]));
  }

  /** Asks for this alone, and hides the other rows. @param {Record<string, string>} asked @param {boolean} isTold @param {Filters["before"]} before */
  set(asked, isTold = true, before = null) {
    this.before = before;
    for (const [name, select] of this.selects) {
      select.value = asked[name] || "";
      // After a reload a choice may be gone.
      if (select.selectedIndex < 0) select.value = "";
    }
    const found = this.asked;
    for (const row of this.rows) row.row.hidden = !row.matches(found);
    const shown = this.rows.filter(({ row }) => !row.hidden).length;
    const text = say("games_shown", shown, this.rows.length);
    this.count.textContent = text;
    if (isTold) {
      byId("live").textContent = text;
      byId("missing").hidden = true;
    }
    document.dispatchEvent(new Event("rows"));
  }
}

/**
 * The number of a cell to sort by: of `a:b` how far the first is ahead, or the sum where `isSum`, of
 * `a/b` the share; null if there is none.
 * @param {string} text @param {boolean} isSum
 */
function sortNumber(text, isSum) {
  const pair = /^(-?\d+):(-?\d+)$/.exec(text);
  if (pair) return Number(pair[1]) + (isSum ? 1 : -1) * Number(pair[2]);
  const share = /^(\d+(?:\.\d+)?)\/(\d+)$/.exec(text);
  if (share) return Number(share[2]) === 0 ? null : Number(share[1]) / Number(share[2]);
  const number = /^[+-]?\d+(\.\d+)?/.exec(text);
  return number && Number(number[0]);
}

/** The heads by which rows were sorted, the last one last: rows that are equal keep their order. @type {Map<Element, string|null>} */
const sorts = new Map();

/**
 * Makes the heads of a table buttons that sort its rows: numbers first from the highest, texts from
 * A to Z. Cells without anything stay last.
 * @param {HTMLTableElement} table
 */
function makeSortable(table) {
  const body = table.tBodies[0];
  const heads = /** @type {NodeListOf<HTMLElement>} */ (table.querySelectorAll("thead th"));
  heads.forEach((head, column) => {
    const isSum = table.matches(".games") && column === COLUMN.givenAway;
    const isNumber = head.matches(".n");
    const button = html("button", { type: "button", class: "sort" }, (head.textContent || "").trim());
    button.addEventListener("click", () => {
      const isDown = head.ariaSort === null ? isNumber : head.ariaSort === "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", isDown ? "descending" : "ascending");
      sorts.delete(head);
      sorts.set(head, head.ariaSort);
      const sign = isDown ? -1 : 1;
      const rows = [...body.rows].map((row) => {
        const text = (row.children[column].textContent || "").trim();
        return { row, text, value: isNumber ? sortNumber(text, isSum) : text || null };
      });
      rows.sort((a, b) => {
        if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null);
        if (isNumber) return sign * (Number(a.value) - Number(b.value));
        return sign * a.text.localeCompare(b.text, undefined, { numeric: true });
      });
      body.append(...rows.map(({ row }) => row));
      document.dispatchEvent(new Event("rows"));
    });
    head.replaceChildren(button);
  });
}

// ---------- The page.

/** How long a choice that has the focus is left alone after a click or a key, in milliseconds. */
const CHOICE_MS = 10000;

/**
 * Reloads the page of a running tournament, and keeps the reader's place.
 * @param {number} seconds @param {Filters|null} filters @param {Player} player
 */
function reloadNowAndThen(seconds, filters, player) {
  let lastInput = 0;
  for (const name of ["pointerdown", "keydown"]) {
    document.addEventListener(name, () => { lastInput = Date.now(); }, { capture: true, passive: true });
  }
  // Some browsers do not tell whether a list is open.
  const isChoosing = () =>
    (CSS.supports("selector(select:open)") && document.querySelector("select:open") !== null)
    || (document.activeElement?.tagName === "SELECT" && Date.now() - lastInput < CHOICE_MS);
  let isPaused = keepText("paused", "") === "yes";
  const pause = html("button", { type: "button", id: "pause", click: () => showPause(!isPaused) });
  const showPause = (/** @type {boolean} */ is) => {
    isPaused = is;
    keepText("paused", is ? "yes" : "");
    pause.textContent = say(is ? "reload_again" : "pause_reloading");
  };
  const reload = () => {
    if (isPaused || player.isBusy || isChoosing()) return void window.setTimeout(reload, 2000);
    writeAddress();
    keepText("place", JSON.stringify(readersPlace(filters, player)));
    history.scrollRestoration = "manual";
    location.reload();
  };
  if (seconds === 0) return;
  showPause(isPaused);
  document.getElementById("state")?.append(" ", pause);
  window.setTimeout(reload, seconds * 1000);
}

/** Keeps a text over a reload. Returns what was kept before. @param {string} name @param {string} text */
function keepText(name, text) {
  try {
    const kept = sessionStorage.getItem(`mancala-report-${name}`);
    sessionStorage.setItem(`mancala-report-${name}`, text);
    return kept || "";
  } catch {
    // Without storage the page begins anew.
    return "";
  }
}

/** An element and all that is in it. @param {Element} element */
const withAllInside = (element) => [element, ...element.querySelectorAll("*")];

/** Where an element begins, in pixels from the top of the window. @param {Element} [element] */
const topOf = (element) => element?.getBoundingClientRect().top ?? 0;

/** The first part with a name that begins within the window; without one the last that begins above it. */
function partInSight() {
  const parts = [...document.querySelectorAll("main [id]")].filter((part) => part.checkVisibility());
  const isInSight = (/** @type {Element} */ part) => topOf(part) >= 0 && topOf(part) < window.innerHeight;
  return parts.find(isInSight) ?? parts.reverse().find((part) => topOf(part) < 0);
}

/** Parts of the page that may scroll by themselves. */
const SCROLLS = ".scroll, .moves";

/** All that a reload would take from the reader. @param {Filters|null} filters @param {Player} player */
function readersPlace(filters, player) {
  const active = document.activeElement;
  // A place in an element with a name: what stands before that may be more after the reload.
  const around = active && active.closest("[id]");
  const top = window.scrollY > 0 ? partInSight() : undefined;
  return {
    x: window.scrollX,
    y: window.scrollY,
    top: { id: top?.id || "", y: topOf(top) },
    asked: filters ? filters.asked : {},
    before: filters ? filters.before : null,
    shown: player.section.hidden ? "" : player.address,
    open: [...document.querySelectorAll("details[open] > summary")].map((summary) => summary.textContent),
    below: player.below,
    choices: player.selects.map((select) => select.value),
    // By their place in a part with a name: other parts may have more of them after the reload.
    scrolled: [...document.querySelectorAll(SCROLLS)].map((place) => {
      const part = place.closest("[id]") || document.body;
      return { id: part.id, at: [...part.querySelectorAll(SCROLLS)].indexOf(place), x: place.scrollLeft, y: place.scrollTop };
    }),
    sorted: [...sorts].map(([head, order]) => [head.closest("[id]")?.id || "", head.textContent, order]),
    focus: around && active ? { id: around.id, at: withAllInside(around).indexOf(active) } : { id: "", at: 0 },
  };
}

/**
 * Brings the reader back to where the page was before it reloaded itself.
 * @param {ReturnType<typeof readersPlace>} place @param {Filters|null} filters @param {Player} player
 */
function restorePlace(place, filters, player) {
  // The browser would scroll to where it was, in pixels.
  window.addEventListener("load", () => window.setTimeout(() => { history.scrollRestoration = "auto"; }));
  if (filters) filters.set(place.asked, false, place.before);
  document.querySelectorAll("summary").forEach(({ parentElement, textContent }) =>
    parentElement?.toggleAttribute("open", place.open.includes(textContent)));
  for (const [id, title, order] of place.sorted) {
    const head = [...document.querySelectorAll(`#${id} th`)].find((one) => one.textContent === title);
    for (let clicks = 0; head && head.ariaSort !== order && clicks < 2; clicks += 1) head.querySelector("button")?.click();
  }
  player.below = place.below;
  player.selects.forEach((select, index) => {
    select.value = place.choices[index];
    select.dispatchEvent(new Event("change"));
  });
  // The address is still that of what the reader went to.
  nextAddress = "";
  const around = document.getElementById(place.focus.id);
  const focused = around ? withAllInside(around)[place.focus.at] : null;
  if (focused) /** @type {HTMLElement} */ (focused).focus({ preventScroll: true });
  // The list of moves has then come to the current one.
  requestAnimationFrame(() => {
    for (const { id, at, x, y } of place.scrolled) {
      const part = document.getElementById(id);
      (at < 0 ? part : part?.querySelectorAll(SCROLLS)[at])?.scrollTo(x, y);
    }
    const top = document.getElementById(place.top.id);
    window.scrollTo(place.x, top ? window.scrollY + topOf(top) - place.top.y : place.y);
  });
}

/** Makes what scrolls by itself a region that the keyboard reaches, named by its caption or the headings above it. @param {Element} place */
function markScrolling(place) {
  const scrolls = place.scrollWidth > place.clientWidth || place.scrollHeight > place.clientHeight;
  const above = ["article", ".fault", "figure"].map((part) => place.closest(part)?.querySelector("h3, h4, strong"));
  const caption = place.querySelector("caption")?.textContent?.split(". ")[0];
  const label = caption ?? above.flatMap((title) => title?.textContent ?? []).join(", ");
  for (const [name, value] of [["tabindex", "0"], ["role", "region"], ["aria-label", label]]) {
    if (scrolls) place.setAttribute(name, value);
    else place.removeAttribute(name);
  }
}

/** The text that an address encodes. @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Starts the page. */
function start() {
  const data = /** @type {PageData} */ (JSON.parse(byId("data").textContent || "{}"));
  words = data.words;
  document.querySelectorAll('[id^="match-"], [id^="pair-"]').forEach((element) => {
    // The browser would scroll to what an address leads to without this script.
    element.id = `at-${element.id}`;
  });
  const form = document.getElementById("filters");
  const player = new Player(data, byId("board"));
  const filters = form ? new Filters(data, form) : null;
  /** @type {NodeListOf<HTMLTableElement>} */ (document.querySelectorAll("table.sortable, table.games")).forEach(makeSortable);
  // The browser calls this after it has laid out the page. To ask for a size before that would lay it out twice.
  const sizes = new ResizeObserver((changes) => changes.forEach(({ target }) => markScrolling(target)));
  document.querySelectorAll(".scroll").forEach((place) => sizes.observe(place));
  const places = new Map(data.matches.map((match, index) => [match[0], index]));
  const names = new Map(data.bots.map(([name, address]) => [decoded(address), name]));
  const missing = byId("missing");
  // The entries of the history have a state but for the one to which a link leads.
  /** @param {string} address @param {boolean} isOpened  whether the reader came to it, and is told */
  const follow = (address, isOpened, isLink = history.state === null) => {
    missing.textContent = "";
    const move = /^match-(\d+)(?:-round-(\d+))?(?:-move-(\d+))?$/.exec(address);
    if (move) {
      const [number, round, step] = [move[1], move[2] || 1, move[3] || 0].map(Number);
      const index = places.get(number);
      if (index === undefined) missing.textContent = say("not_kept", move[1]);
      else if (!data.matches[index][6][round - 1]) missing.textContent = say("no_round", number, move[2]);
      else if (!player.open(index, round - 1, step, isOpened, isLink)) missing.textContent = say("no_move", number, round, move[3]);
    } else if (isOpened) {
      // Back where the reader was without a board, there is none. Otherwise it stays, and does not take
      // the address away from where the reader goes.
      if (history.state === false && !player.section.hidden) player.hide();
      else player.pause();
      nextAddress = "";
      writeAddress();
    }
    const pair = /^pair-([^~]+)~([^~]+)$/.exec(address);
    if (pair) {
      const [bot, opponent] = [pair[1], pair[2]].map((part) => names.get(decoded(part)) ?? visible(decoded(part)));
      const isThere = filters?.rows.some(({ names: [one, two] }) =>
        (one === bot && two === opponent) || (one === opponent && two === bot));
      filters?.set(isThere ? { bot, opponent } : {}, isOpened, filters.before ?? filters.asked);
      if (!isThere) missing.textContent = say("pair_not_kept", bot, opponent);
    } else if (!move && filters?.before) filters.set(filters.before, isOpened);
    const bot = /^bot-(.+)$/.exec(address);
    if (bot && !names.has(decoded(bot[1]))) missing.textContent = say("no_bot", visible(decoded(bot[1])));
    const isKnown = address === "" || move || pair || bot || document.getElementById(address);
    if (!isKnown) missing.textContent = say("nowhere", visible(decoded(address)));
    missing.hidden = missing.textContent === "";
    if (!isOpened) return;
    if (!missing.hidden) byId("live").textContent = missing.textContent;
    if (pair || !missing.hidden) {
      byId("games").scrollIntoView();
      byId("games-heading").focus({ preventScroll: true });
    }
  };
  window.addEventListener("pagehide", writeAddress);
  // What waits to be written is of where the reader was; hashchange would come too late.
  window.addEventListener("popstate", () => setAddress(""));
  window.addEventListener("hashchange", () => follow(location.hash.slice(1), true));
  // A link to the game or pair that is in the address already is followed, too. All others lead to
  // elements, to which the browser scrolls again.
  document.addEventListener("click", (event) => {
    const link = /** @type {Element} */ (event.target).closest("a");
    if (link) writeAddress();
    if (link && link.hash === location.hash && /^#(match|pair)-/.test(link.hash)) {
      event.preventDefault();
      follow(link.hash.slice(1), true, true);
    }
  });
  const place = JSON.parse(keepText("place", "") || "null");
  // The reader may have gone elsewhere from an open board.
  if (place) follow(place.shown, false);
  follow(location.hash.slice(1), !place);
  if (place) restorePlace(place, filters, player);
  reloadNowAndThen(data.reload, filters, player);
  // Sections have then been laid out once, and keep their heights when nothing is drawn of them.
  requestAnimationFrame(() => requestAnimationFrame(() => byId("board").classList.add("settled")));
}

if (typeof document !== "undefined") start();
