/** The best places from the browser: by the page's calls, by the option of older pages, with and without a session. */
import { expect } from 'vitest';
import { box, testTheatre as test } from './theatre.ts';

test('the best places are held with their ticket types and chosen like any others; where there are not enough nothing is held', async (theatre) => {
  const { ask, chosen, infoOf, refused, said, show } = await theatre.enter({
    chart: {
      session: 'start',
      selectionValidators: [{ type: 'noOrphanSeats' }, { type: 'consecutiveSeats' }],
    },
  });
  const { labels, together } = await ask<{ labels: string[]; together: boolean }>(
    'chart.holdBestAvailable({ categories: ["Platea"], ticketTypes: { intero: 2, ridotto: 1 } }).then(({ objects, nextToEachOther }) => ({ labels: objects.map(({ label }) => label), together: nextToEachOther }))',
  );
  expect(together).toBe(true);
  expect(labels).toHaveLength(3);
  expect(await chosen()).toEqual(labels);
  const types = ['intero', 'intero', 'ridotto'];
  const holdToken = await ask('chart.holdToken');
  for (const [at, label] of labels.entries())
    expect(await infoOf(label)).toMatchObject({
      status: 'reservedByToken',
      ticketType: types[at],
      holdToken,
    });
  expect(await said()).toContain('SelectionValid');
  expect(
    (await said()).filter((line) => /^(ObjectSel|HoldSucceeded|HoldCallsInProgress)/.test(line)),
  ).toEqual([
    'HoldCallsInProgress',
    ...labels.map((label, at) => `ObjectSelected ${label} ${types[at]}`),
    `HoldSucceeded ${labels.join('+')} ${types.join('+')}`,
  ]);
  await ask('chart.clearSelection()');
  expect((await infoOf(labels[0]!)).status).toBe('free');

  await show({ chart: { session: 'start', unavailableCategories: ['Galleria'] } });
  for (const wish of [
    '{ number: 5, sections: ["Nowhere"] }',
    '{ number: 2, categories: ["Galleria"] }',
    '{}',
    '{ number: 0 }',
    '{ number: 2, ticketTypes: { intero: 2 } }',
  ])
    expect(await refused(`chart.holdBestAvailable(${wish})`)).not.toBe('done');
  expect(await chosen()).toEqual([]);
});

test('without a session a hold is refused and a choice is not, and finds other places the second time; an older page asks by its settings', async (theatre) => {
  const { ask, chosen, heard, hears, infoOf, refused, show } = await theatre.enter({
    chart: { session: 'none', maxSelectedObjects: 5 },
  });
  expect(await refused('chart.holdBestAvailable({ number: 2 })')).toBe('Error');
  const call = 'chart.selectBestAvailableObjects({ number: 2, categories: ["Palchi"] })';
  const choose = `${call}.then(({ objects }) => objects.map(({ label, selectedTicketType }) => [label, selectedTicketType]))`;
  const [first, second] = [await ask<string[][]>(choose), await ask<string[][]>(choose)];
  expect(new Set([...first, ...second].map(([label]) => label)).size).toBe(4);
  expect(first[0]![1]).toBe('palco');
  expect((await infoOf(first[0]![0]!)).status).toBe('free');
  // The page allows one more.
  expect(await refused(call)).toBe('Error');
  expect(await chosen()).toHaveLength(4);

  await show({
    chart: {
      selectedObjects: [box(1)],
      selectBestAvailable: { number: 2, category: 'Palchi', clearSelection: false },
    },
  });
  await hears('best ');
  expect((await heard()).find((line) => line.startsWith('best '))).toMatch(
    /^best Palchi .+ Palchi .+ (true|false)$/,
  );
  expect(await chosen()).toHaveLength(3);
  await show({ chart: { selectBestAvailable: { number: 2, sections: ['Nowhere'] } } });
  await hears('no best');
});
