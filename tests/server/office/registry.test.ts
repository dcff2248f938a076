/** The Registro: who did what can be read, filtered and kept as a file, and whoever changes it afterwards is found out, on both databases. */
import { expect, test } from 'vitest';
import { findBrokenSeals, findLateSeals, lastSeal } from '#db/audit/audit-seals.ts';
import type { Db } from '#db/engine/dialect.ts';
import type { SealedAuditRow } from '#db/rows.ts';
import { addressOf } from '#server/contract/endpoint.ts';
import { checkInvariants, readHealth } from '#server/contract/health.ts';
import { askRefund } from '#server/contract/order/refunds.ts';
import { getOrder } from '#server/contract/order/orders.ts';
import { exportRegistry, listRegistry, readSeals } from '#server/contract/registry.ts';
import { actionNames, tellDetail } from '#server/domain/audit/audit-words.ts';
import { sealRegistry } from '#server/services/reconcile/registry-seals.ts';
import { keepRetention } from '#server/services/person/keeping.ts';
import { happened } from '#server/services/kit/happened.ts';
import { testOnBoth as it } from '#tests/support/both.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { ask, callOk, demoEvent, makeAdmin, walkPages } from '#tests/support/make.ts';
import { setPolicy } from '#tests/support/refunds.ts';
import type { TestServer } from '#tests/support/server.ts';

const never = new AbortController().signal;
const minute = 60_000;

async function seal(server: TestServer): Promise<void> {
  server.clock.advance(minute);
  await sealRegistry(server.house.ctx, never);
}

/** Three seals over entries that somebody may want to change. */
async function makeSeals(server: TestServer): Promise<{ cookie: string }> {
  const { ctx } = server.house;
  const admin = await makeAdmin(server);
  for (const place of ['Platea-A-1', 'Platea-A-2', 'Platea-A-3']) {
    for (const reason of ['tecnici', 'stampa'])
      await happened(ctx, ctx.db, {
        actor: 'user:ada',
        action: 'seats_blocked',
        subject: demoEvent,
        detail: { reason, places: [place] },
      });
    await seal(server);
  }
  return admin;
}

/** In a transaction that is undone: what it plants is found by name. */
async function findAfter(
  db: TestServer['house']['ctx']['db'],
  plant: (trx: Db) => Promise<unknown>,
) {
  const trx = await db.transaction();
  try {
    await plant(trx);
    return (await findBrokenSeals(trx)).map(({ subject }) => subject);
  } finally {
    await trx.rollback();
  }
}

it('an entry changed, removed, put in or moved and a seal changed or removed are each found, with the number of the seal', async (server) => {
  await makeSeals(server);
  const { db } = server.house.ctx;
  const seals = await db('audit_seals').orderBy('n');
  expect(seals.map(({ n }) => n)).toEqual([1, 2, 3]);
  expect(await findBrokenSeals(db)).toEqual([]);
  const under = (n: number): Promise<SealedAuditRow[]> =>
    db('audit').where({ seal: n }).orderBy(['at', 'id']);
  const [one, other] = (await under(2)) as [SealedAuditRow, SealedAuditRow];
  const plants: Record<string, [plant: (trx: Db) => Promise<unknown>, found: string[]]> = {
    detail: [
      (trx) => trx('audit').where({ id: one.id }).update({ detail: '{"reason":"altro"}' }),
      ['2 changed'],
    ],
    actor: [
      (trx) => trx('audit').where({ id: one.id }).update({ actor: 'user:eva' }),
      ['2 changed'],
    ],
    removed: [(trx) => trx('audit').where({ id: one.id }).delete(), ['2 missing']],
    inserted: [(trx) => trx('audit').insert({ ...one, id: 'new' }), ['2 added']],
    order: [
      async (trx) => {
        await trx('audit')
          .where({ id: one.id })
          .update({ at: other.at + 1 });
      },
      ['2 changed'],
    ],
    'to another seal': [
      (trx) => trx('audit').where({ id: one.id }).update({ seal: 3 }),
      ['2 missing', '3 added'],
    ],
    'seal removed': [(trx) => trx('audit_seals').where({ n: 2 }).delete(), ['2 gone']],
    'newest seal removed with its entries': [
      async (trx) => {
        await trx('audit').where({ seal: 3 }).delete();
        await trx('audit_seals').where({ n: 3 }).delete();
      },
      ['3 gone'],
    ],
    'seal made anew over what was changed': [
      (trx) =>
        trx('audit_seals')
          .where({ n: 2 })
          .update({ hash: 'f'.repeat(64) }),
      ['2 changed', '3 cut'],
    ],
  };
  for (const [name, [plant, found]] of Object.entries(plants))
    expect([name, await findAfter(db, plant)]).toEqual([name, found]);
  expect(await findBrokenSeals(db)).toEqual([]);
});

