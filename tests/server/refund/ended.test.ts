/** Every act that ends a ticket: the people who lose one are told once, whatever the sum, and so are other programs. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { postponeEvent, answerPostponement } from '#server/contract/postponements.ts';
import { readEvent } from '#server/contract/event-desk.ts';
import { confirmOrder } from '#server/contract/office.ts';
import {
  askRefund,
  cancelEvent,
  decideRefund,
  orderRefunds,
  previewCancellation,
  retryRefund,
  settleRefund,
  withdrawRefund,
} from '#server/contract/order/refunds.ts';
import { endingLetters } from '#server/domain/mail/kinds.ts';
import type { RefundOrigin } from '#server/domain/payment/refund.ts';
import type { TicketRow } from '#db/rows.ts';
import type { EndingAct } from '#server/services/kit/acts.ts';
import { makeAddress } from '#server/services/program/addresses.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { inDays } from '#tests/support/event-desk.ts';
import { mailsOf, testWithSmtp } from '#tests/support/mail-day.ts';
import { callOk, comeAgain, makeAdmin, makeOrder } from '#tests/support/make.ts';
import { nearLine, startReceiver, tellDue, type Receiver } from '#tests/support/programs.ts';
import {
  feeEvent,
  passTime,
  refundByOffice,
  refundRows,
  setPolicy,
} from '#tests/support/refunds.ts';
import type { TestServer } from '#tests/support/server.ts';
import type { Smtp } from '#tests/support/smtp.ts';
import { atStripe } from '#tests/support/stripe-desk.ts';
import { passUndo } from '#tests/support/undo.ts';

const minute = 60_000;
const buyer = 'eva@example.it';
const anna = 'anna@verdi.example';
const params = { eventId: feeEvent };

interface World {
  server: TestServer;
  admin: { cookie: string };
  order_id: string;
  tickets: TicketRow[];
}

interface Way {
  /** Whether the office confirms the order as a gift, or as paid in cash. */
  by?: 'guest' | 'cash';
  method?: string;
  policy?: { refund_request: string };
  end: (world: World) => Promise<unknown>;
  /** What the buyer's letter says of the money; null: nothing. */
  money: RegExp | null;
  /** How often programs hear of money. */
  refunded: number;
}

const office =
  (wish: Parameters<typeof refundByOffice>[3] = {}) =>
  ({ server, admin, order_id }: World) =>
    refundByOffice(server, admin, { order_id }, wish);

async function wish({ server, order_id }: World) {
  const about = { params: { orderId: order_id } };
  const { lines, amount_cents } = await callOk(server, orderRefunds, about);
  const ticket_ids = lines.map(({ ticket_id }) => ticket_id!);
  const body = { ticket_ids, expected_cents: amount_cents };
  return callOk(server, askRefund, { ...about, body });
}

async function atDashboard({ server, order_id }: World, amount?: string) {
  const { payment_intent } = await server.house.ctx.db('orders').where({ id: order_id }).first();
  await atStripe(server, 'POST', 'refunds', { payment_intent, ...(amount && { amount }) });
  await passTime(server, minute);
}

async function settle({ server, admin, order_id }: World, decision: 'void' | 'handed_back') {
  const refund = (await refundRows(server, order_id)).at(-1)!;
  const body = { decision, note: 'Deciso' };
  await callOk(server, settleRefund, { params: { refundId: refund.id }, body }, admin);
}

async function failedRefund(world: World): Promise<string> {
  const { refund_id } = await office()(world);
  for (const wait of [minute, 5 * minute]) await passTime(world.server, wait);
  expect(await refundRows(world.server, world.order_id)).toMatchObject([{ state: 'failed' }]);
  return refund_id;
}

