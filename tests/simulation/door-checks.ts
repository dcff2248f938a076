/**
 * The rules of a door that hold whatever went wrong: during the evening, and after all phones
 * have synchronised.
 */
import type { AdmissionRow, PlaceRow, TicketRow } from '#db/rows.ts';
import { isCarried } from '#server/domain/door/carried.ts';
import { phonesForOffice } from '#server/services/door/phones.ts';
import { checkAgainst, checkCarried } from './door-against.ts';
import { examine } from './door-exam.ts';
import { checkHeads } from './door-heads.ts';
import { settle } from './door-life.ts';
import { guestOf, inOrder as inOrderOfTime, readName, ticketsNow } from './door-papers.ts';
import type { PhoneInPlay, Seen, World } from './door-evening.ts';
import { seatsOf } from './door-places.ts';

/** Checks the rules that hold at every moment. */
export async function checkNow(world: World): Promise<void> {
  checkTwice(world);
  await checkOlder(world);
  for (const phone of world.phones) await checkRemembered(world, phone);
}

/**
 * One phone does not admit the same ticket twice by itself, even after a restart, a new list or
 * an answer.
 */
function checkTwice({ seen, loose, wrong }: World): void {
  const undone = new Set(seen.map(({ annuls }) => annuls));
  const ins = new Map<string, Seen>();
  for (const scan of seen) {
    if (!scan.counts || scan.place === null || scan.lost || loose.has(scan.place)) continue;
    // A guest who went out may come in again, whichever phone and clock recorded it.
    if (scan.direction === 'out' || undone.has(scan.admission_id)) continue;
    const key = `${scan.place}/${scan.revision} on ${scan.phone.name}`;
    const before = ins.get(key);
    if (before && !scan.overridden && !hasGoneOut(seen, scan))
      wrong(`${key} was let in twice: ${before.admission_id} and ${scan.admission_id}`);
    ins.set(key, scan);
  }
}

/** A phone that has read a newer code of a place does not accept an older one. */
async function checkOlder(world: World): Promise<void> {
  const { seen, wrong } = world;
  const newest = new Map<string, number>();
  for (const scan of seen) {
    const { phone, place, revision, verdict, annuls, lost } = scan;
    if (place === null || revision === null || annuls !== null || lost) continue;
    const key = `${place} on ${phone.name}`;
    const isRefused = verdict === 'replaced' || verdict === 'cancelled';
    if (revision < (newest.get(key) ?? 0) && !isRefused && !(await leavesAgain(world, scan)))
      wrong(
        `${key}: revision ${revision} is ${verdict}, though ${newest.get(key)} was read before`,
      );
    newest.set(key, Math.max(newest.get(key) ?? 0, revision));
  }
}

/**
 * Whether the guest had come in with this ticket, perhaps at the desk or on a phone that died.
 */
async function leavesAgain(
  { house, event_id, seen, loose }: World,
  { direction, place, revision }: Seen,
): Promise<boolean> {
  if (direction !== 'out' || place === null) return false;
  const isSeen = seen.some(
    (scan) =>
      scan.counts && scan.direction === 'in' && scan.place === place && scan.revision === revision,
  );
  if (isSeen || loose.has(place)) return true;
  const came = await house.ctx
    .db<AdmissionRow>('admissions')
    .where({ event_id, place, revision, direction: 'in', counts: 1 })
    .first('id');
  return came !== undefined;
}

/**
 * A phone remembers what it admitted. Phones with two tabs are left out, because one tab may lag
 * behind.
 */
async function checkRemembered(
  { seen, event_id, wrong }: World,
  { name, tabs: [tab], lives, revoked, hadTwoTabs }: PhoneInPlay,
): Promise<void> {
  if (!tab || revoked || hadTwoTabs) return;
  const own = seen.filter(({ phone, counts, lost }) => counts && !lost && phone.lives === lives);
  for (const [place, scans] of Map.groupBy(own, (scan) => scan.place!)) {
    const recognised = tab.core.recognisePlace(event_id, place);
    if (recognised.reading.kind !== 'place') continue;
    const { history } = await tab.core.lookUp(event_id, recognised);
    for (const { admission_id } of scans)
      if (!history.some((known) => known.admission_id === admission_id))
        wrong(`${name} has forgotten ${admission_id} at ${place}`);
  }
}

function hasGoneOut(seen: readonly Seen[], { place, revision }: Seen): boolean {
  return seen.some(
    (scan) =>
      scan.counts && scan.direction === 'out' && scan.place === place && scan.revision === revision,
  );
}

