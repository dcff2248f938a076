/** Groups at the counter: more places at once than a visitor may buy, for whoever may, with a reason; the seat map lets their hold be so large and no visitor's. */
import { expect } from 'vitest';
import { makeSale, readCounter, readTill, widenHold } from '#server/contract/counter.ts';
import { readOrder } from '#server/contract/order/orders.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { newSaleKey, openDrawer } from '#tests/support/counter.ts';
import {
  ask,
  callOk,
  demoEvent,
  holdObjects,
  makeHoldToken,
  aRefusal,
} from '#tests/support/make.ts';
import { expectSoundBooks } from '#tests/support/refunds.ts';
import { asRole } from '#tests/support/roles.ts';
import type { TestServer } from '#tests/support/server.ts';

type Person = { cookie: string };

/** Two rows of the stalls and one seat more than a visitor may buy. */
async function groupOf(server: TestServer) {
  const { event } = await callOk(
    server,
    readTill,
    { params: { eventId: demoEvent } },
    await asRole(server, 'office'),
  );
  const labels = ['E', 'F'].flatMap((row) =>
    Array.from({ length: 10 }, (_, at) => `Platea-${row}-${at + 1}`),
  );
  return labels
    .slice(0, event.max_seats + 1)
    .map((object_id) => ({ object_id, ticket_type: 'intero' }));
}

function widen(server: TestServer, who: Person, hold_token: string) {
  const body = { hold_token };
  return ask(server, widenHold.method, widenHold.path, { body, headers: who });
}

async function sale(server: TestServer, who: Person, body: object) {
  const answer = await ask(server, makeSale.method, makeSale.path, { body, headers: who });
  return { status: answer.status, ...(answer.body as { code?: string; order_id?: string }) };
}

it('a group is sold at once, held and booked, and its reason stands in the book', async (server, admin) => {
  const cashier = await asRole(server, 'cassa');
  await openDrawer(server, admin);
  const selected_objects = await groupOf(server);
  const hold_token = await makeHoldToken(server);
  expect((await holdObjects(server, hold_token, selected_objects)).status).toBe(400);
  expect((await widen(server, cashier, hold_token)).status).toBe(403);
  expect((await holdObjects(server, hold_token, selected_objects)).status).toBe(400);
  expect((await widen(server, admin, hold_token)).status).toBe(204);
  expect((await holdObjects(server, hold_token, selected_objects)).status).toBe(200);
  // A visitor's own hold is as small as before.
  const other = await makeHoldToken(server);
  expect((await holdObjects(server, other, selected_objects)).status).toBe(400);

  const expected_cents = selected_objects.length * 3_200;
  const payments = [{ method: 'pos' as const, amount_cents: expected_cents }];
  const body = { sale_key: newSaleKey(), event_id: demoEvent, hold_token, selected_objects };
  const asked = { ...body, expected_cents, payments, rules_reason: 'Una classe' };
  expect(await sale(server, admin, asked)).toMatchObject({ status: 422, code: 'too_many_seats' });
  const whole = { ...asked, group_reason: 'Scuola Manzoni' };
  expect(await sale(server, cashier, whole)).toMatchObject({ code: 'group_not_allowed' });
  const sold = await sale(server, admin, whole);
  expect(sold.status).toBe(200);
  const order = await callOk(server, readOrder, { params: { orderId: sold.order_id! } }, admin);
  expect(order).toMatchObject({ state: 'confirmed', total_cents: expected_cents });
  expect(order.timeline.find(({ action }) => action === 'group_sold')).toBeDefined();
  const { detail } = await server.house.ctx.db('audit').where({ action: 'group_sold' }).first();
  expect(JSON.parse(detail)).toMatchObject({ reason: 'Scuola Manzoni' });
  await expectSoundBooks(server);
});

test('two tills race for one group of seats: one of them sells all of it', async (server, admin) => {
  await openDrawer(server, admin);
  const selected_objects = await groupOf(server);
  const tokens = [await makeHoldToken(server), await makeHoldToken(server)];
  for (const token of tokens) await widen(server, admin, token);
  await Promise.all(tokens.map((token) => holdObjects(server, token, selected_objects)));
  const expected_cents = selected_objects.length * 3_200;
  const answers = await Promise.all(
    tokens.map((hold_token) =>
      sale(server, admin, {
        sale_key: newSaleKey(),
        event_id: demoEvent,
        hold_token,
        selected_objects,
        expected_cents,
        payments: [{ method: 'pos', amount_cents: expected_cents }],
        rules_reason: 'Una classe',
        group_reason: 'Una classe',
      }),
    ),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const lines = await server.house.ctx.db('order_lines').whereNull('released_at');
  expect(lines).toHaveLength(selected_objects.length);
  await expectSoundBooks(server);
});

it('who may sell groups is told, and a hold that is over is not widened', async (server, admin) => {
  for (const [role, may] of [
    ['office', true],
    ['cassa', false],
  ] as const) {
    const desk = await callOk(server, readCounter, {}, await asRole(server, role));
    expect([role, desk.may_sell_groups]).toEqual([role, may]);
  }
  const answer = await widen(server, admin, 'nessuno');
  expect(answer).toMatchObject(aRefusal(409, 'hold_expired'));
});