const wholeSum = /Abbiamo rimborsato|ti abbiamo rimborsato/;
/** Each act that may end tickets, and the ways that lead to it; the last ones concern an event. */
const ways: Record<EndingAct, Record<string, Way>> = {
  // Its buyer is told of the time when the place is booked; `booking/free.test.ts` walks it.
  place_given: {},
  // The mail with the new tickets tells of it; `counter/exchange.test.ts` walks it.
  tickets_exchanged: {},
  // Its own receipt tells of it; `asked-first.test.ts` walks it.
  money_left: {},
  deposit_kept: {},
  refund_approved: {
    'asked for and approved': {
      policy: { refund_request: 'office' },
      end: async (world) => {
        const { refund_id } = await wish(world);
        await passTime(world.server, minute);
        const body = { decision: 'approve' } as const;
        const about = { params: { refundId: refund_id }, body };
        await callOk(world.server, decideRefund, about, world.admin);
      },
      money: wholeSum,
      refunded: 1,
    },
  },
  refund_retry: {
    'a refund that failed and was made again': {
      method: 'pm_card_refundFail',
      end: async (world) => {
        const refundId = await failedRefund(world);
        await callOk(world.server, retryRefund, { params: { refundId } }, world.admin);
      },
      money: wholeSum,
      // The first one had succeeded before it failed.
      refunded: 2,
    },
  },
  refund_requested: {
    'voided without money': {
      end: office({ with_money: false }),
      money: /Non è previsto un rimborso/,
      refunded: 0,
    },
    'a gift, voided': { by: 'guest', end: office(), money: null, refunded: 0 },
    'refunded at Stripe': { end: office(), money: wholeSum, refunded: 1 },
    'cash that waits for the buyer': {
      by: 'cash',
      end: async (world) => {
        await office()(world);
        await passTime(world.server, minute);
        await settle(world, 'handed_back');
      },
      money: /Ti restituiamo .*passa in biglietteria/,
      refunded: 1,
    },
    'cash handed back at once': {
      by: 'cash',
      end: office({ handed_back: true }),
      money: wholeSum,
      refunded: 1,
    },
    'voided after a refund in the dashboard': {
      end: async (world) => {
        await atDashboard(world);
        await settle(world, 'void');
      },
      money: /Quanto hai pagato ti è già stato restituito/,
      refunded: 1,
    },
    'voided after a part was refunded in the dashboard': {
      end: async (world) => {
        await atDashboard(world, '500');
        await settle(world, 'void');
      },
      money: /ti abbiamo già restituito 5,00/,
      refunded: 1,
    },
    'refunded here and in the dashboard at once': {
      end: async (world) => {
        const { faults } = world.server.house.standins!.stripe!;
        faults.add({ on: 'request', method: 'POST', path: '/v1/refunds', action: '429', times: 1 });
        await office()(world);
        await world.server.runDue();
        await atDashboard(world);
      },
      money: /Quanto hai pagato ti è già stato restituito/,
      refunded: 1,
    },
    'asked for and paid by itself': {
      policy: { refund_request: 'automatic' },
      end: wish,
      money: wholeSum,
      refunded: 1,
    },
    'a postponement that the buyer refused': {
      end: async ({ server, admin, order_id }) => {
        const { version } = await callOk(server, readEvent, { params }, admin);
        const times = { starts_at: inDays(server, 60), answer_by: inDays(server, 10) };
        const move = { ...times, if_silent: 'keep' as const, tell_buyers: 1 };
        await callOk(server, postponeEvent, { params, body: { version, ...move } }, admin);
        await passUndo(server);
        const about = { params: { orderId: order_id } };
        await callOk(server, answerPostponement, { ...about, body: { answer: 'refund' } });
      },
      money: wholeSum,
      refunded: 1,
    },
    'a cancelled event': {
      end: async ({ server, admin }) => {
        const about = { params, query: {} };
        const { sum_cents, orders } = await callOk(server, previewCancellation, about, admin);
        const body = { expected_cents: sum_cents, expected_orders: orders, reason: 'Sciopero' };
        await callOk(server, cancelEvent, { params, body }, admin);
      },
      money: /Il rimborso è automatico/,
      refunded: 1,
    },
  },
};

