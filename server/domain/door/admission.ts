/**
 * The door's one rule: who may come in. The phone without signal and the server run the same
 * function (RULES A1).
 */
import type { EndedWhy } from './ended-code.ts';
import { isSameGate } from './gate.ts';
import { isLetGo } from './kept.ts';

export const verdicts = [
  'admit',
  'already_in',
  'just_read',
  'wrong_gate',
  'wrong_event',
  'not_yet',
  'too_late',
  'cancelled',
  'refunded',
  'replaced',
  'moved',
  'unpaid',
  'trial',
  'verify',
  'invalid',
  'out',
  'undone',
] as const;
/**
 * `undone` is only the verdict of a scan that takes another one back (see `mayUndo`); no reading
 * gets it.
 */
export type Verdict = (typeof verdicts)[number];
/**
 * How the ticket was named: its code was scanned or typed; it was found by hand; it came with the
 * rest of its order.
 */
export const means = ['code', 'search', 'group'] as const;
export type ScanMethod = (typeof means)[number];
export const directions = ['in', 'out'] as const;
export type Direction = (typeof directions)[number];
export const ticketStates = ['valid', 'void', 'refunded', 'unpaid'] as const;
export type TicketState = (typeof ticketStates)[number];
/**
 * The states in a phone's list: a valid ticket that was paid with test money is a trial (RULES
 * A11). `other`: a state of a later release, which this one does not know. `kept`: a valid ticket
 * whose place is let go some minutes before the start; `let_go`: it was, and is still free (RULES
 * O21). States are only added, at the end: a list names them by their number.
 */
export const listedStates = [...ticketStates, 'trial', 'other', 'kept', 'let_go'] as const;
export type ListedState = (typeof listedStates)[number];
/** Whether a guest goes in by the code alone, or a person is asked. */
export const verifyPolicies = ['ask', 'admit'] as const;
export type VerifyPolicy = (typeof verifyPolicies)[number];

/** What the scanned text turned out to be. */
export type Reading =
  | { kind: 'unknown' }
  | { kind: 'other_event' }
  | { kind: 'place'; place: string; revision: number };

export interface LastAdmission {
  direction: Direction;
  at: number;
  phone_id: string | null;
}

export interface AdmissionFacts {
  reading: Reading;
  /** `admits_from` is inclusive, `admits_until` exclusive; null: the event has no such time. */
  event: {
    cancelled: boolean;
    starts_at: number;
    admits_from: number | null;
    admits_until: number | null;
    /** For an authentic code that was sold after the last update of the list. */
    verify_policy: VerifyPolicy;
    /** For a code that a moved ticket had on another place. */
    moved_policy: VerifyPolicy;
    reentry: boolean;
  };
  /**
   * The newest ticket of the place that this phone or server knows; `reentry`: by the terms of its
   * sale, null: unknown; the event may allow more (RULES O20). `kept_minutes`: see keptUntil().
   */
  ticket: {
    revision: number;
    state: ListedState;
    kept_minutes?: number;
    gates: readonly string[];
    reentry: boolean | null;
  } | null;
  /** `reading` is where the ticket is now; what was read is a code from before its move. */
  moved: boolean;
  /**
   * The highest revision that was issued or read at a door; tickets of earlier revisions no
   * longer admit.
   */
  newest: number;
  /** The read revision may have been issued in a time that a restored house has lost. */
  lost: boolean;
  /** The place of the read revision was let go, and another guest has it now. */
  given?: boolean;
  /** Why the code that was read ended; null or missing: it has not, or no reason is known. */
  ended?: EndedWhy | null;
  /** The last scan that let a guest in or out with this ticket, on any phone. */
  last: LastAdmission | null;
}

export interface AdmissionAsk {
  now: number;
  direction: Direction;
  phone_id: string | null;
  gate: string | null;
  /** A supervisor's reason to let the guest in all the same. */
  override: string | null;
}

/** `counts`: a guest goes in or out, so the scan changes who is inside. */
export interface Decision {
  verdict: Verdict;
  counts: boolean;
  overridden: boolean;
}

/**
 * A phone that reads a code twice while the guest stands there raises no alarm (RULES A2). The
 * difference may have either sign, because a clock may be set back.
 */
export const justReadMs = 5_000;

/**
 * What a supervisor may overrule: never a foreign code, an older revision, a refunded ticket or
 * one that was just read.
 */
const overrulable: readonly Verdict[] = [
  'already_in',
  'wrong_gate',
  'not_yet',
  'too_late',
  'moved',
  'unpaid',
  'trial',
  'verify',
];

/**
 * Whether a supervisor may let in against this decision: only on the way in, and only a guest
 * whom the decision refuses.
 */
export function mayOverrule(verdict: Verdict, direction: Direction, counts: boolean): boolean {
  return direction === 'in' && !counts && overrulable.includes(verdict);
}

