/** Seats added to a confirmed order: an order of their own that belongs to it, one letter and one file with all tickets. */
import { expect } from 'vitest';
import { makeSale } from '#server/contract/counter.ts';
import { getOrder, readOrder, listOrders } from '#server/contract/order/orders.ts';
import { changeBuyer } from '#server/contract/order/order-desk.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { openDrawer, saleBody, sellAtCounter } from '#tests/support/counter.ts';
import { mailsOf, testWithSmtp } from '#tests/support/mail-day.ts';
import {
  addressFor,
  ask,
  callOk,
  demoEvent,
  makeAdmin,
  makeOrder,
  linkKeyOf,
} from '#tests/support/make.ts';
import { readPdf } from '#tests/support/pdf.ts';
import { expectSoundBooks } from '#tests/support/refunds.ts';
import { sellTo } from '#tests/support/till.ts';

test('a paid order gets two more seats for cash: its own money stays as it was, and both are shown together', async (server, admin) => {
  await openDrawer(server, admin);
  const first = await sellTo(server, { name: 'Mirandolina Fiorentini', email: 'm@example.it' });
  const body = await saleBody(server, { nth: 3, part_of: first.order_id });
  const sale = await callOk(server, makeSale, { body }, admin);
  expect((await callOk(server, makeSale, { body }, admin)).order_id).toBe(sale.order_id);
  const read = (orderId: string) => callOk(server, readOrder, { params: { orderId } }, admin);
  const part = await read(sale.order_id);
  const whole = await read(first.order_id);
  expect(part).toMatchObject({
    state: 'confirmed',
    buyer_name: 'Mirandolina Fiorentini',
    buyer_email: 'm@example.it',
    part_of: { order_id: first.order_id, number: whole.number },
    together: [{ order_id: first.order_id, places: 2 }],
  });
  expect(whole).toMatchObject({
    part_of: null,
    paid_cents: 6_400,
    total_cents: 6_400,
    together: [{ order_id: sale.order_id, places: 2, total_cents: 6_400 }],
  });
  expect(whole.timeline.map(({ action }) => action)).toContain('seats_added');
  const { items } = await callOk(server, listOrders, {}, admin);
  expect(items.map(({ part_of }) => part_of?.number ?? null)).toContain(whole.number);

  // The buyer's own page of each names the other.
  const beside = async (orderId: string) =>
    (await callOk(server, getOrder, { params: { orderId } })).together;
  expect(await beside(first.order_id)).toEqual([
    { order_id: await linkKeyOf(server, sale.order_id), number: part.number, places: 2 },
  ]);
  expect(await beside(sale.order_id)).toEqual([
    { order_id: await linkKeyOf(server, first.order_id), number: whole.number, places: 2 },
  ]);

  // Who says the first number means all of them.
  const found = await callOk(server, listOrders, { query: { q: whole.number } }, admin);
  expect(found.items.map((item) => item.order_id).toSorted()).toEqual(
    [first.order_id, sale.order_id].toSorted(),
  );

  // Seats that are added to the added ones belong to the first order, too; one buyer has them all.
  const third = await sellAtCounter(server, admin, { nth: 6, part_of: sale.order_id });
  expect((await read(third.order_id)).part_of?.order_id).toBe(first.order_id);
  await callOk(
    server,
    changeBuyer,
    { params: { orderId: third.order_id }, body: { name: 'Mirandola' } },
    admin,
  );
  expect((await read(first.order_id)).buyer_name).toBe('Mirandola');

  const pdf = await fetch(await addressFor(server, `/api/orders/${first.order_id}/tickets.pdf`));
  const { pages } = readPdf(Buffer.from(await pdf.arrayBuffer()));
  expect(pages).toHaveLength(6);
  expect(pages[0]!.lines.join(' ')).toContain('6 biglietti');
  await expectSoundBooks(server);
});

it('seats are added to a confirmed order of the same event only', async (server, admin) => {
  await openDrawer(server, admin);
  const open = await makeOrder(server);
  const refused = async (part_of: string) => {
    const body = await saleBody(server, { nth: 3, part_of });
    const { status, body: said } = await ask(server, makeSale.method, makeSale.path, {
      body,
      headers: admin,
    });
    return [status, (said as { code: string }).code];
  };
  expect(await refused(open.order_id)).toEqual([409, 'order_not_extendable']);
  expect(await refused('nessuno')).toEqual([404, 'order_not_found']);
  expect(await server.house.ctx.db('orders').whereNotNull('part_of')).toEqual([]);
});

it('a group is larger than what a visitor may buy at once', async (server, admin) => {
  await openDrawer(server, admin);
  const first = await sellTo(server, { name: 'Scuola Manzoni' });
  const { max_seats } = await server.house.ctx.db('events').where({ id: demoEvent }).first();
  for (const row of ['E', 'F']) {
    const seats = Array.from({ length: max_seats }, (_, at) => `Platea-${row}-${at + 1}`);
    const cents = max_seats * 3_200;
    await sellAtCounter(server, admin, {
      part_of: first.order_id,
      seats,
      expected_cents: cents,
      payments: [{ method: 'transfer', amount_cents: cents }],
      rules_reason: 'Una scuola intera',
    });
  }
  const params = { orderId: first.order_id };
  const { together } = await callOk(server, readOrder, { params }, admin);
  expect(together.map(({ places }) => places)).toEqual([max_seats, max_seats]);
});

testWithSmtp(
  'the buyer gets one letter with all tickets, old and new',
  async (server) => {
    const admin = await makeAdmin(server);
    await openDrawer(server, admin);
    const first = await sellTo(server, { name: 'Mirandolina', email: 'm@example.it' });
    const gift = { gift: { reason: 'Accompagnatore' }, ticket_type: 'omaggio' };
    const free = await ask(server, 'GET', '/api/event/la-locandiera');
    const hasGifts = JSON.stringify(free.body).includes('omaggio');
    const sale = await sellAtCounter(server, admin, {
      nth: 3,
      part_of: first.order_id,
      ...(hasGifts ? { ...gift, expected_cents: 0 } : { gift: gift.gift }),
    });
    await server.runDue();
    const [mail] = (await mailsOf(server, sale.order_id)).filter(({ kind }) => kind === 'tickets');
    expect(mail).toMatchObject({ state: 'sent', to_address: 'm@example.it' });
    expect(mail!.text).toContain('tutti i posti presi insieme');
    expect(mail!.text!.match(/fila .{1,3}, posto \d+/g)).toHaveLength(4);
    expect(mail!.text).toContain('non è una biglietteria automatizzata');
  },
  { databases: ['sqlite'] },
);
