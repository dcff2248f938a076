/** The best places from the browser: by the page's calls, by the option of older pages, with and without a session. */
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { openPlainChart } from './plain-chart.ts';
import { buildScripts, EVENT, openTheatre } from './theatre.ts';

let browser: Browser;
beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), buildScripts()]);
});
afterAll(() => browser.close());

const refused = (call: string) => `(${call}).then(() => 'done', (error) => error.constructor.name)`;

test('the best places are held with their ticket types and chosen like any others', async () => {
  await using theatre = await openTheatre(browser);
  const visitor = await theatre.enter();
  await visitor.hears('rendered');
  const { ask } = visitor;
  await openPlainChart(
    visitor,
    '{ session: "start", selectionValidators: [{ type: "noOrphanSeats" }, { type: "consecutiveSeats" }] }',
  );
  const { labels, together } = await ask<{ labels: string[]; together: boolean }>(
    'chart.holdBestAvailable({ categories: ["Platea"], ticketTypes: { intero: 2, ridotto: 1 } }).then(({ objects, nextToEachOther }) => ({ labels: objects.map(({ label }) => label), together: nextToEachOther }))',
  );
  expect(together).toBe(true);
  expect(labels).toHaveLength(3);
  expect(await ask('chart.selectedObjects')).toEqual(labels);
  const infos = await theatre.client.events.retrieveObjectInfos(EVENT, labels);
  expect(labels.map((label) => [infos[label]!.status, infos[label]!.ticketType])).toEqual([
    ['reservedByToken', 'intero'],
    ['reservedByToken', 'intero'],
    ['reservedByToken', 'ridotto'],
  ]);
  expect(infos[labels[0]!]!.holdToken).toBe(await ask('chart.holdToken'));
  const said = await ask<string[]>('said');
  expect(said).toContain('SelectionValid');
  expect(
    said.filter((line) => /^(ObjectSelected|HoldSucceeded|HoldCallsInProgress)/.test(line)),
  ).toEqual([
    'HoldCallsInProgress',
    ...labels.map((label, at) => `ObjectSelected ${label} ${at < 2 ? 'intero' : 'ridotto'}`),
    `HoldSucceeded ${labels.join('+')} intero+intero+ridotto`,
  ]);
  await ask('chart.clearSelection()');
  expect((await theatre.client.events.retrieveObjectInfo(EVENT, labels[0]!)).status).toBe('free');
});

test('without a session the call for a hold is refused, the call for a choice is not, and finds other places the second time', async () => {
  await using theatre = await openTheatre(browser);
  const visitor = await theatre.enter();
  await visitor.hears('rendered');
  const { ask } = visitor;
  await openPlainChart(visitor, '{ maxSelectedObjects: 5 }');
  expect(await ask(refused('chart.holdBestAvailable({ number: 2 })'))).toBe('Error');
  const choose =
    'chart.selectBestAvailableObjects({ number: 2, categories: ["Palchi"] }).then(({ objects }) => objects.map(({ label, selectedTicketType }) => [label, selectedTicketType]))';
  const [first, second] = [await ask<string[][]>(choose), await ask<string[][]>(choose)];
  expect(new Set([...first, ...second].map(([label]) => label)).size).toBe(4);
  expect(first[0]![1]).toBe('palco');
  expect((await theatre.client.events.retrieveObjectInfo(EVENT, first[0]![0]!)).status).toBe(
    'free',
  );
  // The page allows one more.
  expect(
    await ask(refused('chart.selectBestAvailableObjects({ number: 2, categories: ["Palchi"] })')),
  ).toBe('Error');
  expect(await ask<string[]>('chart.selectedObjects')).toHaveLength(4);
});

test('when there are not enough places nothing is held and the page is told', async () => {
  await using theatre = await openTheatre(browser);
  const visitor = await theatre.enter();
  await visitor.hears('rendered');
  const { ask } = visitor;
  await openPlainChart(visitor, '{ session: "start", unavailableCategories: ["Galleria"] }');
  for (const wish of [
    '{ number: 5, sections: ["Nowhere"] }',
    '{ number: 2, categories: ["Galleria"] }',
    '{}',
    '{ number: 0 }',
    '{ number: 2, ticketTypes: { intero: 2 } }',
  ]) {
    expect(await ask(refused(`chart.holdBestAvailable(${wish})`))).not.toBe('done');
  }
  expect(await ask('chart.selectedObjects')).toEqual([]);
});

test('an older page asks by its settings and is told what was chosen', async () => {
  await using theatre = await openTheatre(browser);
  const visitor = await theatre.enter({
    chart: {
      selectedObjects: ['Palchi I ordine-4-1'],
      selectBestAvailable: { number: 2, category: 'Palchi', clearSelection: false },
    },
  });
  await visitor.hears('best ');
  const heard = await visitor.heard();
  expect(heard.find((line) => line.startsWith('best '))).toMatch(
    /^best Palchi .+ Palchi .+ (true|false)$/,
  );
  expect(await visitor.ask<string[]>('chart.selectedObjects')).toHaveLength(3);
  const other = await theatre.enter({
    chart: { selectBestAvailable: { number: 2, sections: ['Nowhere'] } },
  });
  await other.hears('no best');
});
