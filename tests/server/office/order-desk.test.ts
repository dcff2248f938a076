/** What the office corrects in an order: its buyer, its notes, a confirmation with an address; and which orders a till sees. */
import { expect } from 'vitest';
import { openShift } from '#server/contract/shifts.ts';
import { confirmOrder, findByReceipt } from '#server/contract/office.ts';
import { addNote, changeBuyer, deleteNote, pinNote } from '#server/contract/order/order-desk.ts';
import { addressOf, type EndpointShape } from '#server/contract/endpoint.ts';
import {
  listOrders,
  listOrderTickets,
  readCheckoutSession,
  readOrder,
} from '#server/contract/order/orders.ts';
import { searchOffice } from '#server/contract/search.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { ask, callOk, demoEvent, makeOrder } from '#tests/support/make.ts';
import { asRole } from '#tests/support/roles.ts';
import type { TestServer } from '#tests/support/server.ts';
import { sellTo } from '#tests/support/till.ts';

type Person = { cookie: string };

async function orderOf(server: TestServer, who: Person, order_id: string) {
  return callOk(server, readOrder, { params: { orderId: order_id } }, who);
}

async function refusal(
  server: TestServer,
  endpoint: EndpointShape,
  { params, body, who }: { params: Record<string, string>; body?: object; who: Person },
) {
  const answer = await ask(server, endpoint.method, addressOf(endpoint, params), {
    headers: who,
    ...(body && { body }),
  });
  return { ...(answer.body as { code?: string; detail?: unknown }), status: answer.status };
}

test('the buyer is corrected: the list finds the new words, the book has the old and the new ones, and what is wrong is said per field', async (server, admin) => {
  const { order_id } = await sellTo(server, { name: 'Mirandolina Fiorentini' });
  const params = { orderId: order_id };
  const reply = await callOk(
    server,
    changeBuyer,
    {
      params,
      body: {
        name: ' Mirandola Fiorentin ',
        phone: '+39 02 1234567',
        contact: 'Nino, 333 4445556',
        language: 'de',
      },
    },
    admin,
  );
  expect(reply.changed).toEqual(['name', 'phone', 'contact', 'language']);
  const order = await orderOf(server, admin, order_id);
  expect(order).toMatchObject({
    buyer_name: 'Mirandola Fiorentin',
    buyer_phone: '+39 02 1234567',
    buyer_contact: 'Nino, 333 4445556',
    buyer_language: 'de',
  });
  expect(order.timeline[0]).toMatchObject({
    action: 'buyer_changed',
    detail: {
      before: { name: 'Mirandolina Fiorentini', contact: null, language: null },
      after: { name: 'Mirandola Fiorentin', contact: 'Nino, 333 4445556', language: 'de' },
    },
  });
  const found = async (q: string) =>
    (await callOk(server, listOrders, { query: { q } }, admin)).items.length;
  expect([await found('fiorentin mirandola'), await found('mirandolina')]).toEqual([1, 0]);

  const same = await callOk(
    server,
    changeBuyer,
    { params, body: { contact: 'Nino, 333 4445556' } },
    admin,
  );
  expect(same.changed).toEqual([]);
  const wrong = await refusal(server, changeBuyer, {
    params,
    body: { email: 'mirandola', phone: 'chiamare', name: 'x'.repeat(201), language: 'xx' },
    who: admin,
  });
  expect(wrong).toMatchObject({
    status: 422,
    code: 'buyer_wrong',
    detail: {
      faults: {
        email: 'Scrivi un indirizzo e-mail intero, senza spazi.',
        phone: 'Scrivi un numero di telefono: da 5 a 15 cifre, con il prefisso se è estero.',
        name: 'Troppo lungo: al massimo 200 caratteri.',
        language: 'Scegli una lingua dall’elenco.',
      },
    },
  });
  expect((await orderOf(server, admin, order_id)).buyer_name).toBe('Mirandola Fiorentin');
  await callOk(server, changeBuyer, { params, body: { contact: '', language: '' } }, admin);
  expect(await orderOf(server, admin, order_id)).toMatchObject({
    buyer_contact: null,
    buyer_language: null,
  });
});