/** An order whose first ticket is Anna's, with an address, and whose second is Bruno's, without. */
async function makeWorld(
  server: TestServer,
  admin: { cookie: string },
  { by, method = 'pm_card_visa' }: Way,
  nth: number,
): Promise<World> {
  const { db } = server.house.ctx;
  const options = { event: feeEvent, count: 3, nth };
  const order = by
    ? await makeOrder(server, options)
    : await makePaidOrder(server, { name: 'Eva Neri', email: buyer, method }, options);
  const { order_id } = order;
  if (by) {
    const { total_cents } = await db('orders').where({ id: order_id }).first('total_cents');
    const asked = { reason: 'Alla cassa', method: by, expected_cents: Number(total_cents) };
    const body = { ...asked, buyer: { name: 'Eva Neri', email: buyer } };
    await callOk(server, confirmOrder, { params: { orderId: order_id }, body }, admin);
  }
  const rows = await db<TicketRow>('tickets').where({ order_id }).orderBy('place');
  const name = (at: number, holder: string, holder_email: string | null) =>
    db<TicketRow>('tickets').where({ id: rows[at]!.id }).update({ holder, holder_email });
  await name(0, 'Anna Verdi', anna);
  await name(1, 'Bruno Bianchi', null);
  await passTime(server, minute);
  return { server, admin, order_id, tickets: rows };
}

const ending = /non (?:è|sono) più valid|non (?:vale|valgono) più/;

/** What came into the two mailboxes, and what programs heard, since the last call. */
function watch(smtp: Smtp, receiver: Receiver) {
  let [mails, news] = [smtp.received.length, receiver.told.length];
  return () => {
    const letters = smtp.received
      .slice(mails)
      .map(({ to, email }) => ({ ...email, to: to[0]!.toLowerCase() }));
    const told = receiver.told.slice(news).map(({ kind, data }) => ({ kind, ...data }) as Told);
    [mails, news] = [smtp.received.length, receiver.told.length];
    return { letters, told };
  };
}
interface Told {
  kind: string;
  event_id: string;
  order_number: string;
  ticket_ids?: string[];
}

