/** The invariants find what breaks them and nothing else; in production they run every hour and the office sees them. */
import { expect, test } from 'vitest';
import type { Db, Trx } from '#db/engine/dialect.ts';
import { invariants } from '#db/reconcile/invariants.ts';
import { countEvent, keepCount } from '#db/report/kept.ts';
import type { EventRow, PayoutLineRow, QueuePlaceRow, QueueRow, RehousingRow } from '#db/rows.ts';
import { claimPeriod } from '#db/settings.ts';
import { checkInvariants, readInvariants } from '#server/contract/health.ts';
import { checkInvariantsHourly } from '#server/services/reconcile/invariants.ts';
import { testOnBoth as it } from '#tests/support/both.ts';
import { openBooks, scan } from '#tests/support/healthy-books.ts';
import { callOk, makeOrder } from '#tests/support/make.ts';
import { databaseKinds } from '#tests/support/server.ts';

const hour = 3_600_000;

interface Plant {
  /** What the invariant must name. */
  subject: string;
  put: (db: Db, now: number) => Promise<unknown>;
  /** Others that the same wrong breaks, of necessity. */
  also: string[];
}

/** The row by its id, or those that are so. */
function change(
  table: string,
  which: string | object,
  changes: object | ((now: number) => object),
): Plant['put'] {
  return (db, now) =>
    db(table)
      .where(typeof which === 'string' ? { id: which } : which)
      .update(typeof changes === 'function' ? changes(now) : changes);
}

const plant = (subject: string, put: Plant['put'], also: string[] = []): Plant => ({
  subject,
  put,
  also,
});

/** An evening on its way to another hall. */
const rehouse = (db: Db, changes: Partial<RehousingRow> & { started_at: number }) =>
  db('rehousings').insert({
    id: 'r',
    event_id: 'show',
    version: 1,
    chart_key: 'altra',
    categories: '{}',
    refunds: 0,
    actor: 'user:u',
    created_at: changes.started_at,
    ...changes,
  });

/** A waiting room with one entrant, who is called and has number 1. */
async function wait(db: Db, room: Partial<QueueRow>, place: Partial<QueuePlaceRow> = {}) {
  await db('queues').insert({
    event_id: 'show',
    mode: 'on',
    minutes: 10,
    seed: 's',
    seed_hash: 'h',
    root: 'r',
    fixed_at: 1,
    opened_at: 2,
    per_minute: 60,
    drawn: 1,
    last: 1,
    serving: 1,
    ...room,
  });
  await db('queue_places').insert({
    place_hash: 'p',
    event_id: 'show',
    nonce: 'n',
    arrival: 1,
    number: 1,
    called_at: 2,
    ...place,
  });
}

/** An exchange of the cashier's order for the open one, without money. */
const exchange = (db: Db, changes: object) =>
  db('exchanges').insert({
    id: 'x',
    from_order_id: 'cash',
    to_order_id: 'open',
    state: 'open',
    credit_cents: 0,
    back_cents: 0,
    fee_cents: 0,
    actor: 'user:u',
    created_at: 1,
    ...changes,
  });

