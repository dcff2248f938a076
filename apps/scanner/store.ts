/** What the phone keeps (Dexie): the list of places in buckets, who is inside, the queue of scans, and a few facts about itself. */
import { Dexie, type Table } from 'dexie';
import type { PlaceForPhone } from '#server/contract/admissions.ts';
import type { Direction, Verdict, VerifyPolicy } from '#server/domain/admission.ts';

/** The pairing; while `revoked_at` is set only the queue may still be handed in. */
export interface Device {
  device_token: string; phone_id: string; name: string; gate: string | null;
  events: { id: string; title: string; starts_at: string }[];
  revoked_at: number | null;
  /** The server no longer knows this token: the phone must be paired again. */
  forgotten: boolean;
}

/** An event's facts as the door rule wants them: times in ms. */
export interface EventFacts {
  title: string; starts_at: number; admits_from: number | null; wipe_at: number; cancelled: boolean;
  tag: string; salt: string; verify_policy: VerifyPolicy; reentry: boolean;
}
export interface OtherEvent { tag: string; title: string; starts_at: number }

/**
 * Rows of an event carry a generation: a new snapshot is written beside the old one under `draft.generation` and becomes
 * visible by one write to this row. Generation 0: no list yet.
 */
export interface StoredEvent {
  event_id: string; generation: number; cursor: string | null; updated_at: number | null; tickets: number; places: number;
  facts: EventFacts | null; other_events: OtherEvent[];
  draft: Draft | null;
}
/** `places` is how many have come so far, for the progress on the screen. */
export interface Draft { generation: number; cursor: string | null; places: number }

/** All hashes with the same first byte, 12 bytes each in `hashes`; columns, because one row per hash costs 20 times more to write. */
export interface HashBucket { event_id: string; generation: number; bucket: number; hashes: Uint8Array<ArrayBuffer>; places: string[]; revisions: number[] }
export type StoredPlace = Pick<PlaceForPhone, 'seat' | 'category' | 'issued' | 'ticket'>;
export interface PlaceBucket { event_id: string; generation: number; bucket: number; places: Map<string, StoredPlace> }

/** A scan that counted. `generation` null: the server has not told us about it yet, so no resync may forget it. */
export interface KnownScan {
  admission_id: string; revision: number; direction: Direction; at: number; gate: string | null; phone_id: string | null; by: string;
  conflict_with: string | null; generation: number | null;
}
export interface PlaceState { event_id: string; place: string; /** Highest revision seen at a door. */ seen: number; scans: KnownScan[] }

/** `queued` until the server has answered for this very id; `unreadable` stays on the shelf until a person has seen it. */
export const fates = ['queued', 'stored', 'conflict', 'unreadable'] as const;
export type Fate = (typeof fates)[number];
export interface QueuedScan {
  admission_id: string; phone_id: string; seq: number; event_id: string; place: string | null; revision: number | null; read: string | null;
  direction: Direction; gate: string | null; verdict: Verdict; counts: boolean; override: string | null;
  scanned_at: number; corrected_at: number; offline: boolean;
  fate: Fate; answered_at: number | null;
  /** For the list on the screen only: never sent. */
  seat: string | null;
}

/** Offset = server's clock minus ours, of the contact with the shortest round trip in the last minutes. */
export interface Clock { offset_ms: number; round_trip_ms: number; measured_at: number }

export interface Meta { device: Device; clock: Clock; seq: number; chosen_event: string; persisted: boolean; wiped: string[]; camera_tried_at: number }
interface MetaRow { key: keyof Meta; value: Meta[keyof Meta] }

/** Version 1: the first. Further versions are added below it, never changed: a phone may skip some. */
class ScannerDb extends Dexie {
  meta!: Table<MetaRow, string>;
  events!: Table<StoredEvent, string>;
  hashes!: Table<HashBucket, [string, number, number]>;
  places!: Table<PlaceBucket, [string, number, number]>;
  state!: Table<PlaceState, [string, string]>;
  queue!: Table<QueuedScan, string>;

