/** Cambio di sala in another building: the place is a part of the change, each buyer hears of it once and keeps the ticket or gives it back. */
import { expect } from 'vitest';
import { listDateAnswers } from '#server/contract/date-answers.ts';
import { readEvent, updateEvent } from '#server/contract/event-desk.ts';
import { getEvent } from '#server/contract/events.ts';
import { getOrder } from '#server/contract/order/orders.ts';
import { saveToGoogle } from '#server/contract/order/wallets.ts';
import { answerPostponement } from '#server/contract/postponements.ts';
import {
  callOffRehousing,
  changeRehousingNews,
  previewRehousingMail,
  readRehousing,
  suggestRehousingPlace,
} from '#server/contract/rehousings.ts';
import { copyChart } from '#server/contract/charts.ts';
import { callOffMs } from '#server/domain/seat/rehousing.ts';
import { formatTime } from '#server/domain/time/dates.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { ask, aRefusal, callOk, demoEvent } from '#tests/support/make.ts';
import { makeSold, type Sold } from '#tests/support/move.ts';
import { oneShow } from '#tests/support/other-date.ts';
import { readPdf } from '#tests/support/pdf.ts';
import { feeEvent, refundRows } from '#tests/support/refunds.ts';
import {
  eventRow,
  expectRehoused,
  finish,
  hallOf,
  openOne,
  propose,
  start,
} from '#tests/support/rehousing.ts';
import { away, elsewhere, proposeElsewhere, why } from '#tests/support/rehousing-place.ts';
import type { TestServer } from '#tests/support/server.ts';
import { passUndo } from '#tests/support/undo.ts';
import { walletEnv } from '#tests/support/wallet-keys.ts';

const newHall = 'sala-nera';

const written = ({ house }: TestServer) =>
  house.ctx
    .db('mails')
    .whereNotIn('kind', ['tickets', 'refunded', 'awaiting'])
    .orderBy(['kind', 'to_address'])
    .select('kind', 'to_address', 'state', 'subject', 'text', 'html');

const pageOf = (server: TestServer, { order_id }: Pick<Sold, 'order_id'>) =>
  callOk(server, getOrder, { params: { orderId: order_id } });

/** What a buyer holds in the hand: calendar, pass of the phone, paper. */
async function papersOf(server: TestServer, { order_id }: Sold) {
  const { link_key } = await server.house.ctx
    .db('orders')
    .where({ id: order_id })
    .first('link_key');
  const file = async (name: string) => fetch(`${server.url}/api/orders/${link_key}/${name}`);
  const calendar = (await (await file('calendar.ics')).text()).replaceAll(/\r\n /g, '');
  const pdf = readPdf(Buffer.from(await (await file('tickets.pdf')).arrayBuffer()));
  const { tickets } = await pageOf(server, { order_id });
  const params = { orderId: order_id, ticketId: tickets[0]!.ticket_id };
  const { save_url } = await callOk(server, saveToGoogle, { params });
  const pass = Buffer.from(save_url.split('.')[3]!, 'base64url').toString();
  return { calendar, paper: pdf.pages[0]!.lines.join(' '), pass };
}