test('notes are the office’s own: one is pinned and stands in the list, and its author or an administrator deletes it', async (server, admin) => {
  const office = await asRole(server, 'office');
  const { order_id } = await makeOrder(server);
  const params = { orderId: order_id };
  const write = async (who: Person, text: string, pinned = false) =>
    (await callOk(server, addNote, { params, body: { text, pinned } }, who)).note_id;
  const first = await write(office, 'Arriva con la carrozzina', true);
  server.clock.advance(60_000);
  const second = await write(admin, 'Ha chiamato: paga domani');
  const notes = async () =>
    (await orderOf(server, admin, order_id)).notes.map(({ text, pinned }) => [text, pinned]);
  expect(await notes()).toEqual([
    ['Arriva con la carrozzina', true],
    ['Ha chiamato: paga domani', false],
  ]);
  const pin = (note_id: string, pinned: boolean) =>
    callOk(server, pinNote, { params: { ...params, noteId: note_id }, body: { pinned } }, office);
  await pin(second, true);
  expect(await notes()).toEqual([
    ['Ha chiamato: paga domani', true],
    ['Arriva con la carrozzina', false],
  ]);
  const [row] = (await callOk(server, listOrders, {}, admin)).items;
  expect(row!.pinned_note).toBe('Ha chiamato: paga domani');

  const drop = (noteId: string, who: Person) =>
    refusal(server, deleteNote, { params: { ...params, noteId }, who });
  expect(await drop(second, office)).toMatchObject({ status: 409, code: 'note_of_another' });
  expect((await drop(first, admin)).status).toBe(204);
  expect((await drop(first, admin)).code).toBe('note_not_found');
  expect((await drop(second, admin)).status).toBe(204);
  expect(await notes()).toEqual([]);
  const told = (await orderOf(server, admin, order_id)).timeline.map(({ action }) => action);
  expect(told.filter((action) => action.startsWith('note_'))).toEqual([
    'note_deleted',
    'note_deleted',
    'note_pinned',
    'note_added',
    'note_added',
  ]);
  const page = await ask(server, 'GET', `/api/orders/${order_id}`);
  expect(JSON.stringify(page.body)).not.toContain('carrozzina');
});

test('an order is confirmed with the name and the address that were asked for', async (server, admin) => {
  const { order_id } = await makeOrder(server);
  const body = {
    reason: 'Pagato alla cassa',
    method: 'cash' as const,
    expected_cents: 6_400,
    buyer: { name: 'Ada Neri', email: 'ada@example.it' },
  };
  const params = { orderId: order_id };
  const wrong = { ...body, buyer: { email: 'ada' } };
  expect(await refusal(server, confirmOrder, { params, body: wrong, who: admin })).toMatchObject({
    status: 422,
    code: 'buyer_wrong',
  });
  const order = await callOk(server, confirmOrder, { params, body }, admin);
  expect(order).toMatchObject({
    state: 'confirmed',
    buyer_name: 'Ada Neri',
    buyer_email: 'ada@example.it',
  });
  await server.runDue();
  const { mails } = await orderOf(server, admin, order_id);
  expect(mails.at(-1)).toMatchObject({ kind: 'tickets', to_address: 'ada@example.it' });
});

test('a till sees the orders of events that sell today and of its own shifts, in the list, alone and in the search', async (server, admin) => {
  const cassa = await asRole(server, 'cassa');
  const { order_id } = await sellTo(server, { name: 'Mirandolina Fiorentini' });
  const { db } = server.house.ctx;
  const { receipt_number } = await db('payments').first('receipt_number');
  const params = { orderId: order_id };
  const seen = async () => {
    const { items } = await callOk(server, listOrders, {}, cassa);
    const search = await callOk(server, searchOffice, { query: { q: 'mirandolina' } }, cassa);
    const alone = await Promise.all(
      [readOrder, listOrderTickets, readCheckoutSession].map(
        async (endpoint) => (await refusal(server, endpoint, { params, who: cassa })).status,
      ),
    );
    const receipt = await ask(
      server,
      'GET',
      `${findByReceipt.path}?receipt_number=${receipt_number}`,
      { headers: cassa },
    );
    return [items.length, search.items.length, ...alone, receipt.status];
  };
  expect(await seen()).toEqual([1, 1, 200, 200, 200, 200]);
  // Over since the day before, and so its orders are the office's matter alone.
  const { starts_at, ends_at } = await db('events').where({ id: demoEvent }).first();
  const yesterday = server.house.ctx.now() - 30 * 3_600_000;
  await db('events')
    .where({ id: demoEvent })
    .update({ starts_at: yesterday, ends_at: yesterday + 3_600_000 });
  expect(await seen()).toEqual([0, 0, 404, 404, 404, 404]);
  expect((await callOk(server, listOrders, {}, admin)).items).toHaveLength(1);
  const body = { till_id: 'cassa-1', float_cents: 0 };
  const { shift_id } = await callOk(server, openShift, { body }, cassa);
  await db('orders').where({ id: order_id }).update({ shift_id });
  expect(await seen()).toEqual([1, 1, 200, 200, 200, 200]);
  await db('events').where({ id: demoEvent }).update({ starts_at, ends_at });
});
