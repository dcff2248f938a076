/** The actions of an evening: at the doors, in the office, and on the phones. */
import { randomBytes } from 'node:crypto';
import { IDBFactory } from 'fake-indexeddb';
import { findEvent } from '#db/event/events.ts';
import type { AdmissionRow, PlaceRow } from '#db/rows.ts';
import type { Shown } from '#apps/scanner/scan/admit.ts';
import { pullChanges, sendAdmissions } from '#server/contract/door/admissions.ts';
import { addressOf } from '#server/contract/endpoint.ts';
import { wireVersion } from '#server/domain/door/wire.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { admitTicket, undoAdmission } from '#server/services/door/admissions.ts';
import { pairAgain, revokePhone } from '#server/services/door/phones.ts';
import { codeOf } from '#server/services/order/tickets.ts';
import {
  changeEvent,
  changeTicket,
  moveTicket,
  newEpoch,
  renameTicket,
  sellPlaces,
} from '#tests/shared/door-hall.ts';
import { callFaults, type Deed, type Op } from './door-history.ts';
import { endLife, settle, storeFaults, working } from './door-life.ts';
import { callServer } from './door-wire.ts';
import { seatsOf, togetherWith, type PhoneInPlay, type Tab, type World } from './door-world.ts';
import { inShort } from './hunt.ts';

type Act = (world: World, op: Op) => Promise<unknown>;

function phoneOf({ phones, evening }: World, { who }: Op): PhoneInPlay {
  return phones[who % evening.phones]!;
}

/** The phone in somebody's hand; if its app has died, it is opened again. */
async function tabOf(world: World, op: Op): Promise<Tab> {
  const phone = phoneOf(world, op);
  if (phone.tabs.length === 0) await world.openTab(phone);
  return phone.tabs[op.how % phone.tabs.length]!;
}

function placesOf({ house, event_id }: World): Promise<PlaceRow[]> {
  return house.ctx.db<PlaceRow>('places').where({ event_id }).orderBy('place');
}

/** A place that has a ticket, with the newest code. */
async function ticketOf(
  world: World,
  { what }: Op,
): Promise<{ place: string; revision: number } | null> {
  const sold = (await placesOf(world)).filter(({ issued }) => issued > 0);
  const found = sold[what % Math.max(1, sold.length)];
  return found ? { place: found.place, revision: found.issued } : null;
}

async function codeAt(
  { house, event_id }: World,
  { place, revision }: { place: string; revision: number },
): Promise<string> {
  const event = (await findEvent(house.ctx.db, event_id))!;
  return codeOf(event, { place, revision, earlier_codes: 0 });
}

/** A guest shows a code, and the doorman sees a verdict. */
async function read(world: World, op: Op, text: string): Promise<void> {
  const tab = await tabOf(world, op);
  const { event_id } = world;
  const override = op.how === 15 ? 'lo conosco' : null;
  const recognised = await tab.core.recognise(event_id, text);
  if (op.how % 8 === 7 && recognised.reading.kind === 'place' && op.faults.length > 0)
    world.loose.add(recognised.reading.place);
  await show(world, op, {
    tab,
    scan: async () => [
      await tab.core.admit({
        event_id,
        recognised,
        direction: op.how % 8 === 7 ? 'out' : 'in',
        override,
        means: 'code',
        note: null,
      }),
    ],
  });
}

async function show(
  world: World,
  op: Op,
  { tab, scan }: { tab: Tab; scan: () => Promise<Shown[]> },
): Promise<void> {
  const phone = phoneOf(world, op);
  let shown: Shown[];
  try {
    shown = await scan();
  } catch (error) {
    // The doorman sees that the scan was not stored and reads again; without a known reason it is
    // our fault.
    const isKnown =
      tab.life.dead ||
      op.faults.some(({ where }) => where === 'store') ||
      /no list/.test(String(error));
    if (!isKnown) world.wrong(`${tab.life.name} could not keep a scan: ${inShort(error)}`);
    world.count('scan not kept');
    return;
  }
  // A phone that dies at this moment has shown nothing to anybody.
  if (tab.life.dead) return;
  for (const { admission_id, verdict, counts, overridden, direction, place } of shown) {
    world.seen.push({
      admission_id,
      phone,
      place: place?.place ?? null,
      revision: place?.revision ?? null,
      direction,
      verdict,
      counts,
      overridden,
      annuls: null,
      lost: false,
      poisoned: false,
      true_at: phone.wasSet ? null : world.now(),
    });
    world.count(`verdict ${verdict}${counts ? ' counts' : ''}`);
    world.tell(
      `${tab.life.name}: ${verdict} ${direction} ${place?.place ?? '-'}/${place?.revision ?? '-'} ${admission_id.slice(0, 6)}`,
    );
  }
  tab.core.syncSoon();
}