/** One wrong per invariant, put in by SQL behind the product's back. Where an index would refuse it, the index is dropped first. */
const plants: Record<string, Plant> = {
  queue_counts_up: plant('show', (db) => wait(db, { fixed_at: 3 })),
  queue_number_was_given: plant('show', (db) => wait(db, {}, { number: 2 })),
  queue_pass_was_called: plant('show', (db) => wait(db, {}, { called_at: null, pass_until: 9 })),
  figures_are_true: plant('show', async (db, now) => {
    const event = (await db('events').where({ id: 'show' }).first()) as EventRow;
    const count = await countEvent(db, event);
    const old = { ...event, counted_at: null, changes: [] };
    await keepCount(db as Trx, old, { count, counted_at: now });
    await db('kept_figures').update({
      sales: JSON.stringify({ ...count.sales, orders: count.sales.orders.slice(1) }),
    });
  }),
  place_has_one_ticket: plant(
    'show A-1',
    async (db) => {
      await db.raw('DROP INDEX tickets_live_place');
      await db('tickets').insert({
        ...(await db('tickets').where({ id: 't-A-1' }).first()),
        id: 'double',
        order_id: 'cash',
        revision: 2,
      });
    },
    ['ticket_keeps_its_place', 'ticket_is_the_issued_one'],
  ),
  place_has_one_order: plant('show A-1', async (db) => {
    await db.raw('DROP INDEX order_lines_live_place');
    await db('order_lines').where({ order_id: 'open' }).update({ place: 'A-1' });
  }),
  whole_object_has_one_order: plant('show A-1', async (db) => {
    await db('order_lines').where({ order_id: 'paid' }).update({ whole_size: 9 });
    await db('order_lines')
      .where({ order_id: 'open' })
      .update({ whole_size: 9, object_label: 'A-1' });
    await db('places').whereIn('place', ['A-1', 'A-2', 'A-7']).update({ in_whole: 1 });
  }),
  place_in_whole_is_sold_so: plant('show A-1', change('places', { place: 'A-1' }, { in_whole: 1 })),
  part_of_a_first_order: plant('cash', change('orders', 'cash', { part_of: 'open' })),
  ticket_keeps_its_place: plant(
    'paid',
    change('order_lines', 'paid-A-1', (now) => ({ released_at: now })),
  ),
  tickets_only_when_confirmed: plant(
    'late',
    change('tickets', { place: 'A-4' }, { order_id: 'late', place: 'A-8', state: 'valid' }),
    ['confirmed_has_its_tickets', 'ticket_keeps_its_place'],
  ),
  confirmed_has_its_tickets: plant('paid', (db) => db('tickets').where({ id: 't-A-2' }).delete()),
  ticket_is_the_issued_one: plant('show A-2', change('tickets', 't-A-2', { revision: 2 })),
  moved_code_is_dead: plant('show A-1', (db, now) =>
    moveTicket(db, { state: 'done', created_at: now, to_place: 'A-9' }),
  ),
  exchange_is_one_or_the_other: plant('open', (db) => exchange(db, { state: 'ended' })),
  exchange_balances: plant('free', (db) => exchange(db, { to_order_id: 'free', state: 'done' })),
  left_money_was_given_up: plant(
    'cash',
    (db, now) =>
      db('refunds').insert({
        id: 'left',
        order_id: 'cash',
        state: 'succeeded',
        origin: 'event_cancelled',
        kind: 'gift',
        amount_cents: 1,
        fee_cents: 0,
        voids_tickets: 0,
        frees_seats: 0,
        idempotency_key: 'left',
        actor: 'user:u',
        created_at: now,
        decided_at: now,
        settled_at: now,
      }),
    ['refunds_add_up'],
  ),
  deposit_is_a_part: plant('open', change('orders', 'open', { deposit_end: 'kept' })),
  dates_fit_the_state: plant(
    'dead',
    change('orders', 'dead', (now) => ({ confirmed_at: now })),
  ),
  dead_order_keeps_no_place: plant(
    'dead',
    change('order_lines', { order_id: 'dead' }, { released_at: null }),
  ),
  dead_order_uses_no_code: plant('dead', (db, now) => useCode(db, { order_id: 'dead', now })),
  code_counts_its_uses: plant('c', async (db, now) => {
    await useCode(db, { order_id: 'paid', now });
    await db('price_codes').update({ orders_used: 2 });
  }),
  open_order_is_waited_for: plant('open', async (db, now) => {
    await db('outbox').where({ subject: 'open' }).delete();
    await db('orders')
      .where({ id: 'open' })
      .update({ pay_by: now - hour / 10 });
  }),
  order_has_one_open_session: plant('open', (db) => copySession(db, 'cs_open', {})),
  order_is_paid_once: plant('paid', (db) => copySession(db, 'cs_paid', {})),
  session_is_known: plant('open', change('orders', 'open', { session_id: 'cs_nobody' })),
  confirmed_is_paid: plant(
    'paid',
    change('checkout_sessions', 'cs_paid', { payment_status: 'unpaid' }),
  ),
  counter_sale_is_paid: plant('paid', async (db) => {
    const till = { id: 's', user_id: 'u', till_id: 't', till_name: 'Cassa', float_cents: 0 };
    await db('shifts').insert({ ...till, opened_at: 0, closed_at: 1 });
    await db('payments').where({ order_id: 'paid' }).update({ shift_id: 's' });
  }),
  lines_add_up: plant('paid', change('order_lines', 'paid-A-1', { price_cents: 1_999 })),
  session_asks_the_total: plant(
    'open',
    change('checkout_sessions', 'cs_open', { amount_total: 1 }),
  ),
  refunds_within_payment: plant(
    'late',
    async (db) => {
      await db('orders').where({ id: 'late' }).update({ refunded_cents: 5_000 });
      await db('refunds').where({ id: 'r-late' }).update({ amount_cents: 5_000 });
    },
    ['refund_parts_within_payment'],
  ),
  refund_parts_within_payment: plant('late', change('refunds', 'r-late', { fee_cents: 149 })),
  hand_parts_add_up: plant('r-late', async (db) => {
    const part = { refund_id: 'r-late', nth: 0, method: 'cash', amount_cents: 1 };
    await db('refund_parts').insert(part);
  }),
  refunds_add_up: plant('partly', change('orders', 'partly', { refunded_cents: 1_999 })),
  line_refunded_once: plant('partly', async (db) => {
    await db('refund_lines').where({ refund_id: 'r-partly' }).update({ price_cents: 2_001 });
    await db('refunds').where({ id: 'r-partly' }).update({ amount_cents: 2_001 });
    await db('orders').where({ id: 'partly' }).update({ refunded_cents: 2_001 });
  }),
  refund_is_its_lines: plant(
    'r-partly',
    change('refund_lines', { refund_id: 'r-partly' }, { price_cents: 1_000 }),
  ),
  live_lines_of_live_refunds: plant(
    'r-partly',
    change('refund_lines', { refund_id: 'r-partly' }, { live: 0 }),
  ),
  one_way_in: plant('show A-1', (db) => db('admissions').insert(scan({ id: 'again', seq: 3 }))),
  paid_is_settled: plant(
    'open',
    change('checkout_sessions', 'cs_open', (now) => ({
      status: 'complete',
      payment_status: 'paid',
      paid_at: now - hour,
    })),
  ),
  dead_order_keeps_no_money: plant(
    'late',
    async (db) => {
      await db('refunds').where({ id: 'r-late' }).update({ amount_cents: 2_000 });
      await db('orders').where({ id: 'late' }).update({ refunded_cents: 2_000 });
    },
    ['paid_is_settled'],
  ),
  payments_add_up: plant('paid', change('payments', 'p-paid', { amount_cents: 1 })),
  order_comes_to_its_end: plant(
    'open',
    change('orders', 'open', (now) => ({ pay_by: now - hour })),
  ),
  dead_order_has_no_open_session: plant('dead', (db) =>
    copySession(db, 'cs_open', { order_id: 'dead' }),
  ),
  confirmed_is_written_to: plant('cash', (db) => db('mails').where({ id: 'm-cash' }).delete()),
  mail_leaves: plant('m-cash', change('mails', 'm-cash', { state: 'waiting' })),
  work_is_done: plant(
    'settle_order open',
    change('outbox', { subject: 'open' }, (now) => ({ run_at: now - hour })),
  ),
  refund_is_carried_out: plant('r-late', change('refunds', 'r-late', { state: 'requested' })),
  refund_comes_to_its_end: plant(
    'r-late',
    change('refunds', 'r-late', (now) => ({ state: 'pending', created_at: now - 300 * hour })),
  ),
  block_has_no_order: plant('show A-1', (db, now) =>
    blockPlace(db, { place: 'A-1', created_at: now - hour }),
  ),
  block_is_settled: plant('settle_block b', (db, now) =>
    blockPlace(db, { place: 'A-9', created_at: now - hour, release_at: now }),
  ),
  contingent_is_settled: plant('settle_contingent c', (db, now) =>
    contingentOf(db, { state: 'releasing', changed_at: now - hour }),
  ),
  contingent_keeps_its_seats: plant('show A-9', (db, now) =>
    contingentOf(db, { state: 'released', changed_at: now }),
  ),
  move_is_settled: plant('settle_move m', (db, now) =>
    moveTicket(db, { state: 'taking', created_at: now - hour, to_place: null }),
  ),
  ticket_is_in_the_hall: plant('show A-1', change('places', { place: 'A-1' }, { in_hall: 0 })),
  rehousing_pauses_the_sale: plant('show altra', (db, now) =>
    rehouse(db, { state: 'waiting', started_at: now }),
  ),
  rehousing_books_everybody: plant('show B-1', async (db, now) => {
    await rehouse(db, { state: 'planned', started_at: now });
    const both = ['paid-A-1', 'paid-A-2'].map((line_id) => ({
      rehousing_id: 'r',
      line_id,
      order_id: 'paid',
      from_object: line_id.slice('paid-'.length),
      to_object: 'B-1',
      locked: 0,
      taken: 0,
    }));
    await db('rehoused_lines').insert(both);
  }),
  rehousing_seats_everybody: plant('show A-1', async (db, now) => {
    await rehouse(db, { state: 'done', started_at: now, commit_at: now, done_at: now });
    await db('rehoused_lines').insert({
      rehousing_id: 'r',
      line_id: 'paid-A-1',
      order_id: 'paid',
      from_object: 'A-1',
      to_object: 'B-1',
      locked: 0,
      taken: 1,
    });
  }),
  move_settles_its_difference: plant('paid', async (db, now) => {
    await moveTicket(db, { state: 'done', created_at: now, to_place: null });
    await db('moves').update({ difference_cents: -500, difference_end: 'refunded' });
  }),
  rehousing_is_settled: plant('run_rehousing r', (db, now) =>
    rehouse(db, { state: 'giving_back', started_at: now - hour }),
  ),
  price_is_settled: plant('settle_price p', (db, now) =>
    db('made_prices').insert({
      id: 'p',
      name: 'Show, Platea, Intero',
      unit_amount: 1_250,
      state: 'making',
      actor: 'user:u',
      created_at: now - hour,
    }),
  ),
  area_holds_its_blocks: plant('show Ovest', async (db, now) => {
    await blockPlace(db, { place: 'A-9', created_at: now - hour });
    const area = { block_id: 'b', event_id: 'show', object: 'Ovest', places: 1, state: 'live' };
    await db('blocked_areas').insert(area);
  }),
  reminder_is_looked_after: plant('tell_reminders show', (db, now) =>
    db('reminders').insert({
      id: 'r',
      event_id: 'show',
      email: 'eva@example.it',
      email_hash: 'hash',
      token_hash: 'token',
      asked_at: now,
      confirmed_at: null,
    }),
  ),
  message_is_sent: plant('send_message m', (db, now) =>
    db('messages').insert({
      id: 'm',
      ask_key: 'key',
      act: 'tickets',
      orders: 0,
      left_out: 0,
      actor: 'user:x',
      created_at: now,
      begins_at: now,
    }),
  ),
  registry_is_in_time: plant(
    '2 late',
    async (db, now) => {
      const hash = 'f'.repeat(64);
      const seals = [1, 2].map((n) => ({ n, sealed_at: now, entries: 1, before: '', hash }));
      await db('audit_seals').insert(seals);
      const entry = { actor: 'system', action: 'seats_blocked', subject: 'show', detail: null };
      await db('audit').insert([
        { ...entry, id: 'a1', at: now, seal: 1 },
        { ...entry, id: 'a2', at: now - hour, seal: 2 },
      ]);
    },
    ['registry_is_whole'],
  ),
  registry_is_whole: plant('1 gone', (db) =>
    db('settings').insert({ key: 'audit_head', value: `1 ${'f'.repeat(64)}` }),
  ),
  no_scan_is_lost: plant('phone', (db) => db('admissions').where({ id: 's1' }).delete(), [
    'one_way_in',
  ]),
  payout_agrees: plant('po_1', async (db) => {
    await payOut(db, {});
    await db('payments').where({ id: 'p-paid' }).update({ stripe_fee_cents: 1 });
  }),
  payout_adds_up: plant('po_1', async (db) => {
    await payOut(db, {});
    await db('payout_lines').update({ net_cents: 1 });
  }),
  paid_out_once: plant('po_2', async (db) => {
    await payOut(db, {});
    const line = await db('payout_lines').first();
    await db('payout_lines').insert({ ...line, payout_id: 'po_2' });
  }),
  payment_is_paid_out: plant('paid', async (db, now) => {
    await payOut(db, { source_id: 'ch_other', created_at: now });
    await db('payments')
      .where({ id: 'p-paid' })
      .update({ paid_at: now - 96 * hour });
  }),
};

