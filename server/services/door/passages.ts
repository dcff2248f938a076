/**
 * Stores scans and works out what they change: which scans of a place are second entries, and
 * which scans are taken back.
 */
import type { Trx } from '#db/engine/dialect.ts';
import type { AdmissionRow } from '#db/rows.ts';
import { ticketsOfReentry } from '#db/order/tickets.ts';
import {
  annulmentsOf,
  codesOfTickets,
  countedOn,
  doubtAnnulment,
  insertScans,
  markScan,
  type Annulment,
  type PassingScan,
} from '#db/door/scans.ts';
import { conflictsOf } from '#server/domain/door/admission.ts';
import { doubtOfUndo } from '#server/domain/door/doubt.ts';
import { followGuests, isCarried } from '#server/domain/door/carried.ts';
import { requireValue } from '#server/domain/require-value.ts';
import type { Ctx } from '#server/services/context.ts';
import { takeDoorTurn } from '#server/services/kit/happened.ts';

/** The empty columns of a scan made by code: no number, no doubt, no consent. */
export const bareScan = {
  phone_id: null,
  user_id: null,
  seq: null,
  override: null,
  read: null,
  gate: null,
  conflict_with: null,
  feed_seq: null,
  means: 'code',
  code_place: null,
  code_revision: null,
  code_check: null,
  from_file: 0,
  note: null,
  annuls: null,
  annulled_by: null,
  doubt: null,
  settled_at: null,
  settled_by: null,
  settled_as: null,
  settled_note: null,
  approval: null,
  approved_by: null,
  approval_id: null,
  against: null,
  against_order_id: null,
} as const;

interface PlacesNow {
  event_id: string;
  places: readonly string[];
  now: number;
}

/**
 * When the house's own scan of these places counts: after all earlier ones, whose times may be
 * later than now, because a phone's clock was ahead or a move stored several at once.
 */
export async function timeAfter(trx: Trx, { event_id, places, now }: PlacesNow): Promise<number> {
  const earlier = await countedOn(trx, event_id, [...new Set(places)]);
  return Math.max(now, ...earlier.map(({ corrected_at }) => corrected_at + 1));
}

/** The desk's scan that takes another one back. */
export function takingBack(
  ctx: Ctx,
  { id, event_id, place, revision, ticket_id, direction }: AdmissionRow,
  { reason, user_id }: { reason: string; user_id: string },
): AdmissionRow {
  const now = ctx.now();
  return {
    ...bareScan,
    id: ctx.newId(),
    event_id,
    place,
    revision,
    ticket_id,
    user_id,
    direction,
    verdict: 'undone',
    counts: 0,
    offline: 0,
    scanned_at: now,
    corrected_at: now,
    received_at: now,
    annuls: id,
    note: reason,
  };
}

interface Added {
  rows: AdmissionRow[];
  /** A supervisor made the scans and so may take back scans of others. */
  supervisor: boolean;
}

/** What changed: scans that count from now on, and scans that were taken back. */
interface Passed {
  created: AdmissionRow[];
  undone: PassingScan[];
}

/** Stores new scans of one event; changes the given rows to what was stored. */
export async function addRows(
  trx: Trx,
  event_id: string,
  { rows, supervisor }: Added,
): Promise<Passed> {
  const sure = rows.filter((row) => row.place !== null && row.doubt === null);
  const passed = await placeRows(trx, event_id, {
    passing: sure.filter((row) => row.counts === 1),
    undoing: sure.filter((row) => row.annuls !== null),
    supervisor,
  });
  await insertScans(trx, rows);
  return passed;
}

interface Placed {
  /** Scans that let a guest in or out and do not count in the database yet. */
  passing: readonly AdmissionRow[];
  undoing: readonly AdmissionRow[];
  supervisor: boolean;
}

/**
 * Carries out `undoing` where allowed, and decides again which scans on these places are second
 * entries. Locks the event's row, so concurrent calls wait. Changes the given rows without
 * storing them; updates the rows that are stored already.
 */
