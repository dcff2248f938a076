/**
 * Takes a whole list. It is written beside the old one and made visible by one write; unsent
 * scans stay.
 */
import type { ReceivedChanges, ReceivedHead } from '#server/contract/door/door-list.ts';
import type { ListedHeads } from '#server/domain/door/heads.ts';
import { openBlock, type Block } from '#server/domain/door/door-block.ts';
import {
  applyRows,
  countsWith,
  openList,
  rowsAsBytes,
  toldScans,
  type DoorList,
  type ListRows,
} from './list.ts';
import { ownOf, tellChange, type Phone } from './memory.ts';
import type { ListAnswer } from './page.ts';
import { sealPart } from './seal.ts';
import { readSealKey } from './seal-key.ts';
import {
  dropOtherParts,
  dropParts,
  readMeta,
  writeMeta,
  type QueuedScan,
  type StoredEvent,
} from '#apps/scanner/kit/store.ts';

/** The fields of an event's row that an answer sets. */
export function headOf(
  { cursor, event, other_events, heads }: ReceivedHead,
  before: readonly ListedHeads[] = [],
): Pick<StoredEvent, 'cursor' | 'facts' | 'other_events' | 'heads'> {
  const { id: _, ...facts } = event;
  const changed = new Set(heads.map(({ head_id }) => head_id));
  const counts = [...before.filter(({ head_id }) => !changed.has(head_id)), ...heads];
  return { cursor, facts, other_events, heads: { cursor, counts } };
}

/**
 * False for a list that an app of before 1.3.0 has fetched or updated, because that app stores only
 * the facts that it knows.
 */
export function isComplete({ cursor, heads }: Pick<StoredEvent, 'cursor' | 'heads'>): boolean {
  return heads !== undefined && heads.cursor === cursor;
}

/** The event's row before its list is requested. Null: this phone may not store the event. */
export async function prepareEvent(phone: Phone, event_id: string): Promise<StoredEvent | null> {
  const { db, memory } = phone;
  return db.transaction('rw', [db.meta, db.events], async () => {
    const device = await readMeta(db, 'device');
    if (!device || device.revoked_at !== null || !device.events.some(({ id }) => id === event_id))
      return null;
    const wiped = await readMeta(db, 'wiped');
    const others = wiped?.filter((id) => id !== event_id);
    if (others && others.length !== wiped?.length) await writeMeta(db, 'wiped', others);
    const known = await db.events.get(event_id);
    if (known) return known;
    const row = emptyEvent(event_id);
    await db.events.put(row);
    memory.events.set(event_id, row);
    return row;
  });
}

function emptyEvent(event_id: string): StoredEvent {
  return {
    event_id,
    generation: 0,
    parts: 0,
    cursor: null,
    updated_at: null,
    tickets: 0,
    places: 0,
    facts: null,
    other_events: [],
  };
}

/**
 * Clears a cursor from which the server cannot continue: the next call asks for the whole list,
 * and the list on the phone stays usable meanwhile.
 */
export async function startOver({ db, memory }: Phone, event_id: string): Promise<void> {
  await db.transaction('rw', [db.events], async () => {
    const event = await db.events.get(event_id);
    if (!event) return;
    const row = { ...event, cursor: null };
    await db.events.put(row);
    memory.events.set(event_id, row);
  });
}

interface NewList {
  /** The event's row when the list was requested. */
  before: StoredEvent;
  answer: ListAnswer;
  /**
   * Changes made while the server made the list, so that the phone does not lose what it knew.
   */
  changes: ReceivedChanges | null;
}

/**
 * False when the phone may no longer store this event, for instance after a wipe meanwhile.
 * @throws TornPage, and nothing is changed
 */
export async function takeList(
  phone: Phone,
  { before, answer, changes }: NewList,
): Promise<boolean> {
  const { db, memory, ports } = phone;
  const { event_id } = before;
  const block = openBlock(answer.block);
  // No generation number is used twice, even after a wipe; otherwise another window would take
  // the new list for the one it has.
  const generation = Math.max(before.generation, ports.now()) + 1;
  const rows = changes && changes.places.length + changes.admissions.length > 0 ? changes : null;
  const parts = { event_id, generation, block, rows };
  const open = () => openWith(phone, parts);
  const { list, grown } = open();
  await writeParts(phone, parts);
  const written = await db.transaction(
    'rw',
    [db.events, db.parts, db.queue, db.heads],
    async () => {
      const event = await db.events.get(event_id);
      if (event?.generation !== before.generation) {
        await dropParts(db, event_id, generation);
        return null;
      }
      const row: StoredEvent = {
        ...event,
        ...(changes ? headOf(changes, answer.head.heads) : headOf(answer.head)),
        updated_at: ports.now(),
        generation,
        parts: list.parts,
        tickets: block.tickets + grown.tickets,
        places: block.count + grown.places,
      };
      await db.events.put(row);
      await dropOtherParts(db, row);
      await markOwn(phone, toldAmongOwn(phone, list));
      if (event.generation > 0) {
        await bringBack(phone, list);
        await bringHeadsBack(phone, row);
      }
      return row;
    },
  );
  if (!written) return false;
  memory.events.set(event_id, written);
  // The list is opened again, because this phone may have read a ticket meanwhile.
  memory.lists.set(event_id, open().list);
  tellChange(phone);
  return true;
}

