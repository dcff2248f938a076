/**
 * Proposes who sits where in another hall: a first seating, then many small repairs; the same
 * question always gets the same answer.
 */
import { requireValue } from '#server/domain/require-value.ts';
import type { PlaceKind } from './seat-name.ts';
import { boardOf, labelAt, occupy, type Board } from './rehousing-board.ts';
import { aimsOf } from './rehousing-order.ts';
import type { PlacedFirst } from './rehousing-priority.ts';
import {
  costOfSeats,
  standsFreely,
  partiesOf,
  seatParty,
  unplacedCost,
  type Party,
} from './rehousing-parties.ts';
import {
  headsOf,
  isKindFor,
  isRoomFor,
  weights,
  type Group,
  type Guest,
  type HallPlace,
  type Seating,
  type UnplacedReason,
} from './rehousing.ts';

/** The most seats that all repairs together look at, unless the asker says otherwise. */
const lookBudget = 8_000_000;
const mostRepairs = 20_000;
/** The most repairs per party, because a small house needs fewer. */
const repairsOfParty = 400;
/**
 * A seating is good enough if it costs at most this much more per party than the least possible
 * cost.
 */
const nothing = 0.01;
/**
 * How much dearer a repair may be at first; the limit falls until the end, because a worse
 * seating may lead to a better one.
 */
const mostPatience = 20;

interface Terms {
  /** The hall was only changed: a guest who can stay does, even if there is a better place. */
  stay?: boolean;
  /** Who gets a place first where there are too few. */ first?: PlacedFirst;
  /** How many seats the search may look at: more find a better seating. */ looks?: number;
}

export function solveSeating(
  hall: readonly HallPlace[],
  groups: readonly Group[],
  { stay = false, first = 'dearer', looks = lookBudget }: Terms = {},
): Seating {
  const board = boardOf(hall);
  const aims = aimsOf(hall, groups);
  const aimed = groups.map((group) => ({
    ...group,
    guests: group.guests.map((guest) => ({ ...guest, aim: aims.get(guest.id) ?? null })),
  }));
  const parties = partiesOf(aimed, first);
  const state: State = { board, parties, random: randomFrom(groups.length + hall.length), looks };
  seatFixed(state);
  const least = leastOf(state);
  stayPut(state, stay);
  for (const party of seatingOrder(parties)) if (!party.seats) seat(board, party);
  if (parties.some(({ seats }) => seats === null)) seatByPriority(state);
  repair(state, least);
  return answerOf(state);
}

interface State {
  board: Board;
  parties: readonly Party[];
  random: () => number;
  /** The most looks of all repairs. */ looks: number;
}

/** Chosen places stay as they are, whatever they cost. */
function seatFixed({ board, parties }: State): void {
  for (const party of parties) {
    const { guests, fixed } = party.group;
    if (fixed === null) continue;
    const seats = party.guests.flatMap((guest) => {
      const label = fixed[guests.indexOf(guest)];
      return label === undefined ? [] : (board.at.get(label) ?? []);
    });
    occupy(board, seats, 1);
    party.seats = seats;
    party.cost = costOfSeats(board, party.guests, seats);
  }
}

/** In a hall that was only changed, most guests can keep their places. */
function stayPut({ board, parties }: State, fixed: boolean): void {
  for (const party of parties) {
    if (party.seats || standsFreely(party)) continue;
    const seats = party.guests.flatMap(({ from }) => board.at.get(from) ?? []);
    const isSame =
      seats.length === party.guests.length &&
      seats.every((at, nth) => isAsGood(board, party, { guest: party.guests[nth], at }));
    if (!isSame || !isOneRun(board, seats)) continue;
    occupy(board, seats, 1);
    party.seats = seats;
    party.cost = costOfSeats(board, party.guests, seats);
    // A guest who would keep a dearer place than was paid for makes room for others.
    party.fixed = fixed && party.guests.every(({ rank }, nth) => isOfRank(board, seats[nth], rank));
  }
}

function isOfRank(board: Board, at: number | undefined, rank: number): boolean {
  return at !== undefined && board.rank[at] === rank;
}

function isAsGood(
  board: Board,
  { group, kind }: Party,
  { guest, at }: { guest: Guest | undefined; at: number },
): boolean {
  return (
    guest !== undefined &&
    (board.left[at] ?? 0) > 0 &&
    board.kind[at] === kind &&
    isRoomFor(guest, board.places[at]!, group) &&
    (board.rank[at] ?? 0) <= guest.rank &&
    (board.accessible[at] === 1) === guest.accessible &&
    (board.companion[at] === 0 || group.guests.some((one) => one.accessible || one.companion)) &&
    !group.banned.has(guest.from)
  );
}

