/** A month with exchanges for another date: takings, VAT, drawers, evenings, books and payouts are those of plain SQL. */
import { expect } from 'vitest';
import { readReport } from '#server/contract/reports.ts';
import { readEvening, readSummary } from '#server/contract/summaries.ts';
import { bookText } from '#server/services/book/file.ts';
import { lookInto } from '#tests/book/second-verifier.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { callOk, demoEvent } from '#tests/support/make.ts';
import { playMonth } from '#tests/support/played-month.ts';
import { expectSoundBooks, feeEvent } from '#tests/support/refunds.ts';
import { expectMoney } from '#tests/support/report-numbers.ts';
import { asRole } from '#tests/support/roles.ts';
import type { TestServer } from '#tests/support/server.ts';

type Office = { cookie: string };
type Db = TestServer['house']['ctx']['db'];
const evenings = [demoEvent, feeEvent];
const dayMs = 86_400_000;
/** The month lies in winter, in which Rome is an hour ahead. */
const dayOf = (time: string) => `(${time} + 3600000) / ${dayMs}`;
const counted = `('requested', 'pending', 'requires_action', 'succeeded')`;
const way = `CASE WHEN kind = 'stripe' THEN 'online' WHEN kind IN ('exchange', 'gift', 'kept') THEN kind ELSE COALESCE(method, 'other') END`;

async function rowsOf(db: Db, sql: string): Promise<Record<string, unknown>[]> {
  const answer = (await db.raw(sql)) as Record<string, unknown>[] | { rows: [] };
  return Array.isArray(answer) ? answer : answer.rows;
}

async function one(db: Db, sql: string): Promise<number> {
  const [row] = await rowsOf(db, sql);
  return Number(Object.values(row!)[0] ?? 0);
}

/** How each refund went back: its parts, or all of it one way. */
const partsOfRefunds = `SELECT r.order_id, r.kind, p.method, p.shift_id, p.amount_cents, ${dayOf('COALESCE(r.decided_at, r.created_at)')} AS day
  FROM refunds r JOIN refund_parts p ON p.refund_id = r.id WHERE r.state IN ${counted}
  UNION ALL SELECT r.order_id, r.kind, r.method, r.shift_id, r.amount_cents, ${dayOf('COALESCE(r.decided_at, r.created_at)')}
  FROM refunds r WHERE r.state IN ${counted} AND NOT EXISTS (SELECT 1 FROM refund_parts p WHERE p.refund_id = r.id)`;

/** Per evening and day: what came and went each way, and the surcharges in it. */
async function movedByDay(db: Db) {
  const days = new Map<string, Record<string, number>>();
  const add = (rows: Record<string, unknown>[]) => {
    for (const { event_id, day, what, cents } of rows) {
      const key = `${new Date(Number(day) * dayMs).toISOString().slice(0, 10)} ${String(event_id)}`;
      if (!days.has(key)) days.set(key, {});
      days.get(key)![String(what)] = Number(cents);
    }
  };
  add(
    await rowsOf(
      db,
      `SELECT o.event_id, ${dayOf('p.paid_at')} AS day, 'came ' || ${way} AS what, SUM(p.amount_cents) AS cents
      FROM payments p JOIN orders o ON o.id = p.order_id GROUP BY 1, 2, 3`,
    ),
  );
  add(
    await rowsOf(
      db,
      `SELECT o.event_id, p.day, 'went ' || ${way} AS what, SUM(p.amount_cents) AS cents
      FROM (${partsOfRefunds}) p JOIN orders o ON o.id = p.order_id WHERE p.amount_cents > 0 GROUP BY 1, 2, 3`,
    ),
  );
  for (const kind of ['fee', 'service']) {
    add(
      await rowsOf(
        db,
        `SELECT o.event_id, ${dayOf('(SELECT MIN(p.paid_at) FROM payments p WHERE p.order_id = o.id)')} AS day, '${kind} came' AS what, SUM(o.${kind}_cents) AS cents
        FROM orders o WHERE o.${kind}_cents > 0 AND EXISTS (SELECT 1 FROM payments p WHERE p.order_id = o.id) GROUP BY 1, 2`,
      ),
    );
    add(
      await rowsOf(
        db,
        `SELECT o.event_id, ${dayOf('COALESCE(r.decided_at, r.created_at)')} AS day, '${kind} went' AS what, SUM(r.${kind}_cents) AS cents
        FROM refunds r JOIN orders o ON o.id = r.order_id WHERE r.${kind}_cents > 0 AND r.state IN ${counted} GROUP BY 1, 2`,
      ),
    );
  }
  return days;
}

