/** A change asks for the tests of its rooms and of what calls them, and for no others. */
import { expect, test } from 'vitest';
import { selectTests } from '#tests/suite/selection.ts';

const chosenBy = (...changed: string[]) => new Set(selectTests(changed).tests);

test('a change in a room of services asks for its tests, its screens and the first story', () => {
  const chosen = chosenBy('server/services/refund/desk.ts');
  for (const path of [
    'tests/server/refund/refunds.test.ts',
    'tests/server/counter/give-back.test.ts',
    'tests/admin/refunds.test.ts',
    'tests/e2e/story.test.ts',
  ])
    expect(chosen).toContain(path);
  for (const path of ['tests/server/queue/room.test.ts', 'tests/admin/blocks.test.ts'])
    expect(chosen).not.toContain(path);
  expect([...chosen].filter((path) => path.startsWith('tests/designer/'))).toEqual([]);
});

test('a change of an endpoint asks for whatever calls it by its name', () => {
  const chosen = chosenBy('server/contract/blocks.ts');
  expect(chosen).toContain('tests/server/seat-map/blocks.test.ts');
  expect(chosen).toContain('tests/admin/blocks.test.ts');
  expect(chosen).not.toContain('tests/server/refund/refunds.test.ts');
});

test('a changed screen asks for the tests that open its address, a rule for its own', () => {
  expect(chosenBy('apps/admin/payouts/payouts.tsx')).toContain('tests/admin/payouts.test.ts');
  expect(chosenBy('apps/admin/payouts/payouts.tsx')).not.toContain('tests/admin/till.test.ts');
  expect(chosenBy('server/domain/seating.ts')).toContain('tests/domain/seating.test.ts');
});

test('every test file is asked for by a change of itself, and left out is what was not chosen', () => {
  const { tests, leftOut } = selectTests(['tests/domain/refund.test.ts']);
  expect(tests).toContain('tests/domain/refund.test.ts');
  expect(tests.length).toBeLessThan(6);
  expect(leftOut.some((path) => tests.includes(path))).toBe(false);
});
