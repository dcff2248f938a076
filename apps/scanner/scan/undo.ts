/** Takes back a scan by another scan, which is stored first and then sent to all phones. */
import { mayUndo, undoMs } from '#server/domain/door/admission.ts';
import { correctedNow } from '#apps/scanner/kit/clock.ts';
import type { Consent } from './approval.ts';
import type { UndoAsk } from './asks.ts';
import type { Pending, Written } from './pending.ts';
import { newId, store, type Decided, type Moment } from './write-scans.ts';
import { placeOfScan } from '#apps/scanner/list/image.ts';
import { placeIn, scansIn, type DoorList } from '#apps/scanner/list/list.ts';
import type { Phone } from '#apps/scanner/list/memory.ts';
import type { QueuedScan } from '#apps/scanner/kit/store.ts';

/** A scan that may be taken back: one that found a place. */
export type UndoableScan = QueuedScan & { place: string; revision: number };

interface Undone {
  undone: boolean;
  /** How many scans were taken back. */
  count: number;
  /** Of the scan that was asked for first. */
  seat: string | null;
}

/**
 * Takes back own scans for ten minutes; with a supervisor's phone or consent, any scan that this
 * phone knows. False when the scan no longer counts or this phone may not take it back.
 */
export async function undo(phone: Phone, ask: UndoAsk): Promise<Undone> {
  const ids = [ask.admission_id, ...(ask.together ?? [])].map(() => newId(phone));
  const phone_id = phone.memory.device?.phone_id ?? null;
  const { event_id } = ask;
  return undoAll(phone, { kind: 'undo', phone_id, event_id, undo: { ...ask, ids } });
}

/** Takes back what could not be taken back before the app was loaded anew. */
export function undoAgain(phone: Phone, pending: Pending & { kind: 'undo' }): Promise<Undone> {
  return undoAll(phone, pending, { isAgain: true });
}

async function undoAll(
  phone: Phone,
  pending: Pending & { kind: 'undo' },
  how?: { isAgain: boolean },
): Promise<Undone> {
  const { ids, admission_id, together = [], reason, consent = null } = pending.undo;
  const undone = await store<string | null>(
    phone,
    pending,
    (moment, written) =>
      [admission_id, ...together].flatMap((annuls, i) =>
        decideUndo(moment, { annuls, admission_id: ids[i] ?? '', reason, consent }, written),
      ),
    how,
  );
  return { undone: undone.length > 0, count: undone.length, seat: undone[0] ?? null };
}

interface OneUndo {
  /** The scan that is taken back. */
  annuls: string;
  admission_id: string;
  reason: string;
  consent: Consent | null;
}

/** Empty when the scan no longer counts or this phone may not take it back. */
function decideUndo(
  { device, list, corrected }: Moment,
  { annuls, admission_id, reason, consent }: OneUndo,
  written: Written,
): Decided<string | null>[] {
  const found = findScan(list, annuls);
  const by = {
    phone_id: device.phone_id,
    supervisor: device.role === 'supervisor' || consent !== null,
    now: corrected,
  };
  if (!found) return [];
  const isTakenBack =
    written.size > 0 ? written.has(admission_id) : mayUndo({ counts: true, ...found }, by);
  if (!isTakenBack) return [];
  const seat = placeIn(list, found.place)?.seat ?? null;
  return [
    {
      row: {
        admission_id,
        place: found.place,
        revision: found.revision,
        read: null,
        direction: found.direction,
        verdict: 'undone',
        counts: false,
        override: null,
        means: 'code',
        code_read: null,
        note: reason.slice(0, 200),
        annuls,
        approval: consent?.approval ?? null,
        seat,
      },
      answer: () => seat,
    },
  ];
}

/** Other scans of the tap that made this one, which may be taken back with it. */
export function undoableWith(phone: Phone, { event_id, ...scan }: UndoableScan): string[] {
  const list = phone.memory.lists.get(event_id);
  if (!list || scan.means === 'code') return [];
  // The scans of one tap were stored in one transaction, with one reading of the clock.
  return list.own.latest
    .filter((other) => other.scanned_at === scan.scanned_at && other.means === scan.means)
    .filter((other) => other.seq !== scan.seq && !isUndone(list, other))
    .map(({ admission_id }) => admission_id);
}

/**
 * The newest entry or exit of this phone, or its newest at this place, that still counts and may
 * be taken back; repeated calls take back a group one by one.
 */
export function lastUndoable(phone: Phone, event_id: string, place?: string): UndoableScan | null {
  const { memory } = phone;
  const list = memory.lists.get(event_id);
  const now = correctedNow(phone, memory.clock).corrected;
  if (!list) return null;
  for (const scan of list.own.latest.toReversed()) {
    if (scan.phone_id !== memory.device?.phone_id || now - scan.corrected_at > undoMs) return null;
    if ((place === undefined || scan.place === place) && !isUndone(list, scan))
      return scan as UndoableScan;
  }
  return null;
}

function isUndone(list: DoorList, { place, admission_id }: QueuedScan): boolean {
  return (
    scansIn(list, place ?? '').find((known) => known.admission_id === admission_id)?.undone ?? true
  );
}

function findScan(list: DoorList, admission_id: string) {
  const place =
    list.own.latest.find((scan) => scan.admission_id === admission_id)?.place ??
    [...list.heard].find(([, scans]) => scans.has(admission_id))?.[0] ??
    placeOfScan(list.image, admission_id);
  if (place === null) return null;
  const scan = scansIn(list, place).find((known) => known.admission_id === admission_id);
  return scan ? { ...scan, place } : null;
}