/** Reads the new holder's code (mostly), then the code that it replaced. */
async function readBoth(world: World, op: Op, place: string): Promise<void> {
  const issued = (await placesOf(world)).find((row) => row.place === place)!.issued;
  if (issued < 2) return;
  if (op.how % 4 !== 3) await read(world, op, await codeAt(world, { place, revision: issued }));
  await read(world, op, await codeAt(world, { place, revision: issued - 1 }));
}

/**
 * A guest shows a paper from before a move. A phone that has all that the server knows sends a good
 * one to the ticket's present place, and never lets in by one that has ended.
 */
async function readMoved(
  world: World,
  op: Op,
  paper: { place: string; revision: number },
): Promise<void> {
  const { house, event_id, seen } = world;
  const heard = async () => {
    const tab = phoneOf(world, op).tabs[0];
    const stored = await tab?.core.db.events.get(event_id).catch(() => undefined);
    const event = (await findEvent(house.ctx.db, event_id))!;
    return stored?.cursor?.startsWith(`${event.feed_epoch}.${event.feed_seq}`) === true
      ? event
      : null;
  };
  const before = await heard();
  const count = seen.length;
  const present = await presentOf(world, paper);
  await read(world, op, await codeAt(world, paper));
  const shown = seen[count];
  const after = await heard();
  if (!before || !after || after.feed_seq !== before.feed_seq || seen.length !== count + 1) return;
  if (!shown || after.status === 'cancelled' || shown.direction === 'out') return;
  const says = `the paper of ${paper.place}/${paper.revision} is ${shown.verdict} at ${shown.place}/${shown.revision}`;
  const isNewerRead = seen.some(
    ({ phone, place, revision }) =>
      phone === shown.phone && place === present?.place && (revision ?? 0) > present.revision,
  );
  if (present && !isNewerRead) {
    world.count('old paper');
    const isThere = shown.place === present.place && shown.revision === present.revision;
    if (!isThere || shown.verdict === 'replaced')
      world.wrong(`${says}, and its guest sits at ${present.place}/${present.revision}`);
  }
  if (!present && shown.counts) world.wrong(`${says}, and the paper has ended`);
}

/** Where the ticket of a paper is now; null: the paper has ended. */
async function presentOf(
  { house, event_id, moves }: World,
  { place, revision }: { place: string; revision: number },
): Promise<{ place: string; revision: number } | null> {
  let code = `${place}/${revision}`;
  for (const { from, to } of moves) if (from === code) code = to;
  const [at = '', last] = code.split('/');
  const ticket = await house.ctx
    .db('tickets')
    .where({ event_id, place: at, revision: Number(last) })
    .whereIn('state', ['valid', 'unpaid'])
    .first('place', 'revision');
  return ticket ?? null;
}

/** The latest admission or exit on this phone. */
function lastOf({ seen }: World, phone: PhoneInPlay, nth: number) {
  return seen.filter((scan) => scan.phone === phone && scan.counts && !scan.lost).toReversed()[nth];
}