/** A code that this order uses. */
async function useCode(db: Db, { order_id, now }: { order_id: string; now: number }) {
  await db('price_rules').insert({ id: 'r', content: '{}', created_at: now });
  const code = { id: 'c', rule_id: 'r', spelling: 'AMICI', orders_used: 1, tickets_used: 2 };
  await db('price_codes').insert({ ...code, created_at: now });
  await db('code_uses').insert({ id: 'u', code_id: 'c', order_id, tickets: 2, used_at: now });
}

interface Blocked {
  place: string;
  created_at: number;
  release_at?: number;
}

async function blockPlace(db: Db, { place, created_at, release_at }: Blocked): Promise<void> {
  await db('blocks').insert({
    id: 'b',
    event_id: 'show',
    reason: 'Regia',
    color: 'grey',
    release_at: release_at ?? null,
    actor: 'user:u',
    created_at,
  });
  await db('blocked_places').insert({ event_id: 'show', place, block_id: 'b', state: 'live' });
}

/** The paid order's money in a payout that agrees with it. */
async function payOut(db: Db, changes: Partial<PayoutLineRow>): Promise<void> {
  const charge = { charge_id: 'ch_paid', stripe_fee_cents: 25 };
  await db('payments').where({ id: 'p-paid' }).update(charge);
  const { amount_cents } = await db('payments').where({ id: 'p-paid' }).first();
  const net_cents = amount_cents - 25;
  const payout = { id: 'po_1', amount_cents: net_cents, state: 'paid', automatic: 1, listed: 1 };
  await db('payouts').insert({ ...payout, created_at: 0, arrives_at: 0, read_at: 0 });
  const line = { id: 'txn_1', payout_id: 'po_1', kind: 'charge', type: 'charge' };
  await db('payout_lines').insert({
    ...line,
    category: 'charge',
    gross_cents: amount_cents,
    fee_cents: 25,
    net_cents,
    created_at: 0,
    available_at: 0,
    source_id: 'ch_paid',
    ...changes,
  });
}