/** Gives every reading a verdict, without side effects. */
export function decideAdmission(facts: AdmissionFacts, ask: AdmissionAsk): Decision {
  const verdict = verdictOf(facts, ask);
  if (verdict === 'admit' || verdict === 'out') return { verdict, counts: true, overridden: false };
  const counts = mayPass(verdict, facts);
  if (ask.override !== null && mayOverrule(verdict, ask.direction, counts))
    return { verdict: 'admit', counts: true, overridden: true };
  return { verdict, counts, overridden: false };
}

/** Whether the event lets a guest in whose code is authentic, but not that of a known ticket. */
function mayPass(verdict: Verdict, facts: AdmissionFacts): boolean {
  const { event, ticket } = facts;
  if (verdict === 'moved') return event.moved_policy === 'admit';
  // What a later release says of a ticket must not be taken for a sale after the last update.
  if (verdict !== 'verify' || ticket?.state === 'other') return false;
  // By its clock alone a phone cannot know whether the place has another guest.
  if (ticket?.state === 'kept') return false;
  // Two honest buyers have one place, so a person decides.
  if (resoldAfterLoss(facts)) return false;
  return event.verify_policy === 'admit' && !isInside(facts);
}

function verdictOf(facts: AdmissionFacts, ask: AdmissionAsk): Verdict {
  const { reading, event, ticket, last } = facts;
  if (reading.kind === 'unknown') return 'invalid';
  if (reading.kind === 'other_event') return 'wrong_event';
  // Every exit counts, whatever happened to the ticket since the entry, because presence counts
  // the people in the house.
  if (ask.direction === 'out' && last?.direction === 'in') return 'out';
  if (event.cancelled) return 'cancelled';
  const isResold = resoldAfterLoss(facts);
  if (reading.revision < facts.newest && !isResold) {
    // A ticket's papers from before a move end with it (RULES M4).
    const isGiven = facts.given === true && !facts.moved;
    return isGiven || facts.ended === 'exchanged' ? 'cancelled' : 'replaced';
  }
  const ended = endedVerdict(facts);
  if (ended !== null) return ended;
  if (isInside(facts) && ask.direction === 'in') {
    return last !== null &&
      last.phone_id !== null &&
      last.phone_id === ask.phone_id &&
      Math.abs(ask.now - last.at) < justReadMs
      ? 'just_read'
      : 'already_in';
  }
  if (isResold) return (ask.direction === 'out' ? null : hourOf(event, ask.now)) ?? 'verify';
  if (!ticket || reading.revision > ticket.revision)
    return ask.direction === 'out' ? 'out' : (hourOf(event, ask.now) ?? 'verify');
  if (ticket.state === 'unpaid') return 'unpaid';
  if (ticket.state === 'trial') return 'trial';
  if (ticket.state === 'other') return hourOf(event, ask.now) ?? 'verify';
  if (ask.direction === 'out') return 'out';
  // The place of a guest who came in time is never let go, also while the guest is outside.
  if (last === null && isLetGo(ticket, event.starts_at, ask.now))
    return hourOf(event, ask.now) ?? 'verify';
  const { gate } = ask;
  if (
    gate !== null &&
    ticket.gates.length > 0 &&
    !ticket.gates.some((way) => isSameGate(way, gate))
  )
    return 'wrong_gate';
  return hourOf(event, ask.now) ?? (facts.moved ? 'moved' : 'admit');
}

/**
 * The verdict of a ticket that has ended, also while its guest is inside: a supervisor must not be
 * offered to let in another one. Its papers from before a move have ended with it (RULES M4).
 */
function endedVerdict({ reading, ticket, moved }: AdmissionFacts): Verdict | null {
  if (!ticket || reading.kind !== 'place' || reading.revision !== ticket.revision) return null;
  if (ticket.state !== 'void' && ticket.state !== 'refunded') return null;
  if (moved) return 'replaced';
  return ticket.state === 'void' ? 'cancelled' : 'refunded';
}

/** The place of a ticket that a restored house has lost was sold again (RULES B3). */
function resoldAfterLoss({ reading, lost, newest }: AdmissionFacts): boolean {
  return lost && reading.kind === 'place' && reading.revision < newest;
}

/** The door's hours apply to every ticket, even one that the list does not have yet. */
function hourOf(
  { admits_from, admits_until }: AdmissionFacts['event'],
  now: number,
): Verdict | null {
  if (admits_from !== null && now < admits_from) return 'not_yet';
  return admits_until !== null && now >= admits_until ? 'too_late' : null;
}

/** Whether a guest who went out may come in again, by the terms of the sale or by the event. */
export function mayComeBack(
  ticket: { reentry: boolean | null } | null | undefined,
  event: { reentry: boolean },
): boolean {
  return ticket?.reentry === true || event.reentry;
}

/** Without re-entry a ticket is used up by its first way in, even after an exit. */
function isInside({ last, ticket, event }: AdmissionFacts): boolean {
  return last !== null && (last.direction === 'in' || !mayComeBack(ticket, event));
}