const ways = ['online', 'cash', 'pos', 'transfer', 'exchange', 'gift', 'kept', 'other'];
const sumOf = (row: Record<string, number>, what: string) =>
  ways.reduce((cents, name) => cents + (row[`${what} ${name}`] ?? 0), 0);
const vatOf = (cents: number, percent: number) => Math.round((cents * percent) / (100 + percent));

/** VAT day by day: a return takes back its share of the tax of all that had come. */
function taxes(rows: readonly { came: number; went: number }[], percent: number): number[] {
  let [came, went, tax, back] = [0, 0, 0, 0];
  return rows.map((row) => {
    came += row.came;
    went += row.went;
    tax += vatOf(row.came, percent);
    const before = back;
    if (row.went > 0 && came > 0) back = Math.round((tax * went) / came);
    return vatOf(row.came, percent) - (back - before);
  });
}

async function expectTakings(server: TestServer, office: Office): Promise<void> {
  const { db } = server.house.ctx;
  const dayIn = (days: number) =>
    new Date(server.clock.now() + days * dayMs).toISOString().slice(0, 10);
  const query = { from: dayIn(-90), to: dayIn(1) };
  const { rows, total } = await callOk(server, readSummary, { query }, office);
  const days = [...(await movedByDay(db))].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const recounted = evenings.flatMap((event_id) => {
    const own = days.filter(([key]) => key.endsWith(` ${event_id}`));
    const part = (of: (row: Record<string, number>) => { came: number; went: number }) =>
      own.map(([, row]) => of(row));
    const service = part((row) => ({
      came: row['service came'] ?? 0,
      went: row['service went'] ?? 0,
    }));
    const fees = part((row) => ({ came: row['fee came'] ?? 0, went: row['fee went'] ?? 0 }));
    const presale = fees.map(({ came, went }, at) => ({
      came: came - service[at]!.came,
      went: went - service[at]!.went,
    }));
    const tickets = part((row) => ({ came: sumOf(row, 'came'), went: sumOf(row, 'went') })).map(
      ({ came, went }, at) => ({ came: came - fees[at]!.came, went: went - fees[at]!.went }),
    );
    const [ticketTax, presaleTax, serviceTax] = [
      taxes(tickets, 10),
      taxes(presale, 22),
      taxes(service, 4),
    ];
    return own.map(([key, row], at) => ({
      key,
      taken: Object.fromEntries(ways.map((name) => [name, row[`came ${name}`] ?? 0])),
      given: Object.fromEntries(ways.map((name) => [name, row[`went ${name}`] ?? 0])),
      tickets: [tickets[at]!.came - tickets[at]!.went, ticketTax[at]],
      fees: [presale[at]!.came - presale[at]!.went, presaleTax[at]],
      service: [service[at]!.came - service[at]!.went, serviceTax[at]],
    }));
  });
  const told = rows.map((row) => ({
    key: `${row.day} ${row.event.id}`,
    taken: row.taken,
    given: row.given,
    tickets: [row.tickets_cents, row.tickets_vat_cents],
    fees: [row.fees_cents, row.fees_vat_cents],
    service: [row.service_cents, row.service_vat_cents],
  }));
  const byKey = (a: { key: string }, b: { key: string }) => (a.key < b.key ? -1 : 1);
  expect(told.toSorted(byKey)).toEqual(recounted.toSorted(byKey));
  // What one evening loses by exchanges the other has.
  expect(total.taken.exchange).toBeGreaterThan(0);
  expect(total.given.exchange).toBe(total.taken.exchange);
}

