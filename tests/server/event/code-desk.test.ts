/** Codes of a rule at the office's desk: made, listed with their uses, changed, ended, exported. */
import { expect } from 'vitest';
import {
  editContingent,
  makeContingent,
  releaseContingent,
  restoreContingent,
} from '#server/contract/contingents.ts';
import {
  addRuleCode,
  endRuleCode,
  listRuleCodes,
  makeRuleCodes,
} from '#server/contract/price-codes.ts';
import { addEventRule } from '#server/contract/price-rules.ts';
import { listPriceRulesV1 } from '#server/contract/program/reading.ts';
import { removeEvent } from '#db/office/removal.ts';
import { transact } from '#db/engine/transact.ts';
import { deleteEvent } from '#server/contract/event-desk.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { wish } from '#tests/support/contingents.ts';
import { makeDraft } from '#tests/support/event-desk.ts';
import {
  aRefusal,
  ask,
  callOk,
  demoEvent,
  findSeats,
  holdSeats,
  makeAdmin,
} from '#tests/support/make.ts';
import { bookedWith, makeCode, unlimited } from '#tests/support/price-codes.ts';
import { makeProgram } from '#tests/support/programs.ts';
import { typedCode, typedEvery } from '#tests/support/typed-rules.ts';

const params = { eventId: demoEvent };

test('codes of a rule are listed with their uses, found by a holder, and ended; the registry names no spelling', async (server) => {
  const admin = await makeAdmin(server);
  const { rule_id, code_id } = await makeCode(server, admin, { most_orders: 5 });
  const rule = { params: { ruleId: rule_id } };
  const holders = ['Nicolò D’Amico', 'Ada Neri'];
  const body = { holders, count: null, ...unlimited, most_orders: 1 };
  expect(await callOk(server, makeRuleCodes, { ...rule, body }, admin)).toEqual({ made: 2 });
  const more = { ...body, holders: null, count: 3 };
  expect(await callOk(server, makeRuleCodes, { ...rule, body: more }, admin)).toEqual({ made: 3 });
  await bookedWith(server, await holdSeats(server), { codes: ['META26'] });

  const { items } = await callOk(server, listRuleCodes, rule, admin);
  expect(items).toHaveLength(6);
  expect(new Set(items.map(({ spelling }) => spelling)).size).toBe(6);
  expect(items.find((one) => one.code_id === code_id)).toMatchObject({
    spelling: 'META26',
    holder: null,
    most_orders: 5,
    orders_used: 1,
    tickets_used: 2,
    actor: 'Ada',
    ended_at: null,
  });
  const asked = { ...rule, query: { q: 'nicolo' } };
  const found = await callOk(server, listRuleCodes, asked, admin);
  expect(found.items).toMatchObject([{ holder: 'Nicolò D’Amico', most_orders: 1 }]);
  await callOk(server, endRuleCode, { params: { codeId: code_id } }, admin);
  const again = await ask(server, 'DELETE', `/api/admin/price-codes/${code_id}`, {
    headers: admin,
  });
  expect(again).toMatchObject(aRefusal(404, 'code_not_found'));

  const { db } = server.house.ctx;
  const entries = await db('audit').whereLike('action', 'price_code%').orderBy(['at', 'id']);
  expect(entries.map(({ action, detail }) => [action, JSON.parse(detail)])).toEqual([
    ['price_code_added', { rule: 'Under 26', codes: 1 }],
    ['price_codes_made', { rule: 'Under 26', codes: 2 }],
    ['price_codes_made', { rule: 'Under 26', codes: 3 }],
    ['price_code_ended', { rule: 'Under 26', codes: 1 }],
  ]);

  const file = await ask(server, 'GET', `/api/admin/price-rules/${rule_id}/codes.csv`, {
    headers: admin,
  });
  expect(file.headers.get('content-type')).toContain('text/csv');
  expect(String(file.body)).toContain('META26;');
  expect(String(file.body)).toContain('Nicolò D’Amico');

  const { headers } = await makeProgram(server, { scopes: ['figures'] });
  const read = await callOk(server, listPriceRulesV1, { params }, headers);
  expect(read.rules).toMatchObject([
    { rule_id, kind: 'code', codes: { live: 5, orders: 1, tickets: 2 } },
  ]);
  expect(JSON.stringify(read)).not.toContain('META26');
});

