/**
 * What the phone keeps (Dexie): the list of each event as sealed blocks, the queue of its own
 * scans, and a few facts about itself.
 */
import { Dexie, type Table } from 'dexie';
import type { ScanSent } from '#server/contract/door/admissions.ts';
import type { Approval } from '#server/domain/door/approval.ts';
import type { ReceivedHead } from '#server/contract/door/door-list.ts';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { heartbeat } from '#server/contract/door/phones.ts';

/** What the office decides about this phone. */
export type Identity = Pick<
  ReplyOf<typeof heartbeat>,
  'name' | 'gate' | 'role' | 'supervisor_pin' | 'asks_supervisor' | 'supervisors' | 'events'
>;

/** Without whatever else an answer or a row may hold. */
export function identityOf(known: Identity): Identity {
  const { name, gate, role, supervisor_pin, asks_supervisor, supervisors, events } = known;
  return { name, gate, role, supervisor_pin, asks_supervisor, supervisors, events };
}

/** The pairing; while `revoked_at` is set only the queue may still be handed in. */
export interface Device extends Identity {
  device_token: string;
  phone_id: string;
  revoked_at: number | null;
  /** The server no longer knows this token: the phone must be paired again. */
  forgotten: boolean;
}

/** An event's facts as the door rule wants them: times in ms. */
export type EventFacts = Omit<ReceivedHead['event'], 'id'>;
export type OtherEvent = ReceivedHead['other_events'][number];

/**
 * The list is `parts` parts of one generation, numbered from 0: the block, and rows that changed
 * since, in order.
 * A new list is written under the next generation and becomes visible by one write to this row.
 * Generation 0: no list yet.
 */
export interface StoredEvent {
  event_id: string;
  generation: number;
  parts: number;
  cursor: string | null;
  updated_at: number | null;
  tickets: number;
  places: number;
  facts: EventFacts | null;
  other_events: OtherEvent[];
}

export interface PartName {
  event_id: string;
  generation: number;
  n: number;
}

/** AES-GCM (seal.ts). */
export interface StoredPart extends PartName {
  iv: Uint8Array<ArrayBuffer>;
  sealed: ArrayBuffer;
}

/**
 * `queued` until the server has answered for this very id; `unreadable` stays on the shelf until
 * a person has seen it.
 */
const fates = ['queued', 'stored', 'conflict', 'unreadable'] as const;
export type Fate = (typeof fates)[number];

/**
 * One scan of this phone: the durable truth of what it did. Answered rows stay until their event
 * is wiped.
 */
export interface QueuedScan extends Required<
  Omit<ScanSent, 'scanned_at' | 'corrected_at' | 'approval'>
> {
  /** Absent of a scan that an older app has written. */
  approval?: Approval | null;
  phone_id: string;
  scanned_at: number;
  corrected_at: number;
  fate: Fate;
  answered_at: number | null;
  /** For the list on the screen only: never sent. */
  seat: string | null;
}

/**
 * Offset = server's clock minus ours, of the contact with the shortest round trip in the last
 * minutes.
 */
export interface Clock {
  offset_ms: number;
  round_trip_ms: number;
  measured_at: number;
}

/** Of a supervisor's phone. */
export interface SigningKey {
  /** Whose it is: a phone that was paired as another one has another key. */
  phone_id: string;
  public_key: string;
  /** Not extractable; bytes only where the browser keeps no keys. */
  private_key: CryptoKey | Uint8Array<ArrayBuffer>;
}

/** Whose door it is. */
export type House = ReplyOf<typeof heartbeat>['house'];

/**
 * The house's logo: where it comes from, and itself as a data address, for when there is no line.
 */
interface KeptLogo {
  url: string;
  picture: string;
}

export interface Meta {
  device: Device;
  house: House;
  logo: KeptLogo;
  clock: Clock;
  seq: number;
  chosen_event: string;
  persisted: boolean;
  wiped: string[];
  camera_tried_at: number;
  /** Double entries that a person has looked at. */
  conflicts_seen: string[];
  pin_wrong: { count: number; at: number };
  seal_key: CryptoKey | Uint8Array<ArrayBuffer>;
  signing_key: SigningKey;
}
interface MetaRow {
  key: keyof Meta;
  value: Meta[keyof Meta];
}

/** Where a phone keeps its things, for as many phones as one process holds. */
export interface StorePlace {
  db_name: string;
  indexedDB?: IDBFactory;
  IDBKeyRange?: typeof IDBKeyRange;
}

/** Versions are added, never changed: a phone may skip some. */
export class ScannerDb extends Dexie {
  declare meta: Table<MetaRow, string>;
  declare events: Table<StoredEvent, string>;
  declare parts: Table<StoredPart, [string, number, number]>;
  declare queue: Table<QueuedScan, string>;

