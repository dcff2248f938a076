/** Writes what the server said: a new list beside the old one and swapped in by one write, differences as blocks behind it, cursor and rows always in the same transaction. */
import type { DoorHead, DoorPage } from '#server/contract/door-list.ts';
import { openBlock, type Block } from '#server/domain/door-block.ts';
import { readAdmissions } from '#server/domain/door-list.ts';
import { buildAndSeal, type BuildAsk, type BuiltAndSealed } from './build.ts';
import { applyPage, countsWith, openList, weightOf } from './list.ts';
import { rowOf, scansOfRow } from './image.ts';
import { isOn, type Ground, type Pieces } from './pieces.ts';
import { catchUp, ownOf, tellChange, type Phone } from './memory.ts';
import { readBlockAnswer } from './page.ts';
import { openPart, sealPart } from './seal.ts';
import { readSealKey } from './seal-key.ts';
import {
  dropOtherParts,
  dropParts,
  partsOf,
  readMeta,
  writeMeta,
  type Draft,
  type EventFacts,
  type OtherEvent,
  type QueuedScan,
  type StoredEvent,
  type StoredPart,
} from './store.ts';

/** Behind this many blocks or changed places the list is pressed into one again. */
const mostParts = 400;
const mostChanged = 4_000;

function build({ ports }: Phone, ask: BuildAsk): Promise<BuiltAndSealed> {
  return ports.buildList ? ports.buildList(ask) : buildAndSeal(ask);
}

/**
 * A difference: applies only to whoever stands at its `from`. False: this phone is elsewhere, and nothing was changed.
 * Its own rows are not among what is written: a scan of this phone stands until the server's list itself holds it.
 */
export async function takeDelta(phone: Phone, event_id: string, page: DoorPage): Promise<boolean> {
  const { db, memory, ports } = phone;
  await catchUp(phone, event_id);
  const list = memory.lists.get(event_id);
  const known = memory.events.get(event_id);
  if (!list || !known || known.cursor !== page.from || known.draft) return false;
  const isEmpty = page.places.issued.length === 0 && page.admissions.admission_id.length === 0;
  const n = list.parts;
  const name = { event_id, generation: list.generation, n };
  const part = isEmpty
    ? null
    : await sealPart(await readSealKey(db), name, new TextEncoder().encode(JSON.stringify(page)));
  const grown = isEmpty ? { places: 0, tickets: 0 } : countsWith(list, page);
  const scans = isEmpty ? [] : readAdmissions(page.admissions);
  const written = await db.transaction('rw', [db.events, db.parts, db.queue], async () => {
    const event = await db.events.get(event_id);
    if (
      !event ||
      event.cursor !== page.from ||
      event.generation !== name.generation ||
      event.parts !== n ||
      event.draft
    )
      return null;
    if (part) await db.parts.put(part);
    await markOwn(
      phone,
      scans.map(
        ({ admission_id, conflict_with }) => [admission_id, conflict_with !== null] as const,
      ),
    );
    const next: StoredEvent = {
      ...event,
      ...factsOf(page),
      cursor: page.cursor,
      updated_at: ports.now(),
      parts: part ? n + 1 : n,
      tickets: event.tickets + grown.tickets,
      places: event.places + grown.places,
    };
    await db.events.put(next);
    return next;
  });
  if (!written) return false;
  memory.events.set(event_id, written);
  // A scan that came in between has read the block from the disk already.
  if (part && memory.lists.get(event_id) === list && list.parts === n) {
    applyPage(list, page);
    list.parts = n + 1;
  }
  tellChange(phone);
  return true;
}

/** Too much behind the block costs every start and every search: all of it becomes one block again, in a worker, beside the scans. */
export async function compactIfDue(phone: Phone, event_id: string): Promise<void> {
  const { db, memory, ports } = phone;
  const list = memory.lists.get(event_id);
  const event = await db.events.get(event_id);
  if (
    !list ||
    event?.generation !== list.generation ||
    event.draft ||
    (list.parts - event.base < (ports.mostParts ?? mostParts) && weightOf(list) < mostChanged)
  )
    return;
  const { generation, parts } = list;
  const { base } = event;
  const key = await readSealKey(db);
  const rows = await db.parts
    .where('[event_id+generation+n]')
    .between([event_id, generation, base], [event_id, generation, parts - 1], true, true)
    .toArray();
  if (rows.length !== parts - base) return;
  const pages = await Promise.all(rows.map((row) => openPart(key, row)));
  const name = { event_id, generation: generation + 1, n: 0 };
  const { image, sealed } = await build(phone, {
    base: list.image.bytes,
    pages,
    seal: { key, name },
  });
  if (image)
    await swapIn(phone, {
      image,
      sealed: sealed ?? (await sealPart(key, name, image)),
      isOurs: (row) => row.generation === generation && row.parts === parts && row.draft === null,
      change: {},
    });
}

/** Null: this phone may not keep the event. */
export async function prepareGround(phone: Phone, event_id: string): Promise<Ground | null> {
  const draft = await openDraft(phone, event_id);
  return draft && { draft, key: await readSealKey(phone.db) };
}

