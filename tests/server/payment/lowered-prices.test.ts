/** Prices that rules lowered, at Stripe: each is made of its own product, and the sum is the order's. */
import { expect } from 'vitest';
import { getEvent } from '#server/contract/events.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { comeBack, payAs } from '#tests/support/buyer.ts';
import {
  ask,
  callOk,
  makeOrder,
  sessionIn,
  tryBook,
  holdSeats,
  type Chosen,
} from '#tests/support/make.ts';
import { addRule, couple, threeForTwo } from '#tests/support/rules-in-force.ts';
import { expectSoundBooks, feeEvent } from '#tests/support/refunds.ts';
import { atStripe, sessionAtStripe } from '#tests/support/stripe-desk.ts';
import type { TestServer } from '#tests/support/server.ts';

interface ShownLine {
  description: string;
  quantity: number;
  unit_amount: number;
}

async function shownAtStripe(server: TestServer, checkout_url: string): Promise<string[]> {
  const path = `/standins/stripe/v1/payment_pages/${sessionIn(checkout_url)}`;
  const { body } = await ask(server, 'GET', path);
  return (body as { line_items: ShownLine[] }).line_items.map(
    ({ quantity, unit_amount, description }) => `${quantity} × ${unit_amount} ${description}`,
  );
}

function seats(types: string): Chosen[] {
  const names = { I: 'intero', R: 'ridotto' };
  return [...types].map((type, at) => ({
    object_id: `Platea-A-${at + 1}`,
    ticket_type: names[type as 'I' | 'R'],
  }));
}

test('three for two: the hosted page names product and lowered price, Stripe takes the order’s sum, and the text beside the button says why', async (server) => {
  await addRule(server, threeForTwo);
  const order = await makeOrder(server, { event: feeEvent, selected_objects: seats('IIIR') });
  // 3 × 28,00 for 56,00, a reduced one at its list price, and a fee on each.
  expect(await shownAtStripe(server, order.checkout_url)).toEqual([
    expect.stringMatching(/^2 × 1867 Concerto di Natale/),
    expect.stringMatching(/^1 × 1866 Concerto di Natale/),
    expect.stringMatching(/^1 × 2200 Concerto di Natale/),
    expect.stringMatching(/^4 × 150 /),
  ]);
  const session = await sessionAtStripe(server, order.order_id);
  expect(session).toMatchObject({
    amount_total: 5_600 + 2_200 + 600,
    custom_text: {
      submit: { message: expect.stringMatching(/Riduzioni: 3x2 −28,00\s€\. Totale 84,00\s€/) },
    },
  });
  await payAs(server, order);
  expect(await comeBack(server, order)).toEqual({ confirmed: true });
  await expectSoundBooks(server);
});

it('a ticket that a rule made free and its fee are left out, and a package costs what it says', async (server) => {
  await addRule(server, { ...threeForTwo, spread: false });
  const free = await makeOrder(server, { event: feeEvent, selected_objects: seats('III') });
  expect(await shownAtStripe(server, free.checkout_url)).toEqual([
    expect.stringMatching(/^2 × 2800 /),
    expect.stringMatching(/^2 × 150 /),
  ]);
  await addRule(server, couple, 'la-locandiera');
  const pair = await makeOrder(server, { selected_objects: seats('IR') });
  const { amount_total } = await sessionAtStripe(server, pair.order_id);
  expect(amount_total).toBe(4_000);
});

it('a lowered price whose product was archived is refused by Stripe: the buyer hears that it is gone', async (server) => {
  await addRule(server, threeForTwo);
  const held = await holdSeats(server, { event: feeEvent, selected_objects: seats('III') });
  const { seat_pricing } = await server.house.ctx.db('events').where({ id: feeEvent }).first();
  const [{ ticketTypes }] = JSON.parse(seat_pricing) as [{ ticketTypes: { price_id: string }[] }];
  await callOk(server, getEvent, { params: { eventId: feeEvent } });
  const { product } = await atStripe<{ product: string }>(
    server,
    'GET',
    `prices/${ticketTypes[0]!.price_id}`,
  );
  await atStripe(server, 'POST', `products/${product}`, { active: 'false' });
  expect(await tryBook(server, held, feeEvent)).toMatchObject({
    status: 409,
    body: { code: 'price_withdrawn' },
  });
  expect(await server.house.ctx.db('orders').pluck('state')).toEqual(['deleted']);
});
