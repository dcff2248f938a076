/**
 * One scan is one durable transaction: it reads what is known, applies the door's rule, and
 * writes the queue row. It needs no network.
 */
import { requireValue } from '#server/domain/require-value.ts';
import {
  decideAdmission,
  type Decision,
  type Direction,
  type ScanMethod,
  type Reading,
} from '#server/domain/door/admission.ts';
import type { EndedCode } from '#server/domain/door/ended-code.ts';
import type { PlaceCode } from '#server/domain/door/moved-code.ts';
import { lacksConsent } from '#server/domain/door/approval.ts';
import { isLost } from '#server/domain/door/lost-revisions.ts';
import type { CodeRead } from '#server/domain/door/scan-proof.ts';
import { base64urlOf } from '#apps/scanner/kit/base64url.ts';
import { correctedNow } from '#apps/scanner/kit/clock.ts';
import { endsWithin, withReopening } from '#apps/scanner/kit/reopen.ts';
import { storeFault } from '#apps/scanner/kit/store-fault.ts';
import {
  newestOf,
  ownerOf,
  placeIn,
  scansIn,
  scansOfGuest,
  presentOf,
  standingIn,
  type DoorList,
  type KnownScan,
} from '#apps/scanner/list/list.ts';
import type { Place } from '#apps/scanner/list/image.ts';
import type { Consent } from './approval.ts';
import { mayFollowAgain, partyOf, type Party } from './companions.ts';
import { idsOf, restartWith, type Pending, type Written } from './pending.ts';
import {
  catchUp,
  refresh,
  rememberScan,
  scansFrom,
  tellChange,
  type Phone,
} from '#apps/scanner/list/memory.ts';
import {
  openName,
  proveRead,
  recognisePlace,
  type Recognised,
} from '#apps/scanner/list/recognise.ts';
import {
  readMeta,
  writeMeta,
  type Device,
  type EventFacts,
  type OtherEvent,
  type QueuedScan,
  type StoredEvent,
} from '#apps/scanner/kit/store.ts';

interface AdmitAsk {
  event_id: string;
  recognised: Recognised;
  direction: Direction;
  /** A supervisor's reason to let in against the rule. */
  override: string | null;
  means: ScanMethod;
  note: string | null;
  /** A supervisor's consent, where this phone asks for one. */
  consent?: Consent | null;
}

interface GroupAsk extends Pick<AdmitAsk, 'event_id' | 'direction'> {
  /** The reading that showed the group. */
  leader: Recognised;
  places: readonly string[];
}

/** A place, and the revision of its ticket that was read. */
export type ReadPlace = Place & { revision: number };

/**
 * What the screen needs for the verdict; `first` is the earlier scan that makes this one a second
 * entry.
 */
export interface Shown extends Decision {
  admission_id: string;
  seq: number;
  direction: Direction;
  at: number;
  offline: boolean;
  phone_id: string;
  place: ReadPlace | null;
  /** The seat that is printed on a ticket from before its move; null: it has not moved. */
  left: string | null;
  /** How the code that was read ended, which SOSTITUITO says. */
  ended: EndedCode | null;
  /** The holder's name, where the event is nominative or this phone may see names. */
  name: string | null;
  first: KnownScan | null;
  /** The order of the ticket; without companions where none may follow this reading. */
  party: Party;
  event: EventFacts;
  other_event: OtherEvent | null;
  /** What is kept of a text that is no ticket of this event. */
  read: string | null;
  updated_at: number | null;
  /** The supervisor who has consented. */
  approved_by: string | null;
}

/**
 * Decides a scan and resolves when the transaction has completed on disk; throws only when the
 * phone cannot write, or has no list.
 */
export async function admit(phone: Phone, ask: AdmitAsk): Promise<Shown> {
  const scan = { ...ask, ...(await nameScan(phone, ask, ask.recognised)) };
  const [shown] = await store(phone, pendingScans(phone, [scan]), (moment, written) => [
    decideOne(moment, scan, written),
  ]);
  return withName(requireValue(shown, 'verdict'), ask.recognised.code);
}

/**
 * Admits the rest of an order: a scan and a verdict for each ticket, in one transaction. The code
 * of the leader proves them all; those of a leader without a code are found by hand, too.
 */
