/** Every method of the SDK is called by a test of this folder; one that an update of the SDK brings fails here until it is. */
import { globSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { collect, makeCompany } from './company.ts';
import { smallDrawing, uploadDrawing, testStandin as test } from './start.ts';
import type { SeatsioClient } from 'seatsio';

const kinds =
  'Status ObjectType CategoryLabel CategoryKey Section Zone Availability AvailabilityReason Channel'.split(
    ' ',
  );
const reports = ['by', 'summaryBy', 'deepSummaryBy'].flatMap((how) =>
  kinds.map((kind) => how + kind),
);

/** The SDK's own business, not for callers: they put requests together, or send those that are. */
const internal =
  'doChangeStatus changeStatusToRequest releaseObjectsRequest buildChangeObjectStatusRequest normalizeObjects queryParams'.split(
    ' ',
  );

/** What the classes of the SDK's services bring, private or not. */
function methodsOf(owner: object): string[] {
  return Object.entries(owner).flatMap(([name, value]: [string, unknown]) => {
    if (['seatsioClient', 'client', 'pageFetcher'].includes(name)) return [];
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
    const prototype = Object.getPrototypeOf(value) as object;
    if (prototype === Object.prototype) return [];
    return [...Object.getOwnPropertyNames(prototype), ...methodsOf(value)];
  });
}

test('every method of the SDK is called by a test', async (standin) => {
  const { client } = await makeCompany(standin);
  const methods = new Set(methodsOf(client)).difference(new Set(['constructor', ...internal]));
  expect(methods.size).toBeGreaterThan(110);
  const tests = globSync('*.ts', { cwd: import.meta.dirname })
    .map((file) => readFileSync(`${import.meta.dirname}/${file}`, 'utf8'))
    .join('\n');
  const called = new Set(tests.match(/(?<=[.'])\w+\b/g));
  expect([...methods.difference(called).difference(new Set(reports))]).toEqual([]);
});

test('every report of an event is answered, and so is what is read page by page', async (standin) => {
  const { client, workspace } = await makeCompany(standin);
  const owner = { url: standin.url, secretKey: workspace.secretKey };
  await uploadDrawing(owner, { key: 'hall', drawing: smallDrawing });
  const { key } = await client.events.create('hall');
  const { id } = await client.charts.retrieve('hall');
  const { workspaces, chartReports, charts, events, eventLog, ticketBuyers } = client;
  const sleeping = await workspaces.create('Un altro');
  await workspaces.deactivate(sleeping.key);
  for (const report of reports) {
    const ask = Reflect.get(client.eventReports, report) as (event: string) => Promise<object>;
    expect([report, typeof (await ask.call(client.eventReports, key))]).toEqual([report, 'object']);
  }
  const answers = [
    chartReports.summaryBySection('hall'),
    chartReports.fetchReport('byLabel', 'hall'),
    chartReports.fetchSummaryReport('byZone', 'hall'),
    charts.archive.pageBefore(1),
    ...[charts, events, workspaces, eventLog, ticketBuyers].map((list) =>
      (list as SeatsioClient['charts']).iterator().firstPage(),
    ),
    ...[charts, events].flatMap((list) => [list.listPageAfter(id), list.listPageBefore(id)]),
    workspaces.activeWorkspacesIterator().firstPage(),
    workspaces.inactiveWorkspacesIterator().firstPage(),
    workspaces.listActiveFirstPage(),
    workspaces.listInactiveFirstPage(),
    workspaces.listActivePageAfter(sleeping.id),
    workspaces.listActivePageBefore(sleeping.id),
    workspaces.listInactivePageAfter(sleeping.id),
    workspaces.listInactivePageBefore(sleeping.id),
    collect(workspaces.listActive()),
    collect(workspaces.listInactive()),
  ];
  expect((await Promise.all(answers)).every((answer) => typeof answer === 'object')).toBe(true);
});
