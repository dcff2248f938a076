/** What the order page says, and how often it asks. */
import { expect, test } from 'vitest';
import { askAgainMs, stageOf } from '#apps/booking/order-stage.ts';

test('the return address alone never confirms an order', () => {
  expect(stageOf({ state: 'awaiting_payment', checkout_session_status: 'open' }, true)).toBe('verifying');
  expect(stageOf({ state: 'awaiting_payment', checkout_session_status: 'complete' }, true)).toBe('verifying');
  expect(stageOf({ state: 'confirmed', checkout_session_status: 'complete' }, false)).toBe('confirmed');
});

test('an order that is over says so, even on the return address', () => {
  expect(stageOf({ state: 'deleted', checkout_session_status: 'expired' }, true)).toBe('expired');
  expect(stageOf({ state: 'awaiting_payment', checkout_session_status: 'expired' }, true)).toBe('expired');
  expect(stageOf({ state: 'deleted', checkout_session_status: null }, true)).toBe('deleted');
});

test('without the return address an open session waits for the visitor and a missing one for the server', () => {
  expect(stageOf({ state: 'awaiting_payment', checkout_session_status: 'open' }, false)).toBe('open');
  expect(stageOf({ state: 'booking', checkout_session_status: null }, false)).toBe('preparing');
});

test('a payment is asked about every second for a minute, then less often, and never once it is settled', () => {
  expect(askAgainMs('verifying', 59_999)).toBe(1_000);
  expect(askAgainMs('verifying', 60_000)).toBeGreaterThan(1_000);
  expect(askAgainMs('confirmed', 0)).toBe(false);
  expect(askAgainMs('expired', 0)).toBe(false);
  expect(askAgainMs('deleted', 0)).toBe(false);
});