export async function admitGroup(
  phone: Phone,
  { leader, places, ...ask }: GroupAsk,
): Promise<Shown[]> {
  if (places.length === 0) return [];
  const means = leader.code === null ? 'search' : 'group';
  const scans = await Promise.all(
    [...new Set(places)].map(async (place) => ({
      place,
      ...(await nameScan(phone, ask, leader)),
    })),
  );
  const asks = (): NamedAsk[] =>
    scans.map(({ place, ...named }) => ({
      ...ask,
      ...named,
      recognised: recognisePlace(phone, ask.event_id, place),
      override: null,
      means,
      note: null,
    }));
  return store(phone, pendingScans(phone, asks(), true), (moment, written) =>
    asks().map((scan) => decideOne(moment, scan, written)),
  );
}

/**
 * Decides scans that could not be stored before the app was loaded anew. Without their codes the
 * verdicts offer no companions: the ticket is read again for them.
 */
export async function admitAgain(
  phone: Phone,
  pending: Pending & { kind: 'scans' },
): Promise<Shown[]> {
  const shown = await store(
    phone,
    pending,
    (moment, written) => pending.scans.map((scan) => decideOne(moment, scan, written)),
    { isAgain: true },
  );
  if (pending.isGroup) return shown;
  return shown.map((one) => ({ ...one, party: { ...one.party, companions: [] } }));
}

function pendingScans(phone: Phone, scans: NamedAsk[], isGroup = false): Pending {
  const event_id = requireValue(scans[0], 'scan').event_id;
  return {
    kind: 'scans',
    phone_id: phone.memory.device?.phone_id ?? null,
    event_id,
    scans,
    isGroup,
  };
}

type NamedScan = Pick<QueuedScan, 'admission_id'> & { code_read: CodeRead | null };
export type NamedAsk = AdmitAsk & NamedScan;

/** Made before the transaction, which would end while the proof is computed. */
async function nameScan(
  phone: Phone,
  { event_id, direction }: Pick<AdmitAsk, 'event_id' | 'direction'>,
  read: Recognised,
): Promise<NamedScan> {
  const admission_id = newId(phone);
  return { admission_id, code_read: await proveRead(read, { admission_id, event_id, direction }) };
}

/** Everything that a scan has read inside its transaction. */
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
  /** The time (ms) of the earlier scan that must precede this one. */
  after?: number;
  /** Makes the answer from the written row. */
  answer: (scan: QueuedScan) => T;
}

/** Memory was older than the disk: the disk is read and the scan decided again. */
class Behind extends Error {}
const mostTries = 20;
/** Some browsers leave a transaction without an end after they were in the background. */
const longestMs = 5_000;

/** Makes the decisions; `written`: rows of an attempt whose end was unknown. */
type Decide<T> = (moment: Moment, written: Written) => Decided<T>[];

/**
 * Runs the decisions and writes their rows, also after the database was lost: then it is opened
 * again, or the app is loaded anew and decides `pending`. `isAgain`: this is that decision.
 */
export async function store<T>(
  phone: Phone,
  pending: Pending,
  decide: Decide<T>,
  { isAgain = false }: { isAgain?: boolean } = {},
): Promise<T[]> {
  try {
    return await withReopening(phone, (again) =>
      storeOnce(phone, pending, { decide, again: again || isAgain }),
    );
  } catch (error) {
    if (isAgain || storeFault(error) !== 'lost') throw error;
    return restartWith(phone, pending, error);
  }
}

/**
 * Writes in one transaction; memory changes only after it has completed. Writes of another tab
 * are noticed inside the transaction: its scans are read there; a new list is read after the
 * transaction, and then the decision is repeated. `again`: the rows may be there already.
 */