it('a spelling is given out once in the house, of rules and contingents alike; a rule for all takes none', async (server) => {
  const admin = await makeAdmin(server);
  const { rule_id } = await makeCode(server, admin);
  const add = (ruleId: string, spelling: string) =>
    ask(server, addRuleCode.method, `/api/admin/price-rules/${ruleId}/codes`, {
      body: { spelling, holder: null, ...unlimited },
      headers: admin,
    });
  const inUse = aRefusal(409, 'code_in_use');
  expect(await add(rule_id, 'meta-26')).toMatchObject(inUse);
  expect(await add(rule_id, 'meh')).toMatchObject(aRefusal(422, 'code_spelling_wrong'));
  expect(await add('nessuna', 'ALTRO26')).toMatchObject(aRefusal(404, 'rule_not_found'));
  const all = await callOk(server, addEventRule, { params, body: typedEvery() }, admin);
  expect(await add(all.rule_id, 'ALTRO26')).toMatchObject(aRefusal(409, 'rule_takes_no_code'));

  const objects = await findSeats(server);
  const contingent = (code: string) =>
    ask(server, makeContingent.method, `/api/admin/events/${demoEvent}/contingents`, {
      body: { ...wish, code, objects },
      headers: admin,
    });
  expect(await contingent('META 26')).toMatchObject(inUse);
  expect((await contingent(wish.code)).status).toBe(200);
  expect(await add(rule_id, wish.code)).toMatchObject(inUse);
});

test('a code of a rule and of a contingent typed in the same instant: one of them has it, and none is lost', async (server) => {
  const admin = await makeAdmin(server);
  const { rule_id } = await makeCode(server, admin);
  const objects = await findSeats(server);
  const one = await callOk(server, makeContingent, { params, body: { ...wish, objects } }, admin);
  const path = `/api/admin/events/${demoEvent}/contingents/${one.contingent_id}`;
  const { objects: _, areas: __, ...terms } = { ...wish, objects };
  for (let nth = 0; nth < 12; nth += 1) {
    const spelling = `INSIEME${nth}`;
    const answers = await Promise.all([
      ask(server, 'POST', `/api/admin/price-rules/${rule_id}/codes`, {
        body: { spelling, holder: null, ...unlimited },
        headers: admin,
      }),
      ask(server, editContingent.method, path, {
        body: { ...terms, code: spelling },
        headers: admin,
      }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  }
});

test('a contingent is not restored with a code that a rule has got meanwhile', async (server) => {
  const admin = await makeAdmin(server);
  const { rule_id } = await makeCode(server, admin);
  const objects = await findSeats(server);
  const made = await callOk(server, makeContingent, { params, body: { ...wish, objects } }, admin);
  const one = { params: { ...params, contingentId: made.contingent_id } };
  await callOk(server, releaseContingent, one, admin);
  const body = { spelling: wish.code, holder: null, ...unlimited };
  await callOk(server, addRuleCode, { params: { ruleId: rule_id }, body }, admin);
  const path = `/api/admin/events/${demoEvent}/contingents/${made.contingent_id}/restore`;
  const answer = await ask(server, restoreContingent.method, path, { headers: admin });
  expect(answer).toMatchObject(aRefusal(409, 'code_in_use'));
});

test('codes go with the rules of a date that is deleted or removed, and uses with removed orders', async (server) => {
  const admin = await makeAdmin(server);
  const draft = await makeDraft(server, admin);
  const asked = { params: { eventId: 'recital' }, body: typedCode() };
  const { rule_id } = await callOk(server, addEventRule, asked, admin);
  const body = { spelling: 'BOZZA26', holder: null, ...unlimited };
  await callOk(server, addRuleCode, { params: { ruleId: rule_id }, body }, admin);
  const query = { version: String(draft.version) };
  await callOk(server, deleteEvent, { params: { eventId: 'recital' }, query }, admin);
  const { db } = server.house.ctx;
  expect(await db('price_codes')).toEqual([]);

  await makeCode(server, admin);
  await bookedWith(server, await holdSeats(server), { codes: ['META26'] });
  await transact(db, (trx) => removeEvent(trx, demoEvent));
  expect([await db('price_codes'), await db('code_uses')]).toEqual([[], []]);
});
