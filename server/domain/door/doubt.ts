/**
 * Whether a scan from a phone counts immediately, or waits for the office because the phone was
 * not allowed to make it (RULES A9).
 */
import { mayUndo } from './admission.ts';
import { clockWarningMs } from './phone.ts';

export const doubts = [
  'not_its_scan',
  'undone_late',
  'before_doors',
  'after_end',
  'not_yet_past',
  'phone_ended',
  'event_ended',
  'no_consent',
  'no_proof',
  'not_sold',
  'before_ticket',
  'too_fast',
] as const;
export type Doubt = (typeof doubts)[number];

/** The office's answer about a doubtful scan. */
export const doubtAnswers = ['counts', 'counts_not'] as const;
export type DoubtAnswer = (typeof doubtAnswers)[number];

const hourMs = 3_600_000;
/** A scan is plausible from this long before the doors open until this long after the end. */
const beforeDoorsMs = 3 * hourMs;
const afterEndMs = 48 * hourMs;
/**
 * A clock that was set by hand is wrong by hours. The phone's correction is trusted if it differs
 * by less than this both from the phone's registered offset and from the server's clock.
 */
const setClockMs = 12 * hourMs;

interface DoorDay {
  starts_at: number;
  doors_at: number | null;
  ends_at: number | null;
  admits_from: number | null;
  admits_until: number | null;
  /** A rehearsal may be held at any time. */
  rehearsal: boolean;
}

/** The span in which scans of an event are plausible; null: at any time. */
function hoursOf(day: DoorDay): { from: number; until: number } | null {
  if (day.rehearsal) return null;
  const doors = day.doors_at ?? day.starts_at;
  const end = day.ends_at ?? day.starts_at;
  return {
    from: Math.min(doors, day.admits_from ?? doors) - beforeDoorsMs,
    until: Math.max(end, day.admits_until ?? end) + afterEndMs,
  };
}

interface HandedIn {
  /** The time by the phone's clock, as the phone corrected it, and by the server's clock. */
  scanned_at: number;
  corrected_at: number;
  received_at: number;
}

/** What the office knows of the phone that sends the scan. */
interface Deliverer {
  /** Server minus phone in milliseconds, as the phone reported it; null: it reported none. */
  clock_offset_ms: number | null;
  /** When the phone was revoked, or replaced by another handset. */
  ended_at: number | null;
  /** Since when the phone no longer has this event. */
  event_ended_at: number | null;
}

/**
 * Why a scan is in doubt; null: it counts. Only scans that let a guest in or out, or take one
 * back, are checked.
 */
export function doubtOf(scan: HandedIn, day: DoorDay, phone: Deliverer): Doubt | null {
  if (phone.ended_at !== null && scan.corrected_at > phone.ended_at) return 'phone_ended';
  if (phone.event_ended_at !== null && scan.corrected_at > phone.event_ended_at)
    return 'event_ended';
  if (scan.corrected_at > scan.received_at + setClockMs) return 'not_yet_past';
  const hours = hoursOf(day);
  if (hours === null) return null;
  const reckoned = scan.scanned_at + (phone.clock_offset_ms ?? 0);
  if (scan.corrected_at < hours.from || reckoned < hours.from - setClockMs) return 'before_doors';
  if (scan.corrected_at > hours.until || reckoned > hours.until + setClockMs) return 'after_end';
  return null;
}

/** The ticket that a scan names, as the server knows it. */
interface NamedTicket {
  /** The newest revision that was issued on the place. */
  issued: number;
  /** Null: the ticket of this revision is not known any more. */
  issued_at: number | null;
}

/**
 * A scan cannot be older than its ticket, and a phone that has ended cannot have read a ticket
 * that was issued afterwards, whatever time it writes.
 */
export function doubtOfTicket(
  scan: HandedIn & { revision: number; verified: boolean },
  { issued, issued_at }: NamedTicket,
  phone: Deliverer,
): Doubt | null {
  // An authentic code of no known sale is what VERIFICA is for (RULES C3).
  if (scan.revision > issued) return scan.verified ? null : 'not_sold';
  if (issued_at === null) return null;
  if (phone.ended_at !== null && issued_at > phone.ended_at) return 'phone_ended';
  if (phone.event_ended_at !== null && issued_at > phone.event_ended_at) return 'event_ended';
  return scan.corrected_at < issued_at - uncertaintyOf(scan, phone) ? 'before_ticket' : null;
}

/** By how much the time of a scan may be wrong (ms), as far as the server can see. */
function uncertaintyOf(scan: HandedIn, { clock_offset_ms }: Deliverer): number {
  const applied = scan.corrected_at - scan.scanned_at;
  return Math.max(clockWarningMs, Math.abs(applied - (clock_offset_ms ?? applied)));
}

/** More guests than hands can find on one phone: three of them a second. */
export const hands = { scans: 30, ms: 10_000 } as const;

/** What one person does at one moment, even for several guests of one order. */
export interface Deed {
  corrected_at: number;
  /** The order, or the scan itself if its ticket is not known. */
  deed_of: string;
}

/** The scans beyond the pace of hands; `before`: the phone's other deeds, sorted by time. */
export function fasterThanHands<S extends Deed>(
  before: readonly Deed[],
  scans: readonly S[],
): Set<S> {
  const fast = new Set<S>();
  const times: number[] = [];
  const done = new Set<string>();
  const add = (deed: Deed): void => {
    if (!done.has(nameOf(deed))) times.push(deed.corrected_at);
    done.add(nameOf(deed));
  };
  let next = 0;
  let start = 0;
  for (const scan of scans.toSorted((a, b) => a.corrected_at - b.corrected_at)) {
    const at = scan.corrected_at;
    for (let deed = before[next]; deed && deed.corrected_at <= at; deed = before[next]) {
      add(deed);
      next += 1;
    }
    while ((times[start] ?? at) <= at - hands.ms) start += 1;
    if (times.length - start >= hands.scans && !done.has(nameOf(scan))) fast.add(scan);
    else add(scan);
  }
  return fast;
}

function nameOf({ corrected_at, deed_of }: Deed): string {
  return `${corrected_at} ${deed_of}`;
}

interface TakingBack {
  phone_id: string | null;
  /** Whether the scan comes from a supervisor's phone or the office. */
  supervisor: boolean;
  at: number;
}

/** The phone's own rule for taking a scan back, checked again by the server. */
export function doubtOfUndo(
  by: TakingBack,
  taken: { phone_id: string | null; at: number },
): Doubt | null {
  const scan = { ...taken, counts: true, undone: false };
  if (mayUndo(scan, { phone_id: by.phone_id, supervisor: by.supervisor, now: by.at })) return null;
  return taken.phone_id === by.phone_id ? 'undone_late' : 'not_its_scan';
}
