/** Codes and agreements at the till: opened by the seller, sold, and given back with a reservation. */
import { expect } from 'vitest';
import { dropReservation, makeSale, openTillCode, readTill } from '#server/contract/counter.ts';
import { addEventRule } from '#server/contract/price-rules.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { openDrawer, saleBody, sellAtCounter } from '#tests/support/counter.ts';
import { aRefusal, ask, callOk, demoEvent, makeAdmin } from '#tests/support/make.ts';
import { counts, countsOf, makeCode } from '#tests/support/price-codes.ts';
import { expectSoundBooks } from '#tests/support/refunds.ts';
import { everyScope, typedCode, typedConvention } from '#tests/support/typed-rules.ts';

const params = { eventId: demoEvent };
const codes = ['META26'];
const cash = (amount_cents: number) => ({
  expected_cents: amount_cents,
  payments: [{ method: 'cash' as const, amount_cents }],
});

test('a code is opened and sold at the till, and a reservation that is dropped or runs out gives its use back', async (server) => {
  const admin = await makeAdmin(server);
  await openDrawer(server, admin);
  const rule = typedCode({ percent: 50, scope: { ...everyScope, channels: ['till'] } });
  const { rule_id, code_id } = await makeCode(server, admin, { rule, most_orders: 2 });
  const opened = await callOk(server, openTillCode, { params, body: { code: 'meta 26' } }, admin);
  expect(opened).toMatchObject({ rule: { id: rule_id, percent: 50 }, needs_address: false });
  await sellAtCounter(server, admin, { codes, ...cash(3_200) });
  expect(await countsOf(server, code_id)).toEqual(counts(1, 2));

  const pay_by = new Date(server.clock.now() + 3_600_000).toISOString();
  const reserved = { codes, expected_cents: 3_200, reservation: { pay_by } };
  const first = await sellAtCounter(server, admin, { nth: 1, ...reserved });
  expect(await countsOf(server, code_id)).toEqual(counts(2, 4));
  const body = await saleBody(server, { nth: 2, codes, ...cash(3_200) });
  expect(await ask(server, 'POST', makeSale.path, { body, headers: admin })).toMatchObject(
    aRefusal(409, 'code_used_up'),
  );
  await callOk(server, dropReservation, { params: { orderId: first.order_id } }, admin);
  expect(await countsOf(server, code_id)).toEqual(counts(1, 2));

  await callOk(server, makeSale, { body: { ...body, ...reserved, payments: undefined } }, admin);
  expect(await countsOf(server, code_id)).toEqual(counts(2, 4));
  server.clock.advance(2 * 3_600_000);
  await server.runDue();
  expect(await countsOf(server, code_id)).toEqual(counts(1, 2));
  await expectSoundBooks(server);
});

test('a seller chooses an agreement by its name, and types the address that a code asks for', async (server) => {
  const admin = await makeAdmin(server);
  await openDrawer(server, admin);
  const rule = { params, body: typedConvention() };
  const { rule_id } = await callOk(server, addEventRule, rule, admin);
  const till = await callOk(server, readTill, { params }, admin);
  expect(till.conventions).toMatchObject([{ id: rule_id, name: 'Soci FAI' }]);
  await sellAtCounter(server, admin, { conventions: [rule_id], ...cash(5_800) });

  const { code_id } = await makeCode(server, admin, { most_orders_an_address: 1 });
  const body = await saleBody(server, { nth: 1, codes, ...cash(3_200) });
  expect(await ask(server, 'POST', makeSale.path, { body, headers: admin })).toMatchObject(
    aRefusal(422, 'code_needs_address'),
  );
  await callOk(server, makeSale, { body: { ...body, buyer: { email: 'eva@example.it' } } }, admin);
  expect(await countsOf(server, code_id)).toEqual(counts(1, 2));
});