async function takeBack(world: World, op: Op, supervisor: boolean): Promise<void> {
  // Only the first phone belongs to a supervisor, so the server would not trust the others.
  const hand = supervisor ? { ...op, who: 0 } : op;
  const tab = await tabOf(world, hand);
  const phone = phoneOf(world, hand);
  const target = supervisor
    ? world.seen.filter(({ counts, lost }) => counts && !lost).toReversed()[op.what]
    : lastOf(world, phone, op.what % 2);
  if (!target) return;
  // A fault planned for an earlier step may still be pending.
  const storageMayFail = tab.life.faults.some(({ where }) => where === 'store');
  if (op.faults.length > 0 || storageMayFail) world.loose.add(target.place!);
  try {
    const { undone } = await tab.core.undo({
      event_id: world.event_id,
      admission_id: target.admission_id,
      reason: 'Letto per sbaglio',
    });
    if (!undone || tab.life.dead) return;
    world.seen.push({
      admission_id: '',
      phone,
      place: target.place,
      revision: target.revision,
      direction: target.direction,
      verdict: 'undone',
      counts: false,
      overridden: false,
      annuls: target.admission_id,
      lost: false,
      poisoned: false,
      true_at: null,
    });
    world.count('taken back');
    world.tell(`${tab.life.name}: takes back ${target.admission_id.slice(0, 6)}`);
    tab.core.syncSoon();
  } catch (error) {
    if (!tab.life.dead && !storageMayFail && !/no list/.test(String(error))) throw error;
  }
}

/**
 * Somebody with a steward's token forges an undo of another phone's scan and an admission without
 * a code; no phone may learn of them.
 */
async function forge(world: World): Promise<void> {
  const phone = world.phones[1]!;
  const device = await phone.tabs[0]?.core.readMeta('device').catch(() => undefined);
  const target = world.seen.find((scan) => scan.phone !== phone && scan.counts && !scan.lost);
  if (!device || !target || phone.revoked) return;
  const at = new Date(world.now()).toISOString();
  const undoing = {
    admission_id: `forged-${world.seen.length}-0123456789`,
    // No phone counts this far, so its own numbers are not disturbed.
    seq: 2_000_000_000 + 2 * world.forged.size,
    event_id: world.event_id,
    place: target.place,
    revision: target.revision,
    read: null,
    direction: target.direction,
    gate: null,
    verdict: 'undone',
    counts: false,
    override: null,
    scanned_at: at,
    corrected_at: at,
    offline: false,
    annuls: target.admission_id,
  };
  const mac = randomBytes(16).toString('base64url');
  const invented = {
    ...undoing,
    admission_id: `invented-${world.seen.length}-0123456789`,
    seq: undoing.seq + 1,
    direction: 'in',
    verdict: 'admit',
    counts: true,
    annuls: null,
    code_read: { place: target.place, revision: target.revision, mac },
  };
  await working(
    callServer(world.server, sendAdmissions.path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${device.device_token}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ items: [undoing, invented] }),
    }),
  );
  world.forged.add(undoing.admission_id).add(invented.admission_id);
  phone.hasForged = true;
  world.count('forged');
}

/**
 * Sends what the server broadcasts; the stream of an evening may lose, double and reorder
 * messages.
 */
async function tellNews(world: World, { what, how }: Op): Promise<void> {
  const { house, server, event_id, evening } = world;
  const hasGap = how % 2 === 1 && evening.stream === 2;
  // Two changes happen, and a message reports only the second.
  if (hasGap)
    for (const nth of [0, 1])
      await sellPlaces(house.ctx, event_id, { places: togetherWith(seatAt(world, what + nth)) });
  const event = (await findEvent(house.ctx.db, event_id))!;
  const messages: string[] = [];
  for (const stream of world.streams) {
    const phone = world.phones.find(({ lives }) => lives.includes(stream.life))!;
    const tab = phone.tabs.find(({ life }) => life === stream.life);
    const device = await tab?.core.readMeta('device');
    const stored = await tab?.core.db.events.get(event_id);
    if (!device || !stored?.cursor) continue;
    // The message starts at this phone's position, or later if an earlier message was lost.
    const from = hasGap ? stored.cursor.replace(/\.\d+/, `.${event.feed_seq - 1}`) : stored.cursor;
    const address = addressOf(
      pullChanges,
      { eventId: event_id },
      { wire: String(wireVersion), since: from },
    );
    const headers = { authorization: `Bearer ${device.device_token}` };
    const { status, body } = await working(callServer(server, address, { headers }));
    if (status !== 200) continue;
    const page = JSON.parse(new TextDecoder().decode(body)) as { cursor: string };
    const message = `data: ${JSON.stringify({ event_id, from, to: page.cursor, ...(how % 5 === 4 ? {} : { page }) })}\n\n`;
    messages.push(message);
    if (evening.stream === 2 && how % 3 === 2) continue;
    stream.send(message);
    world.count('news');
    if (evening.stream === 2 && how % 3 === 1) stream.send(message);
    await settle();
  }
  // A message for another phone, or an old one again.
  if (evening.stream === 2 && how > 11)
    for (const message of messages.toReversed())
      for (const stream of world.streams) stream.send(message);
}