/** One page of a whole list, as the bytes of the answer. False: the phone may not keep this event any more, a wipe meanwhile included. */
export async function takeSnapshotPage(
  phone: Phone,
  event_id: string,
  { ground, bytes, pieces }: { ground: Ground | null; bytes: ArrayBuffer; pieces: Pieces },
): Promise<{ head: DoorHead; kept: boolean }> {
  const { db, memory, ports } = phone;
  if (!ground)
    return { head: (await build(phone, { base: null, pages: [bytes] })).head, kept: false };
  const { draft, key } = ground;
  const name = { event_id, generation: draft.generation + 1, n: 0 };
  const isOurs = (event: StoredEvent) => isOn(ground, event);
  const changeTo = (head: DoorHead) => ({
    ...factsOf(head),
    cursor: head.cursor,
    updated_at: ports.now(),
    draft: null,
  });
  const whole = readBlockAnswer(bytes);
  // What came while the server made it follows as differences. Where another list is in use, that may know more, they are waited for.
  if (whole && (!whole.head.more || !memory.lists.has(event_id))) {
    return {
      head: whole.head,
      kept: await swapIn(phone, {
        image: whole.block,
        sealed: await pieces.finish(ground, whole.block),
        isOurs,
        change: changeTo(whole.head),
      }),
    };
  }
  const before =
    draft.parts === 0
      ? []
      : await db.parts
          .where('[event_id+generation+n]')
          .between(...partsOf(event_id, draft.generation), true, true)
          .toArray();
  const { head, image, sealed, places } = await build(phone, {
    base: null,
    pages: [...(await Promise.all(before.map((part) => openPart(key, part)))), bytes],
    seal: { key, name },
  });
  if (image)
    return {
      head,
      kept: await swapIn(phone, {
        image,
        sealed: sealed ?? (await sealPart(key, name, image)),
        isOurs,
        change: changeTo(head),
      }),
    };
  const part = await sealPart(
    key,
    { event_id, generation: draft.generation, n: draft.parts },
    bytes,
  );
  const next = await db.transaction('rw', [db.events, db.parts], async () => {
    const event = await db.events.get(event_id);
    if (!event || !isOurs(event)) return null;
    await db.parts.put(part);
    const row = {
      ...event,
      draft: {
        ...draft,
        cursor: head.cursor,
        parts: draft.parts + 1,
        places: draft.places + places,
        of: head.event.places,
      },
    };
    await db.events.put(row);
    return row;
  });
  if (next) memory.events.set(event_id, next);
  return { head, kept: next !== null };
}

/** `sealed`: all of the image, or its last piece, whose others lie on the disk under the same name. */
interface NewList {
  image: Uint8Array<ArrayBuffer>;
  sealed: StoredPart;
  isOurs: (event: StoredEvent) => boolean;
  change: Partial<StoredEvent>;
}

/**
 * The new list is written beside the old one and becomes visible by the write to the event's row; whatever else lies there goes in the same transaction: the old one, and what an app that died has left under this name.
 * @throws TornPage, and nothing is changed
 */
async function swapIn(phone: Phone, { image, sealed, isOurs, change }: NewList): Promise<boolean> {
  const { db, memory } = phone;
  const { event_id, generation, n } = sealed;
  const isResync = change.cursor !== undefined;
  const open = () => {
    const block = openBlock(image);
    return { block, told: isResync ? conflictsIn(block, phone, event_id) : [] };
  };
  const isFirst = memory.lists.size === 0;
  // Nobody sees it yet, so no scan waits for these megabytes, or for the look through them.
  const before = isFirst ? null : open();
  if (!isFirst) await db.parts.put(sealed);
  const next = await db.transaction('rw', [db.events, db.parts, db.queue], async () => {
    const event = await db.events.get(event_id);
    if (!event || !isOurs(event)) {
      if (event?.generation !== generation) await dropParts(db, event_id, generation);
      return null;
    }
    // Where there is no list of any event there are no scans: one transaction is enough, and the disk is at work while the bytes are looked through. A torn list takes it all back.
    const writing = isFirst ? db.parts.put(sealed) : null;
    const { block, told } = before ?? open();
    const row = {
      ...event,
      ...change,
      generation,
      base: n + 1,
      parts: n + 1,
      tickets: block.tickets,
      places: block.count,
    };
    // All at once: the disk does not wait for our thread between them.
    await Promise.all([
      writing,
      db.events.put(row),
      dropOtherParts(db, sealed),
      markOwn(phone, told),
    ]);
    if (isResync && event.generation > 0) await bringBack(phone, event_id, block);
    return { row, block };
  });
  if (!next) return false;
  const { row, block } = next;
  memory.events.set(event_id, row);
  memory.lists.set(
    event_id,
    openList(event_id, { generation, base: row.base, image: block, own: ownOf(phone, event_id) }),
  );
  tellChange(phone);
  return true;
}

