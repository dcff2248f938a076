/** The order's history when Stripe, which tells whole seconds, answers within the second in which the order began. */
import { expect, test } from 'vitest';
import type { OrderFile } from '#db/order/order-file.ts';
import { timelineOf } from '#server/services/office/timeline.ts';

const second = Date.UTC(2030, 0, 5, 20, 15, 7);
const nothing = { mails: [], breaks: [], admissions: [] };

test('what Stripe says of the second in which an order began stands after its beginning, a payment after its refused tries', () => {
  const audit = [{ at: second + 1_500, actor: 'system', action: 'confirmed', detail: null }];
  const declines = [{ at: second, code: 'expired_card', method: 'card', amount_cents: 6_400 }];
  const payments = [{ paid_at: second, actor: 'stripe', kind: 'stripe', amount_cents: 6_400 }];
  const sessions = [{ id: 'cs_1', created_at: second + 940 }];
  const file = { ...nothing, audit, sessions, declines, payments } as unknown as OrderFile;
  const told = timelineOf({ created_at: second + 116 }, file, []).toReversed();
  expect(told.map(({ action }) => action)).toEqual([
    'order_stored',
    'checkout_opened',
    'payment_declined',
    'payment_received',
    'confirmed',
  ]);
  expect(told.every(({ at }) => at >= second + 116)).toBe(true);
});
