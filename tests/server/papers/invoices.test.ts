/** Invoices on request: asked for on the order page, made by the office, handed to the accountant. */
import { expect } from 'vitest';
import { addressOf } from '#server/contract/endpoint.ts';
import {
  askInvoice,
  listInvoices,
  makeInvoice,
  readInvoice,
  readOrderInvoice,
  reopenInvoice,
  writeInvoice,
} from '#server/contract/invoices.ts';
import { emptyInvoice, type InvoiceTexts } from '#server/domain/papers/invoice.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { asRole } from '#tests/support/roles.ts';
import { ask, callOk, makeAdmin, makeOrder } from '#tests/support/make.ts';
import type { TestServer } from '#tests/support/server.ts';

const company: InvoiceTexts = {
  ...emptyInvoice,
  name: 'Bottega Verdi S.r.l.',
  address: 'Calle Lunga 12',
  postal_code: '30124',
  city: 'Venezia',
  province: 've',
  vat_number: 'IT00905811006',
  recipient_code: 'm5uxcr1',
};
const day = 24 * 3_600_000;

interface Refused {
  code: string;
  detail?: { faults?: object; reason?: string };
}

async function tryAsk(server: TestServer, order_id: string, body: object) {
  const answer = await ask(server, 'PUT', `/api/orders/${order_id}/invoice`, { body });
  const { code, detail } = answer.body as Refused;
  return [answer.status, code, detail?.reason ?? Object.keys(detail?.faults ?? {})];
}

test('a buyer asks after the payment and changes it until the office has made it, with one rule on both sides', async (server) => {
  const admin = await makeAdmin(server);
  const { order_id } = await makePaidOrder(server, { email: 'eva@example.it' });
  const params = { orderId: order_id };
  expect(await callOk(server, readInvoice, { params })).toMatchObject({
    obstacle: null,
    invoice: null,
  });
  expect(await tryAsk(server, order_id, { ...company, vat_number: '12345678901' })).toEqual([
    422,
    'invoice_wrong',
    ['vat_number'],
  ]);
  expect((await tryAsk(server, order_id, { name: 'x' }))[0]).toBe(400);
  const asked = await callOk(server, askInvoice, { params, body: company });
  expect(asked.invoice).toMatchObject({
    name: 'Bottega Verdi S.r.l.',
    province: 'VE',
    vat_number: '00905811006',
    recipient_code: 'M5UXCR1',
    made: false,
  });
  await callOk(server, askInvoice, { params, body: { ...company, city: 'Mestre' } });
  await callOk(server, askInvoice, { params, body: { ...company, city: 'Mestre' } });

  const list = await callOk(server, listInvoices, { query: { state: 'todo' } }, admin);
  expect([list.todo, list.done, list.items.length]).toEqual([1, 0, 1]);
  expect(list.items[0]).toMatchObject({ city: 'Mestre', made_number: null, order_id });
  const found = async (q: string) =>
    (await callOk(server, listInvoices, { query: { q } }, admin)).items.length;
  expect([await found('bottega mestre'), await found('00905811006'), await found('no')]).toEqual([
    1, 1, 0,
  ]);
  const { invoice_id } = list.items[0]!;
  const mark = {
    params: { invoiceId: invoice_id },
    body: { number: '7/2026', day: '2026-11-27' },
  };
  const made = await callOk(server, makeInvoice, mark, admin);
  expect(made).toMatchObject({ made_number: '7/2026', made_on: '2026-11-27' });
  const twice = await ask(server, 'POST', `/api/admin/invoices/${invoice_id}/made`, {
    headers: admin,
    body: mark.body,
  });
  expect((twice.body as Refused).code).toBe('invoice_made');
  expect(await tryAsk(server, order_id, company)).toEqual([409, 'invoice_closed', 'already_made']);
  await callOk(server, reopenInvoice, { params: { invoiceId: invoice_id } }, admin);
  await callOk(server, askInvoice, { params, body: company });
  const actions: string[] = await server.house.ctx
    .db('audit')
    .where({ subject: order_id })
    .where('action', 'like', 'invoice%')
    .orderBy('at')
    .pluck('action');
  expect(actions.toSorted()).toEqual([
    'invoice_asked',
    'invoice_changed',
    'invoice_changed',
    'invoice_made',
    'invoice_reopened',
  ]);
  expect(server.logged).toEqual([]);
});

