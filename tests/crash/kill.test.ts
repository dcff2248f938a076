/**
 * The short form of kill.proof.ts: one process is killed once during a sale, and every fault
 * point has a test somewhere.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dieAtEach, scenarios } from './deaths.ts';

test('killed when a sale is confirmed and its letter is not yet sent, the process comes back, and nothing is lost or doubled', () =>
  dieAtEach({ ...scenarios['buying']!, points: ['confirmed'] }));

/**
 * Fault points that no scenario here reaches, by the test that dies there; a new one fails here.
 */
const elsewhere: Record<string, string[]> = {
  'tests/crash/broken-off.test.ts': ['books_followed', 'erasure_begun', 'figures_kept'],
  'tests/server/backup/disaster.test.ts': ['order_recovered'],
  'tests/server/booking/free.test.ts': ['click_asked', 'let_go_stored'],
  'tests/server/move/move-faults.test.ts': [
    'move_stored',
    'move_seats_taken',
    'tickets_moved',
    'move_taken_back',
    'move_seats_left',
  ],
  'tests/server/move/swap.test.ts': ['tickets_swapped', 'swap_kept_back', 'swap_seat_told'],
  'tests/server/counter/deposit.test.ts': ['deposit_taken'],
  'tests/server/counter/print.test.ts': ['printed'],
  'tests/server/seat-map/blocks.test.ts': ['seats_blocked', 'seats_unblocked'],
  'tests/server/seat-map/contingent-seats.test.ts': ['contingent_grown'],
  'tests/server/seat-map/contingents.test.ts': ['contingent_placed', 'contingent_dropped'],
  'tests/server/event/postponement.test.ts': ['silent_order_answered'],
  'tests/server/refund/asked-first.test.ts': ['buyers_asked', 'cancellation_answered'],
  'tests/server/refund/transfer.test.ts': [
    'transfer_tried',
    'transfer_stored',
    'transfer_seats_booked',
  ],
  'tests/server/event/prices.test.ts': ['price_retired', 'price_named', 'product_made'],
  'tests/server/rehousing/rehousing.test.ts': [
    'rehousing_hall_made',
    'rehousing_order_taken',
    'rehousing_taken',
    'rehousing_committed',
    'rehousing_left',
    'rehousing_given_back',
  ],
  'tests/server/event/reminders.test.ts': ['reminders_told'],
  // A second press goes on and makes no price twice.
  'tests/server/event/stripe-change.test.ts': ['prices_made_again'],
  // One transaction, and the next look goes on.
  'tests/server/running/clock.test.ts': ['clock_corrected'],
  'tests/server/mail/messages.test.ts': ['message_page_stored'],
  // One transaction, and the next run goes on.
  'tests/server/office/registry.test.ts': ['registry_sealed'],
  'tests/server/person/keeping.test.ts': ['buyers_forgotten'],
  'tests/server/program/webhooks.test.ts': ['program_told'],
  'tests/server/reconcile/comparison.test.ts': ['part_compared'],
  'tests/server/reconcile/payouts.test.ts': ['payout_lines_stored', 'payout_read'],
  // Stripe says no to what it had shown as possible a moment before.
  'tests/server/refund/refunds.test.ts': ['refund_refused'],
  // Between two readings of one refund.
  'tests/simulation/history.ts': ['refund_noted'],
};

test('every fault point of the source is a place to die in one of these tests', () => {
  const folder = join(import.meta.dirname, '../../server/services');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => file.endsWith('.ts'));
  const inSource = sources.flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/\.fault\('([a-z_]+)'\)/g)].map(
      (match) => match[1]!,
    ),
  );
  expect(inSource.length).toBeGreaterThan(20);
  const covered = new Set([
    ...Object.values(scenarios).flatMap((scenario) => scenario.points),
    ...Object.values(elsewhere).flat(),
  ]);
  expect([...new Set(inSource)].filter((point) => !covered.has(point))).toEqual([]);
});
