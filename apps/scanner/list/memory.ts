/**
 * What the phone has in memory: the rows that every scan needs, and the open lists. It always
 * equals the disk after the last completed write.
 */
import { openBlock } from '#server/domain/door/door-block.ts';
import {
  addOwn,
  applyRows,
  emptyOwn,
  openList,
  type DoorList,
  type ListRows,
  type OwnScans,
} from './list.ts';
import type { Observable } from '#apps/scanner/kit/observable.ts';
import type { Watch } from '#apps/scanner/kit/clock.ts';
import type { Line } from '#apps/scanner/kit/line.ts';
import type { StatusKeeper } from '#apps/scanner/kit/line-status.ts';
import type { Ports } from '#apps/scanner/kit/ports.ts';
import type { Reopener } from '#apps/scanner/kit/reopen.ts';
import { storeFault } from '#apps/scanner/kit/store-fault.ts';
import { openPart } from './seal.ts';
import { readSealKey } from './seal-key.ts';
import {
  dropParts,
  readMeta,
  type Clock,
  type Device,
  type QueuedHeads,
  type QueuedScan,
  type ScannerDb,
  type StoredEvent,
  type StoredPart,
} from '#apps/scanner/kit/store.ts';

interface Memory {
  device: Device | undefined;
  clock: Clock | undefined;
  events: Map<string, StoredEvent>;
  lists: Map<string, DoorList>;
  own: Map<string, OwnScans>;
  /** This phone's own counts of people without a ticket, by event. */
  heads: Map<string, QueuedHeads[]>;
  /**
   * The number of this phone's next scan, as far as this tab knows; another tab may have used it.
   * Null before the first reading of the disk.
   */
  seq: number | null;
  /** Until when this supervisor's phone consents without asking for the PIN again. */
  keyOpenUntil: number | null;
  /** The signing key while it is open; null also where no PIN seals it. */
  openKey: CryptoKey | null;
}

/** The whole state of one phone, which is the first parameter of every function of the core. */
export interface Phone {
  ports: Ports;
  db: ScannerDb;
  reopener: Reopener;
  memory: Memory;
  status: StatusKeeper;
  line: Line;
  /** The number of changes of the memory so far. */
  changes: Observable<number>;
  /** The lists being opened, by event. */ opening: Map<string, Promise<void>>;
  /** How many scans one call sends. */ pace: { batch: number };
  watch: Watch;
}

export function emptyMemory(): Memory {
  return {
    device: undefined,
    clock: undefined,
    events: new Map(),
    lists: new Map(),
    own: new Map(),
    heads: new Map(),
    seq: null,
    keyOpenUntil: null,
    openKey: null,
  };
}

export function tellChange({ changes }: Phone): void {
  changes.write(changes.read() + 1);
}

/**
 * Adds an own scan to memory: all of them at the start, and later each that this or another tab
 * has written.
 */
export function rememberScan(phone: Phone, scan: QueuedScan): void {
  addOwn(ownOf(phone, scan.event_id), scan, phone.memory.lists.get(scan.event_id));
}

/** Takes over own counts as they are on the disk. */
export function rememberHeads({ memory }: Phone, rows: readonly QueuedHeads[]): void {
  for (const event_id of new Set(rows.map((row) => row.event_id))) {
    const fresh = rows.filter((row) => row.event_id === event_id);
    const ids = new Set(fresh.map(({ head_id }) => head_id));
    const others = memory.heads.get(event_id)?.filter(({ head_id }) => !ids.has(head_id)) ?? [];
    memory.heads.set(event_id, [...others, ...fresh]);
  }
}

/** Reads the small rows and, where the disk is newer than memory, the lists. */
export async function refresh(phone: Phone): Promise<void> {
  const { db, memory } = phone;
  const isFirst = memory.seq === null;
  const tables = [db.meta, db.events, db.heads];
  const [device, clock, events, seq = 0, heads] = await db.transaction('r', tables, () =>
    Promise.all([
      readMeta(db, 'device'),
      readMeta(db, 'clock'),
      db.events.toArray(),
      readMeta(db, 'seq'),
      db.heads.toArray(),
    ]),
  );
  rememberHeads(phone, heads);
  const isOther = memory.device?.phone_id !== device?.phone_id;
  Object.assign(memory, {
    device,
    clock,
    events: new Map(events.map((event) => [event.event_id, event])),
  });
  if (isFirst || isOther) await readOwnScans(phone);
  else if (memory.seq !== null && seq > memory.seq)
    for (const scan of await scansFrom(phone, memory.seq)) rememberScan(phone, scan);
  // A scan made meanwhile may have raised the number already.
  memory.seq = isFirst || isOther ? seq : Math.max(seq, memory.seq ?? 0);
  for (const event_id of memory.lists.keys())
    if (!memory.events.has(event_id)) memory.lists.delete(event_id);
  tellChange(phone);
  for (const { event_id, generation } of events) if (generation > 0) await catchUp(phone, event_id);
}

