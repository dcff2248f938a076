/** The sentences of a booking that failed. */
import { expect, test } from 'vitest';
import { sayReason, sayViolation } from '#apps/booking/event/book.ts';
import type { Choice } from '#apps/booking/event/seats/choices.ts';
import { sayMinutes } from '#apps/booking/shell/time-left.ts';
import { CallError, networkError } from '#apps/shared/api.ts';
import { errors } from '#server/contract/errors.ts';

function makeChoice(object_id: string, name: string): Choice {
  return {
    object_id,
    name,
    is_area: false,
    ticket_type: undefined,
    type_label: null,
    quantity: 1,
    traits: [],
    fee_cents: 0,
    service_cents: 0,
    cents: 100,
    sold: null,
    list_cents: null,
    reason: null,
    whole: null,
  };
}

test('seats that were taken are named, the others are not', () => {
  const error = new CallError(409, 'seats_taken', errors.seats_taken.message, { objects: ['A-1'] });
  expect(
    sayReason(error, [makeChoice('A-1', 'fila A, posto 1'), makeChoice('A-2', 'fila A, posto 2')]),
  ).toBe(`${errors.seats_taken.message} (fila A, posto 1)`);
});

test.each([undefined, null, 'x', { objects: 'A-1' }, { objects: ['B-9'] }])(
  'a refusal with the detail %j still gives its sentence',
  (detail) => {
    expect(
      sayReason(new CallError(409, 'seats_taken', errors.seats_taken.message, detail), [
        makeChoice('A-1', 'fila A, posto 1'),
      ]),
    ).toBe(errors.seats_taken.message);
  },
);

test('no English word of the transport reaches the visitor', () => {
  const said = [
    sayReason(new CallError('unknown', networkError, 'Network error'), []),
    sayReason(new CallError('unknown', 'unreadable', 'Unexpected error'), []),
    sayReason(new TypeError('x is not a function'), []),
  ];
  expect(said.join(' ')).not.toMatch(/error|function/i);
  expect(new Set(said).size).toBe(3);
});

test('an isolated seat is the first thing to say about a selection', () => {
  expect(sayViolation(['consecutiveSeats', 'noOrphanSeats'], [])).toBe(
    'Così resterebbe un posto isolato: spostati di uno.',
  );
  // Who chooses the companion's seat alone leaves the wheelchair's place beside it.
  const companion = [{ traits: ['companion'] as const }];
  expect(sayViolation(['noOrphanSeats'], companion)).toBe(
    'Il posto per chi accompagna si sceglie insieme a un posto per carrozzina.',
  );
  expect(sayViolation(['noOrphanSeats'], [...companion, { traits: ['accessible'] }])).toMatch(
    /spostati di uno/,
  );
  expect(sayViolation(['consecutiveSeats'], [])).toBe('Scegli posti vicini tra loro.');
});

test('time left is minutes and seconds, never below zero', () => {
  expect(sayMinutes(872_000)).toBe('14:32');
  expect(sayMinutes(59_001)).toBe('1:00');
  expect(sayMinutes(5_000)).toBe('0:05');
  expect(sayMinutes(-3)).toBe('0:00');
});
