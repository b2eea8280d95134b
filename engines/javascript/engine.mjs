#!/usr/bin/env node
// A sample engine for the Patchwork engine protocol, version 1: one file, Node 20, no dependencies.
//
//   node engine.mjs                 speak the protocol on standard input and output
//   node engine.mjs --fault NAME    the same with one deliberate fault
//   node engine.mjs --list-faults   the names of the faults, with a line on each
//
// A quilt is three 27-bit integers (three rows of nine cells each), so "does this placement fit" is three ANDs.
// Every deviation of a fault is on a line marked "fault:".

const VERSION = '1.0.0';
const SIDE = 9, CELLS = SIDE * SIDE, BAND = 27, LINE_LIMIT = 1 << 20, ALL_BUTTONS = 162;

const FAULTS = {
  'income-pays-once': 'two income marks crossed in one move pay once',
  'no-final-income': 'no income on arriving at the last space',
  'unclamped-advance': 'an advance that stops on the last space is paid as if it went on',
  'no-flips': 'patches are turned, never mirrored',
  'tile-any-49': 'the special tile goes to any 49 filled cells (side x side)',
  'tile-even-offsets': 'only squares that start on an even row and column are looked at',
  'special-auto-placed': 'an earned special patch is put on the first empty cell by the engine',
  'full-quilt-stuck': 'a special patch earned with a full quilt is pending for ever',
  'token-stays': 'a purchase does not move the neutral token: skipped patches stay in front',
  'tie-to-second': 'equal scores: the player who did not begin wins',
  'duplicate-actions': 'equal orientations of a patch are listed and counted again',
  'last-patch-locked': 'the last patch of the circle is never on offer',
  'reject-pays': 'a purchase refused for its cells is paid all the same',
  'state-shared': 'all open games share the special patches of one time board',
  'legal-cached': 'legal actions are remembered by circle and number of filled cells, for all games together',
};
let FAULT = null; // set from the command line only

// The readings that change something here, the default first. Names not listed are ignored.
const READINGS = {
  'neutral-token-start': ['clockwise', 'counter-clockwise'], 'two-one-patch': ['smallest', 'six-cells'],
  'purchase-order': ['place-then-move', 'move-then-place'], 'marker-trigger': ['onto-or-past', 'strictly-past'],
  'shared-space': ['top-moves', 'bottom-moves'], 'advance-near-end': ['clamped', 'not-clamped'],
  'final-income': ['paid', 'not-paid'], 'special-tile': ['first-player', 'absent', 'each-player'],
  'tile-value': ['points-at-end', 'buttons-at-once'], 'tile-check': ['each-placement', 'purchases-only', 'end-of-turn'],
  'tie': ['first-to-finish', 'draw', 'last-to-finish'], 'supply': ['endless', 'finite'],
  'unplaceable-patch': ['illegal', 'discarded'], 'full-quilt-special': ['lost', 'stays'],
  'turning': ['turns-and-flips', 'turns-only'], 'negative-score': ['allowed', 'floored'],
  'special-patch-timing': ['at-once', 'kept'], 'short-offer': ['all-remaining', 'none'],
};

// ---------------------------------------------------------------- placements
const byNumber = (a, b) => a - b;
const tables = new Map(); // shape and turning -> its placements; never changed once made, so games may share them

