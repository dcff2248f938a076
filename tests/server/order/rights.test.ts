/** Months before one evening: what each surface promises on a day is asked for in time, and a second too late. */
import { expect } from 'vitest';
import { getEvent } from '#server/contract/events.ts';
import { getOrder } from '#server/contract/order/orders.ts';
import { orderRefunds } from '#server/contract/order/refunds.ts';
import { readLegal } from '#server/contract/site.ts';
import { emptyForm } from '#server/domain/event/event.ts';
import { endOfDay } from '#server/domain/payment/refund-days.ts';
import { obstacleWords } from '#server/domain/payment/refund-words.ts';
import { postponeEvent } from '#server/services/event/postponement.ts';
import { testOnSqlite as it } from '#tests/support/both.ts';
import { comeBack, payAs } from '#tests/support/buyer.ts';
import { lastMomentIn } from '#tests/support/italian-dates.ts';
import { mailsOf } from '#tests/support/mail-day.ts';
import { addressFor, ask, callOk, makeOrder, sessionIn } from '#tests/support/make.ts';
import { readPdf } from '#tests/support/pdf.ts';
import { feeEvent, makePaid, setPolicy } from '#tests/support/refunds.ts';
import type { TestServer } from '#tests/support/server.ts';

const day = 864e5;
/** 21:00 in Rome, two days after the clocks went forward. */
const starts_at = Date.parse('2027-03-30T19:00:00Z');
const params = { eventId: feeEvent };
const flat = (text: string) => text.replace(/\s+/g, ' ');

/** Buys two tickets and reads what every surface says of its rights. */
async function buy(server: TestServer, nth: number) {
  const { rights } = await callOk(server, getEvent, { params });
  const order = await makeOrder(server, { event: feeEvent, nth });
  const session = `/standins/stripe/v1/payment_pages/${sessionIn(order.checkout_url)}`;
  const hosted = await ask(server, 'GET', session);
  await payAs(server, order);
  expect((await comeBack(server, order)).confirmed).toBe(true);
  await server.runDue();
  const about = { params: { orderId: order.order_id } };
  const { event, tickets } = await callOk(server, getOrder, about);
  const { words } = await callOk(server, orderRefunds, about);
  const [mail] = await mailsOf(server, order.order_id);
  const paper = await fetch(await addressFor(server, `/api/orders/${order.order_id}/tickets.pdf`));
  const pdf = readPdf(Buffer.from(await paper.arrayBuffer())).pages[0]!.lines.join(' ');
  const [refund, change, reentry] = rights;
  const texts = [flat(mail!.text!), flat(mail!.html!), flat(pdf)];
  // The same sentence everywhere, word by word.
  const has = (words: string, all: readonly string[]) => all.map((text) => text.includes(words));
  const said = JSON.stringify(hosted.body);
  expect([words, said.includes(refund!)]).toEqual([refund, true]);
  expect(has(refund!, texts.slice(0, 2))).toEqual([true, true]);
  expect(has(change!, texts)).toEqual([true, true, true]);
  expect(has(reentry!, [...texts, event.reentry_rule])).toEqual([true, true, true, true]);
  expect(event.names_rule ?? change).toContain(change);
  const now = server.clock.now();
  return {
    ...about,
    tickets: tickets.map(({ ticket_id }) => ticket_id),
    refund: lastMomentIn(refund!, now),
    change: lastMomentIn(change!, now),
  };
}
type Bought = Awaited<ReturnType<typeof buy>>;

const goTo = (server: TestServer, at: number) => server.clock.advance(at - server.clock.now());

function wish(server: TestServer, { params: about, tickets }: Bought, nth: number) {
  const body = { ticket_ids: [tickets[nth]!], expected_cents: 2800 };
  return ask(server, 'POST', `/api/orders/${about.orderId}/refunds`, { body });
}

function rename(server: TestServer, { params: about, tickets }: Bought, name: string) {
  const body = { first_name: name, last_name: 'Neri' };
  return ask(server, 'POST', `/api/orders/${about.orderId}/tickets/${tickets[1]}/holder`, { body });
}

