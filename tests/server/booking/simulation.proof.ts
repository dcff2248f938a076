/** Random histories of visitors, vendors and dying processes against the product's own services; and proof that the simulation sees faults: each named mutant is caught. */
import { expect, test } from 'vitest';
import {
  depositMutants,
  exchangeMutants,
  mutants,
  rehousingMutants,
  swapMutants,
  tableMutants,
} from '#tests/simulation/mutants.ts';
import { expectHistoriesHold, hunt, seed, theHistory } from './simulated.ts';

/** So many are tried in a row; whoever is caught only later is caught in a history that the product passes by itself. */
const inARow = 400;

test('four hundred histories with faults at every step: nothing lost, nothing sold twice, every cent accounted for', () =>
  expectHistoriesHold(inARow));

test('histories on PostgreSQL with two processes hold as well', () =>
  expectHistoriesHold(30, ['--seed', '20261121', '--postgres']));

test('sixty histories in which the evening changes its hall: at the seat map and in our books everybody is where they should be', () =>
  expectHistoriesHold(60, [...seed, '--rehouses']));

test('sixty histories with tables that are sold whole, given back singly, moved and killed; twenty with another hall', async () => {
  await expectHistoriesHold(60, [...seed, '--tables']);
  await expectHistoriesHold(20, [...seed, '--tables', '--rehouses']);
});

const caughtAtTables: Record<string, number> = {
  'one-line-frees-the-table': 468,
  'a-table-splits-over-orders': 593,
  'one-guest-moves-alone': 7,
};

for (const name of new Set(tableMutants.map((mutant) => mutant.name))) {
  test(`the simulation with tables catches the mutant ${name}`, async () => {
    const history = theHistory(caughtAtTables[name] ?? 1);
    await expectHistoriesHold(1, [...history.slice(2), ...seed, '--tables']);
    expect(await hunt(name, ['--tables', ...history])).toContain('broken');
  });
}

test('a hundred and fifty histories in which tickets are exchanged for another date, at the till and online', () =>
  expectHistoriesHold(150, [...seed, '--exchanges']));

/** All of them among the histories that hold without a fault. */
const caughtInExchanges: Record<string, number> = {
  'old-and-new-both-good': 3,
  'exchanged-in-two-steps': 389,
  'old-dead-before-the-new-is-paid': 8,
  'money-twice': 3,
  'credit-is-money': 3,
  'changed-ticket-is-exchanged': 90,
  'changed-sum-is-exchanged': 55,
  'guest-inside-is-exchanged': 93,
  'ticket-pays-for-two-orders': 26,
  'unpaid-exchange-stays-open': 8,
  'late-refund-forgets-the-credit': 85,
  'old-payment-forgets-the-new-order': 85,
  'old-seats-stay-booked': 3,
};

for (const name of new Set(exchangeMutants.map((mutant) => mutant.name))) {
  test(`the simulation of exchanges catches the mutant ${name}`, async () => {
    const history = theHistory(caughtInExchanges[name] ?? 1);
    await expectHistoriesHold(1, [...history.slice(2), ...seed, '--exchanges']);
    expect(await hunt(name, ['--exchanges', ...history])).toContain('broken');
  });
}

test('sixty histories in which tickets change seats with each other, and their types; thirty with exchanges', async () => {
  await expectHistoriesHold(60, [...seed, '--swaps']);
  await expectHistoriesHold(30, [...seed, '--swaps', '--exchanges']);
});

/** All of them among the histories that hold without a fault. */
const caughtInSwaps: Record<string, number> = {
  'swapped-seats-are-free-between': 62,
  'swap-without-a-task': 3,
  'swapped-tickets-keep-their-places': 3,
  'swapped-guest-stays-behind': 3,
  'swapped-guests-sit-on-one-seat': 26,
};

for (const name of new Set(swapMutants.map((mutant) => mutant.name))) {
  test(`the simulation of swaps catches the mutant ${name}`, async () => {
    const history = theHistory(caughtInSwaps[name] ?? 1);
    await expectHistoriesHold(1, [...history.slice(2), ...seed, '--swaps']);
    expect(await hunt(name, ['--swaps', ...history])).toContain('broken');
  });
}

test('a hundred histories in which reservations are paid in parts: each part is taken once, and given back or kept once', () =>
  expectHistoriesHold(100, [...seed, '--deposits']));

/** All of them among the histories that hold without a fault. */
const caughtInDeposits: Record<string, number> = {
  'part-taken-twice': 2,
  'part-forgotten-at-the-end': 1,
};

for (const { name } of depositMutants) {
  test(`the simulation of part payments catches the mutant ${name}`, async () => {
    const history = theHistory(caughtInDeposits[name] ?? 1);
    await expectHistoriesHold(1, [...history.slice(2), ...seed, '--deposits']);
    expect(await hunt(name, ['--deposits', ...history])).toContain('broken');
  });
}

for (const { name } of rehousingMutants) {
  test(`the simulation of changes of hall catches the mutant ${name}`, async () => {
    expect(await hunt(name, ['--rehouses'])).toContain('broken');
  });
}

/** The history in which each was caught last: tried first, because those before it have shown that they do not see it. */
const caughtIn: Record<string, number> = {
  'release-before-expire': 143,
  'clear-before-answer': 35,
  'clock-ahead-is-believed': 220,
  'order-ahead-waits': 234,
  'insert-after-call': 3,
  'trust-the-event': 124,
  'complete-is-paid': 124,
  'new-key-each-try': 251,
  'refund-without-key': 1278,
  'no-turns': 2387,
  'seats-not-taken-again': 1932,
  'complete-is-expired': 31,
  'only-succeeded-counts': 5,
  'mail-outside-the-transaction': 196,
  'any-amount': 351,
  'release-what-was-asked-for': 20,
  'shift-not-looked-at-again': 100,
  'gifts-counted-before': 84,
  'block-unknown-is-refused': 420,
  'block-without-a-task': 43,
  'contingent-without-a-task': 12,
  'contingent-unknown-is-refused': 138,
  'contingent-never-released': 12,
  'area-block-unknown-is-refused': 1208,
  'moved-code-lives': 321,
  'guest-stays-behind': 796,
  'given-up-keeps-seats': 144,
};

for (const name of new Set(mutants.map((mutant) => mutant.name))) {
  test(`the simulation catches the mutant ${name}`, async () => {
    const last = caughtIn[name] ?? 1;
    const known = await hunt(name, theHistory(last)).catch(() => null);
    if (known === null) console.log(`${name}: ${await hunt(name, [])}, no more in ${last}`);
    // The very history in which the mutant is caught.
    if (last > inARow) await expectHistoriesHold(1, [...theHistory(last).slice(2), ...seed]);
  });
}
