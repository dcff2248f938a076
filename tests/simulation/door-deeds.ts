/** The actions of an evening: at the doors, in the office, and on the phones. */
import { randomBytes } from 'node:crypto';
import { IDBFactory } from 'fake-indexeddb';
import { findEvent } from '#db/event/events.ts';
import type { AdmissionRow } from '#db/rows.ts';
import { pullChanges, sendAdmissions } from '#server/contract/door/admissions.ts';
import { addressOf } from '#server/contract/endpoint.ts';
import { previousWire, wireVersion } from '#server/domain/door/wire.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { admitTicket, undoAdmission } from '#server/services/door/admissions.ts';
import { pairAgain, revokePhone } from '#server/services/door/phones.ts';
import { changeEvent, newEpoch } from '#tests/shared/door-hall.ts';
import { codeAt, phoneOf, read, seatAt, show, tabOf, ticketOf } from './door-hands.ts';
import { headActs, loseHeads } from './door-heads.ts';
import { callFaults, type Deed, type Op } from './door-history.ts';
import { sell } from './door-house.ts';
import { endLife, settle, storeFaults, working } from './door-life.ts';
import { ticketActs } from './door-ticket-deeds.ts';
import { callServer } from './door-wire.ts';
import type { PhoneInPlay, World } from './door-evening.ts';
import { togetherWith } from './door-places.ts';
import { inShort } from './hunt.ts';

type Act = (world: World, op: Op) => Promise<unknown>;

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
 * An attacker with a steward's token forges an undo of another phone's scan and an admission
 * without a code; no phone may learn of them.
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
      await sell(world, { places: togetherWith(seatAt(world, what + nth)) });
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
      { wire: String(phone.older ? previousWire : wireVersion), since: from },
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
  await loseHeads(world, phone);
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

const acts: Record<Deed, Act> = {
  ...ticketActs,
  ...headActs,
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
        // Some of a party come later.
        const places = shown.party.companions
          .map(({ place }) => place)
          .slice(0, op.how % 4 === 3 ? 1 : undefined);
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
    await loseHeads(world, phone);
    await revokePhone(world.house.ctx, phone.phone_id, 'user:trial');
    phone.revoked = { at: world.now(), arrived: new Set(arrived) };
    world.count('revoked');
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
