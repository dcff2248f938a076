/** One scan = one durable transaction: what is known, the door's rule, the queue row. The network has no say. */
import {
  decideAdmission,
  type Decision,
  type Direction,
  type Means,
  type Verdict,
} from '#server/domain/admission.ts';
import { base64urlOf } from '#apps/scanner/device/base64url.ts';
import { correctedNow } from '#apps/scanner/sync/clock.ts';
import {
  newestOf,
  placeIn,
  scansIn,
  standingAmong,
  type DoorList,
  type KnownScan,
} from '#apps/scanner/list/list.ts';
import type { Place } from '#apps/scanner/list/image.ts';
import { matesOf, type Mate } from './mates.ts';
import {
  catchUp,
  refresh,
  rememberScan,
  scansFrom,
  tellChange,
  type Phone,
} from '#apps/scanner/list/memory.ts';
import { openName, recognisePlace, type Recognised } from '#apps/scanner/list/recognise.ts';
import {
  readMeta,
  writeMeta,
  type Device,
  type EventFacts,
  type OtherEvent,
  type QueuedScan,
  type StoredEvent,
} from '#apps/scanner/list/store.ts';

export interface AdmitAsk {
  event_id: string;
  recognised: Recognised;
  direction: Direction;
  /** A supervisor's reason to let in all the same. */
  override: string | null;
  means: Means;
  note: string | null;
}

/** What the screen needs to say the verdict; `first` is the scan that stands against a second way in. */
export interface Shown {
  admission_id: string;
  seq: number;
  verdict: Verdict;
  counts: boolean;
  overridden: boolean;
  direction: Direction;
  at: number;
  offline: boolean;
  phone_id: string;
  place: (Place & { revision: number }) | null;
  /** The holder's, where the event is nominative or this phone may know names. */
  name: string | null;
  first: KnownScan | null;
  mates: Mate[];
  undoable: boolean;
  event: EventFacts;
  other_event: OtherEvent | null;
  updated_at: number | null;
}

/** Resolves after the transaction has completed on disk; throws only when the phone cannot write, or has no list. */
export async function admit(phone: Phone, ask: AdmitAsk): Promise<Shown> {
  const [shown] = await store(phone, ask.event_id, (moment) => [decideOne(phone, moment, ask)]);
  return withName(shown!, ask.recognised.code);
}

/** The rest of an order: each its own scan and verdict, all in one transaction. */
export async function admitGroup(
  phone: Phone,
  {
    event_id,
    places,
    direction,
  }: { event_id: string; places: readonly string[]; direction: Direction },
): Promise<Shown[]> {
  if (places.length === 0) return [];
  return store(phone, event_id, (moment) =>
    [...new Set(places)].map((place) =>
      decideOne(phone, moment, {
        event_id,
        recognised: recognisePlace(phone, event_id, place),
        direction,
        override: null,
        means: 'group',
        note: null,
      }),
    ),
  );
}

/** The moment of a scan: everything that was read inside its transaction. */
export interface Moment {
  device: Device;
  list: DoorList;
  event: StoredEvent & { facts: EventFacts };
  now: number;
  corrected: number;
}
export interface Decided<T> {
  row: Omit<
    QueuedScan,
    | 'seq'
    | 'phone_id'
    | 'event_id'
    | 'gate'
    | 'scanned_at'
    | 'corrected_at'
    | 'offline'
    | 'fate'
    | 'answered_at'
  >;
  /** What it was decided after, ms. */ after?: number | undefined;
  tell: (scan: QueuedScan) => T;
}

/** Memory was behind the disk: read on and decide again. */
class Behind extends Error {}
const mostTries = 20;

/**
 * Runs the decisions and writes their rows, one transaction for all; memory changes only after it has completed.
 * Another tab that has gone on meanwhile is seen inside the transaction: its scans are read there, its list after it, and then it is decided again.
 */