async function storeOnce<T>(
  phone: Phone,
  pending: Pending,
  { decide, again }: { decide: Decide<T>; again: boolean },
): Promise<T[]> {
  const { db, memory, ports } = phone;
  const { event_id } = pending;
  if (!memory.lists.has(event_id)) await catchUp(phone, event_id);
  const write = async () => {
    const { seq, ...moment } = await readMoment(phone, event_id);
    const written = again ? await rowsWritten(phone, pending) : noneWritten;
    const decided = decide(moment, written);
    const isNew = written.size === 0;
    const rows = decided.map(
      (one, i) =>
        written.get(one.row.admission_id) ?? rowOf(phone, moment, { ...one, seq: seq + i }),
    );
    const next = isNew ? seq + rows.length : seq;
    if (isNew) await db.queue.bulkAdd(rows);
    if (next > seq) await writeMeta(db, 'seq', next);
    return { decided, rows, seq: next };
  };
  for (let tries = 1; ; tries += 1) {
    try {
      const { decided, rows, seq } = await endsWithin(
        ports.after,
        longestMs,
        db.transaction('rw', [db.meta, db.events, db.queue], write),
      );
      ports.saved?.();
      for (const row of rows) rememberScan(phone, row);
      memory.seq = Math.max(memory.seq ?? 0, seq);
      tellChange(phone);
      return decided.map(({ answer }, i) => answer(requireValue(rows[i], 'row of the queue')));
    } catch (error) {
      if (!(error instanceof Behind) || tries === mostTries) throw error;
      await refresh(phone);
    }
  }
}

const noneWritten: Written = new Map();

/** All rows of one attempt were written, or none. */
async function rowsWritten({ db }: Phone, pending: Pending): Promise<Written> {
  const rows = (await db.queue.bulkGet(idsOf(pending))).filter((row) => row !== undefined);
  return new Map(rows.map((row) => [row.admission_id, row]));
}

/** Runs inside the transaction; `seq` is the number of the next scan. */
async function readMoment(phone: Phone, event_id: string): Promise<Moment & { seq: number }> {
  const { db, memory } = phone;
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
  const { facts } = event;
  return { device, list, event: { ...event, facts }, ...correctedNow(phone, clock), seq };
}

function rowOf(
  { status }: Phone,
  { device, event, now, corrected }: Moment,
  { row, after, seq }: Decided<unknown> & { seq: number },
): QueuedScan {
  return {
    ...row,
    seq,
    phone_id: device.phone_id,
    event_id: event.event_id,
    gate: device.gate,
    scanned_at: now,
    // The earlier scan may be in the future because of a wrong clock, but this one still comes
    // after it.
    corrected_at: after === undefined ? corrected : Math.max(corrected, after + 1),
    offline: !status.read().online,
    fate: 'queued',
    answered_at: null,
  };
}

function decideOne(moment: Moment, ask: NamedAsk, written: Written): Decided<Shown> {
  const { recognised, direction, override: wanted, means, note, consent = null } = ask;
  const { device, list, event } = moment;
  const { read, other_event } = recognised;
  const isDenied = lacksConsent(
    { means, override: wanted, annuls: null },
    { asks_supervisor: device.asks_supervisor, approved: consent !== null },
  );
  const override = isDenied ? null : wanted;
  const decided = decideReading(moment, recognised, { direction, override });
  const { reading, known, decision } = asWritten(decided, written.get(ask.admission_id));
  return {
    row: {
      admission_id: ask.admission_id,
      code_read: ask.code_read,
      place: reading.kind === 'place' ? reading.place : null,
      revision: reading.kind === 'place' ? reading.revision : null,
      read,
      direction,
      verdict: decision.verdict,
      counts: decision.counts,
      override: decision.overridden ? override : null,
      means,
      note,
      annuls: null,
      approval: consent?.approval ?? null,
      seat: known.place?.seat ?? null,
    },
    after: decision.counts ? known.last?.at : undefined,
    answer: ({ admission_id, seq, corrected_at, offline, phone_id }) => ({
      ...decision,
      admission_id,
      seq,
      direction,
      at: corrected_at,
      offline,
      phone_id,
      name: known.ticket?.name ?? null,
      place: known.place,
      left: known.left,
      ended: known.ended,
      first: known.first,
      party: partyAfter(list, known, {
        decision,
        direction,
        phone_id: device.phone_id,
        event: event.facts,
        now: corrected_at,
      }),
      event: event.facts,
      other_event,
      read,
      updated_at: event.updated_at,
      approved_by: consent?.by ?? null,
    }),
  };
}

interface DecidedReading {
  reading: Reading;
  known: Known;
  decision: Decision;
}

/** A scan that is stored already keeps its verdict, and is not a second entry after itself. */
function asWritten(decided: DecidedReading, row: QueuedScan | undefined): DecidedReading {
  if (!row) return decided;
  const { verdict, counts, override, admission_id } = row;
  const { known } = decided;
  return {
    ...decided,
    known: known.first?.admission_id === admission_id ? { ...known, first: null } : known,
    decision: { verdict, counts, overridden: override !== null },
  };
}

