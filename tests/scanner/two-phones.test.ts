/** Two phones apart, of which one has heard that a ticket has changed: the old paper and the new code in every order, for each way in which a ticket changes. */
import { expect, onTestFinished } from 'vitest';
import type { Core } from '#apps/scanner/scan/core.ts';
import { findEvent } from '#db/event/events.ts';
import { reissueTickets } from '#server/contract/counter.ts';
import { listEntriesAgainst } from '#server/contract/door/against.ts';
import { listConflicts } from '#server/contract/door/conflicts.ts';
import { readPresence } from '#server/contract/door/presence.ts';
import { emptyForm } from '#server/domain/event/event.ts';
import type { Ctx } from '#server/services/context.ts';
import { codeOf } from '#server/services/order/tickets.ts';
import { queuePlacesToLetGo } from '#server/services/payment/let-go.ts';
import {
  addHall,
  changeEvent,
  moveTicket,
  pairingToken,
  renameTicket,
  sellPlaces,
} from '#tests/shared/door-hall.ts';
import { openNodePhone } from '#tests/shared/node-phone.ts';
import { askAdmin } from '#tests/support/admin-command.ts';
import { testOnSqlite as it } from '#tests/support/both.ts';
import { moveHouse } from '#tests/support/door/move-house.ts';
import { callOk, demoEvent, findSeats } from '#tests/support/make.ts';
import { makeSold, soldOf, tryMove, type Office, type Sold } from '#tests/support/move.ts';
import { refundByOffice, setPolicy } from '#tests/support/refunds.ts';
import { verdictOf } from '#tests/support/scripted-line.ts';
import type { TestServer } from '#tests/support/server.ts';

const minute = 60_000;

/** What the phone that has heard reads, and then the one that has not. */
const orders = [
  ['old', 'new'],
  ['new', 'old'],
  ['old', 'old'],
  ['new', 'new'],
] as const;

/** Both verdicts, how many are inside, second ways in, entries against the book. */
type Outcome = [heard: string, deaf: string, inside: number, conflicts: number, against: number];

interface Sale {
  event_id: string;
  sold: Sold;
}

interface Stage extends Sale {
  server: TestServer;
  office: Office;
}

interface Kind {
  /** Four tickets, sold before the phones have their lists. */
  sell?: (server: TestServer) => Promise<Sale>;
  /** Changes the four tickets; returns their codes afterwards, or those of who has the seats now. */
  change: (stage: Stage) => Promise<readonly string[]>;
  /** In the order of `orders`. */
  outcomes: readonly Outcome[];
  /** What both phones say of the new code when all have heard all: GIÀ ENTRATO, if left out. */
  afterwards?: readonly string[];
}

const codesNow = async ({ server, sold }: Stage) => (await soldOf(server, sold.order_id)).codes;

async function refund({ server, office, sold }: Stage): Promise<void> {
  await refundByOffice(server, office, { order_id: sold.order_id });
  for (let turn = 0; turn < 3; turn += 1) await server.runDue();
}

/** The same ticket, with another code on another seat. */
const moves: readonly Outcome[] = [
  ['moved', 'verify', 1, 1, 0],
  ['admit', 'admit', 1, 1, 0],
  ['moved', 'admit', 1, 1, 0],
  ['admit', 'verify', 1, 1, 0],
];
/** The same ticket, with another code on the same seat. */
const revisions: readonly Outcome[] = [
  ['replaced', 'verify', 1, 0, 0],
  ['admit', 'admit', 1, 1, 0],
  ['replaced', 'admit', 1, 0, 0],
  ['admit', 'verify', 1, 1, 0],
];

/** A hall of its own. */
const hall = 'sera';
const chairsOf = (table: string) => [1, 2, 3, 4].map((chair) => `${table}#${chair}`);

async function codeAt(ctx: Ctx, place: string): Promise<string> {
  return codeOf((await findEvent(ctx.db, hall))!, { place, revision: 1, earlier_codes: 0 });
}

async function sellFour(server: TestServer): Promise<Sale> {
  return { event_id: demoEvent, sold: await makeSold(server, { count: 4 }) };
}

