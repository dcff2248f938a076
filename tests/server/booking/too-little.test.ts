/** One to forty-nine cents cannot be charged online: such a cart is free on the site, and the till takes its cents (RULES P6). */
import { expect } from 'vitest';
import { getEvent } from '#server/contract/events.ts';
import { getOrder } from '#server/contract/order/orders.ts';
import { priceLines } from '#server/domain/price/page-cart.ts';
import type { GroupRule } from '#server/domain/price/rule.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { openDrawer, sellAtCounter } from '#tests/support/counter.ts';
import {
  aBuyer,
  aRefusal,
  ask,
  callOk,
  demoEvent,
  holdSeats,
  makeAdmin,
} from '#tests/support/make.ts';
import { expectSoundBooks } from '#tests/support/refunds.ts';
import { addRule, threeForTwo } from '#tests/support/rules-in-force.ts';

/** Two places for 40 cents together. */
const nearlyFree: Omit<GroupRule, 'id'> = {
  kind: 'group',
  name: 'Amici',
  scope: threeForTwo.scope,
  meets: false,
  from_places: 2,
  percent: null,
  price_cents: 20,
  free_every: null,
};

test('a cart of 40 cents is nothing on page, booking and order, and asks for its buyer; at the till it costs 40 cents', async (server) => {
  await addRule(server, nearlyFree);
  const { price_rules } = await callOk(server, getEvent, { params: { eventId: demoEvent } });
  const seats = {
    category: 'Platea',
    ticket_type: 'intero',
    places_cents: [3_200, 3_200],
    bears: [],
    whole: null,
  };
  const [shown] = priceLines([seats], price_rules, { channel: 'site' });
  expect(shown?.cents).toBe(0);
  expect(shown?.reason).toContain('Online sotto 0,50\u00a0€ non si paga');

  const { hold_token, selected_objects } = await holdSeats(server, { count: 2 });
  const book = (body: object) =>
    ask(server, 'POST', `/api/event/${demoEvent}/book`, {
      body: { hold_token, selected_objects, expected_cents: 0, ...body },
    });
  expect(await book({})).toMatchObject(aRefusal(422, 'buyer_needed'));
  const booked = await book({ buyer: aBuyer });
  expect(booked.status).toBe(200);
  const { order_id } = booked.body as { order_id: string };
  const order = await callOk(server, getOrder, { params: { orderId: order_id } });
  expect([order.state, order.total_cents]).toEqual(['confirmed', 0]);
  for (const line of await server.house.ctx.db('order_lines')) {
    const reasons: { rule_id: string; off_cents: number }[] = JSON.parse(line.price_reasons);
    expect([line.list_cents, line.price_cents, line.entry_kind]).toEqual([3_200, 0, 'free']);
    expect(reasons.map(({ off_cents }) => off_cents)).toEqual([3_180, 20]);
    expect(reasons[1]?.rule_id).toBe('too_little');
  }

  const admin = await makeAdmin(server);
  await openDrawer(server, admin);
  const payments = [{ method: 'cash' as const, amount_cents: 40 }];
  const sale = await sellAtCounter(server, admin, { expected_cents: 40, payments });
  expect([sale.state, sale.total_cents]).toEqual(['confirmed', 40]);
  await expectSoundBooks(server);
});
