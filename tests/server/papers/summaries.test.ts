/** Summaries for the accountant and of an evening: held against a slow recount that shares no code with them, on paper and as files. */
import { expect } from 'vitest';
import { readEvening, readSummary } from '#server/contract/summaries.ts';
import type { OrderRow, PaymentRow, RefundRow } from '#db/rows.ts';
import { insertMany } from '#db/engine/statements.ts';
import { transact } from '#db/engine/transact.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { ask, callOk, demoEvent, makeAdmin } from '#tests/support/make.ts';
import { copyOrder } from '#tests/support/many-orders.ts';
import { readPdf } from '#tests/support/pdf.ts';
import type { TestServer } from '#tests/support/server.ts';

const mark = 'Riepilogo gestionale – non valido ai fini fiscali';

/** Numbers that are the same at each run. */
function makeDice(seed: number) {
  let state = seed;
  return (sides: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % sides;
  };
}

const types = [
  { ticket_type: 'intero', type_label: 'Intero', price_cents: 2_500 },
  { ticket_type: 'ridotto', type_label: 'Ridotto', price_cents: 1_833 },
  { ticket_type: 'omaggio', type_label: 'Omaggio', price_cents: 0 },
];
const kindOf: Record<string, string> = { intero: 'full', ridotto: 'reduced', omaggio: 'free' };
const methods = ['cash', 'pos', 'transfer', 'other'];

/** Sixty orders around the night in which the clocks go back, paid in one or two ways, some of them given back, on two events. */
async function fill(server: TestServer, seed: number) {
  const dice = makeDice(seed);
  const { db } = server.house.ctx;
  const { order_id } = await makePaidOrder(server, { email: 'eva@example.it' });
  const ids = await copyOrder(db, order_id, 60);
  const line = await db('order_lines').where({ order_id }).first();
  const other = (await db('events').where({ rehearsal: 0 }).whereNot({ id: demoEvent }).first()).id;
  const night = Date.parse('2026-10-24T20:00:00Z');
  const rows = { lines: [] as object[], payments: [] as object[], refunds: [] as object[] };
  for (const [nth, id] of ids.entries()) {
    const type = types[dice(3)]!;
    const fee_cents = type.price_cents === 0 ? 0 : [0, 150, 233][dice(3)]!;
    const paid = type.price_cents + fee_cents;
    const ticket = await db('tickets').where({ order_id: id }).first();
    const state = dice(5) === 0 ? 'refunded' : dice(9) === 0 ? 'void' : 'valid';
    await db('tickets')
      .where({ order_id: id })
      .update({ ...type, state });
    await db('orders').where({ id }).update({ fee_cents, paid_cents: paid, total_cents: paid });
    rows.lines.push({
      ...line,
      ...type,
      // Half of them were sold before a line kept its kind of entry.
      entry_kind: nth % 2 === 0 ? null : kindOf[type.ticket_type],
      id: `l-${nth}`,
      order_id: id,
      place: ticket.place,
      fee_cents,
    });
    const at = night + dice(48) * 1_800_000;
    const parts = paid === 0 ? [] : dice(3) === 0 ? [paid - 700, 700] : [paid];
    parts.forEach((amount_cents, part) =>
      rows.payments.push({
        id: `p-${nth}-${part}`,
        order_id: id,
        amount_cents,
        paid_at: at,
        ...(dice(2) === 0
          ? { kind: 'stripe', method: 'card' }
          : { kind: 'manual', method: methods[dice(4)] }),
        actor: 'system',
        disputed: 0,
      }),
    );
    if (state === 'refunded' && paid > 0)
      rows.refunds.push({
        id: `r-${nth}`,
        order_id: id,
        idempotency_key: `r-${nth}`,
        origin: 'office',
        actor: 'x',
        kind: 'manual',
        method: 'cash',
        amount_cents: paid,
        fee_cents,
        created_at: at + 3_600_000,
        state: ['succeeded', 'pending', 'failed'][dice(3)],
        voids_tickets: 1,
        frees_seats: 1,
        decided_at: dice(2) === 0 ? at + dice(80) * 3_600_000 : null,
      });
  }
  await transact(db, async (trx) => {
    await insertMany(trx, 'order_lines', rows.lines);
    await insertMany(trx, 'payments', rows.payments);
    await insertMany(trx, 'refunds', rows.refunds);
  });
  await db('orders').update({ vat_percent: 10, fee_vat_percent: 22 });
  await db('orders')
    .whereIn('id', ids.slice(40))
    .update({ event_id: other, vat_percent: null, fee_vat_percent: 4 });
  // What the office says today does not change what was sold.
  await db('events').update({ vat_percent: 5, fee_vat_percent: 5 });
}

