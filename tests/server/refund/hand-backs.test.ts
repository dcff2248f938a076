/** Refunds of a cancelled evening that go back by hand: one list, one act, each refund by itself. */
import { expect } from 'vitest';
import { handBackTogether, listHandBacks } from '#server/contract/hand-back.ts';
import { addressOf } from '#server/contract/endpoint.ts';
import { listOrders } from '#server/contract/order/orders.ts';
import { cancelEvent, previewCancellation } from '#server/contract/order/refunds.ts';
import { moveCash } from '#server/contract/shifts.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { openDrawer, sellAtCounter } from '#tests/support/counter.ts';
import { exchangeAtTill } from '#tests/support/exchange.ts';
import { ask, callOk, demoEvent } from '#tests/support/make.ts';
import { expectSoundBooks, feeEvent, makePaid } from '#tests/support/refunds.ts';
import { asRole } from '#tests/support/roles.ts';
import { passUndo } from '#tests/support/undo.ts';

const params = { eventId: demoEvent };

test('cash, card and the part by hand of an exchange are handed back together; an empty drawer refuses one and stops no other', async (server, admin) => {
  await openDrawer(server, admin);
  const cash = await sellAtCounter(server, admin);
  const card = await sellAtCounter(server, admin, {
    nth: 3,
    payments: [{ method: 'pos', amount_cents: 6_400 }],
  });
  const paid = await makePaid(server, { event: feeEvent });
  const both = await exchangeAtTill(server, admin, {
    order_id: paid.order_id,
    event_id: demoEvent,
    total_cents: 6_400,
  });
  const due = both.exchange!.due_cents;
  expect(due).toBeGreaterThan(0);

  const preview = await callOk(server, previewCancellation, { params }, admin);
  expect(preview).toMatchObject({
    sum_cents: 3 * 6_400,
    manual_orders: 3,
    manual_cents: 2 * 6_400 + due,
  });
  const ending = {
    expected_cents: preview.sum_cents,
    expected_orders: preview.orders,
    reason: 'Il teatro è allagato',
  };
  await callOk(server, cancelEvent, { params, body: ending }, admin);
  await passUndo(server);
  const { items, tills } = await callOk(server, listHandBacks, { params }, admin);
  const refundOf = (order_id: string) => items.find((one) => one.order_id === order_id)!;
  expect(items).toHaveLength(3);
  // Tickets sold without a name owe no mail, so none counts as not sent.
  const mails = server.house.ctx.db('mails').where({ kind: 'event_cancelled' });
  await server.runDue();
  expect(await mails.whereIn('order_id', [cash.order_id, card.order_id]).select('state')).toEqual([
    { state: 'dropped' },
    { state: 'dropped' },
  ]);
  expect(refundOf(both.order_id)).toMatchObject({
    amount_cents: due,
    ways: [{ method: 'cash', amount_cents: due }],
  });
  const waiting = async (who = admin) =>
    (await callOk(server, listOrders, { query: { hand_back: 'true' } }, who)).items.length;
  expect(await waiting()).toBe(3);
  expect(await waiting(await asRole(server, 'cassa'))).toBe(3);

  const rest = tills[0]!.in_drawer_cents! - (due - 1);
  const out = { amount_cents: -rest, reason: 'In banca' };
  await callOk(server, moveCash, { body: out }, admin);
  const chosen = [
    { refund_id: refundOf(both.order_id).refund_id },
    { refund_id: refundOf(cash.order_id).refund_id, method: 'transfer' as const },
    { refund_id: refundOf(card.order_id).refund_id },
  ];
  const body = { items: chosen, expected_cents: 2 * 6_400 + due };
  const wrong = { ...body, expected_cents: 1 };
  const path = addressOf(handBackTogether, params);
  const refused = await ask(server, 'POST', path, { body: wrong, headers: admin });
  expect(refused.body).toMatchObject({ code: 'refund_changed' });
  const done = await callOk(server, handBackTogether, { params, body }, admin);
  expect(done.items.map((item) => item.refused?.code ?? null)).toEqual([
    'drawer_too_low',
    null,
    null,
  ]);
  expect(done.done).toEqual([
    { method: 'pos', refunds: 1, cents: 6_400 },
    { method: 'transfer', refunds: 1, cents: 6_400 },
  ]);
  const again = await ask(server, 'POST', path, { body, headers: admin });
  expect(again.body).toMatchObject({ code: 'refund_changed' });

  const last = {
    items: [{ ...chosen[0]!, method: 'transfer' as const }],
    expected_cents: due,
  };
  await callOk(server, handBackTogether, { params, body: last }, admin);
  expect((await callOk(server, listHandBacks, { params }, admin)).items).toEqual([]);
  expect(await waiting()).toBe(0);
  await expectSoundBooks(server);
});