/** Applies the door's rule to a reading, by all that this phone knows. */
export function decideReading(
  { device, list, event, corrected }: Omit<Moment, 'now'>,
  { reading: counted, as_read }: Pick<Recognised, 'reading' | 'as_read'>,
  { direction, override }: { direction: Direction; override: string | null },
): DecidedReading {
  // The list may have heard of a move since the code was read.
  const reading: Reading =
    as_read === null ? counted : { kind: 'place', ...presentOf(list, as_read) };
  const known = whatIsKnown(list, reading, as_read);
  const decision = decideAdmission(
    {
      reading,
      event: event.facts,
      ticket: known.place?.ticket ?? null,
      moved: known.left !== null,
      newest: known.newest,
      lost: known.lost,
      given: known.given,
      ended: known.ended?.why ?? null,
      last: known.last,
    },
    { now: corrected, direction, phone_id: device.phone_id, gate: device.gate, override },
  );
  return { reading, known, decision };
}

/** Everything that the phone knows about a reading. */
interface Known {
  place: ReadPlace | null;
  /** The seat that is printed on a ticket from before its move; null: it has not moved. */
  left: string | null;
  /** Null when the list has only another revision, which says nothing about this ticket. */
  ticket: Place['ticket'];
  scans: KnownScan[];
  newest: number;
  /** The revision may be of a ticket that a restored house has lost. */
  lost: boolean;
  /** The place of this revision was let go and has another guest now. */
  given: boolean;
  /** How this code ended; null: it has not, or this phone does not know. */
  ended: EndedCode | null;
  last: KnownScan | null;
  first: KnownScan | null;
}

const nothing = {
  place: null,
  left: null,
  ticket: null,
  scans: [],
  newest: 0,
  lost: false,
  given: false,
  ended: null,
};

function whatIsKnown(list: DoorList, reading: Reading, as_read: PlaceCode | null): Known {
  if (reading.kind !== 'place') return { ...nothing, last: null, first: null };
  const { revision } = reading;
  const place = placeIn(list, reading.place);
  const here = scansIn(list, reading.place);
  const owner = ownerOf(list, reading);
  return {
    place: place && { ...place, revision },
    left:
      as_read === null || as_read.place === reading.place
        ? null
        : (placeIn(list, as_read.place)?.seat ?? as_read.place),
    ticket: place?.ticket?.revision === revision ? place.ticket : null,
    scans: scansBeside(here, scansOfGuest(list, owner, reading)),
    newest: newestOf(list, place, here, reading.place),
    lost: isLost(place?.lost ?? [], revision),
    given: place?.given?.includes(revision) ?? false,
    ended: place?.ended?.find((code) => code.revision === revision) ?? null,
    ...standingIn(list, owner, reading),
  };
}

/** Those of the place, and those that its guest made elsewhere. */
function scansBeside(here: readonly KnownScan[], guest: readonly KnownScan[]): KnownScan[] {
  const known = new Set(here.map(({ admission_id }) => admission_id));
  return [...here, ...guest.filter(({ admission_id }) => !known.has(admission_id))];
}

/**
 * Offers companions after each entry and exit, and when a ticket that this phone has let in is
 * read again within a minute, because the group may have come up later.
 */
function partyAfter(
  list: DoorList,
  { place, ticket, first }: Known,
  {
    decision: { verdict, counts },
    direction,
    phone_id,
    ...when
  }: {
    decision: Decision;
    direction: Direction;
    phone_id: string;
    event: EventFacts;
    now: number;
  },
): Party {
  if (!place || !ticket) return { companions: [], size: 0, inside: 0, let_in_at: null };
  const isReadAgain =
    direction === 'in' &&
    (verdict === 'just_read' || verdict === 'already_in') &&
    first?.direction === 'in' &&
    first.phone_id === phone_id;
  const { order_group } = ticket;
  const party = partyOf(list, place.place, { order_group, direction, phone_id, ...when });
  return counts || (isReadAgain && mayFollowAgain(party, when.now))
    ? party
    : { ...party, companions: [] };
}

/**
 * Called after the transaction, because IndexedDB closes one that waits for anything else. A list
 * from before this phone was allowed to see names has none.
 */
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