export async function checkEnd(world: World): Promise<void> {
  const {
    house: { ctx },
    event_id,
    wrong,
  } = world;
  const rows = await ctx.db<AdmissionRow>('admissions').where({ event_id });
  checkScans(world, { rows, kept: await keptByRevoked(world) });
  checkWinners(rows, world);
  for (const phone of world.phones.filter(({ revoked }) => revoked))
    await checkRevoked(phone, wrong);
  await checkSequence(world);
  await checkAlike(world, rows);
  await examine(world);
  await checkAgainst(world);
  await checkCarried(world);
  await checkHeads(world);
}

/**
 * Ids of scans that came too late and stay on a revoked phone, where the office can read them.
 */
async function keptByRevoked({ phones }: World): Promise<Set<string>> {
  const kept = new Set<string>();
  for (const {
    revoked,
    tabs: [tab],
  } of phones)
    if (revoked && tab)
      for (const id of await tab.core.db.queue.toCollection().primaryKeys()) kept.add(id);
  return kept;
}

const longestContactMs = 25_000;

/**
 * True for a scan that the server put right after an earlier scan of the same place whose time
 * could not be known: that one is by a phone whose clock was set, or was itself put there in this
 * way.
 */
function followsUnknown(
  row: AdmissionRow,
  rows: readonly AdmissionRow[],
  phones: readonly PhoneInPlay[],
): boolean {
  const wasSet = new Set(phones.filter((phone) => phone.wasSet).map(({ phone_id }) => phone_id));
  return rows.some(
    (before) =>
      before.place === row.place &&
      before.corrected_at === row.corrected_at - 1 &&
      ((before.phone_id !== null && wasSet.has(before.phone_id)) ||
        followsUnknown(before, rows, phones)),
  );
}

/** Each verdict that the doorman saw is on the server once and unchanged. */
function checkScans(
  { seen, phones, wrong }: World,
  { rows, kept }: { rows: readonly AdmissionRow[]; kept: ReadonlySet<string> },
): void {
  const byId = Map.groupBy(rows, ({ id }) => id);
  for (const scan of seen) {
    if (scan.annuls !== null) {
      const taken = rows.find(({ id }) => id === scan.annuls);
      if (!scan.lost && !scan.phone.revoked && taken && taken.annulled_by === null)
        wrong(`${scan.annuls} was taken back on ${scan.phone.name}, but not on the server`);
      continue;
    }
    const [row, ...more] = byId.get(scan.admission_id) ?? [];
    if (more.length > 0)
      wrong(`scan ${scan.admission_id} is on the server ${more.length + 1} times`);
    if (!row && !scan.lost && !scan.poisoned && !kept.has(scan.admission_id))
      wrong(
        `scan ${scan.admission_id} of ${scan.phone.name} (${scan.verdict}, ${scan.place}) is lost`,
      );
    if (!row) continue;
    const isLate = isAfterRevocation(scan.phone, row);
    if ((row.doubt !== null) !== (isLate && scan.counts))
      wrong(`scan ${scan.admission_id} of ${scan.phone.name} is in doubt: ${row.doubt}`);
    const told = [
      row.verdict,
      row.place,
      row.revision,
      row.direction,
      row.counts === 1,
      row.phone_id,
    ];
    const shown = [
      scan.verdict,
      scan.place,
      scan.revision,
      scan.direction,
      scan.counts && !isLate,
      scan.phone.phone_id,
    ];
    // A request takes time, and the clock may be wrong by half of it.
    if (
      scan.true_at !== null &&
      Math.abs(row.corrected_at - scan.true_at) > longestContactMs &&
      !followsUnknown(row, rows, phones)
    )
      wrong(
        `scan ${scan.admission_id} was made at ${scan.true_at} and is told as of ${row.corrected_at}`,
      );
    if (row.seq === null)
      wrong(`scan ${scan.admission_id} has a number that ${scan.phone.name} had used before`);
    if (JSON.stringify(told) !== JSON.stringify(shown))
      wrong(
        `scan ${scan.admission_id} was ${JSON.stringify(shown)} and is ${JSON.stringify(told)}`,
      );
  }
  for (const ids of byId.values()) if (ids.length > 1) wrong(`the server has ${ids[0]!.id} twice`);
}

/**
 * Scans made after the revocation do not count; scans that had arrived before stay, whatever
 * their clock said.
 */
function isAfterRevocation({ revoked }: PhoneInPlay, { id, corrected_at }: AdmissionRow): boolean {
  return revoked !== null && corrected_at > revoked.at && !revoked.arrived.has(id);
}

