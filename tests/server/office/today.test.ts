/** Oggi, the office's first glance: the days are Rome's; what waits, was sold and begins is counted; a new house is told its first steps. */
import { expect, test } from 'vitest';
import { sendAdmissions } from '#server/contract/door/admissions.ts';
import { closeRehearsal, makeRehearsal } from '#server/contract/door/rehearsals.ts';
import { exportDrawing, importDrawing, listCharts } from '#server/contract/charts.ts';
import { countAttention, readAttention } from '#server/contract/office.ts';
import { readToday } from '#server/contract/today.ts';
import { sampleCharts } from '#server/domain/event/demo.ts';
import { daysAround } from '#server/domain/time/day.ts';
import { stepsFor } from '#server/domain/user/first-steps.ts';
import { testOnBoth as it } from '#tests/support/both.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { forgetSeller, makeDraft, makePublished, nameSeller } from '#tests/support/event-desk.ts';
import { callOk, demoEvent, makePairedPhone } from '#tests/support/make.ts';

const hour = 3_600_000;

test('a day is from midnight to midnight in Rome, also when the clocks change', () => {
  const { today, before, week } = daysAround(Date.parse('2026-10-25T12:00:00Z'));
  expect(new Date(today.from).toISOString()).toBe('2026-10-24T22:00:00.000Z');
  expect(today.to - today.from).toBe(25 * hour);
  expect(new Date(before.from).toISOString()).toBe('2026-10-17T22:00:00.000Z');
  expect(new Date(before.to).toISOString()).toBe('2026-10-18T11:00:00.000Z');
  expect(week.from).toBe(today.to);
  expect(week.to - week.from).toBe(7 * 24 * hour);
});

it('one glance: this evening, sold today and a week ago, what waits and since when', async (server, admin) => {
  const { db } = server.house.ctx;
  const { order_id } = await makePaidOrder(server, { email: 'eva@example.it' });
  const { total_cents } = await db('orders').where({ id: order_id }).first();
  const now = server.clock.now();
  const { today } = daysAround(now);
  await db('events')
    .where({ id: demoEvent })
    .update({ starts_at: today.to - 1 });
  await db('events').whereNot({ id: demoEvent }).update({ starts_at: today.to });
  const read = () => callOk(server, readToday, {}, admin);
  const first = await read();
  expect(first.tonight).toMatchObject([{ id: demoEvent, sold: 2, inside: 0 }]);
  expect(first.week.length).toBeGreaterThan(0);
  expect(first.sales).toEqual({
    today: { orders: 1, tickets: 2, paid_cents: total_cents },
    before: { orders: 0, tickets: 0, paid_cents: 0 },
  });
  expect(first.waiting.order).toEqual({ count: 0, oldest_at: null });
  expect(first.mail.leaves).toBe(false);

  const weekAgo = daysAround(now).before;
  await db('orders')
    .where({ id: order_id })
    .update({ created_at: weekAgo.from, needs_attention: 'amount_differs' });
  const later = await read();
  expect(later.sales.today.orders).toBe(0);
  expect(later.sales.before).toEqual({ orders: 1, tickets: 2, paid_cents: total_cents });
  expect(later.waiting.order).toEqual({
    count: 1,
    oldest_at: new Date(weekAgo.from).toISOString(),
  });
  // Later in the day than now, a week ago, is not compared.
  await db('orders')
    .where({ id: order_id })
    .update({ created_at: weekAgo.to + hour });
  expect((await read()).sales.before.orders).toBe(0);
});

test('who can do none of the open steps is shown none', () => {
  const none = { seller: false, mail: false, stripe: false, hall: false };
  const done = { ...none, event: false, phone: false, rehearsal: false };
  expect(stepsFor('office', done)).toEqual([{ name: 'event', state: 'next' }]);
  expect(stepsFor('office', { ...done, event: true })).toEqual([]);
  expect(stepsFor('viewer', done)).toEqual([]);
});

it('the facts alone tick the first steps; what breaks later is to be mended, and is no first step', async (server, admin) => {
  const { ctx } = server.house;
  const read = () => callOk(server, readToday, {}, admin);
  const open = async () =>
    (await read()).first_steps.flatMap(({ name, state }) =>
      state === 'done' ? [] : [state === 'next' ? `→ ${name}` : name],
    );
  const charts = await callOk(server, listCharts, {}, admin);
  expect(charts.items.map(({ key }) => key).toSorted()).toEqual(sampleCharts);
  // The demo sells in a hall, with a seller: none of it is the house's.
  expect(await open()).toEqual('→ seller, mail, stripe, hall, event, phone, rehearsal'.split(', '));
  await nameSeller(server, admin);
  expect((await open())[0]).toBe('→ mail');
  const { id } = await makeDraft(server, admin, { id: 'bozza' });
  const { event_id } = await callOk(server, makeRehearsal, { body: {} }, admin);
  expect((await read()).first_steps.map((step) => step.event_id)).toEqual([
    null,
    null,
    null,
    null,
    id,
    null,
    event_id,
  ]);

  const chart = { params: { chartKey: 'teatro-goldoni' } };
  const { drawing } = await callOk(server, exportDrawing, chart, admin);
  await callOk(server, importDrawing, { body: { drawing, key: 'nostra' } }, admin);
  await makePublished(server, admin);
  const phone = await makePairedPhone(server, admin);
  expect(await open()).toEqual(['→ mail', 'stripe', 'rehearsal']);
  const at = new Date(server.clock.now()).toISOString();
  const scan = {
    admission_id: 'practice-0123456789-0',
    place: null,
    revision: null,
    seq: 0,
    event_id,
    direction: 'in',
    gate: null,
  } as const;
  const seen = {
    ...scan,
    verdict: 'invalid',
    counts: false,
    override: null,
    offline: true,
  } as const;
  const items = [{ ...seen, read: 'x', scanned_at: at, corrected_at: at }];
  await ctx.db('phone_events').insert({ phone_id: phone.phone_id, event_id });
  await callOk(server, sendAdmissions, { body: { items } }, phone.headers);
  await callOk(server, closeRehearsal, { params: { eventId: event_id } }, admin);
  Object.assign(ctx.standins, { stripe: false });
  Object.assign(ctx.mail, { leaves: true });
  await makePaidOrder(server, {}, { event: 'recital' });
  await server.runDue();
  expect(await open()).toEqual([]);
  const toMend = async () => {
    server.clock.advance(10_000);
    const { findings, count } = await callOk(server, readAttention, {}, admin);
    expect(await callOk(server, countAttention, {}, admin)).toMatchObject({ count });
    expect([findings, findings.length]).toEqual([(await read()).findings, count]);
    return findings.map(({ name }) => name);
  };
  expect(await toMend()).toEqual([]);

  Object.assign(ctx.mail, { leaves: false });
  await forgetSeller(server);
  expect(await toMend()).toEqual(['seller', 'mail']);
  expect(await open()).toEqual([]);
  // A house that has played is no new one, though it never had a step done.
  Object.assign(ctx.standins, { stripe: true });
  expect(await open()).toEqual(['→ stripe']);
  const begun = { starts_at: server.clock.now() - 1 };
  await ctx.db('events').where({ id: 'recital' }).update(begun);
  expect(await open()).toEqual([]);
});
