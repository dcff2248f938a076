/** What an exchange leaves in the books: prices by rules, fees, drawers, the door, the evenings. */
import { expect } from 'vitest';
import { readShift } from '#server/contract/shifts.ts';
import { readEvening, readSummary } from '#server/contract/summaries.ts';
import { sayEnded } from '#server/domain/door/ended-code.ts';
import { dayText, romeDay } from '#server/domain/time/rome-clock.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { openDrawer, sellAtCounter, type Seller } from '#tests/support/counter.ts';
import { pullDoor } from '#tests/support/door/door-phone.ts';
import { exchangeAtTill, quoteOf } from '#tests/support/exchange.ts';
import { callOk, demoEvent, findSeats, makePairedPhone } from '#tests/support/make.ts';
import {
  expectSoundBooks,
  feeEvent,
  makePaid,
  passTime,
  refundByOffice,
  stateOf,
} from '#tests/support/refunds.ts';
import { addRule, threeForTwo } from '#tests/support/rules-in-force.ts';
import { refundsAtStripe } from '#tests/support/stripe-desk.ts';
import type { TestServer } from '#tests/support/server.ts';

const atTill = { ...threeForTwo, scope: { ...threeForTwo.scope, channels: ['till' as const] } };

/** Three seats for two, 20 euros of them in cash. */
async function sellThree(server: TestServer, seller: Seller, nth: number) {
  const seats = await findSeats(server, { count: 3, nth });
  return sellAtCounter(server, seller, {
    seats,
    payments: [
      { method: 'cash', amount_cents: 2_000 },
      { method: 'pos', amount_cents: 4_400, receipt: '7' },
    ],
  });
}

test('an order priced by rules and paid in two ways is exchanged whole, and one of its tickets gives what is too much', async (server, admin) => {
  const { shift_id } = await openDrawer(server, admin);
  await addRule(server, atTill);
  const old = await sellThree(server, admin, 0);
  const sale = await exchangeAtTill(server, admin, { order_id: old.order_id, total_cents: 6_050 });
  expect(sale.exchange).toMatchObject({ credit_cents: 6_050, back_cents: 350, back: 'drawer' });
  await expectSoundBooks(server);
  await refundByOffice(server, admin, sale, { handed_back: true });
  expect(await stateOf(server, sale)).toMatchObject({ paid_cents: 6_050, refunded_cents: 5_600 });
  await expectSoundBooks(server);
  // Without the third ticket the two others cost as much by the rule.
  const other = await sellThree(server, admin, 1);
  const quote = await quoteOf(server, admin, other);
  const ticket_ids = [quote.tickets[0]!.ticket_id];
  expect(await quoteOf(server, admin, { ...other, ticket_ids })).toMatchObject({ worth_cents: 0 });
  const one = await exchangeAtTill(server, admin, {
    order_id: other.order_id,
    ticket_ids,
    nth: 8,
    total_cents: 2_950,
  });
  expect(one.exchange).toMatchObject({ credit_cents: 0, due_cents: 2_950, back_cents: 0 });
  expect((await stateOf(server, other)).tickets.toSorted()).toEqual(['valid', 'valid', 'void']);
  await passTime(server, 20 * 60_000);
  await expectSoundBooks(server);
  const { report } = await callOk(server, readShift, { params: { shiftId: shift_id } }, admin);
  expect(report.expected_cents).toBeGreaterThan(10_000);
});

test('of three tickets with fees one is exchanged, and later each payment gives back no more than it had', async (server, admin) => {
  await openDrawer(server, admin);
  const old = await makePaid(server, { count: 3 });
  const sale = await exchangeAtTill(server, admin, {
    order_id: old.order_id,
    ticket_ids: [old.tickets[0]!],
    event_id: demoEvent,
    total_cents: 3_200,
  });
  expect(sale.exchange).toMatchObject({ credit_cents: 2_800, due_cents: 400 });
  const { tickets, ...sums } = await stateOf(server, old);
  expect(sums).toMatchObject({ paid_cents: 8_850, refunded_cents: 2_800 });
  expect(tickets.toSorted()).toEqual(['refunded', 'valid', 'valid']);
  await expectSoundBooks(server);
  await refundByOffice(server, admin, old);
  await refundByOffice(server, admin, sale, { handed_back: true });
  await passTime(server, 60_000);
  expect(await stateOf(server, old)).toMatchObject({ refunded_cents: 8_400 });
  expect(await stateOf(server, sale)).toMatchObject({ refunded_cents: 3_200 });
  const back = await refundsAtStripe(server, old.payment_intent);
  expect(back.map(({ amount }) => amount).toSorted()).toEqual([2_800, 5_600]);
  await expectSoundBooks(server);
});

async function eveningOf(server: TestServer, admin: Seller, eventId: string) {
  const evening = await callOk(server, readEvening, { params: { eventId } }, admin);
  const { tickets, tickets_cents, fees_cents } = evening.total;
  return { tickets, tickets_cents, fees_cents, annulled: evening.annulled_total.tickets };
}

test('an exchange moves the evenings’ sums and not the money of the day, and the door names the other date', async (server, admin) => {
  await openDrawer(server, admin);
  const old = await sellAtCounter(server, admin);
  const { headers } = await makePairedPhone(server, admin);
  const day = dayText(romeDay(server.clock.now()));
  const { total: before } = await callOk(
    server,
    readSummary,
    { query: { from: day, to: day } },
    admin,
  );
  expect(await eveningOf(server, admin, demoEvent)).toMatchObject({ tickets_cents: 6_400 });
  const sale = await exchangeAtTill(server, admin, {
    order_id: old.order_id,
    total_cents: 5_900,
  });
  await refundByOffice(server, admin, sale, { amount_cents: 500, handed_back: true });
  expect(await eveningOf(server, admin, demoEvent)).toEqual({
    tickets: 0,
    tickets_cents: 0,
    fees_cents: 0,
    annulled: 2,
  });
  expect(await eveningOf(server, admin, feeEvent)).toMatchObject({ tickets: 2 });
  const { total: after } = await callOk(
    server,
    readSummary,
    { query: { from: day, to: day } },
    admin,
  );
  // Sold and given back are those of two evenings; what is left is the money of the day.
  const left = ({ gross_cents, refunded_cents }: typeof after) => gross_cents - refunded_cents;
  expect([left(before), left(after)]).toEqual([6_400, 6_400 - 500 - 500]);
  const { places } = await pullDoor(server, demoEvent, headers);
  const ended = places.flatMap((place) => place.ended ?? []);
  expect(ended).toHaveLength(2);
  for (const { why, at, note } of ended)
    expect(sayEnded({ why, at: Date.parse(at), note }, server.clock.now())).toMatch(
      /^Cambiato con \w{3} \d+/u,
    );
  await expectSoundBooks(server);
});