export async function store<T>(
  phone: Phone,
  event_id: string,
  decide: (moment: Moment) => Decided<T>[],
): Promise<T[]> {
  const { db, memory, status } = phone;
  if (!memory.lists.has(event_id)) await catchUp(phone, event_id);
  for (let tries = 1; ; tries += 1) {
    try {
      const { rows, tells, seq } = await db.transaction(
        'rw',
        [db.meta, db.events, db.queue],
        async () => {
          const [device, clock, seq = 0, event] = await Promise.all([
            readMeta(db, 'device'),
            readMeta(db, 'clock'),
            readMeta(db, 'seq'),
            db.events.get(event_id),
          ]);
          const list = memory.lists.get(event_id);
          if (!device || !event?.facts || event.generation === 0)
            throw new Error('There is no list of this event');
          if (
            !list ||
            list.generation !== event.generation ||
            list.parts !== event.parts ||
            memory.device?.phone_id !== device.phone_id ||
            memory.seq === null
          )
            throw new Behind();
          if (seq > memory.seq)
            for (const scan of await scansFrom(phone, memory.seq)) rememberScan(phone, scan);
          memory.seq = Math.max(memory.seq, seq);
          const { now, corrected } = correctedNow(phone, clock);
          const decided = decide({
            device,
            list,
            event: { ...event, facts: event.facts },
            now,
            corrected,
          });
          const rows = decided.map(({ row, after }, i): QueuedScan => ({
            // A scan that a wrong clock has put into the future was all the same before this one.
            ...row,
            seq: seq + i,
            phone_id: device.phone_id,
            event_id,
            gate: device.gate,
            scanned_at: now,
            corrected_at: after === undefined ? corrected : Math.max(corrected, after + 1),
            offline: !status.read().online,
            fate: 'queued',
            answered_at: null,
          }));
          await db.queue.bulkAdd(rows);
          if (rows.length > 0) await writeMeta(db, 'seq', seq + rows.length);
          return { rows, tells: decided.map(({ tell }) => tell), seq: seq + rows.length };
        },
      );
      for (const row of rows) rememberScan(phone, row);
      memory.seq = Math.max(memory.seq ?? 0, seq);
      tellChange(phone);
      return tells.map((tell, i) => tell(rows[i]!));
    } catch (error) {
      if (!(error instanceof Behind) || tries === mostTries) throw error;
      await refresh(phone);
    }
  }
}

function decideOne(
  phone: Phone,
  { device, list, event, corrected }: Moment,
  { recognised: { reading, read, other_event }, direction, override, means, note }: AdmitAsk,
): Decided<Shown> {
  const known = whatIsKnown(list, reading);
  const decision = decideAdmission(
    {
      reading,
      event: event.facts,
      ticket: known.place?.ticket ?? null,
      newest: known.newest,
      last: known.last,
    },
    { now: corrected, direction, phone_id: device.phone_id, gate: device.gate, override },
  );
  const isPlace = reading.kind === 'place';
  return {
    row: {
      admission_id: newId(phone),
      place: isPlace ? reading.place : null,
      revision: isPlace ? reading.revision : null,
      read,
      direction,
      verdict: decision.verdict,
      counts: decision.counts,
      override: decision.overridden ? override : null,
      means,
      note,
      annuls: null,
      seat: known.place?.seat ?? null,
    },
    after: decision.counts ? known.last?.at : undefined,
    tell: ({ admission_id, seq, corrected_at, offline, phone_id }) => ({
      ...decision,
      admission_id,
      seq,
      direction,
      at: corrected_at,
      offline,
      phone_id,
      name:
        known.place?.ticket?.revision === known.revision
          ? (known.place?.ticket?.name ?? null)
          : null,
      place: isPlace && known.place ? { ...known.place, revision: reading.revision } : null,
      first: known.first,
      mates: matesAfter(list, known, {
        decision,
        direction,
        phone_id,
        reentry: event.facts.reentry,
      }),
      undoable: decision.counts,
      event: event.facts,
      other_event,
      updated_at: event.updated_at,
    }),
  };
}

/** Everything that the phone knows about what was read. */
export function whatIsKnown(
  list: DoorList,
  reading: Recognised['reading'],
): {
  place: Place | null;
  revision: number | null;
  scans: KnownScan[];
  newest: number;
  last: KnownScan | null;
  first: KnownScan | null;
} {
  if (reading.kind !== 'place')
    return { place: null, revision: null, scans: [], newest: 0, last: null, first: null };
  const place = placeIn(list, reading.place);
  const scans = scansIn(list, reading.place);
  return {
    place,
    revision: reading.revision,
    scans,
    newest: newestOf(list, place, scans, reading.place),
    ...standingAmong(scans, reading.revision),
  };
}

/** Behind whoever goes in, and again behind a ticket that this very phone has let in: the group may have come up while the doorman looked elsewhere. */
function matesAfter(
  list: DoorList,
  { place, revision, first }: ReturnType<typeof whatIsKnown>,
  {
    decision: { verdict, counts },
    direction,
    phone_id,
    reentry,
  }: { decision: Decision; direction: Direction; phone_id: string; reentry: boolean },
): Mate[] {
  const isReadAgain =
    (verdict === 'just_read' || verdict === 'already_in') &&
    first?.direction === 'in' &&
    first.phone_id === phone_id;
  return direction === 'in' && (counts || isReadAgain) && place?.ticket?.revision === revision
    ? matesOf(list, place.place, place.ticket.order_group, reentry)
    : [];
}

/** After the transaction: IndexedDB closes one that waits for anything else. A phone that has its list since before this knew names has none. */
async function withName(shown: Shown, code: string | null): Promise<Shown> {
  const sealed = shown.place?.ticket?.sealed_name ?? null;
  return {
    ...shown,
    name:
      (code !== null && sealed !== null ? await openName(shown.event.salt, code, sealed) : null) ??
      shown.name,
  };
}

/** 128 random bits. */
export function newId({ ports }: Phone): string {
  return base64urlOf(ports.random(16));
}
