/** When the owner is told: as a table of minutes. */
import { expect, test } from 'vitest';
import { stepAlerts, type Alerts, type Finding } from '#server/domain/office/alert.ts';

const minute = 60_000;
const amber: Finding = { state: 'amber', sentence: 'Piano.', mend: 'Aspetta.' };
const red: Finding = { ...amber, state: 'red' };

/** One letter a minute: `.` well, `a` amber, `r` red, `?` could not look. What was told, with the minute. */
function tell(minutes: string): string[] {
  let known: Alerts = {};
  return [...minutes].flatMap((seen, at) => {
    const found = new Map<string, Finding | null>();
    if (seen === '.') found.set('disk', null);
    if (seen === 'a') found.set('disk', amber);
    if (seen === 'r') found.set('disk', red);
    const step = stepAlerts(known, found, at * minute);
    known = step.next;
    return [...step.opened.map(() => `${at} bad`), ...step.closed.map(() => `${at} well`)];
  });
}

test.each([
  ['what passes within three minutes is told to nobody', '.aa...............', []],
  ['one when it lasts, one when it is well again', '.aaaaaa............', ['4 bad', '16 well']],
  ['what comes and goes is one alert', 'a.aa..aa.a.a.a.aa.a.a.a...........', ['3 bad', '32 well']],
  [
    'from amber to red is told once more, back and forth is not',
    'aaaaarararara',
    ['3 bad', '5 bad'],
  ],
  ['who could not look knows nothing, neither well nor bad', 'aaaaaaa????????????????', ['3 bad']],
  ['a check that looks again after that goes on', 'aaaa??????????????.', ['3 bad', '18 well']],
] as const)('%s', (_, minutes, told) => {
  expect(tell(minutes)).toEqual(told);
});

test('a clock that was two hours ahead keeps no alert open', () => {
  const ahead = { since: 0, last_seen: 120 * minute, told: 'red', sentence: 'x' } as const;
  const first = stepAlerts({ disk: ahead }, new Map([['disk', null]]), 0);
  expect(first.closed).toEqual([]);
  expect(stepAlerts(first.next, new Map([['disk', null]]), 10 * minute).closed).toEqual(['disk']);
});
