/**
 * One scan is one durable transaction: it reads what is known, applies the door's rule, and
 * writes the queue row. It needs no network.
 */
import { requireValue } from '#server/domain/require-value.ts';
import type { Decision, Direction } from '#server/domain/door/admission.ts';
import type { EndedCode } from '#server/domain/door/ended-code.ts';
import { lacksConsent } from '#server/domain/door/approval.ts';
import type { DoorList, KnownScan } from '#apps/scanner/list/list.ts';
import type { Phone } from '#apps/scanner/list/memory.ts';
import {
  openName,
  proveRead,
  recognisePlace,
  type Recognised,
} from '#apps/scanner/list/recognise.ts';
import type { EventFacts, OtherEvent, QueuedScan } from '#apps/scanner/kit/store.ts';
import type { AdmitAsk, NamedAsk, NamedScan } from './asks.ts';
import { mayFollowAgain, partyOf, type Party } from './companions.ts';
import { decideReading, type DecidedReading, type Known, type ReadPlace } from './known.ts';
import type { Pending, Written } from './pending.ts';
import { newId, store, type Decided, type Moment } from './write-scans.ts';

interface GroupAsk extends Pick<AdmitAsk, 'event_id' | 'direction'> {
  /** The reading that showed the group. */
  leader: Recognised;
  places: readonly string[];
}

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
  /** How the code that was read ended; the verdict SOSTITUITO shows it. */
  ended: EndedCode | null;
  /** The holder's name, where the event is nominative or this phone may see names. */
  name: string | null;
  first: KnownScan | null;
  /** The order of the ticket; its companions are empty if none may follow this guest. */
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
 * Admits the rest of an order: a scan and a verdict for each ticket, in one transaction. The
 * leader's code proves them all; without it they count as found by hand, like the leader.
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

/** Makes the id and the proof before the transaction, which would end during this work. */
async function nameScan(
  phone: Phone,
  { event_id, direction }: Pick<AdmitAsk, 'event_id' | 'direction'>,
  read: Recognised,
): Promise<NamedScan> {
  const admission_id = newId(phone);
  return { admission_id, code_read: await proveRead(read, { admission_id, event_id, direction }) };
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

/** A stored scan keeps its verdict, because compared with itself it would be a second entry. */
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
 * from before this phone was allowed to see names contains none.
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