testWithSmtp(
  'every act that ends tickets tells each person and each program once',
  async (server, smtp) => {
    const { ctx } = server.house;
    await using receiver = await startReceiver();
    const kinds = ['order.refunded', 'ticket.ended'] as const;
    await makeAddress(ctx, { url: receiver.url, kinds: [...kinds], event_id: null }, 'cli');
    let admin = await makeAdmin(server);
    const origins = new Set<RefundOrigin>();
    const all = Object.values(ways).flatMap((some) => Object.entries(some));
    for (const [nth, [name, way]] of all.entries()) {
      if (way.policy) await setPolicy(server, way.policy);
      if (name === 'a cancelled event') admin = await comeAgain(server);
      const world = await makeWorld(server, admin, way, nth);
      const since = watch(smtp, receiver);
      await way.end(world);
      await Promise.all([server.runDue(), server.runDue()]);
      for (const wait of [minute, 5 * minute, 5 * minute]) await passTime(server, wait);
      await tellDue(server);
      const { letters, told } = since();
      const { number, link_key } = await ctx.db('orders').where({ id: world.order_id }).first();
      const endings = letters.filter(({ text }) => ending.test(text!));
      expect([name, endings.map(({ to }) => to).toSorted()]).toEqual([name, [anna, buyer]]);
      const own = endings.find(({ to }) => to === buyer)!;
      expect([name, own.text]).toEqual([name, expect.stringContaining('Bruno Bianchi (')]);
      expect(own.text).not.toContain('Anna Verdi (');
      if (way.money) expect([name, own.text]).toEqual([name, expect.stringMatching(way.money)]);
      else expect(own.text).not.toMatch(/rimbors|restitu/);
      for (const { html, text } of letters.filter(({ to }) => to === anna)) {
        // The link of her own ticket opens that ticket only.
        const said = `${html}${text}`.replaceAll(/\/orders\/[\w-]{22}\.[\w-]+/g, '');
        for (const secret of ['€', number, link_key, 'Bruno', 'Eva', '/orders/'])
          expect([name, said.includes(secret)]).toEqual([name, false]);
        // Her own seat alone.
        expect([name, text!.match(/posto \d+/g)!.length]).toEqual([name, 1]);
      }
      const moved = letters.filter(({ subject }) => subject!.includes('rinviato'));
      const isMoved = name === 'a postponement that the buyer refused';
      expect([name, moved.map(({ to }) => to).toSorted()]).toEqual([
        name,
        isMoved ? [anna, buyer] : [],
      ]);
      if (isMoved) expect(moved.find(({ to }) => to === buyer)!.text).toContain('Bruno Bianchi (');
      const ofOrder = told.filter(({ order_number }) => order_number === number);
      const heard = (kind: string) => ofOrder.filter((one) => one.kind === kind);
      expect([
        name,
        heard('ticket.ended')
          .flatMap((one) => one.ticket_ids!)
          .toSorted(),
      ]).toEqual([name, world.tickets.map(({ id }) => id).toSorted()]);
      expect(heard('ticket.ended')[0]).toMatchObject({ event_id: feeEvent, order_number: number });
      expect([name, heard('order.refunded').length]).toEqual([name, way.refunded]);
      for (const { origin } of await refundRows(server, world.order_id)) origins.add(origin);
    }
    // A refund of another origin that ends tickets needs its way here; that of an exchange is told
    // by the mail with the new tickets, a reservation has none yet, and `left-out.test.ts` walks
    // that of a change of hall.
    const elsewhere = ['exchange', 'late_payment', 'deposit', 'rehoused'];
    expect([...origins, ...elsewhere].toSorted()).toEqual(Object.keys(endingLetters).toSorted());
    const since = watch(smtp, receiver);
    await passTime(server, 60 * minute);
    await tellDue(server);
    expect(since()).toEqual({ letters: [], told: [] });
  },
  { programs: nearLine },
);

testWithSmtp(
  'a holder with several tickets gets one letter, the buyer’s own address none beside theirs, and a ticket without an address is in nobody’s',
  async (server, smtp) => {
    const { db } = server.house.ctx;
    const admin = await makeAdmin(server);
    const world = await makeWorld(server, admin, ways.refund_requested['a gift, voided']!, 0);
    const { order_id, tickets } = world;
    await db('tickets').where({ id: tickets[1]!.id }).update({ holder_email: anna.toUpperCase() });
    await db('tickets')
      .where({ id: tickets[2]!.id })
      .update({ holder: 'E. N.', holder_email: buyer });
    const before = smtp.received.length;
    await office()(world);
    await server.runDue();
    expect(
      smtp.received
        .slice(before)
        .map(({ to }) => to[0]!.toLowerCase())
        .toSorted(),
    ).toEqual([anna, buyer]);
    const nobody = await makeWorld(server, admin, ways.refund_requested['a gift, voided']!, 1);
    await db('orders').where({ id: nobody.order_id }).update({ buyer_email: null });
    await office()(nobody);
    await server.runDue();
    const owed = (await mailsOf(server, nobody.order_id)).filter(({ kind }) => kind !== 'tickets');
    expect(owed.map(({ kind, state }) => [kind, state])).toEqual([['tickets_ended', 'sent']]);
    expect((await mailsOf(server, order_id)).every(({ state }) => state === 'sent')).toBe(true);
  },
  { databases: ['sqlite'] },
);

