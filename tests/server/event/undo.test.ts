/** Acts that mail many can be taken back for a minute: nothing leaves before, and all is as it was (RULES N4). */
import { expect } from 'vitest';
import {
  listAnnouncements,
  takeBackAnnouncement,
  takeBackCancellation,
} from '#server/contract/announcements.ts';
import { answerCancellation } from '#server/contract/cancellations.ts';
import { addressOf } from '#server/contract/endpoint.ts';
import { readEvent, updateEvent } from '#server/contract/event-desk.ts';
import { answerPostponement, postponeEvent } from '#server/contract/postponements.ts';
import { cancelEvent, previewCancellation, readRefundRun } from '#server/contract/order/refunds.ts';
import { listStarted } from '#server/contract/started.ts';
import { changeShow, previewShow, readShow } from '#server/contract/shows.ts';
import { tellPostponed } from '#server/services/event/postponement.ts';
import { takeBack } from '#server/services/event/undo.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { day, inDays, type Office } from '#tests/support/event-desk.ts';
import { aRefusal, ask, callOk, demoEvent, makeOrder } from '#tests/support/make.ts';
import { oneShow } from '#tests/support/other-date.ts';
import {
  expectSoundBooks,
  feeEvent,
  makePaid,
  passTime,
  setPolicy,
} from '#tests/support/refunds.ts';
import type { TestServer } from '#tests/support/server.ts';
import { passUndo } from '#tests/support/undo.ts';

const params = { eventId: feeEvent };

const rowOf = (server: TestServer, id = feeEvent) =>
  server.house.ctx.db('events').where({ id }).first();

/** What an act of the office may change, as the row has it. */
async function placeAndTimes(server: TestServer, id = feeEvent) {
  const later = { version: null, updated_at: null, feed_seq: null, feed_epoch: null };
  return { ...((await rowOf(server, id)) as object), ...later };
}

const news = ['event_changed', 'event_postponed', 'event_cancelled', 'cancellation_asked'];
const mailsSent = (server: TestServer) =>
  server.house.ctx.db('mails').whereIn('kind', news).orderBy('kind').pluck('kind');

async function postpone(server: TestServer, admin: Office, days: number) {
  const { version, buyers } = await callOk(server, readEvent, { params }, admin);
  const times = { starts_at: inDays(server, days), answer_by: inDays(server, 10) };
  const body = { version, ...times, if_silent: 'keep' as const, tell_buyers: buyers };
  return (await callOk(server, postponeEvent, { params, body }, admin)).postponement
    .postponement_id;
}

async function save(server: TestServer, admin: Office, changes: object) {
  const { version, form, buyers } = await callOk(server, readEvent, { params }, admin);
  const body = { ...form, version, ...changes, tell_buyers: buyers };
  return callOk(server, updateEvent, { params, body }, admin);
}

async function cancel(server: TestServer, admin: Office, more: object = {}) {
  const { sum_cents, orders } = await callOk(server, previewCancellation, { params }, admin);
  const sums = { expected_cents: sum_cents, expected_orders: orders };
  const body = { ...sums, reason: 'Allagato', ...more };
  return (await callOk(server, cancelEvent, { params, body }, admin)).run_id;
}

async function acts(server: TestServer, admin: Office) {
  const query = { event_id: feeEvent };
  return (await callOk(server, listAnnouncements, { query }, admin)).items;
}

async function undo(server: TestServer, admin: Office, id?: string) {
  const announcementId = id ?? (await acts(server, admin))[0]!.announcement_id;
  return ask(server, 'POST', addressOf(takeBackAnnouncement, { announcementId }), {
    headers: admin,
  });
}

test('a date that was moved by mistake is again as before, with the question of an earlier move; its mails never leave', async (server, admin) => {
  const { db } = server.house.ctx;
  await makePaid(server);
  const first = await postpone(server, admin, 60);
  server.clock.advance(1_000);
  const before = await placeAndTimes(server);
  const second = await postpone(server, admin, 90);
  server.clock.advance(1_000);
  await server.runDue();
  expect(await mailsSent(server)).toEqual([]);
  expect(await acts(server, admin)).toMatchObject([
    { announcement_id: second, act: 'event_postponed', state: 'waiting', buyers: 1, actor: 'Ada' },
    { announcement_id: first, state: 'waiting' },
  ]);
  // While the second may be taken back the first waits, and cannot be taken back under it.
  expect(await undo(server, admin, first)).toMatchObject(aRefusal(409, 'undo_overtaken'));
  expect((await undo(server, admin)).status).toBe(204);
  expect((await undo(server, admin)).status).toBe(204);
  expect(await placeAndTimes(server)).toEqual(before);
  expect(await db('postponements').select('id', 'closed_at')).toEqual([
    { id: first, closed_at: null },
  ]);
  await passUndo(server);
  expect(await db('mails').where({ kind: 'event_postponed' }).pluck('key')).toEqual([first]);
  expect((await acts(server, admin)).map(({ state }) => state)).toEqual(['taken_back', 'going']);
  expect(await undo(server, admin, first)).toMatchObject(aRefusal(409, 'message_begun'));
  const action = 'act_taken_back';
  expect(await db('audit').where({ action }).pluck('subject')).toEqual([feeEvent]);
  await passTime(server, 11 * day);
  expect(await db('postponements').first('closed_at')).not.toEqual({ closed_at: null });
  await expectSoundBooks(server);
});

