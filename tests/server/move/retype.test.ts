/** Tickets get another type on their own places: the code is replaced, the money of another price is settled, and the seat map hears nothing. */
import { expect } from 'vitest';
import { admitTicket, readAdmission } from '#server/contract/door/admissions.ts';
import type { Asked } from '#server/contract/endpoint.ts';
import { changeTypes, quoteTypes } from '#server/contract/order/moves.ts';
import { readOrder } from '#server/contract/order/orders.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { openDrawer } from '#tests/support/counter.ts';
import { ask, callOk, demoEvent, aRefusal, type Answered } from '#tests/support/make.ts';
import { makeSold, soldOf, whoHas, type Office, type Sold } from '#tests/support/move.ts';
import { expectSoundBooks, refundByOffice } from '#tests/support/refunds.ts';
import type { TestServer } from '#tests/support/server.ts';

const choicesOf = async (server: TestServer, office: Office, { order_id, tickets }: Sold) =>
  callOk(
    server,
    quoteTypes,
    { params: { orderId: order_id }, body: { ticket_ids: tickets } },
    office,
  );

const tryTypes = (
  server: TestServer,
  office: Office,
  sold: Sold,
  body: Partial<Asked<typeof changeTypes>['body']>,
): Promise<Answered> =>
  ask(server, 'POST', `/api/admin/orders/${sold.order_id}/types`, {
    body: { ticket_ids: sold.tickets, expected_cents: 0, tell_buyer: false, ...body },
    headers: office,
  });

const verdictOf = async (server: TestServer, office: Office, code: string) =>
  (await callOk(server, readAdmission, { params: { ticketId: code } }, office)).verdict;

test('Intero becomes Ridotto and the difference goes back; it becomes Intero again and the difference is paid', async (server, office) => {
  const { db } = server.house.ctx;
  const sold = await makeSold(server, { count: 2 });
  const one = { ...sold, tickets: [sold.tickets[0]!] };
  const quote = await choicesOf(server, office, one);
  const { difference_cents } = quote.choices[0]!;
  expect(quote).toMatchObject({
    obstacle: null,
    tickets: [{ type_label: 'Intero' }],
    choices: [{ ticket_type: 'ridotto', label: 'Ridotto' }],
  });
  expect(difference_cents).toBeLessThan(0);
  const to = { ticket_type: 'ridotto', expected_cents: difference_cents };
  expect(await tryTypes(server, office, one, { ...to, expected_cents: 0 })).toMatchObject(
    aRefusal(409, 'move_changed', { difference_cents }),
  );
  expect(await tryTypes(server, office, one, to)).toMatchObject(aRefusal(422, 'move_unsettled'));
  const asked = { ...to, difference: { way: 'refunded' as const }, tell_buyer: true };
  expect(await tryTypes(server, office, one, asked)).toMatchObject({
    status: 200,
    body: { replayed: false, refund_id: expect.any(String) },
  });
  await server.runDue();
  expect(await db('refunds').select('state', 'amount_cents', 'voids_tickets')).toEqual([
    { state: 'succeeded', amount_cents: -difference_cents, voids_tickets: 0 },
  ]);
  expect(await db('orders').first('total_cents', 'refunded_cents')).toEqual({
    total_cents: 6_400 + difference_cents,
    refunded_cents: -difference_cents,
  });
  // A repeated call changes nothing.
  expect(await tryTypes(server, office, one, asked)).toMatchObject({ body: { replayed: true } });
  expect(await db('moves').select('state', 'difference_end')).toEqual([
    { state: 'done', difference_end: 'refunded' },
  ]);
  expect(await whoHas(server, sold.seats)).toEqual([sold.order_id, sold.order_id]);
  const now = await soldOf(server, sold.order_id);
  expect(now.seats).toEqual(sold.seats);
  expect(now.codes[1]).toBe(sold.codes[1]);
  expect(await verdictOf(server, office, sold.codes[0]!)).toBe('replaced');
  expect(await verdictOf(server, office, now.codes[0]!)).toBe('admit');
  const params = { orderId: sold.order_id };
  const file = await callOk(server, readOrder, { params }, office);
  expect(file.lines.map(({ type_label }) => type_label)).toEqual(['Ridotto', 'Intero']);
  expect(file.timeline.filter(({ action }) => action === 'tickets_retyped')).toHaveLength(1);
  expect(await db('mails').where({ kind: 'tickets' }).select('state')).toEqual([
    { state: 'sent' },
    { state: 'sent' },
  ]);
  await expectSoundBooks(server);

  await openDrawer(server, office);
  const back = {
    ticket_type: 'intero',
    expected_cents: -difference_cents,
    difference: { way: 'paid' as const, method: 'cash' as const, given_cents: 5_000 },
  };
  expect((await tryTypes(server, office, one, back)).status).toBe(200);
  expect(await db('payments').where({ method: 'cash' }).select('amount_cents')).toEqual([
    { amount_cents: -difference_cents },
  ]);
  expect(await verdictOf(server, office, now.codes[0]!)).toBe('replaced');
  await server.runDue();
  await expectSoundBooks(server);
  expect(server.logged).toEqual([]);
});

