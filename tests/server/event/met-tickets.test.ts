/** The office changes the rules of an evening that has sold: what it reads before saving is what becomes of the tickets. */
import { expect } from 'vitest';
import { previewEvent, readEvent, updateEvent } from '#server/contract/event-desk.ts';
import { setHolder } from '#server/contract/order/holders.ts';
import { getOrder } from '#server/contract/order/orders.ts';
import { downloadTickets } from '#server/contract/order/documents.ts';
import { changeShow, previewShow, readShow } from '#server/contract/shows.ts';
import { addressOf } from '#server/contract/endpoint.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { ask, asVisitor, callOk, makeAdmin, aRefusal } from '#tests/support/make.ts';
import { feeEvent, makePaid, setPolicy } from '#tests/support/refunds.ts';
import type { TestServer } from '#tests/support/server.ts';
import { passUndo } from '#tests/support/undo.ts';

const day = 864e5;
const params = { eventId: feeEvent };
type Office = Awaited<ReturnType<typeof makeAdmin>>;

async function save(server: TestServer, admin: Office, changes: object) {
  const { version, form } = await callOk(server, readEvent, { params }, admin);
  const body = { version, ...form, ...changes };
  return ask(server, 'PUT', addressOf(updateEvent, params), {
    headers: { cookie: admin.cookie },
    body,
  });
}

test('fewer days, no changes and names meet the sold tickets as the office reads it before; a right is never taken', async (server, admin) => {
  await setPolicy(server, { refund_days: 10, refund_stop_days: 15, holder_change: 1 });
  await makePaid(server);
  const { form } = await callOk(server, readEvent, { params }, admin);
  const look = async (changes: object) => {
    const body = { ...form, ...changes };
    const { met } = await callOk(server, previewEvent, { params, body }, admin);
    return met.map(({ sentence }) => sentence);
  };
  expect(await look({})).toEqual([]);
  expect(await look({ title: 'Altro titolo', refund_days: 3, reentry: false })).toEqual([
    '2 biglietti venduti tengono: rimborso deciso dall’ufficio, 10 giorni dall’acquisto, fino a 15 giorni prima dell’evento.',
    '2 biglietti venduti tengono: chi esce può rientrare.',
  ]);
  expect(await look({ holder_change: false, refund_days: 20 })).toEqual([
    '2 biglietti venduti avranno: rimborso deciso dall’ufficio, 20 giorni dall’acquisto, fino a 15 giorni prima dell’evento.',
    '2 biglietti venduti tengono: cambio dell’intestatario fino a 24 ore prima, 1 volta.',
  ]);
  expect((await save(server, admin, { refund_days: 20 })).status).toBe(200);
  expect(await look({ refund_days: 5 })).toEqual([
    '2 biglietti venduti tornano alle regole della vendita: rimborso deciso dall’ufficio, 10 giorni dall’acquisto, fino a 15 giorni prima dell’evento.',
  ]);
  expect(await look({ nominative: true, refund_days: 20 })).toEqual([
    '2 biglietti venduti tengono: biglietti senza nome.',
  ]);
  const dates = { exchange: true, exchange_until_hours: 48, exchange_fee_cents: 200 };
  expect(await look({ refund_days: 20, ...dates })).toEqual([
    '2 biglietti venduti avranno: cambio di data fino a 48 ore prima, 2,00\u00a0€ a biglietto.',
  ]);
});

