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
import { makeSold, soldOf, type Sold } from '#tests/support/move.ts';
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
  const { link_key } = await server.house.ctx.db('orders').where({ id: order_id }).first('link_key');
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
