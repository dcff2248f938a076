/** Writes what the server said into the phone's list: pages of a snapshot beside the old one, differences in place. */
import type { AdmissionForPhone, PlaceForPhone, pullChanges } from '#server/contract/admissions.ts';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { hashBytes } from '#server/domain/ticket-code.ts';
import { db, findHash, generationRange, placeBucketOf, readMeta, type Draft, type EventFacts, type HashBucket, type KnownScan, type OtherEvent, type PlaceBucket, type StoredEvent } from './store.ts';

export type ChangesPage = ReplyOf<typeof pullChanges>;
interface Target { event_id: string; generation: number }
interface Counts { tickets: number; places: number }

/** How many buckets one transaction of a snapshot holds: scans get their turn in between. */
const bucketsPerStep = 32;

/** A difference: places, admissions and cursor in one transaction. */
export async function applyDelta(event_id: string, page: ChangesPage, now: number): Promise<void> {
  await db.transaction('rw', [db.events, db.hashes, db.places, db.state, db.queue], async () => {
    const event = await db.events.get(event_id);
    if (!event || event.generation === 0) return;
    const target = { event_id, generation: event.generation };
    const hashed = groupHashes(page.places);
    const named = groupPlaces(page.places);
    await mergeHashes(target, hashed, [...hashed.keys()]);
    const added = await mergePlaces(target, named, [...named.keys()]);
    await mergeAdmissions(target, page.admissions);
    await db.events.put({
      ...event, ...factsOf(page), cursor: page.cursor, updated_at: now,
      tickets: event.tickets + added.tickets, places: event.places + added.places,
    });
  });
}

/**
 * A page of a snapshot. Its rows are invisible until the last page swaps them in, so they may go in steps; the cursor moves only
 * when all of them are down, and a page that comes twice changes nothing. False: the phone may not keep this event any more,
 * a wipe between two steps included, and nothing was written after it.
 */
export async function applySnapshotPage(event_id: string, page: ChangesPage, now: number): Promise<boolean> {
  const draft = await openDraft(event_id);
  if (!draft) return false;
  const target = { event_id, generation: draft.generation };
  const hashed = groupHashes(page.places);
  const named = groupPlaces(page.places);
  for (let from = 0; from < 256; from += bucketsPerStep) {
    const isInStep = (bucket: number) => bucket >= from && bucket < from + bucketsPerStep;
    const isOurs = await db.transaction('rw', [db.events, db.hashes, db.places], async () => {
      if (!await findOurs(target)) return false;
      await mergeHashes(target, hashed, [...hashed.keys()].filter(isInStep));
      await mergePlaces(target, named, [...named.keys()].filter(isInStep));
      return true;
    });
    if (!isOurs) return false;
  }
  return db.transaction('rw', [db.events, db.hashes, db.places, db.state, db.queue], async () => {
    const event = await findOurs(target);
    if (!event) return false;
    await mergeAdmissions(target, page.admissions);
    if (page.more) {
      await db.events.put({ ...event, draft: { ...draft, cursor: page.cursor, places: draft.places + page.places.length } });
      return true;
    }
    if (event.generation > 0) await dropGeneration(event_id, event.generation);
    await forgetOlderScans(event_id, draft.generation);
    await db.events.put({ ...event, ...factsOf(page), ...await countGeneration(target), generation: draft.generation, cursor: page.cursor, updated_at: now, draft: null });
    return true;
  });
}

/** The event as long as the draft is still being written to. */
async function findOurs({ event_id, generation }: Target): Promise<StoredEvent | null> {
  const event = await db.events.get(event_id);
  return event?.draft?.generation === generation ? event : null;
}

/** A new draft starts on clean ground: a page of an earlier try may lie there half written. Null: this phone may not keep the event. */
async function openDraft(event_id: string): Promise<Draft | null> {
  return db.transaction('rw', [db.meta, db.events, db.hashes, db.places], async () => {
    const device = await readMeta('device');
    if (!device || device.revoked_at !== null || !device.events.some(({ id }) => id === event_id)) return null;
    const event = await db.events.get(event_id) ?? emptyEvent(event_id);
    if (event.draft) return event.draft;
    const draft = { generation: event.generation + 1, cursor: null, places: 0 };
    await dropGeneration(event_id, draft.generation);
    await db.events.put({ ...event, draft });
    return draft;
  });
}

/** The server cannot go on from our cursor: the next call asks for everything; what is on the phone stays usable meanwhile. */
export async function startOver(event_id: string): Promise<void> {
  await db.transaction('rw', [db.events, db.hashes, db.places], async () => {
    const event = await db.events.get(event_id);
    if (!event) return;
    if (event.draft) await dropGeneration(event_id, event.draft.generation);
    await db.events.put({ ...event, cursor: null, draft: null });
  });
}

function emptyEvent(event_id: string): StoredEvent {
  return { event_id, generation: 0, cursor: null, updated_at: null, tickets: 0, places: 0, facts: null, other_events: [], draft: null };
}

function factsOf({ event, other_events }: ChangesPage): { facts: EventFacts; other_events: OtherEvent[] } {
  const { title, cancelled, tag, salt, verify_policy, reentry } = event;
  return {
    facts: { title, cancelled, tag, salt, verify_policy, reentry, starts_at: Date.parse(event.starts_at), admits_from: event.admits_from === null ? null : Date.parse(event.admits_from), wipe_at: Date.parse(event.wipe_at) },
    other_events: other_events.map((other) => ({ ...other, starts_at: Date.parse(other.starts_at) })),
  };
}