it('a backlog is sealed whole, an entry far older than its neighbours is told as late, and neither as a change', async (server) => {
  const { ctx } = server.house;
  const admin = await makeSeals(server);
  const began = ctx.now();
  const entryAt = (nth: number, at: number) => ({
    id: `entry-${nth}`,
    at,
    actor: 'user:ada',
    action: 'seats_blocked',
    subject: demoEvent,
    detail: null,
  });
  // More than three seals, made while nothing was sealed for an hour.
  const backlog = Array.from({ length: 1_526 }, (_, nth) => entryAt(nth, began + nth * 2_000));
  await ctx.db.batchInsert('audit', backlog, 100);
  server.clock.advance(60 * minute);
  await seal(server);
  expect(await ctx.db('audit').whereNull('seal')).toEqual([]);
  expect(await callOk(server, checkInvariants, {}, admin)).toMatchObject({ broken: 0 });

  await ctx.db('audit').insert(entryAt(-1, began - 60 * minute));
  server.clock.advance(60 * minute);
  await seal(server);
  expect(await ctx.db('audit').whereNull('seal')).toEqual([]);
  const last = await lastSeal(ctx.db);
  expect(await findBrokenSeals(ctx.db)).toEqual([]);
  expect(await findLateSeals(ctx.db, ctx.now())).toEqual([{ subject: `${last?.n} late` }]);
});

it('whoever checks while others seal is not told that a seal is gone', async (server) => {
  await makeSeals(server);
  const { ctx } = server.house;
  const found: string[] = [];
  const sealed = new AbortController();
  const check = async () => {
    while (!sealed.signal.aborted)
      for (const { subject } of await findBrokenSeals(ctx.db)) found.push(subject);
  };
  const checks = Array.from({ length: 4 }, check);
  for (let nth = 0; nth < 12; nth += 1) {
    await happened(ctx, ctx.db, { actor: 'system', action: 'seats_blocked', subject: demoEvent });
    await seal(server);
  }
  sealed.abort();
  await Promise.all(checks);
  expect(found).toEqual([]);
});

it('every entry is under a seal within a minute, one process seals, and Salute says how far the Registro is whole', async (server) => {
  const admin = await makeSeals(server);
  const { ctx } = server.house;
  expect(await ctx.db('audit').whereNull('seal')).toEqual([]);
  await happened(ctx, ctx.db, { actor: 'system', action: 'seats_blocked', subject: demoEvent });
  // Twice at the same moment: one of them has the turn, and the other makes no second seal.
  server.clock.advance(minute);
  await Promise.all([sealRegistry(ctx, never), sealRegistry(ctx, never)]);
  expect(
    (await ctx.db('audit_seals').orderBy('n')).map(({ n, entries }) => [n, entries > 0]),
  ).toEqual([1, 2, 3, 4].map((n) => [n, true]));
  expect(await callOk(server, readSeals, {}, admin)).toMatchObject({ checked_at: null });
  await callOk(server, checkInvariants, {}, admin);
  const { sealed_at } = await ctx.db('audit_seals').where({ n: 4 }).first();
  expect(await callOk(server, readSeals, {}, admin)).toMatchObject({
    whole_until: new Date(sealed_at).toISOString(),
    seals: 4,
    broken: [],
    waiting: 0,
  });
  await ctx.db('audit').where({ seal: 3 }).update({ actor: 'user:eva' });
  await callOk(server, checkInvariants, {}, admin);
  const second = await ctx.db('audit_seals').where({ n: 2 }).first();
  expect(await callOk(server, readSeals, {}, admin)).toMatchObject({
    whole_until: new Date(second.sealed_at).toISOString(),
    broken: [{ n: 3, fault: 'changed' }],
  });
  expect((await callOk(server, readHealth, {}, admin)).ready).toBe(true);
});

