/** The statement of agreements: what was sold and given back in some days, as the lines say it. */
import { expect } from 'vitest';
import { addEventRule, endRule } from '#server/contract/price-rules.ts';
import { readConventions } from '#server/contract/summaries.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { openDrawer, sellAtCounter } from '#tests/support/counter.ts';
import { ask, callOk, demoEvent, makeAdmin } from '#tests/support/make.ts';
import { refundByOffice } from '#tests/support/refunds.ts';
import { typedConvention } from '#tests/support/typed-rules.ts';

const params = { eventId: demoEvent };
const query = { from: '2026-01-01', to: '2027-12-31' };
const cash = (amount_cents: number) => ({
  expected_cents: amount_cents,
  payments: [{ method: 'cash' as const, amount_cents }],
});

test('tickets, list price, reduction and money stay, whatever becomes of the rule; a gift is not in it', async (server) => {
  const admin = await makeAdmin(server);
  await openDrawer(server, admin);
  const { rule_id } = await callOk(
    server,
    addEventRule,
    { params, body: typedConvention() },
    admin,
  );
  const conventions = [rule_id];
  await sellAtCounter(server, admin, { ...cash(6_400) });
  const sold = await sellAtCounter(server, admin, { nth: 1, conventions, ...cash(5_800) });
  const by_hand = { total_cents: 5_000, reason: 'Gruppo' };
  await sellAtCounter(server, admin, { nth: 2, conventions, by_hand, ...cash(5_000) });
  const gift = { gift: { reason: 'Stampa' }, expected_cents: 5_800 };
  await sellAtCounter(server, admin, { nth: 3, conventions, ...gift });
  await callOk(server, endRule, { params: { ruleId: rule_id } }, admin);
  await refundByOffice(server, admin, sold);
  const read = () => callOk(server, readConventions, { query }, admin);
  const [fai, ...others] = (await read()).conventions;
  expect(others).toEqual([]);
  expect(fai).toMatchObject({ name: 'Soci FAI', events: [{ event_id: demoEvent, tickets: 4 }] });
  expect(fai!.total).toEqual({
    tickets: 4,
    list_cents: 12_800,
    off_cents: 1_200,
    other_off_cents: 800,
    paid_cents: 10_800,
    given_cents: 5_800,
  });
  const past = { from: '2020-01-01', to: '2020-01-31' };
  expect(await callOk(server, readConventions, { query: past }, admin)).toEqual({
    conventions: [],
  });
  const path = '/api/admin/summaries/conventions.csv?from=2026-01-01&to=2027-12-31&format=plain';
  const file = await ask(server, 'GET', path, { headers: admin });
  expect(String(file.body)).toMatch(/Soci FAI,.*,4,128\.00,12\.00,8\.00,108\.00,58\.00/);
});