interface Parts {
  event_id: string;
  generation: number;
  block: Block;
  rows: ListRows | null;
}

function openWith(phone: Phone, { event_id, generation, block, rows }: Parts) {
  const list = openList(event_id, { generation, image: block, own: ownOf(phone, event_id) });
  const grown = rows ? countsWith(list, rows) : { places: 0, tickets: 0 };
  if (rows) {
    applyRows(list, rows);
    list.parts += 1;
  }
  return { list, grown };
}

/**
 * Writes the parts before the transaction that makes them visible, so that no scan waits for
 * these megabytes.
 */
async function writeParts(
  { db }: Phone,
  { event_id, generation, block, rows }: Parts,
): Promise<void> {
  const key = await readSealKey(db);
  const parts = [block.bytes, ...(rows ? [rowsAsBytes(rows)] : [])];
  await db.parts.bulkPut(
    await Promise.all(parts.map((bytes, n) => sealPart(key, { event_id, generation, n }, bytes))),
  );
}

/**
 * Queues scans again that the server had stored and no longer lists, because the server may have
 * been restored from a backup. Sending a scan twice does no harm, so a scan that is only too new
 * for the list may be sent again. Call it only inside a transaction that holds the queue.
 */
async function bringBack({ db }: Phone, list: DoorList): Promise<void> {
  const answered = await db.queue
    .where('event_id')
    .equals(list.event_id)
    .filter(
      ({ fate, counts, annuls }) =>
        (fate === 'stored' || fate === 'conflict') && (counts || annuls !== null),
    )
    .toArray();
  const missing = answered.filter(({ admission_id, place, annuls }) => {
    const recorded = toldScans(list, place ?? '').get(annuls ?? admission_id);
    return annuls === null ? !recorded : recorded?.undone !== true;
  });
  await db.queue.bulkPut(
    missing.map((scan): QueuedScan => ({ ...scan, fate: 'queued', answered_at: null })),
  );
}

/** The same for counts of people without a ticket; one in doubt is never listed. */
async function bringHeadsBack({ db }: Phone, { event_id, heads }: StoredEvent): Promise<void> {
  const told = new Map(heads?.counts.map((count) => [count.head_id, count]));
  await db.heads
    .where('event_id')
    .equals(event_id)
    .filter(({ fate, head_id, annuls }) => {
      const isTold = annuls === null ? told.has(head_id) : told.get(annuls)?.undone === true;
      return fate === 'stored' && !isTold;
    })
    .modify({ fate: 'queued', answered_at: null });
}

interface ToldScan {
  admission_id: string;
  conflict_with: string | null;
}

/**
 * Marks own scans as conflicts or clears the mark, because an earlier scan of another phone may
 * arrive late and make ours the second entry. Call it only inside a transaction that holds the
 * queue.
 */
export async function markOwn({ db }: Phone, told: readonly ToldScan[]): Promise<void> {
  if (told.length === 0) return;
  const own = await db.queue.bulkGet(told.map(({ admission_id }) => admission_id));
  const changed = own.flatMap((scan, i): QueuedScan[] => {
    const fate = told[i]?.conflict_with === null ? 'stored' : 'conflict';
    return scan && scan.fate !== 'queued' && scan.fate !== fate ? [{ ...scan, fate }] : [];
  });
  if (changed.length > 0) await db.queue.bulkPut(changed);
}

/**
 * The server's rows for this phone's own scans, found by their places, because a list may have
 * fifty thousand rows.
 */
function toldAmongOwn(phone: Phone, list: DoorList): ToldScan[] {
  return ownOf(phone, list.event_id).latest.flatMap(
    ({ admission_id, place }) => toldScans(list, place ?? '').get(admission_id) ?? [],
  );
}
