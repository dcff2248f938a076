/**
 * Finds places for one party: the best run of seats in one row, else the best parts, else
 * nothing.
 */
import { aloneWith, labelAt, occupy, type Board } from './rehousing-board.ts';
import { outOfOrder } from './rehousing-order.ts';
import { comparePriority, type PlacedFirst } from './rehousing-priority.ts';
import { headsOf, isRoomFor, weights, type Group, type Guest } from './rehousing.ts';
import { placeKinds } from './place-kinds.ts';
import type { PlaceKind } from './seat-name.ts';

/** A guest with the distance from the stage that keeps the order; null: none does. */
export interface AimedGuest extends Guest {
  aim: number | null;
}

export interface AimedGroup extends Group {
  guests: readonly AimedGuest[];
}

/**
 * The guests of a group who want places of one kind. `guests`: wheelchairs first, each with one
 * companion, then from the best old place to the worst.
 */
export interface Party {
  group: AimedGroup;
  kind: PlaceKind;
  guests: readonly AimedGuest[];
  /** The lower, the sooner it gets its places. */ turn: number;
  /** The index of each guest's place on the board; null: they have no places. */
  seats: readonly number[] | null;
  /** The cost of these places, without that of seats left alone. */ cost: number;
  fixed: boolean;
}

/** The cost of a guest without a place, which is far above that of any seat. */
export const unplacedCost = 10_000;
/** Weights so small that they only decide between seats of equal cost. */
const tie = { angle: 0.0002, better: 0.002, elsewhere: 0.001, spare: 0.001 } as const;
/** A party up to this size is tried in every pair of parts. */
const smallParty = 12;
const mostParts = 60;

export function partiesOf(groups: readonly AimedGroup[], first: PlacedFirst): Party[] {
  const turns = new Map(
    [...groups].sort((a, b) => comparePriority(a, b, first)).map((group, at) => [group, at]),
  );
  return groups.flatMap((group) =>
    placeKinds.flatMap((kind) => {
      const guests = group.guests.filter((guest) => guest.kind === kind);
      if (guests.length === 0) return [];
      // Guests at a table or booth of their own have no neighbours, so each is a party.
      const isLoose = ({ party }: Guest) => kind === 'table' || kind === 'booth' || party > 0;
      const others = guests.filter((guest) => !isLoose(guest));
      const some = guests.filter(isLoose).map((guest) => [guest]);
      if (others.length > 0) some.push(inOrder(others));
      const [turn, fixed] = [turns.get(group) ?? 0, group.fixed !== null];
      return some.map((party) => ({
        group,
        kind,
        guests: party,
        turn,
        seats: null,
        cost: 0,
        fixed,
      }));
    }),
  );
}

function inOrder(guests: readonly AimedGuest[]): AimedGuest[] {
  const aim = (guest: AimedGuest) => guest.aim ?? guest.distance;
  const sorted = [...guests].sort(
    (a, b) => a.rank - b.rank || aim(a) - aim(b) || a.distance - b.distance,
  );
  const wheelchairs = sorted.filter(({ accessible }) => accessible);
  const company = sorted.filter(({ accessible, companion }) => companion && !accessible);
  const others = sorted.filter(({ accessible, companion }) => !accessible && !companion);
  const beside = [...company, ...(wheelchairs.length > company.length ? others : [])];
  const pairs = wheelchairs.flatMap((guest) => {
    const friend = beside.shift();
    return friend ? [guest, friend] : [guest];
  });
  const paired = new Set(pairs);
  return [...pairs, ...sorted.filter((guest) => !paired.has(guest))];
}

export function seatCost(board: Board, guest: AimedGuest, at: number): number {
  const rank = board.rank[at] ?? 0;
  const lower = rank > guest.rank ? weights.lower : tie.better * (guest.rank - rank);
  const distance = board.distance[at] ?? 0;
  const metres = Math.max(0, distance - guest.distance) * weights.metre;
  const order = outOfOrder(distance, guest.aim) * weights.order;
  const turned = tie.angle * Math.abs((board.angle[at] ?? 0) - guest.angle);
  const moved = labelAt(board, at) === guest.from ? 0 : tie.elsewhere;
  const spare = tie.spare * Math.max(0, (board.places[at]?.whole ?? 0) - guest.party);
  return (lower + metres + turned) * headsOf(guest) + order + moved + spare;
}

interface Found {
  seats: number[];
  cost: number;
}

/** True for guests who stand in areas that are sold by number. */
export function standsFreely({ kind, guests }: Pick<Party, 'kind' | 'guests'>): boolean {
  return kind === 'area' && guests[0]?.party === 0;
}

/** Takes the best free places and returns their cost; null: there are none. */
export function seatParty(board: Board, party: Party): Found | null {
  if (!standsFreely(party)) return sitParty(board, party);
  // Guests who stood sit where there is no room to stand.
  return standParty(board, party) ?? sitParty(board, { ...party, kind: 'seat' });
}

