/**
 * Writes changes after the list's block, cursor and rows always in the same transaction, and
 * merges many small parts into one.
 */
import type { ReceivedChanges } from '#server/contract/door/door-list.ts';
import { applyRows, countsWith, rowsAsBytes, rowsBehind } from './list.ts';
import { catchUp, tellChange, type Phone } from './memory.ts';
import { isComplete, headOf, markOwn } from './new-list.ts';
import { sealPart } from './seal.ts';
import { readSealKey } from './seal-key.ts';
import type { StoredEvent, StoredPart } from '#apps/scanner/kit/store.ts';

/** A list with this many later parts is merged. */
const mostParts = 400;

/**
 * Applies changes only to a list whose cursor equals their `from`; false when it differs, and
 * then nothing was changed. This phone's own scans are not deleted: each stays until the server's
 * list has it.
 */
export async function takeDelta(
  phone: Phone,
  event_id: string,
  page: ReceivedChanges,
): Promise<boolean> {
  const { db, memory, ports } = phone;
  await catchUp(phone, event_id);
  const list = memory.lists.get(event_id);
  const known = memory.events.get(event_id);
  if (!list || !known || known.cursor !== page.from || !isComplete(known)) return false;
  const isEmpty = page.places.length === 0 && page.admissions.length === 0;
  const n = list.parts;
  const name = { event_id, generation: list.generation, n };
  const part = isEmpty ? null : await sealPart(await readSealKey(db), name, rowsAsBytes(page));
  const grown = countsWith(list, page);
  const written = await db.transaction('rw', [db.events, db.parts, db.queue], async () => {
    const event = await db.events.get(event_id);
    if (
      !event ||
      event.cursor !== page.from ||
      !isComplete(event) ||
      event.generation !== name.generation ||
      event.parts !== n
    )
      return null;
    if (part) await db.parts.put(part);
    await markOwn(phone, page.admissions);
    const next: StoredEvent = {
      ...event,
      ...headOf(page, event.heads?.counts),
      updated_at: ports.now(),
      parts: part ? n + 1 : n,
      tickets: event.tickets + grown.tickets,
      places: event.places + grown.places,
    };
    await db.events.put(next);
    return next;
  });
  if (!written) return false;
  ports.saved?.();
  memory.events.set(event_id, written);
  // The list in memory may contain the part already, if a scan read it from the disk meanwhile.
  if (part && memory.lists.get(event_id) === list && list.parts === n) {
    applyRows(list, page);
    list.parts = n + 1;
  }
  tellChange(phone);
  return true;
}

/**
 * Merges all later parts into one under the number of the last, because every part slows the
 * start of the app.
 */
export async function mergeIfDue({ db, memory, ports }: Phone, event_id: string): Promise<void> {
  const list = memory.lists.get(event_id);
  if (!list) return;
  const { generation, parts } = list;
  const later = () =>
    db.parts
      .where('[event_id+generation+n]')
      .between([event_id, generation, 1], [event_id, generation, parts]);
  if ((await later().count()) < (ports.mostParts ?? mostParts)) return;
  // Read before the first `await`, so that the rows belong to exactly this number of parts.
  const bytes = rowsAsBytes(rowsBehind(list));
  const merged: StoredPart = await sealPart(
    await readSealKey(db),
    { event_id, generation, n: parts - 1 },
    bytes,
  );
  await db.transaction('rw', [db.events, db.parts], async () => {
    const event = await db.events.get(event_id);
    if (event?.generation !== generation || event.parts !== parts) return;
    await later().delete();
    await db.parts.put(merged);
  });
}