it('a promise of the cart, the order page, the mail, the paper and the payment page is kept to its last minute, and no longer', async (server) => {
  const { db } = server.house.ctx;
  await db('events').where({ id: feeEvent }).update({ starts_at, sales_opens_at: null });
  await db('events').where({ id: feeEvent }).update({ sales_closes_at: null, doors_at: null });
  const until: { at: number; does: () => Promise<unknown[]>; says: unknown[] }[] = [];
  const policies = [
    { days: -40, refund_days: 10, refund_stop_days: 15, holder_change: 1, reentry: 1 },
    { days: -17, refund_days: 10, refund_stop_days: 15, holder_change: 1, reentry: 0 },
    { days: -8, refund_days: 10, refund_stop_days: 15, holder_change: 0, reentry: 0 },
    { days: -5, refund_days: 2, refund_stop_days: 0, holder_change: 1, reentry: 1 },
    { days: -1, refund_days: 5, refund_stop_days: 0, holder_change: 1, reentry: 1 },
  ];
  const walk = async (to: number) => {
    for (const due of until.filter(({ at }) => at <= to).toSorted((a, b) => a.at - b.at)) {
      until.splice(until.indexOf(due), 1);
      goTo(server, due.at);
      expect(await due.does()).toEqual(due.says);
    }
    goTo(server, to);
  };
  for (const [nth, { days, ...policy }] of policies.entries()) {
    await walk(starts_at + days * day);
    const terms = { ...policy, holder_changes_max: 2, holder_change_until_hours: 36 };
    await setPolicy(server, { ...terms, refund_request: 'automatic' });
    const order = await buy(server, nth * 2);
    const { refund, change } = order;
    const statusOf = async (call: Promise<{ status: number }>) => [(await call).status];
    expect([days, refund === null, change === null]).toEqual([
      days,
      days === -8,
      days === -8 || days === -1,
    ]);
    if (refund === null) expect((await wish(server, order, 0)).status).toBe(422);
    else {
      until.push({ at: refund - 9_000, says: [200], does: () => statusOf(wish(server, order, 0)) });
      until.push({ at: refund + 1, says: [422], does: () => statusOf(wish(server, order, 1)) });
    }
    if (change === null) expect((await rename(server, order, 'Ida')).status).toBe(409);
    else {
      until.push({
        at: change - 9_000,
        says: [200],
        does: () => statusOf(rename(server, order, 'Ida')),
      });
      until.push({
        at: change + 1_000,
        says: [409],
        does: () => statusOf(rename(server, order, 'Ada')),
      });
    }
  }
  await walk(starts_at + day);
  expect(until).toEqual([]);
});

it('a buyer of before a move may ask everything back until its answer is due, one of after it may not; the terms page names today', async (server) => {
  const { db } = server.house.ctx;
  const legal = await callOk(server, readLegal, { params: { legalName: 'terms' } });
  expect(lastMomentIn(legal.html, server.clock.now())).toBe(
    endOfDay(server.clock.now(), emptyForm.refund_days),
  );
  await setPolicy(server, { refund_days: 10, refund_stop_days: 15 });
  const before = await makePaid(server);
  server.clock.advance(20 * day);
  const event = await db('events').where({ id: feeEvent }).first();
  const answer_by = server.clock.now() + 4 * day;
  const moved = { starts_at: event.starts_at + 20 * day, answer_by, reason: null, tell_buyers: 1 };
  const move = { ...moved, version: event.version, if_silent: 'keep' as const };
  await postponeEvent(server.house.ctx, feeEvent, move, 'system');
  const after = await makePaid(server, { nth: 2 });
  const said = async ({ order_id }: { order_id: string }) => {
    const { words } = await callOk(server, orderRefunds, { params: { orderId: order_id } });
    const { postponement } = await callOk(server, getOrder, { params: { orderId: order_id } });
    return [words, postponement?.may_answer ?? false] as const;
  };
  const [words, may] = await said(before);
  expect(words).toContain(
    'Per lo spostamento puoi chiedere indietro tutto, prevendita compresa, fino ',
  );
  expect([may, Math.abs(lastMomentIn(words!, server.clock.now())! - answer_by) < 60_000]).toEqual([
    true,
    true,
  ]);
  expect(await said(after)).toEqual([expect.not.stringContaining('rinvio'), false]);
  server.clock.advance(4 * day + 60_000);
  await server.runDue();
  expect(await said(before)).toEqual([obstacleWords.too_late, false]);
  await db('events').where({ id: feeEvent }).update({ status: 'cancelled', cancel_keeps_fees: 1 });
  // Its buyer bought under a rule that gave the fees back.
  expect((await said(before))[0]).toContain('ti restituiamo quanto hai pagato');
  const { refunds } = await callOk(server, getEvent, { params });
  expect(refunds).toContain('senza la prevendita');
});

it('until when the date may be changed is read in the cart, on the order page and in the mail, and the sale keeps it', async (server) => {
  await setPolicy(server, { exchange: 1, exchange_until_hours: 48, exchange_fee_cents: 200 });
  const { rights } = await callOk(server, getEvent, { params });
  const order = await makeOrder(server, { event: feeEvent });
  await payAs(server, order);
  await comeBack(server, order);
  await server.runDue();
  const { order_id } = order;
  const rule = async () =>
    (await callOk(server, getOrder, { params: { orderId: order_id } })).exchange_rule;
  const said = await rule();
  const [mail] = await mailsOf(server, order_id);
  expect(said).toContain('Puoi cambiare data fino al ');
  expect([rights.includes(said!), flat(mail!.text!).includes(flat(said!))]).toEqual([true, true]);
  const { db } = server.house.ctx;
  await db('events').where({ id: feeEvent }).update({ exchange: 0, exchange_fee_cents: 900 });
  expect(await rule()).toBe(said);
  goTo(server, lastMomentIn(said!, 0)! - 1_000);
  expect(await rule()).toBe(said);
  server.clock.advance(2_000);
  expect(await rule()).toMatch(
    /^Da qui si poteva cambiare data fino al .* Ora puoi chiedere alla biglietteria\.$/,
  );
});