export async function placeRows(
  trx: Trx,
  event_id: string,
  { passing, undoing, supervisor }: Placed,
): Promise<Passed> {
  if (passing.length + undoing.length === 0) return { created: [], undone: [] };
  const { feed_seq, reentry } = await takeDoorTurn(trx, { act: 'admitted', event_id });
  const places = [...new Set([...passing, ...undoing].flatMap((row) => row.place ?? []))];
  const { stored, owners } = await withAllCodes(trx, event_id, {
    places,
    rows: [...passing, ...undoing],
  });
  const before = new Map(stored.map((scan) => [scan.id, { ...scan }]));
  for (const row of passing) row.feed_seq = feed_seq;
  const touched: PassingScan[] = [...stored, ...passing];
  await takeBack(trx, { touched, passing, undoing, supervisor });
  await followCarried(trx, { touched, undoing, owners });
  // Nearly every place has one scan, which cannot be a second entry.
  const judged = judgedTogether(touched, owners);
  const asked = reentry === 1 ? [] : judged.filter((scans) => scans.length > 1).flat();
  const free = reentry === 1 ? null : await ticketsOfReentry(trx, idsOf(asked));
  for (const scans of judged) markSeconds(scans, { owners, free });
  for (const scan of stored) {
    const old = requireValue(before.get(scan.id), 'scan');
    if (scan.conflict_with !== old.conflict_with || scan.annulled_by !== old.annulled_by)
      await markScan(trx, { ...scan, feed_seq });
  }
  const undone = touched.filter(
    (scan) =>
      scan.annulled_by !== null &&
      (before.get(scan.id)?.annulled_by ?? null) === null &&
      // Other programs were not told that it was made.
      !isCarried(scan),
  );
  return { created: [...passing], undone };
}

/** By code, the ticket that has or had it; only for tickets that have had several. */
type Owners = ReadonlyMap<string, string>;

interface Around {
  stored: PassingScan[];
  owners: Owners;
}

/**
 * All counted scans on these places, and on all other places that their tickets have had: the
 * scans of a ticket are judged together, by whatever code it was read.
 */
async function withAllCodes(
  trx: Trx,
  event_id: string,
  { places, rows }: { places: readonly string[]; rows: readonly AdmissionRow[] },
): Promise<Around> {
  const stored: PassingScan[] = [];
  const owners = new Map<string, string>();
  const asked = new Set<string>();
  const read = new Set<string>();
  for (let next = [...places]; next.length > 0;) {
    for (const place of next) read.add(place);
    const found = await countedOn(trx, event_id, next);
    stored.push(...found);
    const ids = idsOf([...found, ...rows]).filter((id) => !asked.has(id));
    for (const id of ids) asked.add(id);
    const codes = await codesOfTickets(trx, ids);
    for (const [id, theirs] of codes) for (const code of theirs) owners.set(codeOf(code), id);
    const beside = [...codes.values()].flat().map(({ place }) => place);
    next = [...new Set(beside)].filter((place) => !read.has(place));
  }
  return { stored, owners };
}

/** Scans on one place, and on the places that are connected by a ticket with several codes. */
function judgedTogether(touched: readonly PassingScan[], owners: Owners): PassingScan[][] {
  const connected = new Set([...owners.keys()].map((code) => code.slice(0, code.lastIndexOf('|'))));
  const apart = Map.groupBy(touched, ({ place }) => (connected.has(place ?? '') ? null : place));
  return [...apart.values()];
}

async function takeBack(
  trx: Trx,
  { touched, passing, undoing, supervisor }: Placed & { touched: readonly PassingScan[] },
): Promise<void> {
  const byId = new Map(touched.map((scan) => [scan.id, scan]));
  // A request to take back a scan may arrive before the scan.
  const ids = passing.map(({ id }) => id);
  for (const { by_supervisor, ...earlier } of await annulmentsOf(trx, ids)) {
    const taken = takenBy(earlier, byId);
    const doubt = taken && doubtAbout(earlier, taken, by_supervisor);
    if (doubt) await doubtAnnulment(trx, earlier.id, doubt);
    else if (taken) taken.annulled_by ??= earlier.id;
  }
  for (const row of undoing) {
    const taken = takenBy(row, byId);
    if (!taken) continue;
    row.doubt = doubtAbout(row, taken, supervisor || row.approved_by !== null);
    if (row.doubt === null) taken.annulled_by ??= row.id;
  }
}

