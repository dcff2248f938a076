/** The short form of simulation.proof.ts: some random histories of visitors, vendors and dying processes, and one mutant, so that it is known that they see something. */
import { expect, test } from 'vitest';
import { expectHistoriesHold, hunt, seed, theHistory } from './simulated.ts';

test('fifteen histories with faults at every step, and five with a change of hall: nothing lost, nothing sold twice, every cent accounted for', async () => {
  await expectHistoriesHold(15);
  await expectHistoriesHold(5, [...seed, '--rehouses']);
});

test('eight histories in which tickets are exchanged for another date; an old ticket that dies before the new one is paid is caught', async () => {
  await expectHistoriesHold(8, [...seed, '--exchanges']);
  const history = ['--exchanges', ...theHistory(8)];
  expect(await hunt('old-dead-before-the-new-is-paid', history)).toContain('broken after');
});

test('ten histories in which reservations are paid in parts; a part that is taken twice is caught', async () => {
  await expectHistoriesHold(10, [...seed, '--deposits']);
  expect(await hunt('part-taken-twice', ['--deposits', ...theHistory(2)])).toContain(
    'broken after',
  );
});

test('an order that is stored only after the seats were booked is caught', async () => {
  expect(await hunt('insert-after-call', theHistory(3))).toContain('broken after');
});