function isOneRun(board: Board, seats: readonly number[]): boolean {
  const first = Math.min(...seats);
  const last = Math.max(...seats);
  return board.row[first] === board.row[last] && last - first === seats.length - 1;
}

/**
 * The parties with the greatest needs come first: wheelchairs, then large ones, then those with
 * the best seats.
 */
function seatingOrder(parties: readonly Party[]): Party[] {
  const needs = ({ guests }: Party) => (guests.some(({ accessible }) => accessible) ? 0 : 1);
  const [rank, distance] = [
    ({ guests }: Party) => guests.at(-1)?.rank ?? 0,
    ({ guests }: Party) => guests.at(-1)?.distance ?? 0,
  ];
  return [...parties].sort(
    (a, b) =>
      needs(a) - needs(b) ||
      headsIn(b) - headsIn(a) ||
      rank(a) - rank(b) ||
      distance(a) - distance(b),
  );
}

/**
 * Where there are too few places: each party in its turn gets what those before it have left, and
 * one that needs more than that is left out.
 */
function seatByPriority({ board, parties }: State): void {
  const loose = parties.filter(({ fixed }) => !fixed).sort((a, b) => a.turn - b.turn);
  for (const party of loose) unseat(board, party);
  for (const [nth, party] of loose.entries()) {
    seat(board, party);
    const isWhole = party.kind === 'table' || party.kind === 'booth';
    if (party.seats || !isWhole) continue;
    squeeze(
      board,
      loose.slice(0, nth + 1).filter((one) => one.kind === party.kind),
    );
  }
}

/** Large parties first: a small one may have taken a table at which only a large one has room. */
function squeeze(board: Board, some: readonly Party[]): void {
  const before = some.map(keep);
  for (const party of some) unseat(board, party);
  for (const party of [...some].sort((a, b) => headsIn(b) - headsIn(a))) seat(board, party);
  if (comparePlaced(before) < 0) restore(board, before);
}

/** Above zero: more is placed than before, the parties with an earlier turn first. */
function comparePlaced(before: readonly Before[]): number {
  const byTurn = [...before].sort((a, b) => a.party.turn - b.party.turn);
  const first = byTurn.find(({ party, seats }) => (party.seats === null) !== (seats === null));
  if (first === undefined) return 0;
  return first.seats === null ? 1 : -1;
}

function headsIn({ guests }: Party): number {
  return guests.reduce((sum, guest) => sum + headsOf(guest), 0);
}

function seat(board: Board, party: Party): void {
  const found = seatParty(board, party);
  party.seats = found?.seats ?? null;
  party.cost = found?.cost ?? unplacedCost * headsIn(party);
}

function unseat(board: Board, party: Party): void {
  if (party.seats) occupy(board, party.seats, -1);
  party.seats = null;
}

/**
 * The cost if no party took another's seats: no seating is cheaper. For a large house this is not
 * worth the work.
 */
function leastOf({ board, parties, looks }: State): number {
  board.alonePrice = 0;
  for (const party of parties) {
    if (party.fixed) continue;
    seat(board, party);
    unseat(board, party);
    if (board.looks > looks / 20) break;
  }
  board.alonePrice = weights.alone;
  return costIn(parties);
}

interface Before {
  party: Party;
  seats: readonly number[] | null;
  cost: number;
}

/**
 * Takes out a few parties and seats them in another order; the change stays if it costs little
 * more and leaves out no party with an earlier turn. The cheapest seating of all is the answer.
 */
function repair(state: State, least: number): void {
  const { board, parties } = state;
  const loose = parties.filter(({ fixed }) => !fixed);
  if (loose.length === 0) return;
  const repairs = Math.min(mostRepairs, repairsOfParty * loose.length);
  const begun = board.looks;
  let now = totalOf(state);
  let best = now;
  let kept = loose.map(keep);
  for (let turn = 0; turn < repairs; turn += 1) {
    const spent = Math.max(turn / repairs, (board.looks - begun) / state.looks);
    if (spent >= 1 || best < least + nothing * loose.length) break;
    const patience = mostPatience * (1 - spent) ** 3;
    const some = someOf(state, loose);
    const before = some.map(keep);
    const was = costIn(some) + weights.alone * board.alone;
    stir(state);
    for (const party of some) unseat(board, party);
    for (const party of some) seat(board, party);
    const is = costIn(some) + weights.alone * board.alone;
    const more = comparePlaced(before);
    if (more > 0 || (more === 0 && is <= was + patience * state.random())) now += is - was;
    else restore(board, before);
    if (more > 0 || now < best - 1e-9) {
      best = now;
      kept = loose.map(keep);
    }
  }
  restore(board, kept);
}