interface NewHash { hash: Uint8Array; place: string; revision: number }

function groupHashes(places: readonly PlaceForPhone[]): Map<number, NewHash[]> {
  const all = places.flatMap(({ place, hashes }) => hashes.map((text, index): NewHash => ({ hash: bytesOf(text), place, revision: index + 1 })));
  return groupBy(all.filter(({ hash }) => hash.length === hashBytes), ({ hash }) => hash[0]!);
}

function groupPlaces(places: readonly PlaceForPhone[]): Map<number, PlaceForPhone[]> {
  return groupBy(places, ({ place }) => placeBucketOf(place));
}

/** Map.groupBy is younger than the oldest phones that we support (iOS 16.4). */
function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

function bytesOf(base64url: string): Uint8Array {
  const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

async function mergeHashes({ event_id, generation }: Target, groups: Map<number, NewHash[]>, buckets: number[]): Promise<void> {
  if (buckets.length === 0) return;
  const stored = await db.hashes.bulkGet(buckets.map((bucket) => [event_id, generation, bucket] as [string, number, number]));
  await db.hashes.bulkPut(buckets.map((bucket, i): HashBucket => {
    const old = stored[i];
    const fresh = old ? groups.get(bucket)!.filter(({ hash }) => findHash(old.hashes, hash) < 0) : groups.get(bucket)!;
    const before = old?.hashes.length ?? 0;
    const hashes = new Uint8Array(before + fresh.length * hashBytes);
    if (old) hashes.set(old.hashes);
    fresh.forEach(({ hash }, index) => hashes.set(hash, before + index * hashBytes));
    return {
      event_id, generation, bucket, hashes,
      places: [...(old?.places ?? []), ...fresh.map(({ place }) => place)],
      revisions: [...(old?.revisions ?? []), ...fresh.map(({ revision }) => revision)],
    };
  }));
}

/** Gives back by how much the numbers of places and of tickets grew. */
async function mergePlaces({ event_id, generation }: Target, groups: Map<number, PlaceForPhone[]>, buckets: number[]): Promise<Counts> {
  const added: Counts = { tickets: 0, places: 0 };
  if (buckets.length === 0) return added;
  const stored = await db.places.bulkGet(buckets.map((bucket) => [event_id, generation, bucket] as [string, number, number]));
  await db.places.bulkPut(buckets.map((bucket, i): PlaceBucket => {
    const places = stored[i]?.places ?? new Map();
    for (const { place, seat, category, issued, ticket } of groups.get(bucket)!) {
      const old = places.get(place);
      added.places += old ? 0 : 1;
      added.tickets += (ticket ? 1 : 0) - (old?.ticket ? 1 : 0);
      places.set(place, { seat, category, issued, ticket });
    }
    return { event_id, generation, bucket, places };
  }));
  return added;
}

async function mergeAdmissions({ event_id, generation }: Target, admissions: readonly AdmissionForPhone[]): Promise<void> {
  const groups = groupBy(admissions, ({ place }) => place);
  const places = [...groups.keys()];
  if (places.length === 0) return;
  const stored = await db.state.bulkGet(places.map((place) => [event_id, place] as [string, string]));
  await db.state.bulkPut(places.map((place, i) => {
    const scans = new Map((stored[i]?.scans ?? []).map((scan) => [scan.admission_id, scan]));
    for (const { place: _, at, ...scan } of groups.get(place)!) scans.set(scan.admission_id, { ...scan, at: Date.parse(at), generation } satisfies KnownScan);
    const list = [...scans.values()];
    return { event_id, place, scans: list, seen: Math.max(stored[i]?.seen ?? 0, ...list.map(({ revision }) => revision)) };
  }));
  await markOwnConflicts(admissions);
}

/** An earlier scan of another phone may come in late and turn one of ours, long since sent, into the second. */
async function markOwnConflicts(admissions: readonly AdmissionForPhone[]): Promise<void> {
  const own = await db.queue.bulkGet(admissions.map(({ admission_id }) => admission_id));
  await db.queue.bulkPut(own.flatMap((scan, i) => {
    const fate = admissions[i]!.conflict_with === null ? 'stored' as const : 'conflict' as const;
    return scan && scan.fate !== 'queued' && scan.fate !== fate ? [{ ...scan, fate }] : [];
  }));
}

async function dropGeneration(event_id: string, generation: number): Promise<void> {
  await db.hashes.where('[event_id+generation+bucket]').between(...generationRange(event_id, generation), true, true).delete();
  await db.places.where('[event_id+generation+bucket]').between(...generationRange(event_id, generation), true, true).delete();
}

async function countGeneration({ event_id, generation }: Target): Promise<Counts> {
  const counts: Counts = { tickets: 0, places: 0 };
  await db.places.where('[event_id+generation+bucket]').between(...generationRange(event_id, generation), true, true).each(({ places }) => {
    counts.places += places.size;
    for (const { ticket } of places.values()) counts.tickets += ticket ? 1 : 0;
  });
  return counts;
}

/** What an older snapshot knew and the new one does not is gone; our own scans without the server's echo are facts and stay. */
async function forgetOlderScans(event_id: string, generation: number): Promise<void> {
  await db.state.where('[event_id+place]').between([event_id, ''], [event_id, '\uffff'], true, true).modify((row) => {
    row.scans = row.scans.filter((scan) => scan.generation === null || scan.generation >= generation);
  });
}