/** A second guest of a ticket or of a place is a conflict for a person; no other guest is. */
function checkWinners(rows: readonly AdmissionRow[], world: World): void {
  const { wrong, forged } = world;
  const seconds = secondsOf(world, rows);
  for (const row of rows.filter(({ counts, place }) => counts === 1 && place !== null)) {
    const before = rows.find(({ id }) => id === row.conflict_with);
    if ((before !== undefined) !== seconds.has(row.id))
      wrong(
        `${row.id} at ${row.place}/${row.revision} is ${before ? 'a second way in' : 'no second way in'} to the server alone`,
      );
    const isBeside =
      before === undefined ||
      before.place === row.place ||
      guestOf(world, before) === guestOf(world, row);
    if (!isBeside)
      wrong(`${row.id} stands against ${before.id}, which is another guest's elsewhere`);
  }
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const { id, annuls, counts, doubt } of rows) {
    if (forged.has(id) && counts === 1) wrong(`${id} was made up, and counts`);
    const taken = annuls === null ? undefined : byId.get(annuls);
    if (forged.has(id) && (taken?.annulled_by === id || (taken?.counts === 1 && doubt === null)))
      wrong(`${id} was made up, and takes ${annuls} back`);
    if (taken && taken.annulled_by === null && taken.doubt === null && doubt === null)
      wrong(`${id} takes ${annuls} back, and it still counts`);
  }
}

/** The entries of second guests, found by the order of the scans alone. */
function secondsOf(world: World, rows: readonly AdmissionRow[]): Set<string> {
  const seconds = new Set<string>();
  const inside = new Map<string, AdmissionRow>();
  const used = new Set<string>();
  const passed = rows.filter(
    ({ counts, annulled_by, place }) => counts === 1 && annulled_by === null && place !== null,
  );
  for (const row of inOrderOfTime(passed)) {
    const guest = guestOf(world, row);
    if (row.direction === 'out') {
      inside.delete(guest);
      continue;
    }
    // The product itself wrote this entry, for a guest who was inside.
    const carried = isCarried(row);
    const isUsedUp = !world.evening.reentry && used.has(guest) && !carried;
    const isTaken = [...inside.values()].some(({ place }) => place === row.place);
    if (inside.has(guest) || isTaken || isUsedUp) seconds.add(row.id);
    if (!inside.has(guest)) inside.set(guest, row);
    if (!carried) used.add(guest);
  }
  return seconds;
}

/** A revoked phone stores nothing about tickets, only the scans that it still has to send. */
async function checkRevoked(phone: PhoneInPlay, wrong: World['wrong']): Promise<void> {
  const [tab] = phone.tabs;
  if (!tab) return;
  const [events, parts, queue, device, key] = await Promise.all([
    tab.core.db.events.count(),
    tab.core.db.parts.count(),
    tab.core.db.queue.toArray(),
    tab.core.readMeta('device'),
    tab.core.readMeta('seal_key'),
  ]);
  const answered = queue.filter(({ fate }) => fate === 'stored' || fate === 'conflict').length;
  if (events + parts + answered > 0 || key !== undefined)
    wrong(
      `${phone.name} was revoked and holds ${events} events, ${parts} parts, ${answered} answered scans${key === undefined ? '' : ' and the key'}`,
    );
  if (device?.revoked_at == null) wrong(`${phone.name} does not know that it was revoked`);
}

/** A phone that lost no scan has no gap in its numbers. */
async function checkSequence({ house, phones, seen, wrong }: World): Promise<void> {
  const { items } = await phonesForOffice(house.ctx, { limit: 100 });
  for (const phone of phones) {
    const missing = items.find(({ id }) => id === phone.phone_id)!.missing_scans;
    const hasLost = seen.some((scan) => scan.phone === phone && (scan.lost || scan.poisoned));
    if (missing > 0 && !hasLost && !phone.hasForged)
      wrong(`the server misses ${missing} scans of ${phone.name}, which lost none`);
  }
}

/** All places on which the tickets of this place have been: a scan follows its ticket. */
function placesOfGuest({ papers }: World, place: string | null): (string | null)[] {
  const codes = [...papers].map(([code, { ticket_id }]) => ({ ...readName(code), ticket_id }));
  const tickets = new Set(codes.filter((one) => one.place === place).map((one) => one.ticket_id));
  const theirs = codes.filter(({ ticket_id }) => tickets.has(ticket_id));
  return [place, ...theirs.map((one) => one.place)];
}

