/** Waiting work, received webhooks and keys for the office: what went wrong is told, work is done now or given up where nothing depends on it, and no key is shown. */
import { expect, test } from 'vitest';
import { taskName, taskStakes } from '#apps/admin/health/words.ts';
import { addTask } from '#db/outbox.ts';
import { tasks } from '#db/tasks.ts';
import { addressOf } from '#server/contract/endpoint.ts';
import { abandonJob, hurryJob, listJobs, listWebhooks, readKeys } from '#server/contract/jobs.ts';
import { listMails } from '#server/contract/mails.ts';
import { listRegistry } from '#server/contract/registry.ts';
import { checkInvariants } from '#server/contract/health.ts';
import { testOnBoth as it } from '#tests/support/both.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { ask, callOk, makeOrder, walkPages } from '#tests/support/make.ts';

const hour = 3_600_000;

it('waiting work is listed page by page, the next one first, is done now, and is given up only where nothing depends on it', async (server, admin) => {
  const { db } = server.house.ctx;
  const { order_id } = await makeOrder(server);
  const due = {
    task: 'settle_order' as const,
    subject: order_id,
    run_at: server.clock.now() + hour,
  };
  await db.transaction((trx) => addTask(trx, due));
  const paid = await makePaidOrder(server, { email: 'eva@example.it' });
  const list = (query: object = {}) => callOk(server, listJobs, { query }, admin);
  const all = (await list({ limit: '100' })).items;
  expect(await walkPages((place) => list({ limit: '1', ...place }))).toEqual(all);
  const settling = all.find(
    ({ task, subject }) => task === 'settle_order' && subject === order_id,
  )!;
  const mail = all.find(({ task }) => task === 'send_mail')!;
  const { number } = await db('orders').where({ id: order_id }).first('number');
  expect(settling).toMatchObject({
    about: { kind: 'order', id: order_id, name: number },
    error: null,
    optional: false,
  });
  expect(mail).toMatchObject({ about: { kind: 'mail', id: mail.subject }, optional: true });

  // What failed is told, and can be done before its time.
  const next_at = server.clock.now() + hour;
  await db('outbox')
    .where({ id: settling.job_id })
    .update({ last_error: 'Error: seatsio: 500', attempts: 6, run_at: next_at });
  expect((await list({ failing: 'true' })).items).toMatchObject([
    { job_id: settling.job_id, error: 'Error: seatsio: 500', tries: 6 },
  ]);
  const act = (path: string, body?: object) =>
    ask(server, 'POST', path, { headers: admin, ...(body && { body }) });
  const retry = addressOf(hurryJob, { jobId: settling.job_id });
  const giveUp = (jobId: string) => addressOf(abandonJob, { jobId });
  const reason = { reason: 'Non serve più' };
  expect((await act(retry)).status).toBe(204);
  expect((await db('outbox').where({ id: settling.job_id }).first()).run_at).toBeLessThan(next_at);
  expect((await act(giveUp(settling.job_id), reason)).body).toMatchObject({
    code: 'job_not_optional',
  });
  expect((await act(addressOf(hurryJob, { jobId: 'nobody' }))).status).toBe(404);

  // Somebody works on it: nothing is done to it.
  await db('outbox').where({ id: mail.job_id }).update({ locked_until: next_at });
  for (const [path, body] of [
    [giveUp(mail.job_id), reason],
    [addressOf(hurryJob, { jobId: mail.job_id }), undefined],
  ] as const)
    expect((await act(path, body)).body).toMatchObject({ code: 'job_under_way' });
  await db('outbox').where({ id: mail.job_id }).update({ locked_until: null });
  expect((await act(giveUp(mail.job_id), { reason: ' ' })).status).toBe(400);
  expect((await act(giveUp(mail.job_id), reason)).status).toBe(204);
  expect(await db('outbox').where({ id: mail.job_id })).toEqual([]);
  const mails = await callOk(server, listMails, { query: { order_id: paid.order_id } }, admin);
  expect(mails.items).toMatchObject([{ state: 'dropped', trouble: { trouble: 'abandoned' } }]);
  const book = await callOk(server, listRegistry, { query: { action: 'job_abandoned' } }, admin);
  expect(book.items).toMatchObject([
    { actor_name: 'Ada', detail: { task: 'send_mail', reason: 'Non serve più' } },
  ]);
  server.clock.advance(20 * 60_000);
  await server.runDue();
  expect(await callOk(server, checkInvariants, {}, admin)).toMatchObject({ broken: 0 });
});

it('received webhooks tell what they made us do and how often they came; keys show their last four letters and nothing more', async (server, admin) => {
  const { ctx } = server.house;
  const { order_id } = await makePaidOrder(server);
  const { number } = await ctx.db('orders').where({ id: order_id }).first('number');
  const hooks = async () =>
    (await callOk(server, listWebhooks, { query: { limit: '100' } }, admin)).items;
  const completed = (await hooks()).find(({ type }) => type === 'checkout.session.completed')!;
  expect(completed).toMatchObject({ outcome: 'order', order_number: number, tries: 1 });
  await ctx.db('webhook_events').insert({
    id: 'evt_old',
    type: 'customer.created',
    received_at: 1_000,
    outcome: 'nothing',
    order_id: null,
  });
  expect((await hooks()).at(-1)).toMatchObject({ id: 'evt_old', tries: 1 });

  const { items } = await callOk(server, readKeys, {}, admin);
  expect(items.map(({ name, mode }) => [name, mode])).toEqual([
    ['stripe', 'stand_in'],
    ['stripe_webhook', 'stand_in'],
    ['seatsio', 'stand_in'],
  ]);
  expect(items.every(({ end }) => end?.length === 4)).toBe(true);
  expect(items.every(({ used_at }) => used_at !== null)).toBe(true);
  const { stripe } = server.house.standins!;
  expect(items[0]!.end).toBe(stripe!.secretKey.slice(-4));
  expect(JSON.stringify(items)).not.toContain(stripe!.secretKey.slice(-8));
});

test('every kind of work has its Italian name, and says what is missing until it is done', () => {
  expect(tasks.filter((task) => taskName(task) === task)).toEqual([]);
  expect(tasks.filter((task) => taskStakes(task) === taskStakes('unknown'))).toEqual([]);
});
