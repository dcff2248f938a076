/** Price rules at the office's desk: added, tried, changed and ended, with what each gave away. */
import { expect } from 'vitest';
import {
  addEventRule,
  addHouseRule,
  addShowRule,
  changeRule,
  endRule,
  listEventRules,
  listHouseRules,
  listShowRules,
  tryRules,
} from '#server/contract/price-rules.ts';
import { duplicateEvent, deleteEvent } from '#server/contract/event-desk.ts';
import { makeDates } from '#server/contract/shows.ts';
import { dayText, romeDay } from '#server/domain/time/rome-clock.ts';
import type { TypedRule } from '#server/domain/price/typed-rule.ts';
import { listPriceRulesV1 } from '#server/contract/program/reading.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { inDays, makeDraft, makePublished } from '#tests/support/event-desk.ts';
import { aRefusal, ask, callOk, demoEvent, makeAdmin } from '#tests/support/make.ts';
import { makeProgram } from '#tests/support/programs.ts';
import { makePaid } from '#tests/support/refunds.ts';
import { asRole } from '#tests/support/roles.ts';
import type { TestServer } from '#tests/support/server.ts';
import { everyScope, typedEvery, typedGroup, typedPackage } from '#tests/support/typed-rules.ts';

type Office = { cookie: string };

const params = { eventId: demoEvent };
const inPlatea = { ...everyScope, categories: ['Platea'] };

const plain = (text: string) => text.replaceAll('\u00a0', ' ');
const add = (server: TestServer, admin: Office, body: TypedRule) =>
  callOk(server, addEventRule, { params, body }, admin);
const listed = (server: TestServer, admin: Office) =>
  callOk(server, listEventRules, { params }, admin);

async function registryOf({ house: { ctx } }: TestServer) {
  const rows = await ctx
    .db('audit')
    .whereLike('action', 'price_rule_%')
    .orderBy(['at', 'id'])
    .select('action', 'subject', 'detail');
  return rows.map(({ action, subject, detail }) => [
    action,
    subject,
    JSON.parse(plain(detail)).rule,
  ]);
}

test('a rule is added, sold by, changed and ended: the list says it in a sentence with what all its versions gave', async (server) => {
  const admin = await makeAdmin(server);
  const first = await listed(server, admin);
  expect(first).toMatchObject({ rules: [], ended: [], sold: 0 });
  expect(first.categories).toContain('Platea');
  expect(first.ticket_types).toContainEqual({ ticketType: 'intero', label: 'Intero' });
  expect(first.dates.map(({ id }) => id)).toEqual([demoEvent]);

  const rule = typedEvery({ scope: { ...inPlatea, ticket_types: ['intero'] } });
  const { rule_id } = await add(server, admin, rule);
  await makePaid(server, { event: demoEvent, count: 3 });
  const sold = await listed(server, admin);
  expect(sold.sold).toBe(3);
  expect(sold.rules).toMatchObject([
    {
      rule_id,
      of: 'event',
      sentence: 'Ogni 3 Interi in Platea, 1 gratis (il meno caro).',
      reason: '3x2: il meno caro è gratis',
      time: 'now',
      rule,
      given: { tickets: 3, cents: 3_200 },
    },
  ]);

  const changed = await callOk(
    server,
    changeRule,
    { params: { ruleId: rule_id }, body: typedEvery({ scope: rule.scope, price_cents: 1_000 }) },
    admin,
  );
  expect(changed.rule_id).toBe(`${rule_id}.2`);
  await makePaid(server, { event: demoEvent, count: 3, nth: 1 });
  const twice = await listed(server, admin);
  expect(twice.rules).toMatchObject([
    { rule_id: `${rule_id}.2`, given: { tickets: 6, cents: 5_400 } },
  ]);
  expect(
    await ask(server, 'PUT', `/api/admin/price-rules/${rule_id}`, { headers: admin, body: rule }),
  ).toMatchObject(aRefusal(404, 'rule_not_found'));

  await callOk(server, endRule, { params: { ruleId: changed.rule_id } }, admin);
  expect(await listed(server, admin)).toMatchObject({
    rules: [],
    ended: [{ rule_id, name: '3x2', given: { tickets: 6, cents: 5_400 } }],
  });
  expect(
    await ask(server, 'DELETE', `/api/admin/price-rules/${changed.rule_id}`, { headers: admin }),
  ).toMatchObject(aRefusal(404, 'rule_not_found'));
  const [was, is] = [
    '3x2: Ogni 3 Interi in Platea, 1 gratis (il meno caro).',
    '3x2: Ogni 3 Interi in Platea, 1 a 10,00 € (il meno caro).',
  ];
  expect(await registryOf(server)).toEqual([
    ['price_rule_added', demoEvent, was],
    ['price_rule_changed', demoEvent, { from: was, to: is }],
    ['price_rule_ended', demoEvent, is],
  ]);
});