const dayInRome = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Rome', dateStyle: 'short' });
const tax = (gross: number, percent: number | null) =>
  percent === null
    ? 0
    : Math.sign(gross) * Math.round((Math.abs(gross) * percent) / (100 + percent) + 1e-9);

interface Day {
  gross: number;
  back: number;
  fees: number;
  feesBack: number;
}
/** What came in on a day, and what went back. */
type Of = (one: Day) => [came: number, went: number];

/** Row by row, in floating time and without SQL. */
async function recount(server: TestServer, from: string, to: string) {
  const { db } = server.house.ctx;
  const orders = await db<OrderRow>('orders');
  const payments = await db<PaymentRow>('payments');
  const refunds = await db<RefundRow>('refunds');
  const orderOf = new Map(orders.map((order) => [order.id, order]));
  const days = new Map<string, Day>();
  const at = (time: number, order_id: string) => {
    const key = `${dayInRome.format(time)} ${orderOf.get(order_id)!.event_id}`;
    if (!days.has(key)) days.set(key, { gross: 0, back: 0, fees: 0, feesBack: 0 });
    return days.get(key)!;
  };
  const feesLeft = new Map(orders.map((one) => [one.id, one.fee_cents]));
  const inTime = payments.toSorted((a, b) => a.paid_at - b.paid_at);
  for (const { paid_at, order_id, amount_cents } of inTime) {
    at(paid_at, order_id).gross += amount_cents;
    // The whole fee with the first payment.
    at(paid_at, order_id).fees += feesLeft.get(order_id)!;
    feesLeft.set(order_id, 0);
  }
  for (const row of refunds) {
    if (['failed', 'canceled', 'asked', 'refused'].includes(row.state)) continue;
    const day = at(row.decided_at ?? row.created_at, row.order_id);
    day.back += row.amount_cents;
    day.feesBack += row.fee_cents;
  }
  return [...days]
    .map(([key, { gross, back, fees, feesBack }]) => {
      const [day, id] = key.split(' ') as [string, string];
      const { vat_percent, fee_vat_percent } = orders.find((one) => one.event_id === id)!;
      const tickets = gross - fees - (back - feesBack);
      const ofEvent = [...days].filter(([other]) => other.endsWith(` ${id}`));
      const sumUntil = (last: string, of: (one: Day) => number) =>
        ofEvent.reduce(
          (sum, [other, one]) => (other.slice(0, 10) <= last ? sum + of(one) : sum),
          0,
        );
      /** The VAT of all that had come by the last refund in time, in the part that went back. */
      const taxBack = (until: (day: string) => boolean, percent: number | null, of: Of) => {
        const gaveBack = ofEvent.flatMap(([other, one]) =>
          until(other.slice(0, 10)) && of(one)[1] > 0 ? [other.slice(0, 10)] : [],
        );
        const last = gaveBack.toSorted().at(-1) ?? '';
        const [came, went] = [0, 1].map((nth) => sumUntil(last, (one) => of(one)[nth]!));
        return Math.round((sumUntil(last, (one) => tax(of(one)[0], percent)) * went!) / came! || 0);
      };
      const taxOf = (percent: number | null, of: Of) =>
        tax(of({ gross, back, fees, feesBack })[0], percent) -
        taxBack((other) => other <= day, percent, of) +
        taxBack((other) => other < day, percent, of);
      const vat = taxOf(vat_percent, (one) => [one.gross - one.fees, one.back - one.feesBack]);
      const feeVat = taxOf(fee_vat_percent, (one) => [one.fees, one.feesBack]);
      const left = fees - feesBack;
      return [day, id, gross, back, gross - back, tickets - vat, vat, left - feeVat, feeVat];
    })
    .filter(([day]) => day! >= from && day! <= to)
    .toSorted((one, other) => (`${one[0]} ${one[1]}` < `${other[0]} ${other[1]}` ? -1 : 1));
}