testWithSmtp(
  'a refund that fails says so, and tickets that the office gives back are told to buyer and holders',
  async (server, smtp) => {
    await using receiver = await startReceiver();
    const kinds = ['ticket.ended', 'ticket.revised'] as const;
    const { ctx } = server.house;
    await makeAddress(ctx, { url: receiver.url, kinds: [...kinds], event_id: null }, 'cli');
    const admin = await makeAdmin(server);
    const world = await makeWorld(server, admin, ways.refund_requested['refunded at Stripe']!, 0);
    // A part was refunded in the dashboard, which we have not heard of, so Stripe refuses ours.
    server.house.standins!.stripe!.deliveries.pause();
    await atDashboard(world, '500');
    const since = watch(smtp, receiver);
    const { refund_id } = await office()(world);
    for (const wait of [minute, minute]) await passTime(server, wait);
    const first = since().letters.filter(({ to }) => to === buyer);
    expect(first.map(({ text }) => text)).toEqual([
      expect.stringMatching(/Il rimborso di .* non è ancora riuscito/),
    ]);
    const body = { decision: 'restore' } as const;
    await callOk(server, settleRefund, { params: { refundId: refund_id }, body }, admin);
    await server.runDue();
    await tellDue(server);
    const { letters, told } = since();
    const sent = letters.map(({ to, attachments }) => [to, attachments.length]);
    // The buyer's own also has the calendar's entry.
    expect(sent.toSorted()).toEqual([
      [anna, 1],
      [buyer, 2],
    ]);
    expect(told.map(({ kind, ticket_ids }) => [kind, ticket_ids?.toSorted()])).toEqual([
      ['ticket.ended', world.tickets.map(({ id }) => id).toSorted()],
      ['ticket.revised', world.tickets.map(({ id }) => id).toSorted()],
    ]);
    // They end anew, so they are told anew.
    await office({ with_money: false })(world);
    await server.runDue();
    const again = since().letters.filter(({ text }) => ending.test(text!));
    expect(again.map(({ to }) => to).toSorted()).toEqual([anna, buyer]);
  },
  { programs: nearLine, databases: ['sqlite'] },
);

let isDown = false;
testWithSmtp(
  'of two letters that wait for the mail server, one says that the tickets ended, in any order',
  async (server, smtp) => {
    const { db } = server.house.ctx;
    const admin = await makeAdmin(server);
    const way = ways.refund_requested['cash that waits for the buyer']!;
    for (const first of ['tickets_ended', 'refunded']) {
      const world = await makeWorld(server, admin, way, first === 'refunded' ? 1 : 0);
      const before = smtp.received.length;
      isDown = true;
      await office()(world);
      await settle(world, 'handed_back');
      await server.runDue();
      isDown = false;
      const mails = (await mailsOf(server, world.order_id)).filter(({ state }) => state !== 'sent');
      for (const { id, kind } of mails)
        await db('outbox')
          .where({ subject: id })
          .update({ run_at: server.clock.now() + (kind === first ? 0 : minute) });
      for (const wait of [0, minute, 5 * minute]) await passTime(server, wait);
      const own = smtp.received.slice(before).filter(({ to }) => to[0] === buyer);
      expect(own.map(({ email }) => ending.test(email.text!)).toSorted()).toEqual([false, true]);
    }
  },
  { databases: ['sqlite'], answers: { rcpt: () => (isDown ? '451 Later' : null) } },
);

