/**
 * The phone's database (Dexie): the list of each event as sealed parts, the queue of its own
 * scans, and a few facts about the phone.
 */
import { Dexie, type Table } from 'dexie';
import type { ScanSent } from '#server/contract/door/admissions.ts';
import type { HeadCountSent } from '#server/contract/door/heads.ts';
import type { ListedHeads } from '#server/domain/door/heads.ts';
import type { Approval } from '#server/domain/door/approval.ts';
import type { CodeRead } from '#server/domain/door/scan-proof.ts';
import type { ReceivedHead } from '#server/contract/door/door-list.ts';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { heartbeat } from '#server/contract/door/phones.ts';

/** The fields that the office sets for this phone. */
export type Identity = Pick<
  ReplyOf<typeof heartbeat>,
  | 'name'
  | 'gate'
  | 'chooses_gate'
  | 'role'
  | 'supervisor_pin'
  | 'asks_supervisor'
  | 'supervisors'
  | 'events'
>;

/** Copies only these fields of an answer or a row. */
export function identityOf(known: Identity): Identity {
  const { name, gate, chooses_gate, role, supervisor_pin, asks_supervisor, supervisors, events } =
    known;
  return {
    name,
    gate,
    chooses_gate,
    role,
    supervisor_pin,
    asks_supervisor,
    supervisors,
    events,
  };
}

/** The pairing; while `revoked_at` is set, the phone may only send its queued scans. */
export interface Device extends Identity {
  device_token: string;
  phone_id: string;
  revoked_at: number | null;
  /** A hash of the link that made this pairing; missing in one that an older app has made. */
  link_hash?: string;
  /** Set when the server no longer knows this token: the phone must be paired again. */
  forgotten: boolean;
  /**
   * A gate chosen on this phone and already in `gate`, until the server knows it. `over`: the
   * office's gate that it replaces.
   */
  gate_choice?: { gate: string | null; over: string | null } | undefined;
}

/** An event's facts for the door's rule: times in ms. */
export type EventFacts = Omit<ReceivedHead['event'], 'id'>;
export type OtherEvent = ReceivedHead['other_events'][number];

/**
 * The row of an event's list. The list consists of `parts` parts of one generation, numbered from
 * 0: the block, then the rows that changed since, in order. A new list is written under the next
 * generation and becomes visible by one write to this row. Generation 0: there is no list yet.
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
  /**
   * The counts of people without a ticket that the server sent up to this cursor. With an app
   * before 1.3.0 they are missing, or their cursor is not the list's.
   */
  heads?: { cursor: string; counts: ListedHeads[] };
}

export interface PartName {
  event_id: string;
  generation: number;
  n: number;
}

/** A part encrypted with AES-GCM (seal.ts). */
export interface StoredPart extends PartName {
  iv: Uint8Array<ArrayBuffer>;
  sealed: ArrayBuffer;
}

/**
 * A scan is `queued` until the server has answered for its id, and `unreadable` until a person
 * has seen it.
 */
const fates = ['queued', 'stored', 'conflict', 'unreadable'] as const;
export type Fate = (typeof fates)[number];

/** One scan of this phone. Answered rows stay until their event is wiped. */
export interface QueuedScan extends Required<
  Omit<ScanSent, 'scanned_at' | 'corrected_at' | 'approval' | 'code_read'>
> {
  /** Both are absent in a scan that an older app has written. */
  approval?: Approval | null;
  code_read?: CodeRead | null;
  phone_id: string;
  scanned_at: number;
  corrected_at: number;
  fate: Fate;
  answered_at: number | null;
  /** The seat for the list on the screen; never sent. */
  seat: string | null;
}

/**
 * `doubted`: stored, although this phone was not allowed to count. The others are as for a scan.
 */
export type HeadFate = 'queued' | 'stored' | 'doubted' | 'unreadable';

/** One count of people without a ticket by this phone. */
export interface QueuedHeads extends Required<Omit<HeadCountSent, 'scanned_at' | 'corrected_at'>> {
  words: string | null;
  annuls: string | null;
  phone_id: string;
  scanned_at: number;
  corrected_at: number;
  fate: HeadFate;
  answered_at: number | null;
}

/**
 * The server's clock minus the phone's, measured by the contact with the shortest round trip in
 * the last minutes.
 */
export interface Clock {
  offset_ms: number;
  round_trip_ms: number;
  measured_at: number;
}

/** A key's bytes that only the PIN opens (AES-GCM under a key that PBKDF2 makes from the PIN). */
export interface SealedKey {
  salt: Uint8Array<ArrayBuffer>;
  iv: Uint8Array<ArrayBuffer>;
  sealed: ArrayBuffer;
}

/** The key of a supervisor's phone. */
export interface SigningKey {
  /** The phone's id when the key was made, because a new pairing needs a new key. */
  phone_id: string;
  public_key: string;
  /**
   * With a PIN: bytes until its first use, then a SealedKey. Without one: a key that cannot be
   * extracted, or bytes if the browser stores no keys.
   */
  private_key: CryptoKey | Uint8Array<ArrayBuffer> | SealedKey;
}

/** The theatre's name, logo and colour. */
export type House = ReplyOf<typeof heartbeat>['house'];

/** A guest whose ticket has ended, as the server told it. */
export type GuestAgainst = NonNullable<ReplyOf<typeof heartbeat>['guests_against']>[number];