function sitParty(board: Board, party: Party): Found | null {
  const found = bestParts(board, party, { guests: party.guests, left: mostParts, worse: Infinity });
  if (found) occupy(board, found.seats, 1);
  return found;
}

interface PartsAsk {
  guests: readonly AimedGuest[];
  /** The most parts into which the party may still be split. */ left: number;
  /** Only a result that costs less than this is wanted. */ worse: number;
}

/**
 * Seats all in one run if that is the cheapest, else the first guests in their best run and the
 * others likewise.
 */
function bestParts(board: Board, party: Party, { guests, left, worse }: PartsAsk): Found | null {
  let best = bestRun(board, party, guests, worse);
  let most = Math.min(best?.total ?? Infinity, worse);
  if (left <= 1 || guests.length <= 1 || most <= weights.split) return best;
  const least = leastCosts(board, party, guests);
  if ((least[0] ?? 0) + weights.split >= most) return best;
  let parts: Found | null = null;
  for (const first of sizesOfFirst(board, guests.length)) {
    const others = weights.split + (least[first] ?? 0);
    const head = bestRun(board, party, guests.slice(0, first), most - others);
    if (!head) continue;
    occupy(board, head.seats, 1);
    const rest = bestParts(board, party, {
      guests: guests.slice(first),
      left: left - 1,
      worse: most - head.total - weights.split,
    });
    const alone = rest ? aloneCost(board, rest.seats) : 0;
    occupy(board, head.seats, -1);
    const total = rest ? head.total + weights.split + rest.cost + alone : Infinity;
    if (!rest || total >= most) continue;
    most = total;
    best = null;
    parts = { seats: [...head.seats, ...rest.seats], cost: head.cost + weights.split + rest.cost };
  }
  return parts ?? best;
}

/** The least possible cost of the guests from the n-th on, wherever they sit. */
function leastCosts(board: Board, party: Party, guests: readonly AimedGuest[]): Float64Array {
  const least = new Float64Array(guests.length + 1);
  let [before, cost] = [null as AimedGuest | null, 0];
  let at = guests.length;
  for (const guest of guests.toReversed()) {
    const isSame =
      before?.rank === guest.rank &&
      before.distance === guest.distance &&
      before.aim === guest.aim &&
      before.accessible === guest.accessible;
    if (!isSame) cost = bestRun(board, party, [guest], Infinity)?.cost ?? Infinity;
    before = guest;
    at -= 1;
    least[at] = (least[at + 1] ?? 0) + cost;
  }
  return least;
}

function aloneCost(board: Board, seats: readonly number[]): number {
  const before = board.alone;
  occupy(board, seats, 1);
  const more = board.alone - before;
  occupy(board, seats, -1);
  return more * board.alonePrice;
}

/**
 * The sizes of a first part to try: all for a small party, else the longest free run, one less,
 * and half of it.
 */
function sizesOfFirst(board: Board, count: number): number[] {
  if (count <= smallParty) return Array.from({ length: count - 1 }, (_, at) => count - 1 - at);
  const longest = Math.min(count - 1, longestRun(board));
  return [...new Set([longest, longest - 1, Math.ceil(longest / 2)])].filter((size) => size > 0);
}

function longestRun(board: Board): number {
  let [longest, run] = [0, 0];
  for (let at = 0; at < board.left.length; at += 1) {
    const isBeside = at > 0 && board.row[at] === board.row[at - 1];
    const isFree = (board.left[at] ?? 0) > 0 && board.kind[at] === 'seat' && !board.accessible[at];
    if (!isFree) run = 0;
    else run = isBeside ? run + 1 : 1;
    longest = Math.max(longest, run);
  }
  return longest;
}

interface Run extends Found {
  /** The cost with that of the seats left alone. */ total: number;
}

/**
 * The cheapest free run of that length which these guests may take; null: none is cheaper than
 * `worse`.
 */
function bestRun(
  board: Board,
  party: Party,
  guests: readonly AimedGuest[],
  worse: number,
): Run | null {
  const { kind } = party;
  const count = guests.length;
  const wheelchairs = guests.filter(({ accessible }) => accessible).length;
  const mayTake = takerOf(board, party, { guests, wheelchairs });
  const floor = floorOf(guests);
  let best: Run | null = null;
  let most = worse;
  let [run, chairs, sum, row] = [0, 0, 0, -1];
  board.looks += board.left.length;
  for (let at = 0; at < board.left.length; at += 1) {
    if (board.row[at] !== row || !mayTake(at)) {
      row = board.row[at] ?? -1;
      [run, chairs, sum] = [0, 0, 0];
      if (!mayTake(at)) continue;
    }
    run += 1;
    chairs += board.accessible[at] ?? 0;
    sum += leastAt(board, floor, at);
    if (run > count) {
      chairs -= board.accessible[at - count] ?? 0;
      sum -= leastAt(board, floor, at - count);
    }
    if (run < count || chairs !== wheelchairs || sum >= most + 1e-6) continue;
    const start = at - count + 1;
    const extra =
      (board.noise[start] ?? 0) +
      (kind === 'seat' ? aloneWith(board, start, count) * board.alonePrice : 0);
    if (sum + extra >= most + 1e-6) continue;
    board.looks += count * 4;
    const found = matchRun(board, guests, { start, most: most - extra });
    if (!found) continue;
    best = { ...found, total: found.cost + extra };
    most = best.total;
  }
  return best;
}