test('what the process leaves when it dies within the minute goes out after it, once', async (server, admin) => {
  await makePaid(server);
  await postpone(server, admin, 60);
  await using again = await server.restart();
  await again.runDue();
  expect(await mailsSent(again)).toEqual([]);
  await passUndo(again);
  await passTime(again, day);
  expect(await mailsSent(again)).toEqual(['event_postponed']);
});

test('of the office that takes back and the worker that begins one is first, and the other does nothing', async (server, admin) => {
  const { ctx } = server.house;
  await makePaid(server);
  for (const round of [0, 1, 2, 3]) {
    const before = (await rowOf(server)).starts_at;
    const id = await postpone(server, admin, 60 + round);
    const { begins_at } = await ctx.db('announcements').where({ id }).first();
    // The other process is at the end of the minute; the office clicked just before it.
    const later = { ...ctx, now: () => Number(begins_at) };
    const office = () =>
      takeBack(ctx, id, { actor: 'system', cancelling: false }).then(
        () => true,
        () => false,
      );
    const tell = () => tellPostponed(later, id);
    const [isBack] =
      round % 2 === 0
        ? await Promise.all([office(), tell()])
        : (await Promise.all([tell(), office()])).toReversed();
    const mails = await ctx.db('mails').where({ kind: 'event_postponed', key: id });
    expect(mails.length).toBe(isBack === true ? 0 : 1);
    expect((await rowOf(server)).starts_at === before).toBe(isBack);
    await passUndo(server);
  }
});

test('a buyer who has answered, or bought for the new day, keeps it; so does a second change', async (server, admin) => {
  const { order_id } = await makePaid(server);
  await postpone(server, admin, 60);
  const params = { orderId: order_id };
  await callOk(server, answerPostponement, { params, body: { answer: 'keep' } });
  expect(await undo(server, admin)).toMatchObject(aRefusal(409, 'undo_answered'));
  await passUndo(server);
  expect(await mailsSent(server)).toEqual(['event_postponed']);

  await save(server, admin, { venue_title: 'Sala grande' });
  server.clock.advance(1_000);
  await makeOrder(server, { event: feeEvent, nth: 4 });
  expect(await undo(server, admin)).toMatchObject(aRefusal(409, 'undo_answered'));
  await passUndo(server);
  await save(server, admin, { venue_title: 'Sala piccola' });
  server.clock.advance(1_000);
  await save(server, admin, { venue_title: 'Sala media' });
  const [, earlier] = await acts(server, admin);
  const late = await undo(server, admin, earlier!.announcement_id);
  expect(late).toMatchObject(aRefusal(409, 'undo_overtaken'));
  await passUndo(server);
  await passUndo(server);
  // The later of the two tells everything.
  expect(await mailsSent(server)).toEqual(['event_changed', 'event_changed', 'event_postponed']);
});

test('a new place goes back without the texts that were saved with it, in all dates of a show together', async (server, admin) => {
  const { db } = server.house.ctx;
  await makePaid(server);
  const before = await rowOf(server);
  await save(server, admin, { venue_title: 'Altrove', description: '<p>Nuovo.</p>' });
  expect((await undo(server, admin)).status).toBe(204);
  expect(await rowOf(server)).toMatchObject({
    venue_title: before.venue_title,
    description: '<p>Nuovo.</p>',
  });

  await oneShow(server);
  await makePaid(server, { event: demoEvent });
  const { show_id } = await rowOf(server);
  const show = { params: { showId: show_id as string } };
  await db('events').where({ show_id }).update({ own_fields: '[]' });
  const { version, form } = await callOk(server, readShow, show, admin);
  const was = { venue_title: form.venue_title };
  await db('events').where({ show_id }).update(was);
  const moved = { ...form, venue_title: 'Teatro Nuovo' };
  const seen = await callOk(server, previewShow, { ...show, body: moved }, admin);
  const dates = seen.dates.map(({ id, version }) => ({ id, version }));
  const body = { version, form: moved, tell_buyers: seen.buyers, dates };
  await callOk(server, changeShow, { ...show, body }, admin);
  expect(await acts(server, admin)).toMatchObject([
    { act: 'show_changed', state: 'waiting', events: 2, buyers: 2 },
    { act: 'event_saved', state: 'taken_back' },
  ]);
  expect((await undo(server, admin)).status).toBe(204);
  expect(await db('events').where({ show_id }).select('venue_title', 'own_fields')).toEqual([
    { ...was, own_fields: '[]' },
    { ...was, own_fields: '[]' },
  ]);
  expect((await callOk(server, readShow, show, admin)).form).toMatchObject(was);
  await passUndo(server);
  expect(await mailsSent(server)).toEqual([]);
});