/**
 * Makes some places seem a little dearer (single ones, or one whole row), so that repairs differ.
 * Makes seats left alone seem cheaper, because two parties together may fill them.
 */
function stir({ board, random }: State): void {
  const { noise, rowStart } = board;
  board.alonePrice = random() < 0.25 ? 0 : weights.alone;
  const most = random() < 0.5 ? 0 : 4 * random() * random();
  if (most === 0) noise.fill(0);
  else for (let at = 0; at < noise.length; at += 1) noise[at] = most * random();
  if (random() < 0.5) {
    const row = Math.floor(random() * (rowStart.length - 1));
    noise.fill(weights.alone * random(), rowStart[row], rowStart[row + 1]);
  }
}

function totalOf({ board, parties }: State): number {
  return costIn(parties) + weights.alone * board.alone;
}

function costIn(parties: readonly Party[]): number {
  return parties.reduce((sum, { cost }) => sum + cost, 0);
}

function keep(party: Party): Before {
  return { party, seats: party.seats, cost: party.cost };
}

function restore(board: Board, before: readonly Before[]): void {
  for (const { party } of before) unseat(board, party);
  for (const { party, seats, cost } of before) {
    if (seats) occupy(board, seats, 1);
    party.seats = seats;
    party.cost = cost;
  }
}

/**
 * Two to five parties: any, or neighbours of one row with a party that would like to sit there.
 */
function someOf({ board, random }: State, loose: readonly Party[]): Party[] {
  const any = () => requireValue(loose[Math.floor(random() * loose.length)], 'party to move');
  const some = new Set([worstOf([any(), any(), any()])]);
  const count = 2 + Math.floor(random() * 4);
  const row = random() < 0.5 ? rowOf(board, any()) : null;
  const near = row === null ? [] : loose.filter((party) => rowOf(board, party) === row);
  const start = Math.floor(random() * Math.max(1, near.length - count + 2));
  for (const party of near.slice(start, start + count - 1)) some.add(party);
  for (let tries = 0; some.size < Math.min(count, loose.length) && tries < 20; tries += 1)
    some.add(any());
  return shuffled([...some], random);
}

function worstOf(parties: readonly Party[]): Party {
  return parties.reduce((worst, party) => (party.cost > worst.cost ? party : worst));
}

function rowOf(board: Board, { seats }: Party): number | null {
  const first = seats?.[0];
  return first === undefined ? null : (board.row[first] ?? null);
}

function shuffled<T>(items: T[], random: () => number): T[] {
  for (let at = items.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    const item = requireValue(items[at], 'item to shuffle');
    items[at] = requireValue(items[other], 'item to shuffle');
    items[other] = item;
  }
  return items;
}

/** The same numbers for the same seed (xorshift). */
function randomFrom(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 4_294_967_296;
  };
}

function answerOf({ board, parties }: State): Seating {
  const seats = new Map<string, string>();
  const unplaced = new Map<string, UnplacedReason>();
  for (const party of parties) {
    if (!party.seats) unplaced.set(party.group.id, reasonFor(board, party));
    for (const [nth, at] of party.seats?.entries() ?? []) {
      const guest = party.guests[nth];
      if (guest !== undefined) seats.set(guest.id, labelAt(board, at));
    }
  }
  return {
    seats,
    unplaced: [...unplaced].map(([group_id, reason]) => ({ group_id, reason })),
  };
}

function reasonFor(board: Board, { guests, group }: Party): UnplacedReason {
  const isFit = (at: number, there: PlaceKind) =>
    guests.every((guest) => isKindFor(guest, there) && isRoomFor(guest, board.places[at]!, group));
  const exists = board.kind.some((there, at) => board.rank[at] !== -1 && isFit(at, there));
  if (!exists) return 'kind_missing';
  const chairs = board.accessible.reduce(
    (sum, is, at) => sum + (is ? (board.left[at] ?? 0) : 0),
    0,
  );
  const needed = guests.filter(({ accessible }) => accessible).length;
  return chairs < needed ? 'no_wheelchair_place' : 'hall_full';
}