/** The house's logo: its address, and the picture as a data address for use offline. */
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
  /** Double entries, and guests without a valid ticket, that a person has looked at. */
  conflicts_seen: string[];
  /** Only on a supervisor's phone: undecided guests without a valid ticket. */
  guests_against: GuestAgainst[];
  pin_wrong: { count: number; at: number };
  seal_key: CryptoKey | Uint8Array<ArrayBuffer>;
  signing_key: SigningKey;
}
interface MetaRow {
  key: keyof Meta;
  value: Meta[keyof Meta];
}

/** Where a phone's database is stored; one process may hold many phones. */
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
  declare heads: Table<QueuedHeads, string>;

  constructor({ db_name, ...places }: StorePlace) {
    // Strict durability: a scan that turned the screen green must survive a dead battery.
    super(db_name, { chromeTransactionDurability: 'strict', cache: 'disabled', ...places });
    this.version(2).stores({
      meta: 'key',
      events: 'event_id',
      parts: '[event_id+generation+n]',
      queue: 'admission_id, [fate+seq], scanned_at, event_id, seq',
    });
    this.version(3).stores({ heads: 'head_id, fate, event_id' });
  }
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
 * The pairing that an answer belongs to: the answer to an earlier pairing does not apply to the
 * current one.
 */
export type Pairing = Pick<Device, 'device_token'>;

/**
 * Changes some fields of the stored pairing, not of a copy, so that a slower answer does not undo
 * a revocation. False when the phone has another pairing.
 */
export async function changeDevice(
  db: ScannerDb,
  { device_token }: Pairing,
  change: Partial<Device> | ((now: Device) => Partial<Device>),
): Promise<boolean> {
  return db.transaction('rw', [db.meta], async () => {
    const device = await readMeta(db, 'device');
    if (device?.device_token !== device_token) return false;
    const changes = typeof change === 'function' ? change(device) : change;
    await writeMeta(db, 'device', { ...device, ...changes });
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

/** Deletes an event's parts except those of its current list, which may be many. */
export async function dropOtherParts(
  db: ScannerDb,
  { event_id, generation, parts }: Pick<StoredEvent, 'event_id' | 'generation' | 'parts'>,
): Promise<void> {
  const keys = await partsOf(db, event_id).primaryKeys();
  await db.parts.bulkDelete(keys.filter((key) => key[1] !== generation || key[2] >= parts));
}

/** How many scans wait for an answer. */
export function countQueued(db: ScannerDb): Promise<number> {
  return queued(db).count();
}

/** The ids of those scans, which cost a phone much less to read than the scans do. */
export async function queuedIds(db: ScannerDb): Promise<string[]> {
  return (await queued(db).primaryKeys()) as unknown as string[];
}

function queued({ queue }: ScannerDb) {
  return queue.where('[fate+seq]').between(['queued', Dexie.minKey], ['queued', Dexie.maxKey]);
}

/** How many counts of people without a ticket wait for an answer. */
export function countQueuedHeads(db: ScannerDb): Promise<number> {
  return db.heads.where('fate').equals('queued').count();
}

/** Whether the server has the scan or the count, so that the row may be deleted. */
function isAnswered({ fate }: QueuedScan | QueuedHeads): boolean {
  return fate !== 'queued' && fate !== 'unreadable';
}

/**
 * `over`: the event must not be downloaded again. `not_ours`: it is now assigned to another
 * phone. `narrowed`: this phone may see less of the event, but its own scans stay.
 */
export type WhyForgotten = 'over' | 'not_ours' | 'narrowed';

/** Deletes everything about an event's tickets; scans without an answer stay in the queue. */
export async function wipeEvent(db: ScannerDb, event_id: string, why: WhyForgotten): Promise<void> {
  await db.transaction('rw', [db.meta, db.events, db.parts, db.queue, db.heads], async () => {
    await db.events.delete(event_id);
    await dropParts(db, event_id);
    const guests = (await readMeta(db, 'guests_against')) ?? [];
    if (guests.some((guest) => guest.event_id === event_id))
      await writeMeta(
        db,
        'guests_against',
        guests.filter((guest) => guest.event_id !== event_id),
      );
    if (why !== 'narrowed') {
      await db.queue.where('event_id').equals(event_id).filter(isAnswered).delete();
      await db.heads.where('event_id').equals(event_id).filter(isAnswered).delete();
    }
    if (why === 'over')
      await writeMeta(db, 'wiped', [
        ...new Set([...((await readMeta(db, 'wiped')) ?? []), event_id]),
      ]);
  });
}

/**
 * Deletes every ticket, seat and key of a revoked phone; only its unsent scans stay. False when
 * the phone has another pairing: then nothing is deleted.
 */
export async function wipeTickets(db: ScannerDb, pairing: Pairing, now: number): Promise<boolean> {
  return db.transaction('rw', [db.meta, db.events, db.parts, db.queue, db.heads], async () => {
    const device = await readMeta(db, 'device');
    if (device?.device_token !== pairing.device_token) return false;
    await Promise.all([
      db.events.clear(),
      db.parts.clear(),
      db.queue.filter(isAnswered).delete(),
      db.heads.filter(isAnswered).delete(),
      db.meta.delete('seal_key'),
      db.meta.delete('signing_key'),
      db.meta.delete('guests_against'),
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
