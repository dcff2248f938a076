/** One scan = one durable transaction: facts, the door's rule, the queue row and who is inside. The network has no say. */
import { decideAdmission, type Direction, type Verdict } from '#server/domain/admission.ts';
import { db, placeBucketOf, readMeta, writeMeta, type EventFacts, type KnownScan, type OtherEvent, type PlaceState, type StoredPlace } from './store.ts';
import { openName, type Recognised } from './recognise.ts';

export interface AdmitAsk {
  event_id: string;
  recognised: Recognised;
  direction: Direction;
  /** By the phone's clock; the offset corrects it. */
  now: number;
  /** 128 random bits. */
  admission_id: string;
  override: string | null;
  offline: boolean;
}

/** What the screen needs to say the verdict; `first` is the scan that stands against a second way in. */
export interface Shown {
  admission_id: string; verdict: Verdict; counts: boolean; overridden: boolean; direction: Direction; at: number; offline: boolean;
  phone_id: string;
  place: (StoredPlace & { place: string; revision: number }) | null;
  /** The holder's, where the event is nominative. */
  name: string | null;
  first: KnownScan | null;
  event: EventFacts; other_event: OtherEvent | null; updated_at: number | null;
}

/** Resolves after the transaction has completed on disk; throws only when the phone cannot write. */
export async function admit(ask: AdmitAsk): Promise<Shown> {
  const shown = await decide(ask);
  const { code } = ask.recognised;
  // After the transaction: IndexedDB closes one that waits for anything else. A phone that has its list since before this knew names has none.
  const sealed = shown.place?.ticket?.sealed_name ?? null;
  return { ...shown, name: code !== null && sealed !== null ? await openName(shown.event.salt, code, sealed) : null };
}

async function decide(ask: AdmitAsk): Promise<Omit<Shown, 'name'>> {
  const { event_id, recognised: { reading, read, other_event }, direction, now, override } = ask;
  return db.transaction('rw', [db.meta, db.events, db.places, db.state, db.queue], async () => {
    const [device, clock, seq = 0, event] = await Promise.all([readMeta('device'), readMeta('clock'), readMeta('seq'), db.events.get(event_id)]);
    if (!device || !event?.facts) throw new Error('Elenco dei biglietti mancante');
    const corrected = now + (clock?.offset_ms ?? 0);
    const place = reading.kind === 'place' ? (await db.places.get([event_id, event.generation, placeBucketOf(reading.place)]))?.places.get(reading.place) : undefined;
    const state: PlaceState | null = reading.kind === 'place' ? await db.state.get([event_id, reading.place]) ?? { event_id, place: reading.place, seen: 0, scans: [] } : null;
    const scans = reading.kind === 'place' ? state!.scans.filter(({ revision }) => revision === reading.revision).sort((a, b) => a.at - b.at) : [];

    const decision = decideAdmission(
      { reading, event: event.facts, ticket: place?.ticket ?? null, newest: Math.max(place?.issued ?? 0, state?.seen ?? 0), last: scans.at(-1) ?? null },
      { now: corrected, direction, phone_id: device.phone_id, gate: device.gate, override },
    );

    if (reading.kind === 'place' && state) {
      if (decision.counts) {
        state.scans.push({
          admission_id: ask.admission_id, revision: reading.revision, direction, at: corrected, gate: device.gate,
          phone_id: device.phone_id, by: device.name, conflict_with: null, generation: null,
        });
      }
      // An authentic newer code proves that the older ones are replaced, whether or not it was let in.
      state.seen = Math.max(state.seen, reading.revision);
      await db.state.put(state);
    }
    await db.queue.add({
      admission_id: ask.admission_id, phone_id: device.phone_id, seq, event_id,
      place: reading.kind === 'place' ? reading.place : null, revision: reading.kind === 'place' ? reading.revision : null, read,
      direction, gate: device.gate, verdict: decision.verdict, counts: decision.counts, override: decision.overridden ? override : null,
      scanned_at: now, corrected_at: corrected, offline: ask.offline, fate: 'queued', answered_at: null, seat: place?.seat ?? null,
    });
    await writeMeta('seq', seq + 1);
    return {
      ...decision, admission_id: ask.admission_id, direction, at: corrected, offline: ask.offline, phone_id: device.phone_id,
      place: reading.kind === 'place' && place ? { ...place, place: reading.place, revision: reading.revision } : null,
      first: openerOf(scans), event: event.facts, other_event, updated_at: event.updated_at,
    };
  });
}

/** The way in that is still open: the earliest since the last way out; without re-entry an exit leaves the ticket used up. */
function openerOf(scans: readonly KnownScan[]): KnownScan | null {
  const lastOut = scans.findLastIndex(({ direction }) => direction === 'out');
  return scans.slice(lastOut + 1).find(({ direction }) => direction === 'in') ?? scans.at(-1) ?? null;
}

/** 128 random bits as base64url. */
export function newAdmissionId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}