/**
 * The scans that another tab has written since `seq`; may run inside a transaction that holds the
 * queue.
 */
export function scansFrom({ db, memory }: Phone, seq: number): Promise<QueuedScan[]> {
  return db.queue
    .where('seq')
    .aboveOrEqual(seq)
    .filter(({ phone_id }) => phone_id === memory.device?.phone_id)
    .toArray();
}

async function readOwnScans(phone: Phone): Promise<void> {
  const { memory } = phone;
  const scans = await phone.db.queue.orderBy('seq').toArray();
  memory.own.clear();
  for (const [event_id, list] of memory.lists) list.own = ownOf(phone, event_id);
  for (const scan of scans) rememberScan(phone, scan);
}

/** Brings one event's list in memory up to date with the disk; calls wait for each other. */
export async function catchUp(phone: Phone, event_id: string): Promise<void> {
  const before = phone.opening.get(event_id);
  const work = (before ?? Promise.resolve())
    .catch(() => {})
    .then(() => openFromDisk(phone, event_id));
  phone.opening.set(event_id, work);
  try {
    await work;
  } finally {
    if (phone.opening.get(event_id) === work) phone.opening.delete(event_id);
  }
}

async function openFromDisk(phone: Phone, event_id: string): Promise<void> {
  const { db, memory } = phone;
  const known = memory.lists.get(event_id);
  const { event, from, parts } = await db.transaction('r', [db.events, db.parts], async () => {
    const row = await db.events.get(event_id);
    if (!row || row.generation === 0) return { event: row, from: 0, parts: [] };
    const seen = known?.generation === row.generation ? known.parts : 0;
    return {
      event: row,
      from: seen,
      parts: seen < row.parts ? await readParts(db, row, seen) : [],
    };
  });
  if (event) memory.events.set(event_id, event);
  // Another window has deleted the list.
  if (event?.generation === 0) memory.lists.delete(event_id);
  if (!event || event.generation === 0 || from >= event.parts) return;
  // A damaged part, or one whose key is gone, is fetched again; scans are stored elsewhere and
  // stay.
  try {
    const key = await readSealKey(db);
    if (from === 0 && parts[0]?.n !== 0) throw new Error('The block is gone');
    const opened = await Promise.all(
      parts.map(async (part) => ({ n: part.n, bytes: await openPart(key, part) })),
    );
    for (const part of opened) takePart(phone, event, part);
  } catch (error) {
    // A database that does not answer says nothing about the list.
    if (storeFault(error) !== null) throw error;
    return dropList(phone, event);
  }
  tellChange(phone);
}

/** The parts after those in memory; merged parts are stored under the number of the last one. */
function readParts(
  db: ScannerDb,
  { event_id, generation, parts }: StoredEvent,
  from: number,
): Promise<StoredPart[]> {
  return db.parts
    .where('[event_id+generation+n]')
    .between([event_id, generation, from], [event_id, generation, parts])
    .toArray();
}

/** Adds a part unless this tab added it while the parts were being opened. */
function takePart(
  phone: Phone,
  { event_id, generation }: StoredEvent,
  { n, bytes }: { n: number; bytes: ArrayBuffer },
): void {
  const { lists } = phone.memory;
  const list = lists.get(event_id);
  if (n === 0 && list?.generation !== generation) {
    const image = openBlock(new Uint8Array(bytes));
    lists.set(event_id, openList(event_id, { generation, image, own: ownOf(phone, event_id) }));
  } else if (list?.generation === generation && list.parts <= n) {
    applyRows(list, JSON.parse(new TextDecoder().decode(bytes)) as ListRows);
    list.parts = n + 1;
  }
}

async function dropList(
  { db, memory }: Phone,
  { event_id, generation }: StoredEvent,
): Promise<void> {
  await db.transaction('rw', [db.events, db.parts], async () => {
    const event = await db.events.get(event_id);
    if (event?.generation !== generation) return;
    await dropParts(db, event_id);
    const row = { ...event, generation: 0, parts: 0, cursor: null };
    await db.events.put(row);
    memory.events.set(event_id, row);
  });
  memory.lists.delete(event_id);
}

/** How many of these scans of this phone let a guest in. */
export function entriesAmong({ memory }: Phone, ids: ReadonlySet<string>): number {
  let entries = 0;
  for (const { latest } of memory.own.values())
    for (const { admission_id, direction } of latest)
      if (direction === 'in' && ids.has(admission_id)) entries += 1;
  return entries;
}

export function ownOf({ memory }: Phone, event_id: string): OwnScans {
  const own = memory.own.get(event_id) ?? emptyOwn();
  memory.own.set(event_id, own);
  return own;
}