  constructor() {
    // Strict: a scan that turned the screen green must survive a dead battery.
    super('botteghino-scanner', { chromeTransactionDurability: 'strict' });
    this.version(1).stores({
      meta: 'key',
      events: 'event_id',
      hashes: '[event_id+generation+bucket]',
      places: '[event_id+generation+bucket]',
      state: '[event_id+place]',
      queue: 'admission_id, [fate+seq], scanned_at',
    });
  }
}

export const db = new ScannerDb();

export async function readMeta<K extends keyof Meta>(key: K): Promise<Meta[K] | undefined> {
  return (await db.meta.get(key))?.value as Meta[K] | undefined;
}

export async function writeMeta<K extends keyof Meta>(key: K, value: Meta[K]): Promise<void> {
  await db.meta.put({ key, value });
}

/** Changes some fields of the pairing as it stands now: a slower answer must not undo a revocation. */
export async function changeDevice(change: Partial<Device>): Promise<void> {
  await db.transaction('rw', [db.meta], async () => {
    const device = await readMeta('device');
    if (device) await writeMeta('device', { ...device, ...change });
  });
}

/** Spreads places over 256 buckets (FNV-1a): a place is found and changed without reading the others. */
export function placeBucketOf(place: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < place.length; i += 1) hash = Math.imul(hash ^ place.charCodeAt(i), 0x01000193);
  return (hash ^ (hash >>> 8) ^ (hash >>> 16)) & 255;
}

/** Which entry of the bucket holds this hash, or -1. */
export function findHash(hashes: Uint8Array, hash: Uint8Array): number {
  const size = hash.length;
  search: for (let at = 0; at < hashes.length; at += size) {
    for (let i = 1; i < size; i += 1) if (hashes[at + i] !== hash[i]) continue search;
    return at / size;
  }
  return -1;
}

/** Bounds of the compound key of one generation of an event. */
export function generationRange(event_id: string, generation: number): [[string, number, number], [string, number, number]] {
  return [[event_id, generation, 0], [event_id, generation, 255]];
}

/** The server has it: nothing is lost with the row. */
function isAnswered({ fate }: QueuedScan): boolean {
  return fate !== 'queued' && fate !== 'unreadable';
}

/** Everything about an event's tickets goes; scans that still wait for an answer stay in the queue. */
export async function wipeEvent(event_id: string, remember: boolean): Promise<void> {
  await db.transaction('rw', [db.meta, db.events, db.hashes, db.places, db.state, db.queue], async () => {
    const bounds: [[string, number, number], [string, number, number]] = [[event_id, 0, 0], [event_id, Number.MAX_SAFE_INTEGER, 255]];
    await db.events.delete(event_id);
    await db.hashes.where('[event_id+generation+bucket]').between(...bounds, true, true).delete();
    await db.places.where('[event_id+generation+bucket]').between(...bounds, true, true).delete();
    await db.state.where('[event_id+place]').between([event_id, Dexie.minKey], [event_id, Dexie.maxKey]).delete();
    await db.queue.filter((scan) => scan.event_id === event_id && isAnswered(scan)).delete();
    if (remember) await writeMeta('wiped', [...new Set([...(await readMeta('wiped') ?? []), event_id])]);
  });
}

/** A revoked phone keeps no ticket and no seat, whatever it still has to hand in. */
export async function wipeTickets(now: number): Promise<void> {
  await db.transaction('rw', [db.meta, db.events, db.hashes, db.places, db.state, db.queue], async () => {
    await Promise.all([db.events.clear(), db.hashes.clear(), db.places.clear(), db.state.clear(), db.queue.filter(isAnswered).delete()]);
    const device = await readMeta('device');
    await changeDevice({ revoked_at: device?.revoked_at ?? now, events: [] });
  });
}