test('rules of the house and of a show count for their dates, and each level lists those above it', async (server) => {
  const admin = await makeAdmin(server);
  const { id, show_id } = await makePublished(server, admin);
  expect(id).toBe('recital');
  const showId = show_id ?? '';
  await callOk(server, addHouseRule, { body: typedGroup() }, admin);
  await callOk(server, addShowRule, { params: { showId }, body: typedEvery({ most: 5 }) }, admin);
  await callOk(
    server,
    addEventRule,
    { params: { eventId: id }, body: typedEvery({ n: 4, most: 5, name: '4x3' }) },
    admin,
  );
  const levels = (desk: { rules: { of: string }[] }) => desk.rules.map(({ of }) => of);
  expect(levels(await callOk(server, listHouseRules, {}, admin))).toEqual(['house']);
  expect(levels(await callOk(server, listShowRules, { params: { showId } }, admin))).toEqual([
    'house',
    'show',
  ]);
  expect(levels(await callOk(server, listEventRules, { params: { eventId: id } }, admin))).toEqual([
    'house',
    'show',
    'event',
  ]);
  expect(levels(await listed(server, admin))).toEqual(['house']);
  const subjects = (await registryOf(server)).map(([, subject]) => subject);
  expect(subjects).toEqual(['site', showId, 'recital']);
});

it('a rule out of its bounds, about what is not sold, or too many together is refused and leaves nothing', async (server) => {
  const admin = await makeAdmin(server);
  const post = (body: TypedRule, path = `events/${demoEvent}/price-rules`) =>
    ask(server, 'POST', `/api/admin/${path}`, { headers: admin, body });
  expect(await post(typedEvery({ k: 3 }))).toMatchObject(aRefusal(400, 'bad_request'));
  const backwards = { ...everyScope, first_day: '2026-12-02', last_day: '2026-12-01' };
  expect(await post(typedEvery({ scope: backwards }))).toMatchObject(aRefusal(400, 'bad_request'));
  const unknown = { ...everyScope, categories: ['Platea', 'Cantina'] };
  expect(await post(typedEvery({ scope: unknown }))).toMatchObject(
    aRefusal(422, 'rule_names_unknown', { names: ['Cantina'] }),
  );
  expect(await post(typedPackage())).toMatchObject(
    aRefusal(422, 'rule_names_unknown', { names: ['ragazzo'] }),
  );
  expect(await post(typedEvery(), 'events/gone/price-rules')).toMatchObject(
    aRefusal(404, 'event_not_found'),
  );
  expect(await post(typedEvery(), 'shows/gone/price-rules')).toMatchObject(
    aRefusal(404, 'show_not_found'),
  );
  for (const category of ['Platea', 'Galleria'])
    for (const channel of ['site', 'till'] as const)
      await add(
        server,
        admin,
        typedEvery({
          most: 1,
          scope: { ...everyScope, categories: [category], channels: [channel] },
        }),
      );
  for (let nth = 0; nth < 2; nth += 1)
    await callOk(server, addHouseRule, { body: typedEvery({ most: 1 }) }, admin);
  const seventh = [post(typedGroup()), post(typedGroup(), 'price-rules/')];
  for (const refused of await Promise.all(seventh))
    expect(refused).toMatchObject(aRefusal(422, 'rules_too_many'));
  expect((await listed(server, admin)).rules).toHaveLength(6);
});