test('a place of a standing area with another type is given back as the one that the seat map has', async (server, office) => {
  const { ctx } = server.house;
  const area = (await ctx.seats.objects(demoEvent)).find(({ kind }) => kind === 'area')!;
  const sold = await makeSold(server, {
    selected_objects: [{ object_id: area.label, ticket_type: 'intero', quantity: 2 }],
  });
  const one = { ...sold, tickets: [sold.tickets[0]!] };
  const [choice] = (await choicesOf(server, office, one)).choices;
  const { ticket_type, difference_cents: expected_cents } = choice!;
  const difference = { way: 'waived' as const, reason: 'Tessera vista' };
  const changed = await tryTypes(server, office, one, { ticket_type, expected_cents, difference });
  expect(changed.status).toBe(200);
  expect(
    await ctx.db('order_lines').orderBy('position').select('ticket_type', 'booked_type'),
  ).toEqual([
    { ticket_type, booked_type: 'intero' },
    { ticket_type: 'intero', booked_type: null },
  ]);
  await expectSoundBooks(server);
  await refundByOffice(server, office, sold);
  await server.runDue();
  const { area: places } = (await ctx.seats.infos(demoEvent, [area.label])).get(area.label)!;
  expect(places!.booked).toBe(0);
  await expectSoundBooks(server);
});

it('a guest who is inside stays inside with the new code, and what may not move keeps its type', async (server, office) => {
  const sold = await makeSold(server, { count: 1 });
  const body = { override: 'Prima dell’ora' };
  await callOk(server, admitTicket, { params: { ticketId: sold.codes[0]! }, body }, office);
  const [choice] = (await choicesOf(server, office, sold)).choices;
  const { ticket_type, difference_cents } = choice!;
  const difference = { way: 'waived' as const, reason: 'Cortesia' };
  const asked = { ticket_type, expected_cents: difference_cents, difference };
  expect(await tryTypes(server, office, sold, { ...asked, ticket_type: 'nessuno' })).toMatchObject(
    aRefusal(422, 'object_without_price'),
  );
  expect((await tryTypes(server, office, sold, asked)).status).toBe(200);
  const now = await soldOf(server, sold.order_id);
  expect(await verdictOf(server, office, now.codes[0]!)).toBe('already_in');
  const { db } = server.house.ctx;
  expect(await db('order_lines').first('type_label', 'price_cents')).toEqual({
    type_label: 'Ridotto',
    price_cents: 3_200,
  });
  await db('tickets').where({ id: sold.tickets[0] }).update({ state: 'void' });
  expect(await tryTypes(server, office, sold, { ...asked, ticket_type: 'intero' })).toMatchObject(
    aRefusal(422, 'move_refused', { reason: 'ticket_over' }),
  );
});
