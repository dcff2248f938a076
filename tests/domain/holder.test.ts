/** Who may name whom on a ticket, at the edges of time, number and state; and what passes for a name. */
import { expect, test } from 'vitest';
import {
  holderChangeUntil,
  holderStepOf,
  isNameMissing,
  isPersonName,
  readFullName,
  readNameList,
  type HolderEvent,
  type HolderTicket,
} from '#server/domain/order/holder.ts';

const hour = 3_600_000;
const starts_at = Date.UTC(2026, 11, 12, 20);
const event: HolderEvent = {
  status: 'published',
  starts_at,
  nominative: 1,
  holder_change: 1,
  holder_changes_max: 2,
  holder_change_until_hours: 24,
  names_due: null,
};
const ticket: HolderTicket = { state: 'valid', holder: 'Anna Bianchi', holder_changes: 0 };
const stepOf = (
  changes: { event?: Partial<HolderEvent>; ticket?: Partial<HolderTicket>; used?: boolean } = {},
  now = starts_at - 48 * hour,
) => {
  const { step, obstacle } = holderStepOf(
    {
      event: { ...event, ...changes.event },
      ticket: { ...ticket, ...changes.ticket },
      used: changes.used ?? false,
    },
    now,
  );
  return step ?? obstacle;
};

test('a change is possible until the very millisecond of its deadline, and as often as the event says', () => {
  const until = starts_at - 24 * hour;
  expect(holderChangeUntil(event)).toBe(until);
  expect([stepOf({}, until), stepOf({}, until + 1)]).toEqual(['change', 'too_late']);
  expect([1, 2, 3].map((holder_changes) => stepOf({ ticket: { holder_changes } }))).toEqual([
    'change',
    'no_more',
    'no_more',
  ]);
  expect(stepOf({ event: { holder_change_until_hours: 0 } }, starts_at)).toBe('change');
});

test('the first name of a nominative ticket has no deadline and counts as no change', () => {
  const unnamed = { ticket: { holder: null } };
  expect([
    stepOf(unnamed),
    stepOf(unnamed, starts_at + hour),
    stepOf({ ...unnamed, event: { holder_change: 0 } }),
    stepOf({ ...unnamed, used: true }),
  ]).toEqual(['name', 'name', 'name', 'name']);
  expect([
    stepOf({ event: { status: 'cancelled' }, ...unnamed }),
    stepOf({ ticket: { holder: null, state: 'void' } }),
  ]).toEqual(['event_cancelled', 'ticket_gone']);
  expect([
    isNameMissing(event, { holder: null }),
    isNameMissing(event, ticket),
    isNameMissing({ nominative: 0 }, { holder: null }),
  ]).toEqual([true, false, false]);
});

test('where names are not asked for, giving one is a change, because the code was seen before', () => {
  const free = { event: { nominative: 0 as const }, ticket: { holder: null } };
  expect([
    stepOf(free),
    stepOf({ ...free, event: { nominative: 0, holder_change: 0 } }),
    stepOf(free, starts_at),
  ]).toEqual(['change', 'not_offered', 'too_late']);
});

test('nobody takes over a ticket that is used, void, refunded, unpaid, or of a cancelled event', () => {
  expect([
    stepOf({ used: true }),
    ...(['void', 'refunded', 'unpaid'] as const).map((state) => stepOf({ ticket: { state } })),
    stepOf({ event: { status: 'cancelled' } }),
  ]).toEqual(['ticket_used', 'ticket_gone', 'ticket_gone', 'ticket_gone', 'event_cancelled']);
});

test('a name is letters, spaces, apostrophes, hyphens and initials; an address or a sentence is none', () => {
  for (const name of [
    'Eva',
    'Niccolò',
    'D’Amico',
    "O'Neil",
    'Jean-Luc',
    'Anna M.',
    'Ευγενία',
    'de la Cruz',
    '李',
    'علی‌رضا',
    'צ׳רלי',
    'ローズ・マリー',
    'Gal·la',
    'D`Amico',
    '’t Hooft',
    'J.R.R.',
  ])
    expect([name, isPersonName(name)]).toEqual([name, true]);
  for (const name of [
    '',
    ' ',
    ' Eva',
    '7',
    'Eva7',
    'eva@x.it',
    'www.x.it',
    'x.it',
    'Eva: ciao',
    '<b>',
    'Eva/Anna',
    'a'.repeat(61),
    'Eva\n',
    'Eva\u202eavE',
    '“Eva”',
  ])
    expect([name, isPersonName(name)]).toEqual([name, false]);
});

test('the office corrects a name whatever buyers may, but not once the ticket was used or is gone', () => {
  const office = (changes: Partial<HolderTicket>, used = false) =>
    holderStepOf(
      {
        event: { ...event, holder_change: 0 },
        ticket: { ...ticket, holder_changes: 9, ...changes },
        used,
        by: 'office',
      },
      starts_at,
    );
  expect(office({})).toEqual({ step: 'change', obstacle: null });
  expect(office({ holder: null })).toEqual({ step: 'name', obstacle: null });
  expect(office({}, true).obstacle).toBe('ticket_used');
  expect(office({ state: 'void' }).obstacle).toBe('ticket_gone');
});

test('a pasted list is read line by line, with columns, numbers and blanks as people leave them', () => {
  expect(readNameList('1. Anna\tD’Amico\r\n\n 2) Bruno;Verdi \nCarla De  Luca')).toEqual([
    'Anna D’Amico',
    'Bruno Verdi',
    'Carla De Luca',
  ]);
  expect(readFullName(' Carla  De Luca ')).toEqual({ first_name: 'Carla', last_name: 'De Luca' });
  expect(readFullName('王小明')).toEqual({ first_name: '王小明', last_name: '' });
  expect([readFullName('Carla'), readFullName('carla@luca.it x'), readFullName('')]).toEqual([
    null,
    null,
    null,
  ]);
});
