/**
 * People without a ticket: counts them in and out, takes counts back, and says who is inside by
 * what this phone and the others have counted (RULES A15).
 */
import type { Direction } from '#server/domain/door/admission.ts';
import {
  mayUndoHeads,
  sumHeads,
  type HeadFigures,
  type HeadReason,
  type ListedHeads,
} from '#server/domain/door/heads.ts';
import { correctedNow } from '#apps/scanner/kit/clock.ts';
import { readMeta, type QueuedHeads, type StoredEvent } from '#apps/scanner/kit/store.ts';
import { rememberHeads, tellChange, type Phone } from '#apps/scanner/list/memory.ts';

/** A count as the screen shows it. */
export interface ShownHeads extends ListedHeads {
  /** What the person on this phone has added; other phones do not hear of it. */
  words: string | null;
  /** The server has not answered for it. */
  waiting: boolean;
  /** The server does not count it, because this phone was not allowed to make it. */
  doubted: boolean;
}

interface PhoneHeads extends HeadFigures {
  /** The newest first. */
  counts: readonly ShownHeads[];
}

/** The counts of an event as last computed, and what they were computed from. */
interface Known {
  told: StoredEvent['heads'];
  own: readonly QueuedHeads[];
  heads: PhoneHeads;
}
const known = new WeakMap<Phone, Map<string, Known>>();
const none: readonly QueuedHeads[] = [];

/** Returns the same object until something changes. */
export function headsOf(phone: Phone, event_id: string): PhoneHeads {
  const told = phone.memory.events.get(event_id)?.heads;
  const own = phone.memory.heads.get(event_id) ?? none;
  const ofPhone = known.get(phone) ?? new Map<string, Known>();
  known.set(phone, ofPhone);
  const last = ofPhone.get(event_id);
  if (last && last.told?.counts === told?.counts && last.own === own) return last.heads;
  const counts = merge(told?.counts ?? [], own);
  const heads = { ...sumHeads(counts.filter(({ doubted }) => !doubted)), counts };
  ofPhone.set(event_id, { told, own, heads });
  return heads;
}

function merge(told: readonly ListedHeads[], own: readonly QueuedHeads[]): ShownHeads[] {
  const counts = new Map<string, ShownHeads>();
  for (const count of told)
    counts.set(count.head_id, { ...count, words: null, waiting: false, doubted: false });
  for (const row of own) {
    if (row.annuls !== null) continue;
    const { head_id, words, fate } = row;
    const listed = counts.get(head_id) ?? listedOf(row);
    const waiting = fate === 'queued' || fate === 'unreadable';
    counts.set(head_id, { ...listed, words, waiting, doubted: fate === 'doubted' });
  }
  for (const { annuls, fate } of own) {
    const count = counts.get(annuls ?? '');
    if (count && fate !== 'doubted') counts.set(count.head_id, { ...count, undone: true });
  }
  return [...counts.values()].sort((a, b) => b.at - a.at || (a.head_id < b.head_id ? 1 : -1));
}

function listedOf(row: QueuedHeads): ListedHeads {
  const { head_id, direction, people, reason, corrected_at: at, gate, phone_id } = row;
  return { head_id, direction, people, reason, at, gate, phone_id, by: '', undone: false };
}

interface CountAsk {
  /** An id from `newId`; a second count with the same id is ignored. */
  head_id: string;
  event_id: string;
  direction: Direction;
  people: number;
  reason: HeadReason;
  words: string | null;
}

/** Resolves when the count is on disk; throws only when the phone cannot write. */
export async function countHeads(phone: Phone, ask: CountAsk): Promise<void> {
  await store(phone, { ...ask, annuls: null });
}

/**
 * Takes a count back: own ones for ten minutes, on a supervisor's phone any. False when it no
 * longer counts or this phone may not.
 */
export async function undoHeads(
  phone: Phone,
  { event_id, head_id, undo_id }: { event_id: string; head_id: string; undo_id: string },
): Promise<boolean> {
  const count = headsOf(phone, event_id).counts.find((one) => one.head_id === head_id);
  if (!count || !mayTakeBack(phone, count)) return false;
  const { direction, people, reason } = count;
  const about = { event_id, direction, people, reason, words: null };
  await store(phone, { ...about, head_id: undo_id, annuls: head_id });
  return true;
}

export function mayTakeBack(phone: Phone, count: ShownHeads): boolean {
  const { device, clock } = phone.memory;
  if (!device || count.doubted) return false;
  const now = correctedNow(phone, clock).corrected;
  return mayUndoHeads(count, {
    phone_id: device.phone_id,
    supervisor: device.role === 'supervisor',
    now,
  });
}

async function store(phone: Phone, count: CountAsk & Pick<QueuedHeads, 'annuls'>): Promise<void> {
  const { db } = phone;
  const row = await db.transaction('rw', [db.meta, db.events, db.heads], async () => {
    const [device, clock, event, before] = await Promise.all([
      readMeta(db, 'device'),
      readMeta(db, 'clock'),
      db.events.get(count.event_id),
      db.heads.get(count.head_id),
    ]);
    if (before) return before;
    if (!device || !event?.facts) throw new Error('There is no list of this event');
    const { now, corrected } = correctedNow(phone, clock);
    const made: QueuedHeads = {
      ...count,
      phone_id: device.phone_id,
      gate: device.gate,
      scanned_at: now,
      corrected_at: corrected,
      fate: 'queued',
      answered_at: null,
    };
    await db.heads.add(made);
    return made;
  });
  rememberHeads(phone, [row]);
  tellChange(phone);
}