/** A new draft starts on clean ground. Null: this phone may not keep the event. */
async function openDraft({ db, memory, ports }: Phone, event_id: string): Promise<Draft | null> {
  return db.transaction('rw', [db.meta, db.events, db.parts], async () => {
    const device = await readMeta(db, 'device');
    if (!device || device.revoked_at !== null || !device.events.some(({ id }) => id === event_id))
      return null;
    const event = (await db.events.get(event_id)) ?? emptyEvent(event_id);
    if (event.draft) return event.draft;
    const wiped = await readMeta(db, 'wiped');
    if (wiped?.includes(event_id))
      await writeMeta(
        db,
        'wiped',
        wiped.filter((id) => id !== event_id),
      );
    // No number comes twice, also after all was forgotten: another window would take the new list for the one that it has.
    const draft = {
      generation: Math.max(event.generation, ports.now()) + 1,
      parts: 0,
      cursor: null,
      places: 0,
      of: 0,
    };
    await dropParts(db, event_id, draft.generation);
    const row = { ...event, draft };
    await db.events.put(row);
    memory.events.set(event_id, row);
    return draft;
  });
}

/** The server cannot go on from our cursor: the next call asks for everything; what is on the phone stays usable meanwhile. */
export async function startOver({ db, memory }: Phone, event_id: string): Promise<void> {
  await db.transaction('rw', [db.events, db.parts], async () => {
    const event = await db.events.get(event_id);
    if (!event) return;
    if (event.draft) await dropParts(db, event_id, event.draft.generation);
    const row = { ...event, cursor: null, draft: null };
    await db.events.put(row);
    memory.events.set(event_id, row);
  });
}

function emptyEvent(event_id: string): StoredEvent {
  return {
    event_id,
    generation: 0,
    base: 0,
    parts: 0,
    cursor: null,
    updated_at: null,
    tickets: 0,
    places: 0,
    facts: null,
    other_events: [],
    draft: null,
  };
}

function factsOf({ event, other_events }: DoorHead): {
  facts: EventFacts;
  other_events: OtherEvent[];
} {
  const { title, cancelled, tag, salt, verify_policy, reentry, rehearsal } = event;
  const msOf = (text: string | null) => (text === null ? null : Date.parse(text));
  return {
    facts: {
      title,
      cancelled,
      tag,
      salt,
      verify_policy,
      reentry,
      rehearsal,
      starts_at: Date.parse(event.starts_at),
      admits_from: msOf(event.admits_from),
      admits_until: msOf(event.admits_until),
      wipe_at: Date.parse(event.wipe_at),
    },
    other_events: other_events.map((other) => ({
      tag: other.tag,
      title: other.title,
      starts_at: Date.parse(other.starts_at),
    })),
  };
}

/**
 * A server that asks for a new list may be one that came back from a backup: scans that it had stored and no longer tells of go up once more.
 * The same scan twice is one, so it does no harm where they were only too young for the list. Only inside a transaction that holds the queue.
 */
async function bringBack({ db }: Phone, event_id: string, image: Block): Promise<void> {
  const answered = await db.queue
    .where('event_id')
    .equals(event_id)
    .filter(
      ({ fate, counts, annuls }) =>
        (fate === 'stored' || fate === 'conflict') && (counts || annuls !== null),
    )
    .toArray();
  const missing = answered.filter(({ admission_id, place, annuls }) => {
    const row = rowOf(image, place!);
    const told =
      row < 0
        ? undefined
        : scansOfRow(image, row).find((scan) => scan.admission_id === (annuls ?? admission_id));
    return annuls === null ? !told : told?.undone !== true;
  });
  await db.queue.bulkPut(
    missing.map((scan): QueuedScan => ({ ...scan, fate: 'queued', answered_at: null })),
  );
}

/** An earlier scan of another phone may come in late and turn one of ours, long since sent, into the second. Only inside a transaction that holds the queue. */
async function markOwn(
  { db }: Phone,
  told: readonly (readonly [admission_id: string, isConflict: boolean])[],
): Promise<void> {
  if (told.length === 0) return;
  const own = await db.queue.bulkGet(told.map(([admission_id]) => admission_id));
  const changed = own.flatMap((scan, i): QueuedScan[] => {
    const fate = told[i]![1] ? 'conflict' : 'stored';
    return scan && scan.fate !== 'queued' && scan.fate !== fate ? [{ ...scan, fate }] : [];
  });
  if (changed.length > 0) await db.queue.bulkPut(changed);
}

/** Of this phone's own scans only: a list may hold fifty thousand. */
function conflictsIn(image: Block, phone: Phone, event_id: string): (readonly [string, boolean])[] {
  return ownOf(phone, event_id).latest.flatMap(({ admission_id, place }) => {
    const row = place === null ? -1 : rowOf(image, place);
    const told =
      row < 0
        ? undefined
        : scansOfRow(image, row).find((scan) => scan.admission_id === admission_id);
    return told ? [[admission_id, told.conflict_with !== null] as const] : [];
  });
}