async function poison(world: World, op: Op): Promise<void> {
  const tab = await tabOf(world, op);
  const waiting = () =>
    tab.core.db.queue
      .where('fate')
      .equals('queued')
      .toArray()
      .catch(() => []);
  if ((await waiting()).length === 0) {
    await acts['no signal'](world, op);
    await acts.scan(world, op);
  }
  const queued = await waiting();
  const row = queued[op.what % Math.max(1, queued.length)];
  const scan = world.seen.find(({ admission_id }) => admission_id === row?.admission_id);
  if (!row || !scan) return;
  // Meanwhile the scan may be answered or the phone dead.
  const spoiled = await tab.core.db.queue
    .where('admission_id')
    .equals(row.admission_id)
    .filter(({ fate }) => fate === 'queued')
    .modify({ gate: 'x'.repeat(400) })
    .catch(() => 0);
  if (spoiled === 0) return;
  scan.poisoned = true;
  world.count('poisoned');
}

/**
 * The system clears the storage of an app that is closed, and the office pairs the phone again.
 */
async function evict(world: World, op: Op): Promise<void> {
  const phone = phoneOf(world, op);
  if (phone.revoked) return;
  world.kill(phone);
  await settle();
  const { house, event_id } = world;
  const arrived = new Set(
    await house.ctx.db<AdmissionRow>('admissions').where({ event_id }).pluck('id'),
  );
  for (const scan of world.seen)
    if (scan.phone === phone && (scan.annuls !== null || !arrived.has(scan.admission_id)))
      scan.lost = true;
  phone.storage = new IDBFactory();
  phone.evicted = true;
  phone.hasSignal = true;
  await world.openTab(phone);
  const { pairing_url } = await pairAgain(world.house.ctx, phone.phone_id, 'user:trial');
  await world.pair(phone, new URL(pairing_url).hash.replace('#pair=', ''));
  world.count('evicted');
}

/** Ignores refusals, which are not faults; other errors are thrown. */
async function politely(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}

function seatAt(world: World, nth: number): string {
  const seats = seatsOf(world);
  return seats[nth % seats.length]!;
}

/** Returns the revision of the new place; null: nothing moved. */
async function moveOne(world: World, wish: { from: string; to: string }): Promise<number | null> {
  const { house, event_id, moves, loose } = world;
  const issuedAt = async (place: string) =>
    (await placesOf(world)).find((row) => row.place === place)!.issued;
  const before = await issuedAt(wish.from);
  if (!(await moveTicket(house.ctx, event_id, wish))) return null;
  const issued = await issuedAt(wish.to);
  moves.push({ from: `${wish.from}/${before}`, to: `${wish.to}/${issued}` });
  // The move takes a guest out of the old place and into the new one.
  loose.add(wish.from).add(wish.to);
  world.count('moved');
  return issued;
}