test(
  'an evening goes to another building: one mail says why, where, when, the seat and what one may do, and everything agrees',
  async (server, office) => {
    await oneShow(server);
    const pair = await makeSold(server, { count: 2 });
    const three = await makeSold(server, { count: 3, nth: 1, email: 'bruno@example.it' });
    const { ctx } = server.house;
    const holder_email = 'carla@verdi.it';
    await ctx.db('tickets').where({ id: three.tickets[0]! }).update({ holder_email });
    const [before, pass] = [await eventRow(server), (await papersOf(server, pair)).pass];
    const plan = await proposeElsewhere(server, office, { chart_key: newHall });
    expect(plan).toMatchObject({ asks: true, counts: { mails: 2 }, news: { reason: why } });
    const preview = await callOk(
      server,
      previewRehousingMail,
      { params: hallOf, query: { order_id: pair.order_id } },
      office,
    );
    await start(server, office, plan);
    expect(await eventRow(server)).toMatchObject({ venue_title: before.venue_title });
    await finish(server);

    const mails = await written(server);
    expect(mails.map(({ kind, to_address, state }) => [kind, to_address, state])).toEqual([
      ['event_postponed', 'anna@example.it', 'sent'],
      ['event_postponed', 'bruno@example.it', 'sent'],
      ['event_postponed', holder_email, 'sent'],
    ]);
    const now = await eventRow(server);
    expect(now).toMatchObject({ ...away, starts_at: before.starts_at, chart_key: newHall });
    const doors = formatTime(Number(now.doors_at));
    const seats = (await pageOf(server, pair)).tickets.map(({ seat }) => seat);
    const { text, html } = mails[0]!;
    const told = [why, away.venue_title, away.venue_address, doors, ...seats, before.venue_title];
    for (const words of [...told, 'Tieni il biglietto', 'Un’altra data', 'Chiedi il rimborso'])
      expect([text, html, preview.text].map((mail) => mail.includes(words))).toEqual(
        Array(3).fill(true),
      );
    expect(text).toContain(away.venue_href);
    expect(mails[2]!.text).toContain(why);
    expect(mails[2]!.text).not.toContain('/order/');

    const { calendar, paper, pass: newPass } = await papersOf(server, pair);
    const classOf = (one: string) => /"id":"([^"]+)"/.exec(one)![1];
    expect(classOf(newPass)).not.toBe(classOf(pass));
    expect(calendar).toContain('SEQUENCE:1');
    const shown = await callOk(server, getEvent, { params: hallOf });
    const order = await pageOf(server, pair);
    const site = await (await fetch(`${server.url}/event/${demoEvent}`)).text();
    for (const place of [away.venue_title, away.venue_address])
      for (const paperOrPage of [calendar, paper, newPass, site, JSON.stringify([shown, order])])
        expect(paperOrPage.replaceAll('\\,', ',')).toContain(place);
    expect(order.postponement).toMatchObject({ reason: why, may_answer: true, may_exchange: true });
    expect(order.postponement!.from_venue).toContain(before.venue_title);

    // Only this date of the show is elsewhere.
    const { db } = ctx;
    const sister = await db('events').where({ id: feeEvent }).first();
    expect(sister.venue_title).toBe(before.venue_title);
    const show = await db('shows').where({ id: now.show_id }).first();
    expect(show.venue_title).toBe(before.venue_title);
    expect(JSON.parse(now.own_fields)).toEqual(
      expect.arrayContaining(['venue_title', 'venue_href', 'venue_address', 'seat_pricing']),
    );
    await expectRehoused(server);

    const { refund_cents } = order.postponement!;
    const body = { answer: 'refund', expected_cents: refund_cents } as const;
    await callOk(server, answerPostponement, { params: { orderId: pair.order_id }, body });
    await server.runDue();
    const [refund] = await refundRows(server, pair.order_id);
    expect(refund).toMatchObject({ origin: 'postponed', amount_cents: refund_cents });
    const { question } = await callOk(server, listDateAnswers, { params: hallOf }, office);
    expect(question).toMatchObject({ kind: 'postponed', counts: { refund: 1, silent: 1 } });
  },
  { env: walletEnv },
);

/** Everything that a change of hall could have touched of the evening's place. */
const placeNow = async (server: TestServer) => {
  const { venue_title, venue_address, venue_href, doors_at, own_fields } = await eventRow(server);
  return { venue_title, venue_address, venue_href, doors_at: Number(doors_at), own_fields };
};

it('called off, the evening is where it was and no buyer hears of it; started again, it moves', async (server, office) => {
  await makeSold(server, { count: 2 });
  const before = await placeNow(server);
  await start(server, office, await proposeElsewhere(server, office, { chart_key: newHall }));
  await server.runDue();
  await callOk(server, callOffRehousing, { params: hallOf }, office);
  for (let at = 0; at < 3; at += 1) await passUndo(server);
  expect(await placeNow(server)).toEqual(before);
  expect(await written(server)).toEqual([]);
  expect(await server.house.ctx.db('postponements')).toEqual([]);
  await start(server, office, (await openOne(server, office))!);
  await finish(server);
  expect(await placeNow(server)).toMatchObject(away);
});

test('who keeps the very seat hears of the new place, too; a show of one date goes along', async (server, office) => {
  await makeSold(server, { count: 2 });
  const params = { chartKey: 'teatro-goldoni' };
  const { key } = await callOk(
    server,
    copyChart,
    { params, body: { name: 'Goldoni bis' } },
    office,
  );
  const plan = await proposeElsewhere(server, office, { chart_key: key });
  expect(plan.counts).toMatchObject({ stays: 2, moves: 0, mails: 1 });
  await start(server, office, plan);
  await finish(server);
  const [mail, ...others] = await written(server);
  expect(others).toEqual([]);
  expect(mail.text).toContain(away.venue_title);
  expect(mail.text).not.toContain('il codice di prima non fa più entrare');
  const { show_id } = await eventRow(server);
  const show = await server.house.ctx.db('shows').where({ id: show_id }).first();
  expect(show).toMatchObject(away);
  const { last } = await callOk(server, readRehousing, { params: hallOf }, office);
  expect(last).toMatchObject({ asks: true, mails: 1, mails_sent: 1 });
});

it('in the same building the mail about the seat says why, and nobody is asked', async (server, office) => {
  const sold = await makeSold(server, { count: 2 });
  const before = await placeNow(server);
  const { version } = await propose(server, office, newHall);
  const body = { version, news: { reason: why, place: null } };
  const plan = await callOk(server, changeRehousingNews, { params: hallOf, body }, office);
  expect(plan).toMatchObject({ asks: false, news: { reason: why, place: null } });
  await start(server, office, plan, true);
  await finish(server);
  const mails = await written(server);
  expect(mails.map(({ kind }) => kind)).toEqual(['seats_changed']);
  expect(mails[0].text).toContain(why);
  expect((await pageOf(server, sold)).postponement).toBe(null);
  expect(await placeNow(server)).toMatchObject({ ...before, own_fields: '["seat_pricing"]' });
});

