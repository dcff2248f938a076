/** The house's scans of a guest who got another code follow what phones tell later (RULES M5). */
import { expect, test } from 'vitest';
import { followGuests } from '#server/domain/door/carried.ts';

type Step = [id: string, direction: 'in' | 'out', annulled_by?: string];

/** Ids that begin with a `c` are of the house. */
const follow = (steps: readonly Step[]) =>
  Object.fromEntries(
    followGuests(
      steps.map(([id, direction, annulled_by = null], at) => ({
        id,
        ticket: 't',
        direction,
        corrected_at: at,
        carried: id.startsWith('c'),
        annulled_by,
      })),
    ),
  );

const carried: Step[] = [
  ['c1', 'out'],
  ['c2', 'in'],
];
test.each<[string, Step[], Record<string, string>]>([
  ['a guest who is inside', [['in', 'in'], ...carried], {}],
  ['no entry is known', carried, {}],
  ['out before', [['in', 'in'], ['left', 'out'], ...carried], { c1: 'left', c2: 'left' }],
  ['out and in again before', [['in', 'in'], ['left', 'out'], ['back', 'in'], ...carried], {}],
  ['out afterwards', [['in', 'in'], ...carried, ['left', 'out']], {}],
  ['the entry is taken back', [['in', 'in', 'undo'], ...carried], { c1: 'undo', c2: 'undo' }],
  ['one entry of two is taken back', [['in', 'in', 'undo'], ['second', 'in'], ...carried], {}],
  [
    'a person takes the last entry back',
    [['in', 'in'], ...carried, ['c3', 'out'], ['c4', 'in', 'undo']],
    { in: 'undo', c1: 'undo', c2: 'undo', c3: 'undo', c4: 'undo' },
  ],
])('%s', (_, steps, taken) => {
  expect(follow(steps)).toEqual(taken);
});
