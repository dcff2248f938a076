/** What the order page says, and how often it asks. */
import { expect, test } from 'vitest';
import { askAgainMs, lookAgainMs, orderStageOf } from '#apps/booking/order/stage.ts';

type Order = Parameters<typeof orderStageOf>[0];

function orderWith(
  state: Order['state'],
  checkout_session_status: Order['checkout_session_status'],
  more: Partial<Order> = {},
): Order {
  return { state, checkout_session_status, end_reason: null, paid_cents: 0, ...more };
}

const complete = orderWith('awaiting_payment', 'complete');
const confirmed = orderWith('confirmed', 'complete');
const ended = (
  session: Order['checkout_session_status'],
  end_reason: Order['end_reason'],
  paid_cents = 0,
) => orderWith('deleted', session, { end_reason, paid_cents });

test.each<[said: string, order: Order, returned: boolean]>([
  // The return address alone never confirms an order.
  ['verifying', orderWith('awaiting_payment', 'open'), true],
  ['verifying', complete, true],
  ['confirmed', confirmed, false],
  // An order that is over says so, even on the return address.
  ['expired', ended('expired', 'session_expired'), true],
  ['deleted', ended('expired', 'cancelled_by_visitor'), true],
  ['failed', ended('complete', 'payment_failed'), true],
  ['paid_back', ended('complete', 'session_expired', 6400), true],
  ['expired', orderWith('awaiting_payment', 'expired'), true],
  ['deleted', orderWith('deleted', null), true],
  // Without it an open session waits for the visitor, and a missing one for the server.
  ['open', orderWith('awaiting_payment', 'open'), false],
  ['preparing', orderWith('booking', null), false],
  ['reserved', orderWith('awaiting_payment', null), false],
])('"%s" is said of %j, back from the checkout: %s', (said, order, returned) => {
  expect(orderStageOf(order, returned)).toBe(said);
});

test('a payment is asked about every second for a minute, then less often, and never once it is settled', () => {
  expect(askAgainMs(complete, true, 59_999)).toBe(1_000);
  expect(askAgainMs(complete, true, 60_000)).toBeGreaterThan(1_000);
  for (const settled of [confirmed, orderWith('deleted', 'expired'), orderWith('deleted', null)])
    expect([settled, askAgainMs(settled, true, 0)]).toEqual([settled, false]);
});

test('an expired session is watched until its order is confirmed or deleted: a last payment may still arrive', () => {
  const watched = orderWith('awaiting_payment', 'expired');
  expect(askAgainMs(watched, true, 3_600_000)).toBeGreaterThan(0);
  const expired = { order_confirmed_at: null, checkout_session_status: 'expired' } as const;
  expect(lookAgainMs({ ...expired, order_deleted_at: null }, 3_600_000)).toBeGreaterThan(0);
  expect(lookAgainMs({ ...expired, order_deleted_at: '2026-12-03T09:00:00.000Z' }, 0)).toBe(false);
});

test('the overlay waits for an order whose checkout is still being opened, and not for one that has none any more', () => {
  const none = { order_confirmed_at: null, order_deleted_at: null, checkout_session_status: null };
  const at = '2026-12-03T09:00:00.000Z';
  expect(lookAgainMs(none, 0)).toBe(2_000);
  expect(lookAgainMs(none, 60_000)).toBeGreaterThan(2_000);
  expect(lookAgainMs({ ...none, order_deleted_at: at }, 0)).toBe(false);
  expect(lookAgainMs({ ...none, order_confirmed_at: at }, 0)).toBe(false);
});