test('rules that are added at the same moment are never too many together', async (server) => {
  const admin = await makeAdmin(server);
  const body = typedEvery({ most: 1 });
  const answers = await Promise.all(
    Array.from({ length: 9 }, () =>
      ask(server, 'POST', `/api/admin/events/${demoEvent}/price-rules`, { headers: admin, body }),
    ),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(6);
  expect((await listed(server, admin)).rules).toHaveLength(6);
});

it('the trial box reckons a cart at any moment and says both ways to group', async (server) => {
  const admin = await makeAdmin(server);
  const now = server.clock.now();
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const scope = { ...everyScope, first_day: day(now + 5 * 86_400_000) };
  const { rule_id } = await add(server, admin, typedEvery({ scope, spread: false }));
  const attempt = (at: number, channel: 'site' | 'till' = 'site') =>
    callOk(
      server,
      tryRules,
      {
        params,
        body: {
          tickets: [
            { category: 'Platea', ticket_type: 'intero', quantity: 3 },
            { category: 'Platea', ticket_type: 'ridotto', quantity: 3 },
          ],
          at: new Date(at).toISOString(),
          channel,
        },
      },
      admin,
    );
  const before = await attempt(now);
  const after = await attempt(now + 7 * 86_400_000);
  expect(before.total_cents).toBe(before.list_cents);
  expect(before.groupings).toEqual([]);
  const [full = 0, less = 0] = before.lines.map(({ list_cents }) => list_cents);
  expect(after.list_cents).toBe(before.list_cents);
  // Of six the two cheapest are free, or in groups from the dearest down one of each kind.
  expect(after.total_cents).toBe(3 * full + less);
  expect(after.groupings).toEqual([
    {
      rule_id,
      name: '3x2',
      grouped: 'cheapest',
      cheapest_cents: 3 * full + less,
      best_cents: 2 * full + 2 * less,
    },
  ]);
  expect(after.lines).toContainEqual({
    category: 'Platea',
    label: 'Ridotto',
    quantity: 2,
    list_cents: less,
    price_cents: 0,
    reasons: [{ rule_id, words: '3x2: il meno caro è gratis', off_cents: less }],
  });
  expect(after.lines.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(6);
  const tickets = [{ category: 'Platea', ticket_type: 'gone', quantity: 1 }];
  expect(
    await ask(server, 'POST', `/api/admin/events/${demoEvent}/price-rules/trial`, {
      headers: admin,
      body: { tickets, at: new Date(now).toISOString(), channel: 'site' },
    }),
  ).toMatchObject(aRefusal(422, 'rule_names_unknown'));
});

test('only people who may edit events change rules; a deleted draft takes its rules along', async (server) => {
  const admin = await makeAdmin(server);
  const office = await asRole(server, 'office');
  const { rule_id } = await callOk(server, addEventRule, { params, body: typedEvery() }, office);
  for (const role of ['viewer', 'cassa', 'door'] as const) {
    const headers = await asRole(server, role);
    for (const [method, path, body] of [
      ['GET', 'price-rules/', undefined],
      ['POST', 'price-rules/', typedEvery()],
      ['PUT', `price-rules/${rule_id}`, typedEvery()],
      ['DELETE', `price-rules/${rule_id}`, undefined],
    ] as const)
      expect((await ask(server, method, `/api/admin/${path}`, { headers, body })).status).toBe(403);
  }
  await makeDraft(server, admin);
  const draft = await callOk(
    server,
    duplicateEvent,
    {
      params: { eventId: 'recital' },
      body: { as: 'show', id: 'copy', starts_at: inDays(server, 50) },
    },
    admin,
  );
  const eventId = draft.id;
  await callOk(server, addEventRule, { params: { eventId }, body: typedEvery() }, admin);
  await callOk(
    server,
    deleteEvent,
    { params: { eventId }, query: { version: String(draft.version) } },
    admin,
  );
  expect((await listed(server, admin)).rules).toHaveLength(1);
});

test('a copy takes the rules of its date, and in another show also those of the show that it leaves', async (server) => {
  const admin = await makeAdmin(server);
  const draft = await makeDraft(server, admin);
  const typed = (name: string, last_day: string | null = null) =>
    typedGroup({ name, scope: { ...everyScope, last_day }, free_every: null });
  const ofDate = { params: { eventId: 'recital' } };
  const yesterday = dayText(romeDay(server.clock.now()) - 1);
  await callOk(server, addEventRule, { ...ofDate, body: typed('Data') }, admin);
  await callOk(server, addEventRule, { ...ofDate, body: typed('Passata', yesterday) }, admin);
  const ofShow = { params: { showId: draft.show_id! } };
  await callOk(server, addShowRule, { ...ofShow, body: typed('Spettacolo') }, admin);
  await callOk(server, addHouseRule, { body: typed('Casa') }, admin);

  const rulesOf = async (eventId: string) =>
    (await callOk(server, listEventRules, { params: { eventId } }, admin)).rules
      .map(({ of, rule }) => `${of} ${rule.name}`)
      .toSorted();
  const copy = { ...ofDate, body: { as: 'show' as const, id: 'copy' } };
  await callOk(server, duplicateEvent, copy, admin);
  expect(await rulesOf('copy')).toEqual(['event Data', 'event Spettacolo', 'house Casa']);
  const series = { like: 'recital', starts: [inDays(server, 50)] };
  const { made } = await callOk(server, makeDates, { ...ofShow, body: series }, admin);
  expect(await rulesOf(made[0]!)).toEqual(['event Data', 'house Casa', 'show Spettacolo']);
});

it('a program with the scope of figures reads an event’s rules and what each lowered', async (server) => {
  const admin = await makeAdmin(server);
  const { rule_id } = await add(server, admin, typedEvery());
  await makePaid(server, { event: demoEvent, count: 3 });
  const { headers } = await makeProgram(server, { scopes: ['figures'] });
  expect(await callOk(server, listPriceRulesV1, { params }, headers)).toMatchObject({
    event_id: demoEvent,
    rules: [
      {
        rule_id,
        of: 'event',
        kind: 'every',
        name: '3x2',
        sentence: 'Ogni 3 biglietti, 1 gratis (il meno caro).',
        tickets: 3,
        off_cents: 3_200,
      },
    ],
  });
  const path = `/api/v1/events/${demoEvent}/price-rules`;
  const other = await makeProgram(server, { scopes: ['events'] });
  expect((await ask(server, 'GET', path, { headers: other.headers })).status).toBe(403);
  const gone = await ask(server, 'GET', '/api/v1/events/gone/price-rules', { headers });
  expect(gone).toMatchObject(aRefusal(404, 'event_not_found'));
});
