/** Takes back a scan by another scan, which is stored first and then sent to all phones. */
import { mayUndo, undoMs } from '#server/domain/door/admission.ts';
import { correctedNow } from '#apps/scanner/kit/clock.ts';
import type { Consent } from './approval.ts';
import { newId, store, type Decided } from './admit.ts';
import { placeOfScan } from '#apps/scanner/list/image.ts';
import { placeIn, scansIn, type DoorList } from '#apps/scanner/list/list.ts';
import type { Phone } from '#apps/scanner/list/memory.ts';
import type { QueuedScan } from '#apps/scanner/kit/store.ts';

/** A scan that may be taken back: one that found a place. */
export type UndoableScan = QueuedScan & { place: string; revision: number };

interface Undone {
  undone: boolean;
  seat: string | null;
}

interface UndoAsk {
  event_id: string;
  admission_id: string;
  reason: string;
  /** A supervisor's consent, for what this phone may not take back alone. */
  consent?: Consent | null;
}

/**
 * Takes back own scans for ten minutes; with a supervisor's phone or consent, any scan that this
 * phone knows. False when the scan no longer counts or this phone may not take it back.
 */
export async function undo(
  phone: Phone,
  { event_id, admission_id, reason, consent = null }: UndoAsk,
): Promise<Undone> {
  let seat: string | null = null;
  const undone = await store<true>(
    phone,
    event_id,
    ({ device, list, corrected }): Decided<true>[] => {
      const found = findScan(list, admission_id);
      if (!found) return [];
      seat = placeIn(list, found.place)?.seat ?? null;
      if (
        !mayUndo(
          { counts: true, ...found },
          {
            phone_id: device.phone_id,
            supervisor: device.role === 'supervisor' || consent !== null,
            now: corrected,
          },
        )
      )
        return [];
      return [
        {
          row: {
            admission_id: newId(phone),
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
            annuls: admission_id,
            approval: consent?.approval ?? null,
            seat,
          },
          answer: () => true,
        },
      ];
    },
  );
  return { undone: undone.length > 0, seat };
}

/**
 * The newest entry or exit of this phone that still counts and may be taken back; repeated calls
 * take back a group one by one.
 */
export function lastUndoable(phone: Phone, event_id: string): UndoableScan | null {
  const { memory } = phone;
  const list = memory.lists.get(event_id);
  const now = correctedNow(phone, memory.clock).corrected;
  if (!list) return null;
  for (const scan of list.own.latest.toReversed()) {
    if (scan.phone_id !== memory.device?.phone_id || now - scan.corrected_at > undoMs) return null;
    const isUndone =
      scansIn(list, scan.place ?? '').find(({ admission_id }) => admission_id === scan.admission_id)
        ?.undone ?? true;
    if (!isUndone) return scan as UndoableScan;
  }
  return null;
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