test('a cancelled evening is on sale again, and no money goes back; not once a buyer has chosen', async (server, admin) => {
  const { db } = server.house.ctx;
  const { link_key } = await makePaid(server);
  const before = await placeAndTimes(server);
  const back = (runId: string) =>
    ask(server, 'POST', addressOf(takeBackCancellation, { runId }), { headers: admin });
  const run_id = await cancel(server, admin);
  await server.runDue();
  expect(await db('refunds')).toEqual([]);
  expect(await undo(server, admin, run_id)).toMatchObject(aRefusal(404, 'message_not_found'));
  const run = () => callOk(server, readRefundRun, { params: { runId: run_id } }, admin);
  expect((await run()).begins_at).not.toBeNull();
  expect((await back(run_id)).status).toBe(204);
  const { items } = await callOk(server, listStarted, {}, admin);
  expect(items).toMatchObject([{ work_id: run_id, kind: 'refunds', state: 'called_off' }]);
  expect(await placeAndTimes(server)).toEqual(before);
  expect((await makeOrder(server, { event: feeEvent, nth: 4 })).order_id).toBeTruthy();
  await passUndo(server);
  expect([await db('refunds'), await mailsSent(server)]).toEqual([[], []]);

  const asking = await cancel(server, admin, { ask_until: inDays(server, 5) });
  const body = { answer: 'refund' as const, expected_cents: 5_900 };
  await callOk(server, answerCancellation, { params: { orderId: link_key }, body });
  await server.runDue();
  expect(await back(asking)).toMatchObject(aRefusal(409, 'undo_answered'));
  await passUndo(server);
  expect(await back(asking)).toMatchObject(aRefusal(409, 'message_begun'));
  await passTime(server, 6 * day);
  expect(await db('tickets').where({ state: 'valid', event_id: feeEvent })).toEqual([]);
  await expectSoundBooks(server);
});

test('names that were asked for by mistake, and a sale that was opened too early, mail nobody', async (server, admin) => {
  const { db } = server.house.ctx;
  await makePaid(server);
  await db('orders').update({ buyer_email: 'eva@example.it' });
  const told = (kind: string) => db('mails').where({ kind }).pluck('kind');
  await save(server, admin, { nominative: true, ask_names_by: inDays(server, 5) });
  await server.runDue();
  expect(await acts(server, admin)).toMatchObject([
    { act: 'names_asked', state: 'waiting', buyers: 1 },
  ]);
  expect((await undo(server, admin)).status).toBe(204);
  expect(await rowOf(server)).toMatchObject({ names_due: null, nominative: 1 });
  await passUndo(server);
  expect(await told('names_asked')).toEqual([]);

  const opens_at = server.clock.now() + day;
  await setPolicy(server, { sales_opens_at: opens_at });
  const [asked_at, confirmed_at] = [server.clock.now(), server.clock.now()];
  const waiting = { email: 'eva@example.it', email_hash: 'e', token_hash: 't' };
  await db('reminders').insert({
    id: 'r1',
    event_id: feeEvent,
    asked_at,
    confirmed_at,
    ...waiting,
  });
  await save(server, admin, { sales_opens_at: null });
  await server.runDue();
  const [act] = await acts(server, admin);
  expect(act).toMatchObject({ act: 'sale_open', state: 'waiting', buyers: 1 });
  expect((await undo(server, admin)).status).toBe(204);
  expect(Number((await rowOf(server)).sales_opens_at)).toBe(opens_at);
  await passUndo(server);
  expect(await told('sale_open')).toEqual([]);
  await save(server, admin, { sales_opens_at: null });
  await passUndo(server);
  expect(await told('sale_open')).toEqual(['sale_open']);
});