test('nobody asks before the payment, ten days after it, for nothing paid, or once their data were erased', async (server) => {
  const { db } = server.house.ctx;
  const unpaid = await makeOrder(server, { nth: 2 });
  expect((await tryAsk(server, unpaid.order_id, company))[1]).toBe('order_not_confirmed');
  const { order_id } = await makePaidOrder(server, { email: 'eva@example.it' });
  await db('orders').where({ id: order_id }).update({ paid_cents: 0 });
  expect((await tryAsk(server, order_id, company))[2]).toBe('nothing_paid');
  await db('orders').where({ id: order_id }).update({ paid_cents: 5_000 });
  expect((await tryAsk(server, order_id, company))[0]).toBe(200);
  await db('orders').where({ id: order_id }).update({ buyer_forgotten_at: 1 });
  const params = { orderId: order_id };
  expect(await callOk(server, readInvoice, { params })).toMatchObject({
    obstacle: 'too_late',
    invoice: null,
  });
  // What the law wants kept is kept.
  expect(await db('invoices').where({ order_id })).toHaveLength(1);
  await db('orders').where({ id: order_id }).update({ buyer_forgotten_at: null });
  server.clock.advance(12 * day);
  expect((await tryAsk(server, order_id, { ...company, city: 'Roma' }))[2]).toBe('too_late');
});

test('the office writes the request for its buyer, who may change it; not once all money has gone back', async (server, admin) => {
  const office = await asRole(server, 'office');
  const { order_id, link_key } = await makePaidOrder(server, { email: 'eva@example.it' });
  const params = { orderId: order_id };
  const write = (body: object, headers = office) =>
    ask(server, 'PUT', addressOf(writeInvoice, params), { body, headers });
  expect((await write({ ...company, city: '' })).body).toMatchObject({
    code: 'invoice_wrong',
    detail: { faults: { city: 'Scrivi il comune.' } },
  });
  expect((await write(company)).status).toBe(200);
  await callOk(server, askInvoice, {
    params: { orderId: link_key },
    body: { ...company, city: 'Mestre' },
  });
  const shown = await callOk(server, readOrderInvoice, { params }, admin);
  expect(shown).toMatchObject({ obstacle: null, invoice: { city: 'Mestre', made: false } });
  const { db } = server.house.ctx;
  const told = await db('audit').where({ subject: order_id }).andWhereLike('action', 'invoice%');
  expect(told.map(({ action, actor }) => `${action} ${actor}`).toSorted()).toEqual([
    'invoice_asked user:office',
    'invoice_changed visitor',
  ]);
  await db('orders')
    .where({ id: order_id })
    .update({ refunded_cents: db.ref('paid_cents') });
  const closed = { code: 'invoice_closed', detail: { reason: 'nothing_left' } };
  expect((await write(company)).body).toMatchObject(closed);
  expect((await tryAsk(server, link_key, company))[2]).toBe('nothing_left');
});

test('the file for the accountant has the VAT split out, and starts no formula', async (server) => {
  const admin = await makeAdmin(server);
  const { db } = server.house.ctx;
  const { order_id } = await makePaidOrder(server, { email: 'eva@example.it' });
  await db('orders').where({ id: order_id }).update({ paid_cents: 5_300, fee_cents: 300 });
  await db('orders').update({ vat_percent: 10, fee_vat_percent: 22 });
  await db('events').update({ vat_percent: 5, fee_vat_percent: 5 });
  const params = { orderId: order_id };
  const private_person = { vat_number: '', tax_code: 'rssmra80a01h501u', recipient_code: '' };
  const body = { ...company, ...private_person, name: '=Rossi' };
  await callOk(server, askInvoice, { params, body });
  const file = await ask(server, 'GET', '/api/admin/invoices.csv?format=excel', {
    headers: admin,
  });
  const [head, line] = String(file.body).trim().split('\r\n');
  const cells = Object.fromEntries(
    head!
      .replace('\uFEFF', '')
      .split(';')
      .map((name, at) => [name, line!.split(';')[at]]),
  );
  expect(cells).toMatchObject({
    Denominazione: "'=Rossi",
    'Partita IVA': '',
    'Codice fiscale': 'RSSMRA80A01H501U',
    'Codice destinatario': '0000000',
    Pagato: '53,00',
    Biglietti: '50,00',
    'IVA biglietti': '10 %',
    'Imponibile biglietti': '45,45',
    'Imposta biglietti': '4,55',
    'Imponibile prevendita': '2,46',
    'Imposta prevendita': '0,54',
    'Fattura n.': '',
  });
});