/** All phones know the same as the server and as a phone that was just paired. */
async function checkAlike(world: World, rows: readonly AdmissionRow[]): Promise<void> {
  const { house, event_id, wrong } = world;
  const before = world.phones.filter(({ revoked }) => !revoked);
  const fresh = await world.newPhone('Varco nuovo');
  const isMixed = before.some(({ older }) => older);
  const freshOlder = isMixed ? await world.newPhone('Varco vecchio', { older: true }) : fresh;
  await world.pass(60_000);
  await world.line.drain();
  const placeOf = new Map(rows.map(({ id, place }) => [id, place]));
  const truth = await picture(world, fresh, placeOf);
  const truthOfOlder = isMixed ? await picture(world, freshOlder, placeOf) : truth;
  for (const phone of before) {
    const mine = await picture(world, phone, placeOf);
    // Scans that the server cannot read are known on this phone only.
    const own = new Set(
      world.seen
        .filter((scan) => scan.phone === phone && scan.poisoned && scan.counts)
        .flatMap(({ place }) => placesOfGuest(world, place))
        .flatMap((place) => [place, `server ${place}`, 'presence']),
    );
    for (const [what, told] of Object.entries(phone.older ? truthOfOlder : truth))
      if (!own.has(what) && mine[what] !== told)
        wrong(
          `${phone.name} and a new phone differ about ${what}:\n      ${mine[what]}\n      ${told}`,
        );
    const queue = phone.tabs[0]
      ? await phone.tabs[0].core.db.queue.where('fate').equals('queued').count()
      : 0;
    if (queue > 0) wrong(`${phone.name} still has ${queue} scans to send`);
  }
  const tickets = await ticketsNow(world);
  const issued = new Map(
    (await house.ctx.db<PlaceRow>('places').where({ event_id })).map((row) => [
      row.place,
      row.issued,
    ]),
  );
  for (const place of seatsOf(world)) {
    // If its ticket has moved away, the newest revision of a place has no ticket.
    const newest = tickets.find(
      (ticket) => ticket.place === place && ticket.revision === issued.get(place),
    );
    const scans = rows
      .filter((row) => row.place === place && row.counts === 1)
      .map((row) => [
        row.id,
        row.direction,
        row.corrected_at,
        row.annulled_by !== null,
        row.conflict_with !== null,
      ]);
    const known = JSON.stringify([
      newest ? [newest.revision, listedAs(newest)] : null,
      inOrder(scans),
    ]);
    if (truth[`server ${place}`] !== known)
      wrong(
        `a new phone and the server differ about ${place}:\n      ${truth[`server ${place}`]}\n      ${known}`,
      );
  }
}

/** The state of a ticket in the list; the hall sells nothing with test money. */
function listedAs({ state, let_go_at, let_go_minutes }: TicketRow): string {
  if (state !== 'valid') return state;
  if (let_go_at !== null) return 'let_go';
  return let_go_minutes === null ? 'valid' : 'kept';
}

function inOrder(scans: unknown[][]): unknown[][] {
  return scans.toSorted((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1));
}

/** Everything that a screen of this phone could show about the hall. */
async function picture(
  world: World,
  phone: PhoneInPlay,
  /** Where the server has each scan: a ticket's history has those of its other places, too. */
  placeOf: ReadonlyMap<string, string | null>,
): Promise<Record<string, string>> {
  const { event_id } = world;
  const tab = phone.tabs[0] ?? (await world.openTab(phone));
  await tab.core.refresh();
  await settle();
  const told: Record<string, string> = {};
  if (tab.core.presence(event_id).places === 0) return { list: `${phone.name} has none` };
  for (const place of seatsOf(world)) {
    const { verdict, ticket, history } = await tab.core.lookUp(
      event_id,
      tab.core.recognisePlace(event_id, place),
    );
    const { name: _, order_number: __, ...shown } = ticket ?? { name: null, order_number: null };
    const scans = history
      .map(({ admission_id, direction, at, gate, by, undone, conflict, revision }) => ({
        admission_id,
        direction,
        at,
        gate,
        by,
        undone,
        conflict,
        revision,
      }))
      .toSorted((a, b) => (a.admission_id < b.admission_id ? -1 : 1));
    told[place] = JSON.stringify([verdict, shown, scans]);
    told[`server ${place}`] = JSON.stringify([
      ticket ? [ticket.revision, ticket.state] : null,
      inOrder(
        scans
          .filter(({ admission_id }) => (placeOf.get(admission_id) ?? place) === place)
          .map(({ admission_id, direction, at, undone, conflict }) => [
            admission_id,
            direction,
            at,
            undone,
            conflict,
          ]),
      ),
    ]);
  }
  const { by_gate, ...figures } = tab.core.presence(event_id);
  told['presence'] = JSON.stringify([
    figures,
    by_gate.toSorted((a, b) => String(a.name).localeCompare(String(b.name))),
  ]);
  return told;
}