test('buyers of before are asked for names once and reminded once; the tickets stay valid whatever they do', async (server, admin) => {
  const { db } = server.house.ctx;
  const [eva, ugo] = [
    await makePaidOrder(server, { email: 'eva@example.it' }, { event: feeEvent }),
    await makePaidOrder(server, { email: 'ugo@example.it' }, { event: feeEvent, nth: 2 }),
  ];
  await server.runDue();
  const { form } = await callOk(server, readEvent, { params }, admin);
  const body = { ...form, nominative: true };
  expect((await callOk(server, previewEvent, { params, body }, admin)).unnamed).toBe(4);
  const due = server.clock.now() + 10 * day;
  const late = { nominative: true, ask_names_by: new Date(Date.parse(form.starts_at) + 1) };
  expect(await save(server, admin, late)).toMatchObject(
    aRefusal(422, 'event_times_wrong', { fields: ['ask_names_by'] }),
  );
  const asked = { nominative: true, ask_names_by: new Date(due) };
  expect(await save(server, admin, asked)).toMatchObject({
    status: 200,
    body: { names: { due: new Date(due).toISOString(), missing: 4 } },
  });
  const mails = async () => {
    await server.runDue();
    const rows = await db('mails')
      .where({ kind: 'names_asked' })
      .orderBy(['order_id', 'created_at']);
    return rows.map(({ order_id, state, last_error, text }) => [
      order_id === eva.order_id ? 'eva' : 'ugo',
      last_error?.startsWith('not_set_up') ? 'sent' : state,
      /entro .*restano validi anche senza/s.test(text ?? ''),
    ]);
  };
  expect(await mails()).toEqual([]);
  await passUndo(server);
  expect((await mails()).toSorted()).toEqual([
    ['eva', 'sent', true],
    ['eva', 'waiting', false],
    ['ugo', 'sent', true],
    ['ugo', 'waiting', false],
  ]);
  const page = async (order: typeof eva) =>
    callOk(server, getOrder, { params: { orderId: order.order_id } });
  const { tickets, event } = await page(eva);
  expect(event.names_rule).toContain('restano validi anche senza');
  for (const ticket of tickets) {
    expect([ticket.holder_step, ticket.code === '']).toEqual(['name', false]);
    const named = { orderId: eva.order_id, ticketId: ticket.ticket_id };
    const holder = { first_name: 'Eva', last_name: 'Neri' };
    const { ticket: after } = await callOk(server, setHolder, { params: named, body: holder });
    // The code that the buyer has already goes on.
    expect(after.code).toBe(ticket.code);
  }
  server.clock.advance(8 * day);
  expect((await mails()).toSorted()).toEqual([
    ['eva', 'dropped', false],
    ['eva', 'sent', true],
    ['ugo', 'sent', true],
    ['ugo', 'sent', true],
  ]);
  server.clock.advance(3 * day);
  await server.runDue();
  const left = await page(ugo);
  expect(left.tickets.map(({ state, code, holder }) => [state, code === '', holder])).toEqual([
    ['valid', false, null],
    ['valid', false, null],
  ]);
  const paper = addressOf(downloadTickets, { orderId: ugo.order_id });
  expect((await fetch(server.url + (await asVisitor(server, paper)))).status).toBe(200);
  expect((await mails()).length).toBe(4);
});

test('a show over several dates says the same for all of them, and asks where tickets are sold', async (server, admin) => {
  const { show_id } = await callOk(server, readEvent, { params }, admin);
  const show = { params: { showId: show_id! } };
  await makePaidOrder(server, { email: 'eva@example.it' }, { event: feeEvent });
  const { form, version } = await callOk(server, readShow, show, admin);
  const body = { ...form, nominative: true, refund_days: 1 };
  const seen = await callOk(server, previewShow, { ...show, body }, admin);
  expect([seen.met.map(({ effect, tickets }) => [effect, tickets]), seen.unnamed]).toEqual([
    [
      ['keep', 2],
      ['keep', 2],
    ],
    2,
  ]);
  const dates = seen.dates.map((date) => ({ id: date.id, version: date.version }));
  const ask_names_by = new Date(server.clock.now() + 5 * day).toISOString();
  const change = { version, dates, tell_buyers: seen.buyers, ask_names_by, form: body };
  await callOk(server, changeShow, { ...show, body: change }, admin);
  await passUndo(server);
  expect(await server.house.ctx.db('mails').where({ kind: 'names_asked' })).toHaveLength(2);
  expect((await callOk(server, readEvent, { params }, admin)).names).toMatchObject({ missing: 2 });
});