async function contingentOf(
  db: Db,
  { state, changed_at }: { state: string; changed_at: number },
): Promise<void> {
  await db('contingents').insert({
    id: 'c',
    event_id: 'show',
    name: 'Amici',
    color: 'grey',
    sale: 'code',
    code: 'AMICI',
    channel_key: 'key',
    release_at: null,
    state,
    changed_at,
    released_at: changed_at,
    actor: 'user:u',
    created_at: changed_at,
  });
  const place = { event_id: 'show', place: 'A-9', kept_place: 'A-9' };
  await db('contingent_places').insert({ contingent_id: 'c', ...place });
}

interface Moved {
  state: string;
  created_at: number;
  to_place: string | null;
}

async function moveTicket(db: Db, { state, created_at, to_place }: Moved): Promise<void> {
  await db('moves').insert({
    id: 'm',
    order_id: 'paid',
    event_id: 'show',
    state,
    actor: 'user:u',
    difference_cents: 0,
    difference_end: 'none',
    created_at,
  });
  await db('moved_tickets').insert({
    move_id: 'm',
    ticket_id: 't-A-1',
    event_id: 'show',
    position: 0,
    from_place: 'A-1',
    from_object: 'A-1',
    from_revision: 1,
    to_object: 'A-9',
    to_place,
    to_revision: to_place === null ? null : 1,
  });
}