it('what a buyer wrote goes with the buyer, sealed or not, and the seal still verifies; put back it is found', async (server) => {
  await makeAdmin(server);
  const { ctx } = server.house;
  await setPolicy(server, { refund_request: 'office', refund_stop_days: 0 }, demoEvent);
  const { order_id } = await makePaidOrder(server, { email: 'eva@example.it' });
  const { tickets } = await callOk(server, getOrder, { params: { orderId: order_id } });
  const wish = await callOk(server, askRefund, {
    params: { orderId: order_id },
    body: {
      ticket_ids: [tickets[0]!.ticket_id],
      expected_cents: 3_200,
      reason: 'La scarlattina',
    },
  });
  await server.runDue();
  await seal(server);
  const [entry] = await ctx.db('audit').where({ subject: order_id, action: 'refund_asked' });
  expect(entry).toMatchObject({ personal_hash: expect.any(String), seal: 1 });
  // Changed, not erased: the salted hash knows.
  const changed = { detail: entry.detail.replace('scarlattina', 'rosolia') };
  const put = (changes: object) => (trx: Db) =>
    trx('audit').where({ id: entry.id }).update(changes);
  expect(await findAfter(ctx.db, put(changed))).toEqual(['1 changed']);

  await ctx.db('refunds').where({ id: wish.refund_id }).update({ state: 'refused' });
  await ctx.db('mails').where({ state: 'waiting' }).update({ state: 'sent' });
  await ctx.db('events').where({ id: demoEvent }).update({ starts_at: 1_000, ends_at: null });
  await keepRetention(ctx, never);
  const [after] = await ctx.db('audit').where({ id: entry.id });
  expect(after).toMatchObject({ personal_hash: entry.personal_hash, personal_salt: null });
  expect(after.detail).not.toContain('scarlattina');
  expect(await findBrokenSeals(ctx.db)).toEqual([]);
  expect(await findAfter(ctx.db, put({ detail: entry.detail }))).toEqual(['1 changed']);
});

it('the Registro is filtered by who, what, when and about whom, page by page, also before and after a seal', async (server) => {
  const admin = await makeSeals(server);
  const { ctx } = server.house;
  const { order_id } = await makePaidOrder(server, { email: 'eva@example.it', name: 'Eva Neri' });
  const read = (query: Record<string, string>) =>
    callOk(server, listRegistry, { query: query as never }, admin);
  const { number } = await ctx.db('orders').where({ id: order_id }).first('number');
  const all = await read({ limit: '100' });
  expect(all.items.at(-1)).toMatchObject({ action: 'invite_accepted', actor_name: 'Ada' });
  expect(all.people).toMatchObject([{ name: 'Ada' }]);
  const ofOrder = await read({ q: number });
  expect(ofOrder.items.map(({ action }) => action)).toContain('order_confirmed');
  expect(new Set(ofOrder.items.map(({ subject }) => subject.name))).toEqual(new Set([number]));
  expect((await read({ q: 'neri' })).items).toHaveLength(ofOrder.items.length);
  // Some sealed, some not: pages lose none of them.
  await happened(ctx, ctx.db, { actor: 'user:ada', action: 'seats_blocked', subject: demoEvent });
  const blocked = { action: 'seats_blocked', actor: 'user:ada', limit: '2' };
  const walked = await walkPages((place) => read({ ...blocked, ...place }));
  const pages = walked.map(({ id }) => id);
  expect(pages).toEqual(
    await ctx
      .db('audit')
      .where({ action: 'seats_blocked' })
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
      .pluck('id'),
  );
  expect(pages).toHaveLength(7);
  expect((await read({ to: '2020-01-01' })).items).toEqual([]);
  const file = await ask(
    server,
    'GET',
    addressOf(exportRegistry, {}, { action: 'seats_blocked' }),
    {
      headers: admin,
    },
  );
  expect(file.body).toContain('Posti bloccati;La locandiera;"Motivo: stampa; Posti: Platea-A-3');
  server.clock.advance(11 * minute);
  expect((await ask(server, 'GET', exportRegistry.path, { headers: admin })).status).toBe(403);
});

test('old and new values are told in Italian, what is only for technicians apart', () => {
  expect(tellDetail({ from: { name: 'A', gate: null }, to: { name: 'B', gate: 'Nord' } })).toEqual({
    lines: [
      { name: 'Nome', from: 'A', to: 'B' },
      { name: 'Varco', from: '–', to: 'Nord' },
    ],
    technical: [],
  });
  expect(
    tellDetail({
      changed: { title: { from: 'Uno', to: 'Due' } },
      amount_cents: 3_200,
      run_id: 'x',
    }),
  ).toEqual({
    lines: [
      { name: 'Titolo', from: 'Uno', to: 'Due' },
      { name: 'Somma', from: null, to: '32,00\u00a0€' },
    ],
    technical: [{ name: 'run_id', from: null, to: 'x' }],
  });
  for (const odd of [null, 'x', 7, [1], { text: '{' }]) expect(tellDetail(odd)).toBeDefined();
  expect(Object.values(actionNames).filter((name) => name.length < 4)).toEqual([]);
});