test('the accountant’s summary equals a slow recount, day by day across the change of the clock, and its parts sum to the whole', async (server) => {
  const admin = await makeAdmin(server);
  await fill(server, 20_261_024);
  for (const [from, to] of [
    ['2026-10-01', '2026-12-31'],
    ['2026-10-25', '2026-10-25'],
  ] as const) {
    const summary = await callOk(server, readSummary, { query: { from, to } }, admin);
    const rows = summary.rows.map((row) => [
      row.day,
      row.event.id,
      row.gross_cents,
      row.refunded_cents,
      row.net_cents,
      row.tickets_net_cents,
      row.tickets_vat_cents,
      row.fees_net_cents,
      row.fees_vat_cents,
    ]);
    const counted = await recount(server, from, to);
    expect(rows.toSorted((a, b) => (`${a[0]} ${a[1]}` < `${b[0]} ${b[1]}` ? -1 : 1))).toEqual(
      counted,
    );
    expect(rows.length).toBeGreaterThan(1);
    const { total, rates, events } = summary;
    for (const sums of [total, ...summary.rows, ...events]) {
      const parts = [
        sums.tickets_net_cents,
        sums.tickets_vat_cents,
        sums.fees_net_cents,
        sums.fees_vat_cents,
      ];
      expect(parts.reduce((sum, part) => sum + part, 0)).toBe(sums.net_cents);
      const taken = Object.values(sums.taken).reduce((sum, part) => sum + part, 0);
      expect(taken).toBe(sums.gross_cents);
    }
    expect(rates.reduce((sum, { gross_cents }) => sum + gross_cents, 0)).toBe(total.net_cents);
    expect(rates.map(({ percent }) => percent)).toEqual([22, 10, 4, null]);
    expect(events.reduce((sum, { net_cents }) => sum + net_cents, 0)).toBe(total.net_cents);
  }
  const one = { from: '2026-10-01', to: '2026-12-31', event_id: demoEvent };
  const only = await callOk(server, readSummary, { query: one }, admin);
  expect(only.events.map(({ event }) => event.id)).toEqual([demoEvent]);
  const refused = async (query: string) =>
    (await ask(server, 'GET', `/api/admin/summaries/accountant?${query}`, { headers: admin }))
      .status;
  expect(await refused('from=2026-10-02&to=2026-10-01')).toBe(422);
  expect(await refused('from=2001-01-01&to=2026-10-01')).toBe(422);
  expect(await refused('from=2026-10-01')).toBe(400);
  expect(server.logged).toEqual([]);
});

