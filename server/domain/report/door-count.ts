/**
 * The evening at the doors of one event in numbers: who came when and where, who did not, and
 * what was unusual.
 */
import type { Direction } from '#server/domain/door/admission.ts';
import { romeDay } from '#server/domain/time/rome-clock.ts';
import { numberWords } from './sales-count.ts';
import { leadBucketOf } from './sales-sums.ts';
import { Tally } from './tally.ts';

const minuteMs = 60_000;
/** The minutes of one step of the entry curve. */
export const stepMinutes = 5;
/** A scan farther from the start counts at this end of the curve. */
const farthest = 12 * 60;

/**
 * The stored numbers of an event; a text in a row is its index in `words`, minutes count from the
 * start.
 */
export interface DoorCount {
  words: string[];
  /**
   * Rows of: minute at which a step begins, gate ('' for none), tickets that came in for the
   * first time.
   */
  entries: number[][];
  /** Rows of: category, index in `leadBuckets`, valid tickets, those that never came in. */
  tickets: number[][];
  /** The minute in which most guests came in, repeated entries included. */
  peak: { minute: number; people: number } | null;
  /** The minute by which half of the valid tickets were in. */
  half_minute: number | null;
  entered: number;
  reentries: number;
  exits: number;
  overrides: number;
  conflicts: number;
  undone: number;
}

/** The rows that db/report/door.ts reads; scans in the order of time. */
interface Rows {
  starts_at: number;
  tickets: readonly DoorTicket[];
  scans: readonly DoorScan[];
}
/** A valid ticket. */
export interface DoorTicket {
  id: string;
  place: string;
  revision: number;
  category: string;
  confirmed_at: number;
}
/**
 * `counts` is 0 if the office decided against the scan in a conflict, or if the scan takes
 * another one back.
 */
export interface DoorScan {
  ticket_id: string | null;
  place: string | null;
  revision: number | null;
  direction: Direction;
  gate: string | null;
  corrected_at: number;
  counts: number;
  override: string | null;
  conflict_with: string | null;
  annulled_by: string | null;
}

export function countDoor({ starts_at, tickets, scans }: Rows): DoorCount {
  const passing = scans.filter(isPassage);
  const ways = walk(passing);
  const { words, numberOf } = numberWords([
    ...tickets.map(({ category }) => category),
    ...ways.first.map(({ gate }) => gate ?? ''),
  ]);
  const minuteOf = (ms: number) =>
    Math.max(-farthest, Math.min(farthest, Math.floor((ms - starts_at) / minuteMs)));
  const entries = new Tally(2);
  for (const { gate, corrected_at } of ways.first) {
    const step = Math.floor(minuteOf(corrected_at) / stepMinutes) * stepMinutes;
    entries.add([step, numberOf(gate ?? '')], [1]);
  }
  const evening = romeDay(starts_at);
  const came = new Map(ways.first.map((scan) => [scan.key, scan.corrected_at]));
  const byTicket = new Tally(2);
  const arrivals: number[] = [];
  for (const ticket of tickets) {
    const at = came.get(ticket.id) ?? came.get(codeOf(ticket));
    if (at !== undefined) arrivals.push(at);
    byTicket.add(
      [numberOf(ticket.category), leadBucketOf(evening - romeDay(ticket.confirmed_at))],
      [1, Number(at === undefined)],
    );
  }
  const half = arrivals.toSorted((one, other) => one - other)[Math.ceil(tickets.length / 2) - 1];
  const kept = scans.filter(({ annulled_by }) => annulled_by === null);
  return {
    words,
    entries: entries.rows(),
    tickets: byTicket.rows(),
    peak: peakOf(
      passing.map(({ direction, corrected_at }) =>
        direction === 'in' ? minuteOf(corrected_at) : null,
      ),
    ),
    half_minute: half === undefined ? null : minuteOf(half),
    entered: ways.first.length,
    reentries: ways.reentries,
    exits: passing.filter(({ direction }) => direction === 'out').length,
    overrides: passing.filter(({ override }) => override !== null).length,
    conflicts: kept.filter(({ conflict_with }) => conflict_with !== null).length,
    undone: scans.length - kept.length,
  };
}

/**
 * Whether a scan is neither taken back nor the double of another one; these are the scans that
 * presence counts, too.
 */
function isPassage({ counts, annulled_by, conflict_with }: DoorScan): boolean {
  return counts === 1 && annulled_by === null && conflict_with === null;
}

function codeOf({ place, revision }: Pick<DoorScan, 'place' | 'revision'>): string {
  return `${place} ${revision}`;
}

/** The first way in of each ticket, and how often a ticket came in again. */
function walk(passing: readonly DoorScan[]) {
  const seen = new Set<string>();
  const first: (DoorScan & { key: string })[] = [];
  let reentries = 0;
  for (const scan of passing) {
    if (scan.direction !== 'in') continue;
    const key = scan.ticket_id ?? codeOf(scan);
    if (seen.has(key)) reentries += 1;
    else first.push({ ...scan, key });
    seen.add(key);
  }
  return { first, reentries };
}

function peakOf(minutes: readonly (number | null)[]): DoorCount['peak'] {
  const people = new Map<number, number>();
  for (const minute of minutes)
    if (minute !== null) people.set(minute, (people.get(minute) ?? 0) + 1);
  let peak: DoorCount['peak'] = null;
  for (const [minute, n] of people)
    if (peak === null || n > peak.people || (n === peak.people && minute < peak.minute))
      peak = { minute, people: n };
  return peak;
}
