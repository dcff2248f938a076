/** What the order page says, and how often it asks. */
import { expect, test } from 'vitest';
import { askAgainMs, lookAgainMs, stageOf } from '#apps/booking/order/stage.ts';

const unpaid = { end_reason: null, paid_cents: 0 } as const;

test('the return address alone never confirms an order', () => {
  expect(
    stageOf({ state: 'awaiting_payment', checkout_session_status: 'open', ...unpaid }, true),
  ).toBe('verifying');
  expect(
    stageOf({ state: 'awaiting_payment', checkout_session_status: 'complete', ...unpaid }, true),
  ).toBe('verifying');
  expect(
    stageOf({ state: 'confirmed', checkout_session_status: 'complete', ...unpaid }, false),
  ).toBe('confirmed');
});

test('an order that is over says so, even on the return address', () => {
  expect(
    stageOf(
      {
        state: 'deleted',
        checkout_session_status: 'expired',
        ...unpaid,
        end_reason: 'session_expired',
      },
      true,
    ),
  ).toBe('expired');
  expect(
    stageOf(
      {
        state: 'deleted',
        checkout_session_status: 'expired',
        ...unpaid,
        end_reason: 'cancelled_by_visitor',
      },
      true,
    ),
  ).toBe('deleted');
  expect(
    stageOf(
      {
        state: 'deleted',
        checkout_session_status: 'complete',
        ...unpaid,
        end_reason: 'payment_failed',
      },
      true,
    ),
  ).toBe('failed');
  expect(
    stageOf(
      {
        state: 'deleted',
        checkout_session_status: 'complete',
        end_reason: 'session_expired',
        paid_cents: 6400,
      },
      true,
    ),
  ).toBe('paid_back');
  expect(
    stageOf({ state: 'awaiting_payment', checkout_session_status: 'expired', ...unpaid }, true),
  ).toBe('expired');
  expect(stageOf({ state: 'deleted', checkout_session_status: null, ...unpaid }, true)).toBe(
    'deleted',
  );
});

test('without the return address an open session waits for the visitor and a missing one for the server', () => {
  expect(
    stageOf({ state: 'awaiting_payment', checkout_session_status: 'open', ...unpaid }, false),
  ).toBe('open');
  expect(stageOf({ state: 'booking', checkout_session_status: null, ...unpaid }, false)).toBe(
    'preparing',
  );
});

test('a payment is asked about every second for a minute, then less often, and never once it is settled', () => {
  const paid = {
    state: 'awaiting_payment',
    checkout_session_status: 'complete',
    ...unpaid,
  } as const;
  expect(askAgainMs(paid, true, 59_999)).toBe(1_000);
  expect(askAgainMs(paid, true, 60_000)).toBeGreaterThan(1_000);
  expect(
    askAgainMs({ state: 'confirmed', checkout_session_status: 'complete', ...unpaid }, true, 0),
  ).toBe(false);
  expect(
    askAgainMs({ state: 'deleted', checkout_session_status: 'expired', ...unpaid }, true, 0),
  ).toBe(false);
  expect(askAgainMs({ state: 'deleted', checkout_session_status: null, ...unpaid }, true, 0)).toBe(
    false,
  );
});

test('an expired session is watched until its order is confirmed or deleted: a last payment may still arrive', () => {
  expect(
    askAgainMs(
      { state: 'awaiting_payment', checkout_session_status: 'expired', ...unpaid },
      true,
      3_600_000,
    ),
  ).toBeGreaterThan(0);
  const expired = { order_confirmed_at: null, checkout_session_status: 'expired' } as const;
  expect(lookAgainMs({ ...expired, order_deleted_at: null }, 3_600_000)).toBeGreaterThan(0);
  expect(lookAgainMs({ ...expired, order_deleted_at: '2026-12-03T09:00:00.000Z' }, 0)).toBe(false);
});

test('the overlay waits for an order whose checkout is still being opened, and not for one that has none any more', () => {
  const booking = {
    order_confirmed_at: null,
    order_deleted_at: null,
    checkout_session_status: null,
  };
  expect(lookAgainMs(booking, 0)).toBe(2_000);
  expect(lookAgainMs(booking, 60_000)).toBeGreaterThan(2_000);
  expect(lookAgainMs({ ...booking, order_deleted_at: '2026-12-03T09:00:00.000Z' }, 0)).toBe(false);
  expect(lookAgainMs({ ...booking, order_confirmed_at: '2026-12-03T09:00:00.000Z' }, 0)).toBe(
    false,
  );
});