test('the evening’s summary counts every ticket once, by ordine di posti, kind and price, annulled ones apart', async (server) => {
  const admin = await makeAdmin(server);
  const { db } = server.house.ctx;
  await fill(server, 77);
  await db('orders').update({ vat_percent: 10, fee_vat_percent: 22 });
  const evening = await callOk(server, readEvening, { params: { eventId: demoEvent } }, admin);
  const tickets: { order_id: string; place: string; state: string; price_cents: number }[] =
    await db('tickets').where({ event_id: demoEvent });
  const lines: { order_id: string; place: string; fee_cents: number; type_label: string }[] =
    await db('order_lines');
  const lineOf = (ticket: { order_id: string; place: string }) =>
    lines.find((line) => line.order_id === ticket.order_id && line.place === ticket.place)!;
  const count = (wanted: (state: string) => boolean) => {
    const those = tickets.filter(({ state }) => wanted(state));
    return {
      tickets: those.length,
      tickets_cents: those.reduce((sum, { price_cents }) => sum + price_cents, 0),
      fees_cents: those.reduce((sum, ticket) => sum + lineOf(ticket).fee_cents, 0),
    };
  };
  expect(evening.total).toMatchObject(count((state) => state === 'valid'));
  expect(evening.annulled_total).toMatchObject(count((state) => state !== 'valid'));
  expect(evening.annulled_total.tickets).toBeGreaterThan(0);
  const all = evening.categories.flatMap((one) => one.lines);
  for (const line of all) {
    expect(line.tickets_cents).toBe(line.price_cents * line.tickets);
    expect(line.tickets_net_cents + line.tickets_vat_cents).toBe(line.tickets_cents);
    expect(line.tickets_vat_cents).toBe(tax(line.tickets_cents, 10));
    expect(line.fees_vat_cents).toBe(tax(line.fees_cents, 22));
  }
  const kinds = new Set(all.map(({ kind, type_label }) => `${kind} ${type_label}`));
  expect(kinds).toEqual(new Set(['full Intero', 'reduced Ridotto', 'free Omaggio']));
  const places = await db('places').where({ event_id: demoEvent, in_hall: 1 });
  expect([evening.places, evening.categories.reduce((sum, one) => sum + one.places, 0)]).toEqual([
    places.length,
    places.length,
  ]);
});

test('every page of both papers says what it is not, all its words are in tagged tables, and the files open in Italian Excel', async (server) => {
  const admin = await makeAdmin(server);
  await fill(server, 5);
  const days = 'from=2026-10-01&to=2026-12-31';
  const pdf = async (path: string) => {
    const answer = await fetch(server.url + path, { headers: admin });
    expect(answer.headers.get('content-type')).toBe('application/pdf');
    return readPdf(Buffer.from(await answer.arrayBuffer()));
  };
  const summary = await pdf(`/api/admin/summaries/accountant.pdf?${days}`);
  const evening = await pdf(`/api/admin/events/${demoEvent}/serata.pdf`);
  for (const { pages, tags, raw } of [summary, evening]) {
    for (const page of pages) {
      expect(page.lines.join(' ')).toContain(mark);
      expect(page.lowest).toBeGreaterThan(0);
      expect(page.rightmost).toBeLessThan(842);
    }
    expect(new Set(tags)).toEqual(
      new Set(['Document', 'Sect', 'P', 'H1', 'H2', 'Table', 'TR', 'TH', 'TD']),
    );
    expect(raw).toContain('/Scope /Column');
  }
  const words = evening.pages.flatMap(({ lines }) => lines);
  for (const word of [
    'Ordine di posti',
    'Intero',
    'Ridotto',
    'Omaggio',
    'Annullati e rimborsati',
    'IVA per aliquota',
  ])
    expect(words).toContain(word);
  const csv = await ask(server, 'GET', `/api/admin/summaries/accountant.csv?${days}`, {
    headers: admin,
  });
  const [head, ...rows] = String(csv.body).trim().split('\r\n');
  expect(head).toContain('Giorno;Evento;Data evento;');
  expect(rows[0]).toMatch(/^\d\d\/\d\d\/2026;/);
  for (const row of rows) expect(row.endsWith(mark)).toBe(true);
  const file = await ask(server, 'GET', `/api/admin/events/${demoEvent}/serata.csv?format=plain`, {
    headers: admin,
  });
  expect(String(file.body)).toMatch(/,Emesso,Intero,Intero,\d+\.\d\d,/);
});