type Undoing = Omit<Annulment, 'by_supervisor'>;

function takenBy(
  { annuls, event_id, place, revision }: Undoing | AdmissionRow,
  byId: ReadonlyMap<string, PassingScan>,
): PassingScan | null {
  const taken = byId.get(annuls ?? '');
  const isOfTicket =
    taken?.event_id === event_id && taken.place === place && taken.revision === revision;
  return isOfTicket ? taken : null;
}

function doubtAbout(by: Undoing | AdmissionRow, taken: PassingScan, supervisor: boolean) {
  return doubtOfUndo(
    { phone_id: by.phone_id, supervisor, at: by.corrected_at },
    { phone_id: taken.phone_id, at: taken.corrected_at },
  );
}

/** The tickets that may come back, though the event lets no one; null: all may (RULES O20). */
type Free = ReadonlySet<string> | null;

function idsOf(scans: readonly { ticket_id: string | null }[]): string[] {
  return [...new Set(scans.flatMap(({ ticket_id }) => ticket_id ?? []))];
}

/**
 * Takes back the house's scans of guests who were not inside, and no others: a phone that tells
 * more later may show that they were.
 */
async function followCarried(
  trx: Trx,
  {
    touched,
    undoing,
    owners,
  }: Pick<Placed, 'undoing'> & { touched: PassingScan[]; owners: Owners },
): Promise<void> {
  const carried = touched.filter(isCarried);
  if (carried.length === 0) return;
  const earlier = await annulmentsOf(trx, idsOfScans(carried));
  const byPeople = new Set([...idsOfScans(earlier), ...idsOfScans(undoing)]);
  for (const scan of carried) if (!byPeople.has(scan.annulled_by ?? '')) scan.annulled_by = null;
  const taken = followGuests(
    touched.map((scan) => ({
      ...scan,
      ticket: ownerOf(scan, owners),
      carried: isCarried(scan),
    })),
  );
  for (const scan of touched) scan.annulled_by ??= taken.get(scan.id) ?? null;
}

function idsOfScans(scans: readonly { id: string }[]): string[] {
  return scans.map(({ id }) => id);
}

function ownerOf(scan: PassingScan, owners: Owners): string {
  return owners.get(codeOf(scan)) ?? scan.ticket_id ?? codeOf(scan);
}

/**
 * Entries with two codes of one ticket are in conflict, and an exit with one ends an entry with
 * another (RULES M5).
 */
function markSeconds(
  scans: readonly PassingScan[],
  { owners, free }: { owners: Owners; free: Free },
): void {
  const numbers = new Map<string, number>();
  const numberOf = (scan: PassingScan) => {
    const owner = ownerOf(scan, owners);
    const number = numbers.get(owner) ?? numbers.size;
    numbers.set(owner, number);
    return number;
  };
  const isAlone = scans.length === 1;
  const conflicts = isAlone ? new Map<string, string>() : secondsOf(scans, free, numberOf);
  for (const scan of scans) scan.conflict_with = conflicts.get(scan.id) ?? null;
}

function codeOf({ place, revision }: Pick<PassingScan, 'place' | 'revision'>): string {
  return `${place}|${revision}`;
}

/** `numberOf` gives the same number to scans of the same ticket. */
function secondsOf(
  scans: readonly PassingScan[],
  free: Free,
  numberOf: (scan: PassingScan) => number,
): Map<string, string> {
  return conflictsOf(
    scans.map((scan) => ({
      admission_id: scan.id,
      place: requireValue(scan.place, 'place'),
      revision: numberOf(scan),
      direction: scan.direction,
      corrected_at: scan.corrected_at,
      undone: scan.annulled_by !== null,
      reentry: free?.has(scan.ticket_id ?? '') ?? true,
      carried: isCarried(scan),
    })),
  );
}