it('what goes back for a cheaper place stands in the one mail and in its preview', async (server, office) => {
  const sold = await makeSold(server, { count: 2 });
  const { version } = await propose(server, office, newHall, true);
  const body = { version, news: await elsewhere(server, office) };
  const plan = await callOk(server, changeRehousingNews, { params: hallOf, body }, office);
  const query = { refunds: 'true' } as const;
  const preview = await callOk(server, previewRehousingMail, { params: hallOf, query }, office);
  await start(server, office, plan, true);
  await finish(server);
  const [mail] = await written(server);
  const euros = (plan.counts.refund_cents / 100).toFixed(2).replace('.', ',');
  for (const { text } of [mail, preview]) expect(text).toContain(`ti rimborsiamo ${euros}`);
  const { refund_cents } = (await pageOf(server, sold)).postponement!;
  const { paid_cents } = await server.house.ctx.db('orders').where({ id: sold.order_id }).first();
  expect(refund_cents).toBe(paid_cents - plan.counts.refund_cents);
});

it('another place needs another name, a reason and time to answer; the hall knows where its last evening was', async (server, office) => {
  await makeSold(server, { count: 2 });
  const { version } = await propose(server, office, newHall);
  const path = `/api/admin/events/${demoEvent}/rehousing`;
  const told = await elsewhere(server, office);
  const { form } = await callOk(server, readEvent, { params: hallOf }, office);
  const answer = async (news: object) =>
    ask(server, 'POST', `${path}/news`, { headers: office, body: { version, news } });
  const place = told.place!;
  const { venue_title, venue_address, starts_at } = form;
  const after = new Date(Date.parse(starts_at) + 60_000).toISOString();
  const wrongs: [object, number, string, string][] = [
    [{ ...told, reason: ' ' }, 400, 'bad_request', 'reason'],
    [{ ...told, place: { ...place, venue_title: '' } }, 400, 'bad_request', 'venue_title'],
    [
      { ...told, place: { ...place, venue_title, venue_address } },
      400,
      'bad_request',
      'venue_title',
    ],
    [{ ...told, place: { ...place, answer_by: starts_at } }, 422, 'event_times_wrong', 'answer_by'],
    [{ ...told, place: { ...place, doors_at: after } }, 422, 'event_times_wrong', 'doors_at'],
  ];
  for (const [news, status, code, field] of wrongs)
    expect(await answer(news)).toMatchObject(aRefusal(status, code, { fields: [field] }));
  expect((await answer({ ...told, reason: 'x'.repeat(501) })).status).toBe(400);
  expect((await openOne(server, office))!.news).toBe(null);

  const suggested = (chart_key: string) =>
    callOk(server, suggestRehousingPlace, { params: hallOf, query: { chart_key } }, office);
  expect(await suggested(newHall)).toMatchObject({ venue_title, is_other: null });
  const { db } = server.house.ctx;
  await db('events')
    .where({ id: feeEvent })
    .update({ chart_key: newHall, ...away });
  const known = await suggested(newHall);
  expect(known).toMatchObject({ ...away, is_other: true });
  expect(known.doors_at).toBe(form.doors_at);
});

it('a change that can still be taken back goes first, and its buyers read one mail; too late to answer, the run stops', async (server, office) => {
  await makeSold(server, { count: 2 });
  const plan = await proposeElsewhere(server, office, { chart_key: newHall });
  await start(server, office, plan);
  await server.runDue();
  server.clock.advance(callOffMs - 10_000);
  const { form, version } = await callOk(server, readEvent, { params: hallOf }, office);
  const body = { ...form, version, venue_title: 'Teatro Nuovo', tell_buyers: 1 };
  await callOk(server, updateEvent, { params: hallOf, body }, office);
  server.clock.advance(20_000);
  await server.runDue();
  expect(await openOne(server, office)).toMatchObject({ state: 'waiting' });
  server.clock.advance(41_000);
  for (let at = 0; at < 3; at += 1) {
    await server.runDue();
    server.clock.advance(2_000);
  }
  expect(await placeNow(server)).toMatchObject(away);
  expect((await written(server)).map(({ kind }) => kind)).toEqual(['event_postponed']);

  const back = { chart_key: 'teatro-goldoni', venue_title: 'Teatro Goldoni' };
  await start(server, office, await proposeElsewhere(server, office, back));
  await server.runDue();
  server.clock.advance(3 * 86_400_000);
  for (let at = 0; at < 3; at += 1) await server.runDue();
  const run = await server.house.ctx.db('rehousings').orderBy('created_at', 'desc').first();
  expect(run).toMatchObject({ state: 'planned', fault: 'answers_late' });
  expect(await placeNow(server)).toMatchObject(away);
});