function takerOf(
  board: Board,
  { group, kind }: Party,
  { guests, wheelchairs }: { guests: readonly Guest[]; wheelchairs: number },
): (at: number) => boolean {
  const [first] = guests;
  const hasCompany = group.guests.some(({ accessible, companion }) => accessible || companion);
  const { banned } = group;
  return (at) =>
    (board.left[at] ?? 0) > 0 &&
    board.kind[at] === kind &&
    (first === undefined || isRoomFor(first, board.places[at]!, group)) &&
    (board.accessible[at] === 0 || wheelchairs > 0) &&
    (board.companion[at] === 0 || hasCompany) &&
    (banned.size === 0 || !banned.has(labelAt(board, at)));
}

/** An imaginary guest who is easiest to please: no real guest costs less anywhere. */
interface Floor {
  rank: number;
  distance: number;
  /** Between these the order costs nothing. */ aims: readonly [number, number];
}

function floorOf(guests: readonly AimedGuest[]): Floor {
  const aims = guests.map(({ aim }) => aim);
  return {
    rank: Math.max(...guests.map(({ rank }) => rank)),
    distance: Math.max(...guests.map(({ distance }) => distance)),
    aims: [
      Math.min(...aims.map((aim) => aim ?? -Infinity)),
      Math.max(...aims.map((aim) => aim ?? Infinity)),
    ],
  };
}

function leastAt(board: Board, { rank, distance, aims: [near, far] }: Floor, at: number): number {
  const lower = (board.rank[at] ?? 0) > rank ? weights.lower : 0;
  const here = board.distance[at] ?? 0;
  const order = outOfOrder(here, Math.min(Math.max(here, near), far)) * weights.order;
  return lower + Math.max(0, here - distance) * weights.metre + order;
}

const keyOf = (board: Board, at: number) =>
  (board.companion[at] === 1 ? 0 : 1e6) + (board.rank[at] ?? 0) * 1e4 + (board.distance[at] ?? 0);

/**
 * Who sits where within a run: the best seats for those who had the best; null: dearer than
 * `most`.
 */
function matchRun(
  board: Board,
  guests: readonly AimedGuest[],
  { start, most }: { start: number; most: number },
): Found | null {
  const count = guests.length;
  const [only] = guests;
  if (only !== undefined && count === 1) {
    const cost = seatCost(board, only, start);
    return cost < most ? { seats: [start], cost } : null;
  }
  const open = Array.from({ length: count }, (_, at) => start + at);
  open.sort((a, b) => keyOf(board, a) - keyOf(board, b));
  const chairs = open.filter((at) => board.accessible[at] === 1);
  const others = chairs.length === 0 ? open : open.filter((at) => board.accessible[at] === 0);
  const seats: number[] = [];
  let cost = 0;
  for (const guest of guests) {
    const at = (guest.accessible ? chairs : others).shift();
    if (at === undefined) return null;
    seats.push(at);
    cost += seatCost(board, guest, at);
    if (cost >= most) return null;
  }
  return { seats, cost };
}

/** All guests in one area if it has the room, else the cheapest areas first. */
function standParty(board: Board, party: Party): Found | null {
  const { guests, group } = party;
  const areas = [...board.kind.keys()]
    .filter((at) => board.kind[at] === 'area' && board.places[at]?.whole === 0)
    .filter((at) => (board.left[at] ?? 0) > 0)
    .filter((at) => !group.banned.has(labelAt(board, at)))
    .map((at) => ({ at, cost: guests.reduce((sum, guest) => sum + seatCost(board, guest, at), 0) }))
    .sort((a, b) => a.cost - b.cost);
  const whole = areas.find(({ at }) => (board.left[at] ?? 0) >= guests.length);
  const chosen = whole ? [whole] : areas;
  const seats: number[] = [];
  for (const { at } of chosen)
    for (let left = board.left[at] ?? 0; left > 0 && seats.length < guests.length; left -= 1)
      seats.push(at);
  if (seats.length < guests.length) return null;
  occupy(board, seats, 1);
  const parts = new Set(seats).size;
  return { seats, cost: costOfSeats(board, guests, seats) + (parts - 1) * weights.split };
}

/** The cost of the first guest on the first seat, and so on. */
export function costOfSeats(
  board: Board,
  guests: readonly AimedGuest[],
  seats: readonly number[],
): number {
  return seats.reduce((sum, at, nth) => {
    const guest = guests[nth];
    return guest === undefined ? sum : sum + seatCost(board, guest, at);
  }, 0);
}
