/** What a waiting page shows in each stage, and how soon it asks again. */
import { expect, test } from 'vitest';
import { placeDueAt, roomAgainMs, queueStageOf } from '#apps/booking/queue/stage.ts';
import { sayQueue, sayTab, type QueueFacts } from '#apps/booking/queue/words.ts';
import { queuePhases } from '#server/domain/queue/queue.ts';

const facts: QueueFacts = {
  phase: 'open',
  stage: 'waiting',
  number: 12_345,
  ahead: 40,
  wait: { from: 4, to: 7 },
  opensAt: '2026-12-01T09:00:00.000Z',
  until: '2026-12-01T09:30:00.000Z',
};

test('whoever is inside stays inside whatever becomes of the room, and without a room nobody waits', () => {
  const inside = { state: 'inside', number: 3 } as const;
  for (const phase of queuePhases)
    expect(queueStageOf({ phase }, inside)).toBe(phase === 'off' ? 'free' : 'inside');
  const waiting = { state: 'waiting', number: null } as const;
  expect(queuePhases.map((phase) => queueStageOf({ phase }, waiting))).toEqual([
    'free',
    'gathering',
    'numberless',
    'paused',
    'closed',
  ]);
  expect(queueStageOf({ phase: 'open' }, null)).toBe('outside');
});

test('a page says the number, how many are before and an honest wait, and its tab says the number', () => {
  expect(sayQueue(facts)).toEqual({
    title: 'Il tuo numero è 12.345',
    text: 'Hai 40 persone davanti: entri tra 4 e 7 minuti.',
  });
  expect(sayTab(facts)).toBe('N. 12.345');
  expect(sayQueue({ ...facts, ahead: 0, wait: { from: 0, to: 1 } }).text).toBe(
    'Sei il prossimo: entri tra meno di un minuto.',
  );
  expect(sayQueue({ ...facts, ahead: 1, wait: null }).text).toBe('Hai una persona davanti.');
  expect(sayQueue({ ...facts, stage: 'called' }).text).toContain('Entra entro le 10:30');
  expect(sayQueue({ ...facts, stage: 'gathering' }).text).toContain('1 dicembre 2026');
});

test('the place is asked for when it has changed, and not by everybody at once', () => {
  const now = 1_000_000;
  const ask = { until: null, wasBefore: true, luck: 0.5, now };
  const room = { phase: 'open', serving: 20, last: 90_000 } as const;
  expect(placeDueAt(room, { state: 'waiting', number: 21 }, ask)).toBeNull();
  expect(placeDueAt(room, { state: 'waiting', number: 20 }, ask)).toBe(now);
  // Half of the minute over which ninety thousand are spread.
  expect(placeDueAt(room, { state: 'waiting', number: null }, ask)).toBe(now + 31_000);
  const late = { ...ask, wasBefore: false };
  expect(placeDueAt(room, { state: 'waiting', number: null }, late)).toBe(now + 1_000);
  expect(placeDueAt(room, { state: 'expired', number: 3 }, { ...ask, until: 1 })).toBeNull();
  const inside = { state: 'inside', number: 3 } as const;
  expect(placeDueAt(room, inside, { ...ask, until: now + 60_000 })).toBe(now + 61_000);
  expect(
    placeDueAt({ ...room, phase: 'before' }, { state: 'waiting', number: null }, ask),
  ).toBeNull();
});

test('the room is asked for seldom while the turn is far, and often near it', () => {
  const ask = (minutesLeft: number | null) =>
    roomAgainMs('waiting', { minutesLeft, untilOpen: null });
  expect([90, 5, 1, null].map(ask)).toEqual([10_000, 5_000, 2_000, 2_000]);
  const before = (untilOpen: number | null) =>
    roomAgainMs('gathering', { minutesLeft: null, untilOpen });
  expect([null, 3_600_000, 300_000, 20_000].map(before)).toEqual([60_000, 60_000, 15_000, 3_000]);
});