const acts: Record<Deed, Act> = {
  async scan(world, op) {
    const ticket = await ticketOf(world, op);
    if (ticket) await read(world, op, await codeAt(world, ticket));
  },
  async 'scan old code'(world, op) {
    const ticket = await ticketOf(world, op);
    if (ticket) await readBoth(world, op, ticket.place);
  },
  'scan junk': (world, op) =>
    read(
      world,
      op,
      ['8001120905420', 'https://example.it/\u0000', '', 'X'.repeat(5_000)][op.what % 4]!,
    ),
  async group(world, op) {
    const tab = await tabOf(world, op);
    const { event_id } = world;
    const ticket = await ticketOf(world, op);
    if (!ticket) return;
    const leader = await tab.core.recognise(event_id, await codeAt(world, ticket));
    await show(world, op, {
      tab,
      scan: async () => {
        const ask = {
          event_id,
          direction: 'in',
          override: null,
          means: 'code',
          note: null,
        } as const;
        const shown = await tab.core.admit({ ...ask, recognised: leader });
        const places = shown.party.companions.map(({ place }) => place);
        const group = await tab.core.admitGroup({ event_id, leader, places, direction: 'in' });
        if (!tab.life.dead && group.length !== places.length)
          world.wrong(`${group.length} of the ${places.length} others of a party have a verdict`);
        return [shown, ...group];
      },
    });
  },
  undo: (world, op) => takeBack(world, op, false),
  forges: (world) => forge(world),
  'late supervisor': (world, op) => takeBack(world, op, true),
  async look(world, op) {
    const tab = await tabOf(world, op);
    await tab.core
      .lookUp(world.event_id, tab.core.recognisePlace(world.event_id, seatAt(world, op.what)))
      .catch((error: unknown) => {
        if (!tab.life.dead && !/no list/.test(String(error))) throw error;
      });
    tab.core.presence(world.event_id);
    tab.core.search(world.event_id, 'platea a');
  },
  async sync(world, op) {
    (await tabOf(world, op)).core.syncNow();
  },
  news: tellNews,
  async signal(world, op) {
    const tab = await tabOf(world, op);
    phoneOf(world, op).hasSignal = true;
    tab.core.wake();
  },
  async 'no signal'(world, op) {
    const phone = phoneOf(world, op);
    phone.hasSignal = false;
    world.line.cut(phone.tabs.map(({ life }) => life));
    for (const { life, core } of phone.tabs) {
      for (const stream of world.streams.filter((one) => one.life === life)) stream.end();
      core.lost();
    }
  },
  async dies(world, op) {
    const phone = phoneOf(world, op);
    const [tab] = phone.tabs;
    if (tab && op.how % 2 === 0) endLife(tab.life);
    else world.kill(phone);
    world.count('died');
  },
  async 'second tab'(world, op) {
    const phone = phoneOf(world, op);
    if (phone.tabs.length < 2) await world.openTab(phone);
    const ticket = op.how % 2 === 0 ? await ticketOf(world, op) : null;
    // Both tabs read the same ticket simultaneously.
    for (const how of [0, 1])
      if (ticket) await read(world, { ...op, how }, await codeAt(world, ticket));
  },
  async clock(world, op) {
    Object.assign(phoneOf(world, op), { wasSet: true });
    phoneOf(world, op).skew = [0, 7_200_000, -7_200_000, 90_000, -1_500, 3_600_000][op.how % 6]!;
  },
  leap: (world, { how }) => world.pass([61_000, 300_000, 700_000, 2_400_000][how % 4]!, true),
  poison,
  evicted: evict,
  async revoked(world, op) {
    const phone = phoneOf(world, op);
    if (world.phones.filter(({ revoked }) => !revoked).length < 2 || phone.revoked) return;
    const arrived = await world.house.ctx
      .db<AdmissionRow>('admissions')
      .where({ phone_id: phone.phone_id })
      .pluck('id');
    await revokePhone(world.house.ctx, phone.phone_id, 'user:trial');
    phone.revoked = { at: world.now(), arrived: new Set(arrived) };
    world.count('revoked');
  },
  async sold(world, { what, how }) {
    const many = world.evening.tables ? 1 : 1 + (how % 3);
    const places = Array.from({ length: many }, (_, nth) => seatAt(world, what + nth)).flatMap(
      togetherWith,
    );
    await sellPlaces(world.house.ctx, world.event_id, {
      places,
      holder: how % 2 === 0 ? 'Ada Neri' : null,
    });
  },
  async ended(world, op) {
    const ticket = await ticketOf(world, op);
    if (ticket)
      await changeTicket(world.house.ctx, world.event_id, {
        place: ticket.place,
        state: (['refunded', 'void', 'refunded', 'unpaid'] as const)[op.how % 4]!,
      });
  },
  async renamed(world, op) {
    const ticket = await ticketOf(world, op);
    if (!ticket) return;
    const { place } = ticket;
    await renameTicket(world.house.ctx, world.event_id, { place, holder: 'Bea Rossi' });
    // Both codes are read on a phone that may not know the change yet.
    if (op.how % 2 === 0) await readBoth(world, op, place);
  },
  async moved(world, op) {
    const ticket = await ticketOf(world, op);
    const to = seatAt(world, op.what + 1 + (op.how % 7));
    if (!ticket || togetherWith(to).includes(ticket.place)) return;
    const [from, there] = [togetherWith(ticket.place), togetherWith(to)];
    if (from.length !== there.length) return;
    // A table moves with its whole party; a guest whose ticket has ended stays behind.
    const arrived = new Map<string, { place: string; revision: number }>();
    for (const [at, place] of from.entries()) {
      const place_there = there[at]!;
      const moved = await moveOne(world, { from: place, to: place_there });
      if (moved !== null) arrived.set(place, { place: place_there, revision: moved });
    }
    const own = arrived.get(ticket.place);
    if (!own) return;
    if (op.how % 4 !== 3) await readMoved(world, op, ticket);
    if (op.how % 2 === 0) await read(world, op, await codeAt(world, own));
  },
  'old paper': async (world, op) => {
    const { moves } = world;
    const [place, revision] = moves[op.what % Math.max(1, moves.length)]?.from.split('/') ?? [];
    if (place) await readMoved(world, op, { place, revision: Number(revision) });
  },
  'new list': ({ house, event_id }) => changeEvent(house.ctx, event_id, { feed_epoch: newEpoch() }),
  'event changed': ({ house, event_id }, { how }) =>
    changeEvent(house.ctx, event_id, {
      title: `Serata ${randomBytes(2).toString('hex')}`,
      ...(how === 15 ? { status: 'cancelled' } : {}),
    }),
  async 'desk admits'(world, op) {
    const ticket = await ticketOf(world, op);
    if (!ticket) return;
    const code = await codeAt(world, ticket);
    if (op.how % 8 === 7) world.loose.add(ticket.place);
    await politely(
      admitTicket(world.house.ctx, code, {
        user_id: 'desk',
        direction: op.how % 8 === 7 ? 'out' : 'in',
        override: op.how === 15 ? 'ospite' : null,
      }),
    );
  },
  async 'desk takes back'(world, op) {
    const scans = await world.house.ctx
      .db<AdmissionRow>('admissions')
      .where({ event_id: world.event_id, counts: 1 })
      .orderBy('received_at', 'desc');
    const scan = scans[op.what];
    if (!scan) return;
    const code = await codeAt(world, { place: scan.place!, revision: scan.revision! });
    world.loose.add(scan.place!);
    const wish = { admission_id: scan.id, reason: 'errore', user_id: 'desk' };
    await politely(undoAdmission(world.house.ctx, code, wish));
  },
};

/** Begins an action; if it waits for the network, the next actions begin meanwhile. */
export async function begin(world: World, op: Op): Promise<void> {
  const phone = phoneOf(world, op);
  for (const { life } of phone.tabs)
    Object.assign(life, { faults: [...op.faults], seen: { store: 0, call: 0 } });
  world.tell(
    `${op.deed}${op.faults.map(({ where, at, what }) => ` [${where} ${at}: ${where === 'call' ? callFaults[what] : storeFaults[what]}]`).join('')}`,
  );
  world.count(`deed ${op.deed}`);
  const state = { over: false };
  const work = acts[op.deed](world, op)
    .catch((error: unknown) => world.wrong(`${op.deed}: ${inShort(error)}`))
    .finally(() => {
      state.over = true;
    });
  // A scan never waits for the network: it is over when no work is left.
  for (let rounds = 0; !state.over && rounds < 20; rounds += 1) await settle();
  void work;
}