async function expectDrawers({ house: { ctx } }: TestServer): Promise<void> {
  const { db } = ctx;
  const shifts = await db('shifts');
  for (const { id, float_cents, report } of shifts) {
    const came = `SELECT SUM(amount_cents) FROM payments WHERE kind = 'manual' AND method = 'cash' AND shift_id = '${id}'`;
    const went = `SELECT SUM(amount_cents) FROM (${partsOfRefunds}) p WHERE method = 'cash' AND shift_id = '${id}'`;
    const lies = Number(float_cents) + (await one(db, came)) - (await one(db, went));
    expect(JSON.parse(report)).toMatchObject({ expected_cents: lies });
  }
  expect(shifts.length).toBeGreaterThan(4);
}

async function expectEvenings(server: TestServer, office: Office): Promise<void> {
  const { ctx } = server.house;
  for (const event_id of evenings) {
    const params = { eventId: event_id };
    const { total, annulled_total } = await callOk(server, readEvening, { params }, office);
    const of = `FROM tickets WHERE event_id = '${event_id}' AND state`;
    expect([total.tickets, total.tickets_cents, annulled_total.tickets]).toEqual([
      await one(ctx.db, `SELECT COUNT(*) ${of} = 'valid'`),
      await one(ctx.db, `SELECT SUM(price_cents) ${of} = 'valid'`),
      await one(ctx.db, `SELECT COUNT(*) ${of} <> 'valid'`),
    ]);
    await expectMoney(server, office, { query: { event_id }, ids: [event_id] });
    const parts: string[] = [];
    for await (const text of await bookText(ctx, event_id)) parts.push(text);
    const { wrong, sums } = lookInto(Buffer.from(parts.join('')));
    const money = (table: string, where: string) =>
      one(
        ctx.db,
        `SELECT SUM(amount_cents) FROM ${table} x JOIN orders o ON o.id = x.order_id WHERE o.event_id = '${event_id}' AND ${where}`,
      );
    expect(wrong).toEqual([]);
    expect(sums).toMatchObject({
      tickets_good: total.tickets,
      worth_of_good: total.tickets_cents,
      came_in: await money('payments', '1 = 1'),
      went_back: await money('refunds', `x.state = 'succeeded'`),
    });
  }
  const { db } = ctx;
  const { figures } = await callOk(
    server,
    readReport,
    { params: { report: 'money' }, query: {} },
    office,
  );
  const sums = figures.find(({ id }) => id === 'sums')!;
  const gross = sums.rows[0]![sums.columns.findIndex(({ key }) => key === 'gross')];
  expect(gross).toBe(
    await one(db, `SELECT SUM(amount_cents) FROM payments WHERE kind <> 'exchange'`),
  );
}

async function expectPayouts({ house: { ctx } }: TestServer): Promise<void> {
  const { db } = ctx;
  // What is given back after its payment has reached the bank waits for the next payout.
  const lines = (kind: string) =>
    one(db, `SELECT SUM(gross_cents) FROM payout_lines WHERE kind = '${kind}'`);
  const stripe = `WHERE kind = 'stripe'`;
  const paid = await one(db, `SELECT SUM(amount_cents) FROM payments ${stripe}`);
  const fees = await one(db, `SELECT SUM(stripe_fee_cents) FROM payments ${stripe}`);
  const back = await one(
    db,
    `SELECT SUM(amount_cents) FROM refunds ${stripe} AND state = 'succeeded'`,
  );
  expect([await lines('charge'), await lines('refund')]).toEqual([paid, -back]);
  const net = (where: string) =>
    one(db, `SELECT SUM(net_cents) FROM payout_lines WHERE kind <> 'payout' AND ${where}`);
  expect(await net('1 = 1')).toBe(paid - fees - back);
  const sent = await one(db, 'SELECT SUM(amount_cents) FROM payouts');
  expect([sent, sent > 0]).toEqual([await net(`payout_id <> ''`), true]);
  expect(await one(db, 'SELECT COUNT(*) FROM breaks WHERE settled_at IS NULL')).toBe(0);
}

test('a month of sales, exchanges each way, returns and an evening called off is that of plain SQL, to the cent', async (server) => {
  await playMonth(server);
  const office = await asRole(server, 'office');
  await expectSoundBooks(server);
  await expectTakings(server, office);
  await expectDrawers(server);
  await expectEvenings(server, office);
  await expectPayouts(server);
});