testWithSmtp(
  'a request for a refund is acknowledged once, and not at all where it was taken back or answered first',
  async (server, smtp) => {
    await setPolicy(server, { refund_request: 'office' });
    const admin = await makeAdmin(server);
    const way = ways.refund_approved['asked for and approved']!;
    const worlds = [
      await makeWorld(server, admin, way, 0),
      await makeWorld(server, admin, way, 1),
    ] as const;
    const before = smtp.received.length;
    const asked = await Promise.all([wish(worlds[0]), wish(worlds[0]), wish(worlds[0])]);
    expect(new Set(asked.map(({ refund_id }) => refund_id)).size).toBe(1);
    await Promise.all([server.runDue(), server.runDue()]);
    await server.runDue();
    const letters = () => smtp.received.slice(before).map(({ email }) => email);
    expect(letters()).toMatchObject([
      {
        subject: 'Abbiamo ricevuto la tua richiesta di rimborso',
        text: expect.stringContaining('i biglietti restano validi'),
      },
    ]);
    const { refund_id } = await wish(worlds[1]);
    const body = { decision: 'refuse', note: 'Troppo tardi' } as const;
    await callOk(server, decideRefund, { params: { refundId: refund_id }, body }, admin);
    await server.runDue();
    expect(letters().map(({ subject }) => subject)).toEqual([
      'Abbiamo ricevuto la tua richiesta di rimborso',
      'La tua richiesta di rimborso non è stata accolta',
    ]);
    // A buyer who asks and withdraws for ever fills no mailbox.
    for (let nth = 0; nth < 8; nth += 1) {
      const again = await wish(worlds[1]);
      await server.runDue();
      const about = { orderId: worlds[1].order_id, refundId: again.refund_id };
      await callOk(server, withdrawRefund, { params: about });
    }
    expect(letters()).toHaveLength(2 + 4);
  },
  { databases: ['sqlite'] },
);

testWithSmtp(
  'a cancelled event is told to people whose money had gone back before, and promises none',
  async (server, smtp) => {
    const admin = await makeAdmin(server);
    const way = ways.refund_requested['refunded at Stripe']!;
    const kept = await makeWorld(server, admin, way, 0);
    await office({ voids_tickets: false })(kept);
    await passTime(server, minute);
    const dashboard = await makeWorld(server, admin, way, 1);
    await atDashboard(dashboard);
    const before = smtp.received.length;
    await ways.refund_requested['a cancelled event']!.end(dashboard);
    for (const wait of [minute, 5 * minute]) await passTime(server, wait);
    const letters = smtp.received.slice(before).map(({ to, email }) => [to[0], email.text]);
    for (const to of [anna, buyer])
      expect(letters.filter(([address]) => address === to)).toEqual([
        [to, expect.stringContaining('stato annullato')],
        [to, expect.stringContaining('stato annullato')],
      ]);
    for (const [to, text] of letters)
      expect([to, text!.includes('già restituito'), text!.includes('rimborso')]).toEqual([
        to,
        to === buyer,
        false,
      ]);
  },
  { databases: ['sqlite'] },
);

testWithSmtp(
  'of a refund that failed and the one made instead, one letter says that the tickets ended, in any order',
  async (server, smtp) => {
    const { db } = server.house.ctx;
    const admin = await makeAdmin(server);
    const way = ways.refund_retry['a refund that failed and was made again']!;
    for (const [nth, first] of ['refunded', 'tickets_ended'].entries()) {
      const world = await makeWorld(server, admin, way, nth);
      const before = smtp.received.length;
      isDown = true;
      await way.end(world);
      await server.runDue();
      isDown = false;
      for (const { id, kind } of await mailsOf(server, world.order_id))
        await db('outbox')
          .where({ subject: id })
          .update({ run_at: server.clock.now() + (kind === first ? 0 : 1_000) });
      for (const wait of [0, 1_000]) {
        server.clock.advance(wait);
        await server.runDue();
      }
      const own = smtp.received.slice(before).filter(({ to }) => to[0] === buyer);
      expect([first, own.filter(({ email }) => ending.test(email.text!)).length]).toEqual([
        first,
        1,
      ]);
    }
  },
  { databases: ['sqlite'], answers: { rcpt: () => (isDown ? '451 Later' : null) } },
);

// Orders of test money end without a letter to anybody.
test('tickets end in one place only', () => {
  const root = join(import.meta.dirname, '../../..');
  const files = globSync('{server,db}/**/*.ts', { cwd: root });
  const ending = files.filter((path) =>
    /\bendTickets\(/.test(readFileSync(join(root, path), 'utf8')),
  );
  expect(ending.toSorted()).toEqual([
    'db/order/tickets.ts',
    'server/services/office/test-orders.ts',
    'server/services/payment/ended-tickets.ts',
  ]);
});