async function copySession(db: Db, id: string, changes: object): Promise<void> {
  await db('checkout_sessions').insert({
    ...(await db('checkout_sessions').where({ id }).first()),
    id: `${id}_2`,
    attempt: 2,
    ...changes,
  });
}

async function findAll(db: Db, now: number): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const { name, find } of invariants) {
    const violations = await find(db, now);
    if (violations.length > 0) found[name] = violations.map((violation) => violation.subject);
  }
  return found;
}

test('every invariant has a wrong that it must find, a name of its own and Italian words', () => {
  expect(Object.keys(plants).toSorted()).toEqual(
    invariants.map((invariant) => invariant.name).toSorted(),
  );
  expect(invariants.filter(({ name, words }) => name.length > 40 || words.length < 10)).toEqual([]);
});

for (const database of databaseKinds) {
  test(`books in order break no invariant, and each wrong is found by its own, with the right name (${database})`, async () => {
    await using books = await openBooks(database);
    expect(await findAll(books.db, books.now)).toEqual({});
    const reported: Record<string, unknown> = {};
    for (const [name, { put, also }] of Object.entries(plants)) {
      const trx = await books.db.transaction();
      const found = await put(trx, books.now)
        .then(() => findAll(trx, books.now))
        .finally(() => trx.rollback());
      reported[name] = {
        subjects: found[name],
        also: Object.keys(found).filter((other) => other !== name && !also.includes(other)),
      };
    }
    expect(reported).toEqual(
      Object.fromEntries(
        Object.entries(plants).map(([name, { subject }]) => [
          name,
          { subjects: [subject], also: [] },
        ]),
      ),
    );
    expect(await findAll(books.db, books.now)).toEqual({});
  });
}