/** All placements of a shape: flat masks (three integers each), ascending cells, and the way back from cells. */
function placementsOf(shape, flips) {
  const key = JSON.stringify([shape, flips]);
  if (tables.has(key)) return tables.get(key);
  let points = [];
  shape.forEach((row, r) => [...row].forEach((mark, c) => mark === '#' && points.push([r, c])));
  const orientations = new Map();
  for (let turn = 0; turn < (flips ? 8 : 4); turn++) {
    points = points.map(turn === 4 ? ([r, c]) => [r, -c] : ([r, c]) => [c, -r]);
    const top = Math.min(...points.map((p) => p[0])), left = Math.min(...points.map((p) => p[1]));
    const cells = points.map(([r, c]) => [r - top, c - left]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    const name = FAULT === 'duplicate-actions' ? turn : cells.join(); // fault: every turn counts as new
    if (!orientations.has(name)) orientations.set(name, cells);
  }
  const cells = [];
  for (const form of orientations.values()) {
    const height = 1 + Math.max(...form.map((p) => p[0])), width = 1 + Math.max(...form.map((p) => p[1]));
    for (let row = 0; row + height <= SIDE; row++)
      for (let column = 0; column + width <= SIDE; column++)
        cells.push(form.map(([r, c]) => (row + r) * SIDE + column + c));
  }
  const masks = new Int32Array(3 * cells.length);
  cells.forEach((list, i) => { for (const cell of list) masks[3 * i + Math.trunc(cell / BAND)] |= 1 << (cell % BAND); });
  const table = { masks, cells, index: new Map(cells.map((list, i) => [list.join(), i])) };
  tables.set(key, table);
  return table;
}

// ---------------------------------------------------------------- set-up
class Skip extends Error {} // answered with `skipped`

function readSetup(setup) {
  const need = (condition, message) => { if (!condition) throw new Error(`bad setup: ${message}`); };
  const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
  const integer = (value, name, least = 0) => { need(Number.isSafeInteger(value) && value >= least, name); return value; };
  const spaces = (value, name) => { need(Array.isArray(value), name); return value.map((v) => integer(v, name)); };
  need(isObject(setup), 'setup is missing');
  const reading = {};
  for (const [name, choices] of Object.entries(READINGS)) {
    const value = setup.readings?.[name] ?? choices[0];
    if (!choices.includes(value)) throw new Skip(`reading not known: ${name}=${value}`);
    reading[name] = value;
  }
  for (const name of ['patches', 'time_board', 'special_tile']) need(isObject(setup[name]), name);
  const flips = reading.turning === 'turns-and-flips' && FAULT !== 'no-flips'; // fault: no-flips never mirrors
  const patches = new Map();
  for (const [id, patch] of Object.entries(setup.patches)) {
    const shape = patch?.shape;
    need(Array.isArray(shape) && shape.every((row) => typeof row === 'string' && /^[#.]*$/.test(row)), `shape of ${id}`);
    need(shape.join('').includes('#'), `cells of ${id}`);
    const [cost, time, income] = ['cost', 'time', 'income'].map((name) => integer(patch[name], `${name} of ${id}`));
    const size = shape.join('').replaceAll('.', '').length;
    patches.set(id, { id, cost, time, income, size, table: placementsOf(shape, flips) });
  }
  const circle = setup.circle;
  need(Array.isArray(circle) && circle.every((id) => patches.has(id)) && new Set(circle).size === circle.length, 'circle');
  const token = setup.neutral_token ?? findToken(circle, patches, reading);
  need(Number.isInteger(token) && token >= 0 && token < Math.max(1, circle.length), 'neutral_token');
  need(setup.first_player === 0 || setup.first_player === 1, 'first_player');
  return {
    patches, reading,
    circle: [...circle.slice(token), ...circle.slice(0, token)], // from the token, clockwise
    first: setup.first_player, buttons: integer(setup.start_buttons, 'start_buttons'),
    last: integer(setup.time_board.last, 'last', 1),
    income: spaces(setup.time_board.income, 'income'), special: spaces(setup.time_board.special, 'special'),
    side: integer(setup.special_tile.side, 'side', 1), points: integer(setup.special_tile.points, 'points'),
    penalty: integer(setup.blank_penalty, 'blank_penalty'), offer: integer(setup.on_offer, 'on_offer'),
    kept: reading['special-patch-timing'] === 'kept',
    strictly: reading['marker-trigger'] === 'strictly-past',
    discards: reading['unplaceable-patch'] === 'discarded',
  };
}

/** The place of the token: beside the 2-1 patch, by id, else (other names) by its numbers and its size. */
function findToken(circle, patches, reading) {
  const smallest = reading['two-one-patch'] === 'smallest';
  let at = circle.indexOf(smallest ? 'A' : 'R');
  if (at < 0) at = circle.findIndex((id) => patches.get(id).cost === 2 && patches.get(id).time === 1 && patches.get(id).size === (smallest ? 2 : 6));
  if (at < 0) throw new Skip('no 2-1 patch in the circle to find the neutral token by');
  return reading['neutral-token-start'] === 'clockwise' ? (at + 1) % circle.length : at;
}

// ---------------------------------------------------------------- the game
// A move is an action made small: {type, patch, at}. `at` is the number of the placement in the patch's table
// (-1: bought and discarded), or the cell of a special patch.

class Game {
  constructor(rules) {
    const player = () => ({ buttons: rules.buttons, space: 0, income: 0, quilt: [0, 0, 0], filled: 0, tile: false, held: 0 });
    this.rules = rules;
    this.players = [player(), player()];
    this.circle = rules.circle;
    this.specials = rules.special;
    this.turn = rules.first; // null when the game is over
    this.finisher = null; // who reached the last space first
    this.supply = rules.reading.supply === 'finite' ? Math.max(0, ALL_BUTTONS - 2 * rules.buttons) : Infinity;
  }

  /** A copy; the lists `circle` and `specials` are replaced, never changed, and may be shared. */
  copy() {
    const twin = Object.assign(Object.create(Game.prototype), this);
    twin.players = this.players.map((p) => ({ ...p, quilt: p.quilt.slice() }));
    return twin;
  }

  offered() {
    const { offer, reading } = this.rules;
    if (this.circle.length < offer && reading['short-offer'] === 'none') return [];
    if (FAULT === 'last-patch-locked' && this.circle.length === 1) return []; // fault: the last one stays
    return this.circle.slice(0, offer).map((id) => this.rules.patches.get(id));
  }

  /** Calls `found(i)` for the placements that fit, when given; returns how many there are. */
  fitting({ quilt: [a, b, c] }, { masks }, found) {
    let count = 0;
    for (let i = 0; i < masks.length; i += 3) {
      if ((masks[i] & a) | (masks[i + 1] & b) | (masks[i + 2] & c)) continue;
      count++;
      if (found) found(i / 3);
    }
    return count;
  }

  moves() {
    const list = [];
    if (this.turn === null) return list;
    const me = this.players[this.turn];
    if (me.held > 0) {
      for (let cell = 0; cell < CELLS; cell++) if (!isFilled(me, cell)) list.push({ type: 'special', at: cell });
      if (!this.rules.kept) return list;
    }
    list.push({ type: 'advance' });
    for (const patch of this.offered()) {
      if (me.buttons < patch.cost) continue;
      const count = this.fitting(me, patch.table, (at) => list.push({ type: 'buy', patch, at }));
      if (count === 0 && this.rules.discards) list.push({ type: 'buy', patch, at: -1 });
    }
    return list;
  }

  /** How many moves() there are, without making them. */
  count() {
    if (this.turn === null) return 0;
    const me = this.players[this.turn];
    const specials = me.held > 0 ? CELLS - me.filled : 0;
    if (me.held > 0 && !this.rules.kept) return specials;
    let total = specials + 1;
    for (const patch of this.offered())
      if (me.buttons >= patch.cost) total += this.fitting(me, patch.table) || (this.rules.discards ? 1 : 0);
    return total;
  }

  perft(depth) {
    if (depth === 0) return 1;
    if (depth === 1) return this.count();
    let nodes = 0;
    for (const move of this.moves()) {
      const next = this.copy();
      next.play(move);
      nodes += next.perft(depth - 1);
    }
    return nodes;
  }

  action({ type, patch, at }) {
    if (type === 'advance') return { type };
    if (type === 'special') return { type, cells: [at] };
    return { type, patch: patch.id, cells: at < 0 ? [] : patch.table.cells[at] };
  }

  /** The move an action stands for, or the code of its refusal. Changes nothing. */
  understand(action) {
    if (this.turn === null) return 'finished';
    const me = this.players[this.turn];
    const type = action?.type, cells = action?.cells;
    if (type !== 'advance' && type !== 'buy' && type !== 'special') return 'unknown';
    if (type === 'special' && me.held === 0) return 'no-special-pending';
    if (type !== 'special' && me.held > 0 && !this.rules.kept) return 'special-pending';
    if (type === 'advance') return { type };
    const patch = this.rules.patches.get(action.patch);
    if (type === 'buy' && !patch) return 'unknown';
    if (!Array.isArray(cells) || !cells.every(Number.isInteger)) return 'unknown';
    if (type === 'buy' && !this.offered().includes(patch)) return 'not-on-offer';
    if (type === 'buy' && me.buttons < patch.cost) return 'too-few-buttons';
    if (cells.some((cell) => cell < 0 || cell >= CELLS)) return 'off-board';
    if (type === 'special') {
      if (cells.length !== 1) return 'wrong-shape';
      return isFilled(me, cells[0]) ? 'overlap' : { type, at: cells[0] };
    }
    if (cells.length === 0 && this.rules.discards && this.fitting(me, patch.table) === 0) return { type, patch, at: -1 };
    const at = patch.table.index.get([...cells].sort(byNumber).join());
    if (at === undefined) return 'wrong-shape';
    return cells.some((cell) => isFilled(me, cell)) ? 'overlap' : { type, patch, at };
  }

  play({ type, patch, at }) {
    const me = this.players[this.turn], rival = this.players[1 - this.turn];
    const { rules, rules: { reading } } = this;
    if (type === 'special') {
      me.held--;
      this.sew(me, at);
      if (me.filled === CELLS && !rules.kept) me.held = 0; // no room for the others
    } else if (type === 'advance') {
      const target = rival.space + 1, to = Math.min(target, rules.last);
      const paid = reading['advance-near-end'] === 'not-clamped' || FAULT === 'unclamped-advance' ? target : to; // fault: unclamped
      this.pay(me, paid - me.space);
      this.travel(me, to);
    } else {
      const place = this.circle.indexOf(patch.id), before = this.circle.slice(0, place), after = this.circle.slice(place + 1);
      this.circle = [...after, ...before];
      if (FAULT === 'token-stays') this.circle = [...before, ...after]; // fault: still where it was
      me.buttons -= patch.cost;
      this.supply += patch.cost;
      this.travel(me, Math.min(me.space + patch.time, rules.last), () => at >= 0 && this.place(me, patch, at));
    }
    if (reading['tile-check'] === 'end-of-turn' && (rules.kept || me.held === 0)) this.look(me);
    if (type === 'special' && rules.kept) return; // it does not change the turn
    if (me.held > 0 && !rules.kept) return; // to be placed first
    if (me.space === rules.last && rival.space === rules.last) this.turn = null;
    else if (me.space > rival.space || (me.space === rival.space && reading['shared-space'] === 'bottom-moves')) this.turn = 1 - this.turn;
  }

  /** Moves the token and deals with the marks on the way; `placing` puts the bought patch on the quilt. */
  travel(me, to, placing = () => {}) {
    const { last, strictly, income, reading } = this.rules;
    const from = me.space, placeLater = reading['purchase-order'] === 'move-then-place';
    const crossed = (mark, pays = false) => (strictly && !(pays && mark === last) ? from <= mark && mark < to : from < mark && mark <= to);
    if (!placeLater) placing();
    me.space = to;
    if (to === last) this.finisher ??= this.turn;
    let marks = income.filter((mark) => mark < last && crossed(mark)).length;
    if (FAULT === 'income-pays-once') marks = Math.min(marks, 1); // fault: one for all
    for (let i = 0; i < marks; i++) this.pay(me, me.income);
    if (placeLater) placing();
    this.specials = this.specials.filter((mark) => !crossed(mark) || !this.earn(me));
    if (reading['final-income'] === 'not-paid') return;
    if (FAULT === 'no-final-income') return; // fault: nothing on the last space
    if (FAULT === 'income-pays-once' && marks > 0) return; // fault: this move has paid
    for (const mark of income) if (mark === last && crossed(mark, true)) this.pay(me, me.income);
  }

  /** A mark with a special patch is crossed: true when the patch leaves the time board. */
  earn(me) {
    if (me.filled === CELLS && FAULT !== 'full-quilt-stuck') return this.rules.reading['full-quilt-special'] === 'lost'; // fault: full-quilt-stuck goes on
    if (FAULT === 'special-auto-placed') for (let cell = 0; ; cell++) if (!isFilled(me, cell)) return this.sew(me, cell), true; // fault: first empty cell
    me.held++;
    return true;
  }

  pay(me, amount) {
    const paid = Math.min(amount, this.supply);
    me.buttons += paid;
    this.supply -= paid;
  }

  place(me, patch, at) {
    for (let band = 0; band < 3; band++) me.quilt[band] |= patch.table.masks[3 * at + band];
    me.filled += patch.size;
    me.income += patch.income;
    if (this.rules.reading['tile-check'] !== 'end-of-turn') this.look(me);
  }

  sew(me, cell) {
    me.quilt[Math.trunc(cell / BAND)] |= 1 << (cell % BAND);
    me.filled++;
    if (this.rules.reading['tile-check'] === 'each-placement') this.look(me);
  }

  /** Claims the special tile when it is to be had and the square is there. */
  look(me) {
    const { side, points, reading } = this.rules;
    if (reading['special-tile'] === 'absent' || me.tile) return;
    if (reading['special-tile'] === 'first-player' && this.players.some((p) => p.tile)) return;
    if (FAULT === 'tile-any-49' ? me.filled < side * side : !hasSquare(me, side)) return; // fault: tile-any-49 only counts
    me.tile = true;
    if (reading['tile-value'] === 'buttons-at-once') this.pay(me, points);
  }

  state() {
    const finished = this.turn === null;
    return {
      turn: this.turn, finished, pending_special: finished ? 0 : this.players[this.turn].held,
      players: this.players.map((p) => ({
        buttons: p.buttons, space: p.space, income: p.income,
        quilt: Array.from({ length: CELLS }, (_, cell) => (isFilled(p, cell) ? '#' : '.')).join(''),
        special_tile: p.tile,
      })),
      circle: this.circle, special_spaces: [...this.specials].sort(byNumber),
    };
  }

  score() {
    if (this.turn !== null) throw new Error('the game is not over');
    const { penalty, points, reading, first } = this.rules;
    const scores = this.players.map((p) => {
      const tile = p.tile && reading['tile-value'] === 'points-at-end' ? points : 0;
      const score = p.buttons + tile - penalty * (CELLS - p.filled);
      return reading['negative-score'] === 'floored' ? Math.max(0, score) : score;
    });
    let winner = { 'first-to-finish': this.finisher, 'last-to-finish': 1 - this.finisher, draw: null }[reading.tie];
    if (FAULT === 'tie-to-second') winner = 1 - first; // fault: whoever began loses the tie
    if (scores[0] !== scores[1]) winner = scores[0] > scores[1] ? 0 : 1;
    return { scores, winner };
  }
}

function isFilled({ quilt }, cell) {
  return (quilt[Math.trunc(cell / BAND)] >> (cell % BAND)) & 1;
}

function hasSquare({ quilt }, side) {
  const step = FAULT === 'tile-even-offsets' ? 2 : 1; // fault: every other place only
  for (let top = 0; top + side <= SIDE; top += step) {
    let common = (1 << SIDE) - 1; // the columns filled in all rows of this strip
    for (let row = top; row < top + side; row++) common &= quilt[Math.trunc(row / 3)] >> (SIDE * (row % 3));
    const run = (1 << side) - 1;
    for (let left = 0; left + side <= SIDE; left += step) if (((common >> left) & run) === run) return true;
  }
  return false;
}

// ---------------------------------------------------------------- the protocol
const games = new Map();
const remembered = new Map(); // fault: used by legal-cached only

function gameOf(request) {
  const game = games.get(request.game);
  if (!game) throw new Error('no such game');
  return game;
}

const ops = {
  hello({ protocol }) {
    if (!Array.isArray(protocol) || !protocol.includes(1)) throw new Error('only protocol 1 is spoken here');
    const engine = { name: 'patchwork-sample-javascript', version: FAULT ? `${VERSION}+${FAULT}` : VERSION, language: 'JavaScript' };
    return { protocol: 1, engine, capabilities: ['state', 'legal', 'perft', 'finds-token'] };
  },
  new({ game, setup }) {
    if (typeof game !== 'string') throw new Error('game is to be a name');
    if (games.has(game)) throw new Error('a game of this name is open');
    games.set(game, new Game(readSetup(setup)));
  },
  apply(request) {
    const game = gameOf(request), { actions } = request;
    if (!Array.isArray(actions)) throw new Error('actions is to be a list');
    for (let applied = 0; applied < actions.length; applied++) {
      const move = game.understand(actions[applied]);
      if (typeof move === 'string') {
        const cost = game.rules.patches.get(actions[applied]?.patch)?.cost ?? 0; // fault: needed by reject-pays only
        if (FAULT === 'reject-pays' && (move === 'wrong-shape' || move === 'overlap')) game.players[game.turn].buttons -= cost; // fault: paid first
        return { ok: false, reject: { code: move }, applied };
      }
      game.play(move);
      if (FAULT === 'state-shared') for (const other of games.values()) other.specials = game.specials; // fault: one time board for all
    }
    return { applied: actions.length };
  },
  state: (request) => ({ state: gameOf(request).state() }),
  legal(request) {
    const game = gameOf(request), { form = 'actions' } = request;
    if (form === 'count') return { count: game.count() };
    if (form !== 'actions') throw new Error('form is to be actions or count');
    const list = () => game.moves().map((move) => game.action(move));
    if (FAULT !== 'legal-cached') return { actions: list() };
    const key = [game.turn, game.circle, game.players.map((p) => p.filled)].join('|'); // fault: the key forgets where the cells are, and the buttons
    if (!remembered.has(key)) remembered.set(key, list()); // fault: kept for ever
    return { actions: remembered.get(key) }; // fault: perhaps of another game
  },
  score: (request) => gameOf(request).score(),
  perft(request) {
    const game = gameOf(request), { depth } = request;
    if (!Number.isInteger(depth) || depth < 0) throw new Error('depth is to be 0 or more');
    return { nodes: game.perft(depth) };
  },
  end(request) {
    gameOf(request);
    games.delete(request.game);
  },
  bye: () => {},
};

/** The reply to one line, and whether it was the last. Whatever goes wrong inside becomes an error reply. */
function answer(line) {
  let id = null, request;
  try {
    if (Buffer.byteLength(line) > LINE_LIMIT) throw new Error('the line is too long');
    request = JSON.parse(line);
    if (typeof request !== 'object' || request === null || Array.isArray(request)) throw new Error('a request is an object');
    if (Number.isInteger(request.id)) id = request.id;
    if (typeof request.op !== 'string' || !Object.hasOwn(ops, request.op)) return { reply: { id, ok: false, unsupported: true } };
    return { reply: { id, ok: true, ...ops[request.op](request) }, done: request.op === 'bye' };
  } catch (error) {
    if (error instanceof Skip) return { reply: { id, ok: false, skipped: { reason: error.message } } };
    return { reply: { id, ok: false, error: { message: String(error?.message ?? error) } } };
  }
}

function serve() {
  let rest = '', done = false;
  const take = (line) => {
    if (done || line.trim() === '') return;
    const result = answer(line);
    done = result.done === true;
    process.stdout.write(JSON.stringify(result.reply) + '\n', done ? () => process.exit(0) : undefined);
  };
  process.stdout.on('error', () => process.exit(0)); // nobody listens any more
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop().slice(0, 2 * LINE_LIMIT); // a line without end is too long anyway
    lines.forEach(take);
  });
  process.stdin.on('end', () => take(rest));
}

function main(args) {
  if (args[0] === '--list-faults' && args.length === 1) {
    for (const [name, text] of Object.entries(FAULTS)) console.log(`${name}\t${text}`);
    return;
  }
  if (args[0] === '--fault' && args.length === 2 && Object.hasOwn(FAULTS, args[1])) FAULT = args[1];
  else if (args.length > 0) {
    console.error('usage: node engine.mjs [--fault NAME | --list-faults]');
    process.exitCode = 2;
    return;
  }
  serve();
}

main(process.argv.slice(2));