/** To another buyer; returns the codes in the order of the seats. */
async function sellAgain(server: TestServer, { seats }: Sold): Promise<string[]> {
  const selected_objects = seats.map((object_id) => ({ object_id, ticket_type: 'intero' }));
  const next = await makeSold(server, { selected_objects, email: 'bea@example.it' });
  return seats.map((seat) => next.codes[next.seats.indexOf(seat)]!);
}

const kinds: Record<string, Kind> = {
  moved: {
    async change(stage) {
      const { server, office, sold } = stage;
      const to = await findSeats(server, { count: 4, nth: 3 });
      expect((await tryMove(server, office, sold, to)).status).toBe(200);
      return codesNow(stage);
    },
    outcomes: moves,
  },
  'in another hall': {
    async change(stage) {
      await moveHouse(stage.server, stage.office);
      return codesNow(stage);
    },
    // A phone that has not heard knows no place of the new hall.
    outcomes: [
      ['moved', 'invalid', 1, 0, 0],
      ['admit', 'admit', 1, 1, 0],
      ['moved', 'admit', 1, 1, 0],
      ['admit', 'invalid', 1, 0, 0],
    ],
  },
  reissued: {
    async change(stage) {
      const params = { orderId: stage.sold.order_id };
      const body = { reason: 'persi' };
      await callOk(stage.server, reissueTickets, { params, body }, stage.office);
      return codesNow(stage);
    },
    outcomes: revisions,
  },
  renamed: {
    async change(stage) {
      const { ctx } = stage.server.house;
      for (const place of stage.sold.seats)
        await renameTicket(ctx, demoEvent, { place, holder: 'Bea Rossi' });
      return codesNow(stage);
    },
    outcomes: revisions,
  },
  'of another secret': {
    async change(stage) {
      for (const words of [[], ['--reissue']])
        await askAdmin(stage.server, ['rotate', 'tickets', demoEvent, ...words]);
      return codesNow(stage);
    },
    // A phone that has not heard knows no code of the new secret.
    outcomes: [
      ['replaced', 'invalid', 0, 0, 0],
      ['admit', 'admit', 1, 1, 0],
      ['replaced', 'admit', 1, 0, 0],
      ['admit', 'invalid', 1, 0, 0],
    ],
  },
  refunded: {
    async change(stage) {
      await refund(stage);
      return stage.sold.codes;
    },
    outcomes: orders.map(() => ['refunded', 'admit', 1, 0, 1]),
    afterwards: orders.map(() => 'refunded'),
  },
  resold: {
    async change(stage) {
      await refund(stage);
      return sellAgain(stage.server, stage.sold);
    },
    outcomes: [
      ['replaced', 'verify', 1, 0, 0],
      // The refunded guest is told with the name of the new buyer.
      ['admit', 'admit', 1, 0, 1],
      ['replaced', 'admit', 1, 0, 1],
      ['admit', 'verify', 1, 1, 0],
    ],
    // The new buyer has not come yet.
    afterwards: ['already_in', 'already_in', 'admit', 'already_in'],
  },
  'let go and given': {
    async sell(server) {
      const starts_at = server.clock.now() + 120 * minute;
      const times = { starts_at, doors_at: null, admits_from: null, ends_at: null };
      await setPolicy(
        server,
        { ...times, sales_closes_at: null, free_until_minutes: 15 },
        demoEvent,
      );
      const sale = await sellFour(server);
      const { db } = server.house.ctx;
      await db('tickets').where({ event_id: demoEvent }).update({ let_go_minutes: 15 });
      return sale;
    },
    async change({ server, sold }) {
      server.clock.advance(105 * minute);
      await queuePlacesToLetGo(server.house.ctx);
      for (let turn = 0; turn < 3; turn += 1) await server.runDue();
      return sellAgain(server, sold);
    },
    // By its clock a phone that has not heard asks a supervisor.
    outcomes: [
      ['cancelled', 'verify', 0, 0, 0],
      ['admit', 'verify', 1, 0, 0],
      ['cancelled', 'verify', 0, 0, 0],
      ['admit', 'verify', 1, 0, 0],
    ],
  },
  'of a whole table that has moved': {
    async sell({ house: { ctx } }) {
      const places = ['T1', 'T2'].map((label) => ({ label, gate: null, chairs: 4 }));
      await addHall(ctx, { id: hall, places, whole_terms: JSON.stringify(emptyForm.whole_terms) });
      const seats = chairsOf('T1');
      const tickets = await sellPlaces(ctx, hall, { places: seats });
      const codes = await Promise.all(seats.map((place) => codeAt(ctx, place)));
      const { order_id } = tickets[0]!;
      return {
        event_id: hall,
        sold: { order_id, tickets: tickets.map(({ id }) => id), codes, seats },
      };
    },
    async change({ server: { house }, sold }) {
      const to = chairsOf('T2');
      for (const [at, from] of sold.seats.entries())
        await moveTicket(house.ctx, hall, { from, to: to[at]! });
      return Promise.all(to.map((place) => codeAt(house.ctx, place)));
    },
    outcomes: moves,
  },
};