/** What a person found out about a second way in. */
export const conflictAnswers = ['same_person', 'copy', 'mistake'] as const;
export type ConflictAnswer = (typeof conflictAnswers)[number];

export interface CountedScan {
  admission_id: string;
  direction: Direction;
  corrected_at: number;
  /** Needed only in a list with scans of several tickets: those of one have the same number. */
  revision?: number;
  /** Needed only in a list with scans on several places. */
  place?: string | null;
  /** A later scan took it back: no guest went in or out by it. */
  undone: boolean;
  /** False if its ticket is used up by its first way in. */
  reentry?: boolean;
  /** The house wrote it for a guest who was inside: nobody came in, and it uses nothing up. */
  carried?: boolean;
}

/**
 * The counted scans of one ticket in the order of time, without those taken back and without the
 * second of two ways in. `last` is the newest. `first` is the scan with which another way in
 * would conflict: the earliest way in since the last way out, or the last scan if an exit has
 * used the ticket up.
 */
export function standingOf<S extends CountedScan>(
  scans: readonly S[],
): { last: S | null; first: S | null } {
  const conflicts = conflictsOf(scans);
  const standing = inOrder(scans).filter(
    ({ admission_id, undone }) => !undone && !conflicts.has(admission_id),
  );
  const lastOut = standing.findLastIndex(({ direction }) => direction === 'out');
  return {
    last: standing.at(-1) ?? null,
    first:
      standing.slice(lastOut + 1).find(({ direction }) => direction === 'in') ??
      standing.at(-1) ??
      null,
  };
}

type PlaceScan = CountedScan & { revision: number; place: string; conflict_with?: string | null };

/**
 * How many guests who count on a place are inside and have come in, by the scans of all its
 * tickets; `readOn` says where any scan was read. Two who were read on one place may be one person,
 * so they are one guest; with an old paper the second was read elsewhere.
 */
export function guestsOn(
  all: readonly PlaceScan[],
  readOn: (admission_id: string) => string | undefined,
): { inside: number; entered: number } {
  const here = new Set(all.map(({ admission_id }) => admission_id));
  // A guest who came in on another place with the same ticket counts there (RULES M5). Against
  // another ticket's guest a scan stands only where both were read.
  const scans = all.filter(
    ({ conflict_with, place }) =>
      conflict_with == null || here.has(conflict_with) || readOn(conflict_with) === place,
  );
  const inside = new Set<string>();
  const entered = new Set<string>();
  // Older iPhones have no Map.groupBy.
  for (const revision of new Set(scans.map((scan) => scan.revision))) {
    const own = scans.filter((scan) => scan.revision === revision);
    const { last, first } = standingOf(own);
    if (last?.direction === 'in') inside.add((first ?? last).place);
    const came = inOrder(own).find(({ undone, direction }) => !undone && direction === 'in');
    if (came) entered.add(came.place);
  }
  return { inside: inside.size, entered: entered.size };
}

/**
 * The phone that made a scan may take it back for this long; later, or from another phone, only a
 * supervisor or the office may.
 */
export const undoMs = 10 * 60_000;

/** Only a scan that counted can be taken back, and only once. */
export function mayUndo(
  scan: { counts: boolean; undone: boolean; phone_id: string | null; at: number },
  by: { phone_id: string | null; supervisor: boolean; now: number },
): boolean {
  if (!scan.counts || scan.undone) return false;
  return (
    by.supervisor ||
    (scan.phone_id !== null && scan.phone_id === by.phone_id && by.now - scan.at <= undoMs)
  );
}

/**
 * Says which counted scans are the admission and which are doubles, sorted by corrected time, then
 * by id. A way in conflicts with the ticket's guest who is already inside, by whatever code, and
 * with any guest who is inside on the same place; without re-entry also with the first use of its
 * ticket, even after an exit. No scan is deleted.
 */
export function conflictsOf(scans: readonly CountedScan[]): Map<string, string> {
  const conflicts = new Map<string, string>();
  /** For each ticket the scan of the guest inside, and the first way in. */
  const inside = new Map<number, CountedScan>();
  const used = new Map<number, CountedScan>();
  for (const scan of inOrder(scans)) {
    const { admission_id, direction, undone, revision = 0, carried = false } = scan;
    if (undone) continue;
    if (direction === 'out') {
      inside.delete(revision);
      continue;
    }
    const isOnce = scan.reentry === false && !carried;
    const before =
      inside.get(revision) ??
      [...inside.values()].find(({ place }) => place === scan.place) ??
      (isOnce ? used.get(revision) : undefined);
    if (before !== undefined) conflicts.set(admission_id, before.admission_id);
    if (!inside.has(revision)) inside.set(revision, scan);
    if (!carried && !used.has(revision)) used.set(revision, scan);
  }
  return conflicts;
}

function inOrder<S extends CountedScan>(scans: readonly S[]): S[] {
  return scans.toSorted(
    (a, b) => a.corrected_at - b.corrected_at || (a.admission_id < b.admission_id ? -1 : 1),
  );
}