  constructor({ db_name, ...places }: StorePlace) {
    // Strict: a scan that turned the screen green must survive a dead battery.
    super(db_name, { chromeTransactionDurability: 'strict', cache: 'disabled', ...places });
    this.version(1).stores({
      meta: 'key',
      events: 'event_id',
      parts: '[event_id+generation+n]',
      queue: 'admission_id, [fate+seq], scanned_at, event_id, seq',
    });
    // Until then stewards' phones carried the PIN's hash, which four digits do not protect.
    this.version(2)
      .stores({})
      .upgrade((trx) =>
        trx
          .table<MetaRow>('meta')
          .where('key')
          .equals('device')
          .modify((row) => {
            row.value = withoutPin(row.value as Device);
          }),
      );
  }
}

/**
 * A phone that knew the PIN's hash must ask from now on; the supervisors it may ask come with the
 * next contact.
 */
function withoutPin(device: Device): Device {
  const { role, supervisor_pin } = device;
  const isSteward = role === 'steward';
  return {
    ...device,
    supervisor_pin: isSteward ? null : supervisor_pin,
    asks_supervisor: isSteward && supervisor_pin !== null,
    supervisors: [],
  };
}

export async function readMeta<K extends keyof Meta>(
  db: ScannerDb,
  key: K,
): Promise<Meta[K] | undefined> {
  return (await db.meta.get(key))?.value as Meta[K] | undefined;
}

export async function writeMeta<K extends keyof Meta>(
  db: ScannerDb,
  key: K,
  value: Meta[K],
): Promise<void> {
  await db.meta.put({ key, value });
}

/**
 * Which pairing an answer is for: what the server says to an earlier one is nothing to the one
 * that has taken its place.
 */
export type Pairing = Pick<Device, 'device_token'>;

/**
 * Changes some fields of the pairing as it stands now: a slower answer must not undo a
 * revocation. False: it is another one.
 */
export async function changeDevice(
  db: ScannerDb,
  { device_token }: Pairing,
  change: Partial<Device>,
): Promise<boolean> {
  return db.transaction('rw', [db.meta], async () => {
    const device = await readMeta(db, 'device');
    if (device?.device_token !== device_token) return false;
    await writeMeta(db, 'device', { ...device, ...change });
    return true;
  });
}

/** An event's parts, of one generation or of all. */
function partsOf({ parts }: ScannerDb, event_id: string, generation?: number) {
  const most = Number.MAX_SAFE_INTEGER;
  return parts
    .where('[event_id+generation+n]')
    .between([event_id, generation ?? 0, 0], [event_id, generation ?? most, most], true, true);
}

export async function dropParts(
  db: ScannerDb,
  event_id: string,
  generation?: number,
): Promise<void> {
  await partsOf(db, event_id, generation).delete();
}

/** All parts of an event but those of its list, which are so many. */
export async function dropOtherParts(
  db: ScannerDb,
  { event_id, generation, parts }: Pick<StoredEvent, 'event_id' | 'generation' | 'parts'>,
): Promise<void> {
  const keys = await partsOf(db, event_id).primaryKeys();
  await db.parts.bulkDelete(keys.filter((key) => key[1] !== generation || key[2] >= parts));
}

/** How many scans wait for an answer. */
export function countQueued(db: ScannerDb): Promise<number> {
  return db.queue
    .where('[fate+seq]')
    .between(['queued', Dexie.minKey], ['queued', Dexie.maxKey])
    .count();
}

/** The server has it: nothing is lost with the row. */
function isAnswered({ fate }: QueuedScan): boolean {
  return fate !== 'queued' && fate !== 'unreadable';
}

/**
 * `over`: not to be downloaded again. `not_ours`: another phone's now. `narrowed`: this phone may
 * know less of it, and keeps what it read itself.
 */
export type WhyForgotten = 'over' | 'not_ours' | 'narrowed';

/**
 * Everything about an event's tickets goes; scans that still wait for an answer stay in the
 * queue.
 */
export async function wipeEvent(db: ScannerDb, event_id: string, why: WhyForgotten): Promise<void> {
  await db.transaction('rw', [db.meta, db.events, db.parts, db.queue], async () => {
    await db.events.delete(event_id);
    await dropParts(db, event_id);
    if (why !== 'narrowed')
      await db.queue.where('event_id').equals(event_id).filter(isAnswered).delete();
    if (why === 'over')
      await writeMeta(db, 'wiped', [
        ...new Set([...((await readMeta(db, 'wiped')) ?? []), event_id]),
      ]);
  });
}

/**
 * A revoked phone keeps no ticket, no seat and no key, whatever it still has to hand in. False:
 * it is another phone by now, and keeps what it has.
 */
export async function wipeTickets(db: ScannerDb, pairing: Pairing, now: number): Promise<boolean> {
  return db.transaction('rw', [db.meta, db.events, db.parts, db.queue], async () => {
    const device = await readMeta(db, 'device');
    if (device?.device_token !== pairing.device_token) return false;
    await Promise.all([
      db.events.clear(),
      db.parts.clear(),
      db.queue.filter(isAnswered).delete(),
      db.meta.delete('seal_key'),
      db.meta.delete('signing_key'),
    ]);
    await changeDevice(db, pairing, {
      revoked_at: device.revoked_at ?? now,
      events: [],
      supervisor_pin: null,
      supervisors: [],
    });
    return true;
  });
}