async function openPhone(server: TestServer, name: string, event_id: string): Promise<Core> {
  const { ctx } = server.house;
  const token = await pairingToken(ctx, { name, gate: null, event_ids: [event_id] });
  const phone = await openNodePhone(server, { now: server.clock.now }, token);
  onTestFinished(() => phone[Symbol.dispose]());
  return phone.core;
}

/** How many are inside, second ways in, and entries against the book. */
async function figuresOf(server: TestServer, office: Office, event_id: string) {
  const { inside } = await callOk(server, readPresence, { params: { eventId: event_id } }, office);
  const conflicts = await callOk(server, listConflicts, { query: {} }, office);
  const against = await callOk(server, listEntriesAgainst, { query: {} }, office);
  return [inside, conflicts.open, against.open] as const;
}

for (const [name, { sell = sellFour, change, outcomes, afterwards }] of Object.entries(kinds))
  it(`a ticket ${name}: of two phones apart one has heard, and old paper and new code make one guest in every order`, async (server, office) => {
    const { event_id, sold } = await sell(server);
    await changeEvent(server.house.ctx, event_id, { verify_policy: 'admit' });
    const heard = await openPhone(server, 'Luca', event_id);
    const deaf = await openPhone(server, 'Mara', event_id);
    deaf.setNoNetwork(true);
    const codes = { old: sold.codes, new: await change({ server, office, event_id, sold }) };
    await heard.syncOnce();
    heard.setNoNetwork(true);
    const verdicts: string[][] = [];
    for (const [nth, papers] of orders.entries()) {
      const said: string[] = [];
      // Two guests of one seat are told apart by who came first; of one guest it is the same.
      const readers = nth % 3 === 0 || name === 'resold' ? [0, 1] : [1, 0];
      for (const at of readers) {
        server.clock.advance(10_000);
        const core = [heard, deaf][at]!;
        said[at] = await verdictOf(core, codes[papers[at]!][nth]!, { event_id });
      }
      verdicts.push(said);
    }
    expect(verdicts).toEqual(outcomes.map((outcome) => outcome.slice(0, 2)));
    server.clock.advance(minute);
    for (const core of [deaf, heard, deaf, heard]) {
      core.setNoNetwork(false);
      await core.syncOnce();
    }
    const sums = [2, 3, 4].map((at) => outcomes.reduce((sum, one) => sum + Number(one[at]), 0));
    expect(await figuresOf(server, office, event_id)).toEqual(sums);
    expect([heard, deaf].map((core) => core.presence(event_id).inside)).toEqual([sums[0], sums[0]]);
    for (const [nth, [, , inside]] of outcomes.entries()) {
      const expected = inside === 0 ? 'admit' : (afterwards?.[nth] ?? 'already_in');
      for (const core of [heard, deaf])
        expect([nth, await verdictOf(core, codes.new[nth]!, { event_id })]).toEqual([
          nth,
          expected,
        ]);
    }
    expect(server.logged).toEqual([]);
  });