it('in production they run once an hour in one of all processes, and what is broken is logged, kept with its beginning, and shown', async (server, admin) => {
  const { ctx } = server.house;
  expect(
    (await callOk(server, readInvariants, {}, admin)).items.every(
      (item) => item.checked_at === null,
    ),
  ).toBe(true);
  await Promise.all([
    checkInvariantsHourly(ctx),
    checkInvariantsHourly(ctx),
    checkInvariantsHourly(ctx),
  ]);
  const checkedAt = async () =>
    (await callOk(server, readInvariants, {}, admin)).items[0]!.checked_at;
  const first = await checkedAt();
  expect(first).not.toBeNull();
  server.clock.advance(hour / 2);
  await checkInvariantsHourly(ctx);
  expect(await checkedAt()).toBe(first);

  const order = await makeOrder(server);
  await ctx.db('orders').where({ id: order.order_id }).update({ refunded_cents: 5 });
  server.clock.advance(hour / 2);
  await server.runDue();
  await checkInvariantsHourly(ctx);
  const broken = async () =>
    (await callOk(server, readInvariants, {}, admin)).items.filter((item) => item.violations > 0);
  const found = await broken();
  expect(found).toMatchObject([
    {
      name: 'refunds_within_payment',
      violations: 1,
      sample: [order.order_id],
      about: 'order',
      always: true,
    },
    { name: 'refunds_add_up', violations: 1, sample: [order.order_id] },
  ]);
  expect(server.logged.filter((line) => line.includes('invariant broken'))).toHaveLength(2);
  server.clock.advance(hour);
  // Else what was due in this hour would be late by another rule.
  await server.runDue();
  await checkInvariantsHourly(ctx);
  expect((await broken()).map((item) => item.broken_since)).toEqual(
    found.map((item) => item.broken_since),
  );
  await ctx.db('orders').where({ id: order.order_id }).update({ refunded_cents: 0 });
  const runs = [1, 2, 3].map(() => callOk(server, checkInvariants, {}, admin));
  expect((await Promise.all(runs)).map((run) => run.broken)).toEqual([0, 0, 0]);
  expect(await ctx.db('invariants').whereNotNull('broken_since')).toEqual([]);
});

it('a period is claimed by one of many at the same moment', async (server) => {
  const { db } = server.house.ctx;
  const claims = () =>
    Promise.all(
      Array.from({ length: 8 }, () =>
        claimPeriod(db, 'something', { now: 1_000_000, notSince: 900_000 }),
      ),
    );
  expect((await claims()).filter(Boolean)).toHaveLength(1);
  expect((await claims()).filter(Boolean)).toHaveLength(0);
});
