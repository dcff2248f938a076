/** Account, ticket buyers, event log and usage of the seats.io stand-in through the vendor's SDK. */
import { expect, test } from 'vitest';
import { Month } from 'seatsio';
import { collect, makeCompany } from './company.ts';
import {
  eventParams,
  refuses,
  smallDrawing,
  startStandin,
  things,
  uploadDrawing,
} from './start.ts';
import type { SeatsioClient } from 'seatsio';
import type { Standin } from './start.ts';
import type { TestCompany } from './company.ts';

const DAY = 24 * 60 * 60 * 1000;

test('a fresh account has the usual settings', async () => {
  await using standin = await startStandin();
  const { client, admin } = await makeCompany(standin);
  const account = await client.accounts.retrieveMyAccount();
  expect(account).toMatchObject({
    secretKey: admin.secretKey,
    designerKey: admin.designerKey,
    publicKey: admin.publicKey,
    email: admin.email,
    secretKeys: [admin.secretKey],
  });
  expect(account.role).toBeTruthy();
  expect(account.company).toBeTruthy();
  expect(account.settings).toEqual({
    draftChartDrawingsEnabled: true,
    holdOnSelectForGAs: true,
    holdPeriodInMinutes: 15,
    chartValidation: {
      VALIDATE_DUPLICATE_LABELS: 'OFF',
      VALIDATE_OBJECTS_WITHOUT_CATEGORIES: 'OFF',
      VALIDATE_UNLABELED_OBJECTS: 'OFF',
      VALIDATE_FOCAL_POINT: 'OFF',
      VALIDATE_OBJECT_TYPES_PER_CATEGORY: 'OFF',
      VALIDATE_EMPTY_FLOOR: 'OFF',
    },
    defaultRendererSettings: {
      showFullScreenButton: false,
      multiSelectEnabled: false,
      companionSeatValidationEnabled: false,
    },
  });
});

test('settings are changed one by one and stay', async () => {
  await using standin = await startStandin();
  const { client } = await makeCompany(standin);
  await client.accounts.changeHoldPeriod(17);
  await client.accounts.disableDraftChartDrawings();
  await client.accounts.updateSetting('VALIDATE_FOCAL_POINT', 'ERROR');
  await client.accounts.updateSetting('VALIDATE_EMPTY_FLOOR', 'WARNING');
  await client.accounts.updateSetting('multiSelectEnabled', 'true');
  await client.accounts.changePassword('lunga e segreta');
  expect((await client.accounts.retrieveMyAccount()).settings).toMatchObject({
    draftChartDrawingsEnabled: false,
    holdPeriodInMinutes: 17,
    chartValidation: {
      VALIDATE_FOCAL_POINT: 'ERROR',
      VALIDATE_EMPTY_FLOOR: 'WARNING',
      VALIDATE_DUPLICATE_LABELS: 'OFF',
    },
    defaultRendererSettings: { multiSelectEnabled: true, showFullScreenButton: false },
  });
  expect((await client.holdTokens.create()).expiresInSeconds).toBe(17 * 60);
  await client.accounts.enableDraftChartDrawings();
  expect((await client.accounts.retrieveMyAccount()).settings.draftChartDrawingsEnabled).toBe(true);
  for (const refused of [
    client.accounts.changeHoldPeriod(0),
    client.accounts.changeHoldPeriod(121),
    client.accounts.changeHoldPeriod(1.5),
    client.accounts.changePassword(''),
    client.accounts.updateSetting('VALIDATE_FOCAL_POINT', 'LOUD'),
    client.accounts.updateSetting('__proto__', 'OFF'),
    client.accounts.updateSetting('multiSelectEnabled', 'perhaps'),
  ])
    await refuses({ status: 400, code: 'GENERAL_ERROR' }, refused);
});

test('keys are made anew: the old admin key opens nothing', async () => {
  await using standin = await startStandin();
  const { client, admin, as } = await makeCompany(standin);
  const designerKey = (await client.accounts.regenerateDesignerKey()) as string;
  expect(designerKey).not.toBe(admin.designerKey);
  expect((await client.accounts.retrieveMyAccount()).designerKey).toBe(designerKey);
  const { data } = (await client.client.post('/accounts/me/secret-key/actions/regenerate')) as {
    data: { secretKey: string };
  };
  await expect(client.accounts.retrieveMyAccount()).rejects.toMatchObject({ status: 401 });
  expect((await as(data.secretKey).accounts.retrieveMyAccount()).secretKey).toBe(data.secretKey);
});

test('an account may have several admin keys; the last one stays', async () => {
  await using standin = await startStandin();
  const { client, admin, as } = await makeCompany(standin);
  const other = await makeCompany(standin);
  const act = async (at: SeatsioClient, action: string, body?: object) =>
    (
      (await at.client.post(`/accounts/me/secret-key/actions/${action}`, body)) as {
        data: { secretKey: string };
      }
    ).data.secretKey;
  const second = await act(client, 'add');
  const third = await act(as(second), 'add');
  expect(await as(third).accounts.retrieveMyAccount()).toMatchObject({
    secretKey: admin.secretKey,
    secretKeys: [admin.secretKey, second, third],
  });
  expect((await as(third).charts.listFirstPage()).items).toEqual([]);
  await act(client, 'remove', { secretKey: third });
  await expect(as(third).charts.listFirstPage()).rejects.toMatchObject({ status: 401 });
  await act(client, 'remove', { secretKey: admin.secretKey });
  await expect(client.accounts.retrieveMyAccount()).rejects.toMatchObject({ status: 401 });
  expect(await as(second).accounts.retrieveMyAccount()).toMatchObject({
    secretKey: second,
    secretKeys: [second],
  });
  await refuses(
    { status: 400, code: 'LAST_SECRET_KEY' },
    act(as(second), 'remove', { secretKey: second }),
  );
  await refuses(
    { status: 400, code: 'SECRET_KEY_NOT_FOUND' },
    act(as(second), 'remove', { secretKey: other.admin.secretKey }),
  );
  await act(as(second), 'add');
  const only = await act(as(second), 'regenerate');
  expect((await as(only).accounts.retrieveMyAccount()).secretKeys).toEqual([only]);
});

test('ticket buyers are a set of ids: each is added and removed once', async () => {
  await using standin = await startStandin();
  const { client } = await makeCompany(standin);
  const other = await makeCompany(standin);
  const ids = [
    '0b5f7a36-3a1e-4b8a-9f0e-0d6f2a1c5e11',
    '1b5f7a36-3a1e-4b8a-9f0e-0d6f2a1c5e12',
    '2b5f7a36-3a1e-4b8a-9f0e-0d6f2a1c5e13',
  ] as const;
  expect(await client.ticketBuyers.add([ids[0], ids[1], ids[0]])).toEqual({
    added: [ids[0], ids[1]],
    alreadyPresent: [],
  });
  expect(await client.ticketBuyers.add([ids[1].toUpperCase(), ids[2]])).toEqual({
    added: [ids[2]],
    alreadyPresent: [ids[1]],
  });
  expect(await collect(client.ticketBuyers.listAll())).toEqual([ids[2], ids[1], ids[0]]);
  expect(await collect(other.client.ticketBuyers.listAll())).toEqual([]);
  expect(await client.ticketBuyers.remove([ids[0], ids[0]])).toEqual({
    removed: [ids[0]],
    notPresent: [],
  });
  expect(await client.ticketBuyers.remove([ids[0], ids[2]])).toEqual({
    removed: [ids[2]],
    notPresent: [ids[0]],
  });
  await refuses({ status: 400, code: 'GENERAL_ERROR' }, client.ticketBuyers.add(['no uuid']));
  await refuses(
    { status: 400 },
    client.ticketBuyers.add(Array.from({ length: 1001 }, () => ids[0])),
  );
});

test('a list of ids longer than a page is walked to its end', async () => {
  await using standin = await startStandin();
  const { client } = await makeCompany(standin);
  const ids = Array.from(
    { length: 1500 },
    (_, index) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
  );
  await client.ticketBuyers.add(ids.slice(0, 1000));
  await client.ticketBuyers.add(ids.slice(1000));
  expect(await collect(client.ticketBuyers.listAll())).toEqual(ids.toReversed());
});

test('the event log tells what was changed, oldest first, for two weeks', async () => {
  await using standin = await startStandin();
  const { client, workspace } = await makeCompany(standin);
  const { key } = await client.charts.create();
  await client.charts.update(key, 'Named');
  await client.events.create(key, eventParams({ key: 'ev' }));
  await client.charts.update(key, 'Waiting');
  await client.charts.publishDraftVersion(key);
  const items = await collect(client.eventLog.listAll());
  expect(items.map(({ type }) => type)).toEqual([
    'chart.created',
    'chart.published',
    'chart.published',
  ]);
  expect(items[0]).toMatchObject({
    id: expect.any(Number),
    timestamp: new Date(standin.clock.now),
    data: { key, workspaceKey: workspace.key },
  });
  standin.clock.now += 13 * DAY;
  await client.events.channels.replace('ev', []);
  expect((await client.eventLog.listFirstPage(2)).items.map(({ id }) => id)).toEqual(
    items.slice(0, 2).map(({ id }) => id),
  );
  const page = await client.eventLog.listPageAfter(items[1]!.id);
  expect(page.items.map(({ type, data }) => [type, data])).toEqual([
    ['chart.published', { key, workspaceKey: workspace.key }],
    ['event.channels.updated', { key: 'ev', workspaceKey: workspace.key }],
  ]);
  expect((await client.eventLog.listPageBefore(items[2]!.id, 1)).items.map(({ id }) => id)).toEqual(
    [items[1]!.id],
  );
  standin.clock.now += 2 * DAY;
  expect((await collect(client.eventLog.listAll())).map(({ type }) => type)).toEqual([
    'event.channels.updated',
  ]);
});

async function makeHall(standin: Standin, { client, admin }: TestCompany) {
  await uploadDrawing(
    { url: standin.url, secretKey: admin.secretKey },
    { key: 'hall', drawing: smallDrawing },
  );
  return client.events.create('hall', eventParams({ key: 'ev' }));
}

test('an object counts as used once per event, in the month in which that began', async () => {
  await using standin = await startStandin();
  const company = await makeCompany(standin);
  const { client, workspace } = company;
  const { id } = await makeHall(standin, company);
  expect((await client.usageReports.summaryForAllMonths()).usage).toEqual([]);
  await client.events.book('ev', things('A-1', { objectId: 'GA1', quantity: 3 }));
  await client.events.release('ev', things('A-1', { objectId: 'GA1', quantity: 2 }));
  await client.events.book('ev', things('A-1', { objectId: 'GA1', quantity: 1 }));
  const { holdToken } = await client.holdTokens.create();
  const visit = await fetch(
    `${standin.url}/system/public/${workspace.key}/events/ev/actions/hold`,
    {
      method: 'POST',
      body: JSON.stringify({
        holdToken,
        objects: [{ objectId: 'A-2' }, { objectId: 'GA1', quantity: 2 }],
      }),
    },
  );
  expect(visit.status).toBe(200);
  await client.events.book('ev', things('A-2', { objectId: 'GA1', quantity: 2 }), holdToken);
  standin.clock.now += 15 * DAY;
  await client.events.book('ev', things('A-3', { objectId: 'GA1', quantity: 4 }));
  const summary = await client.usageReports.summaryForAllMonths();
  expect(summary.usageCutoffDate).toEqual(new Date(standin.clock.now));
  expect(summary.usage).toEqual([
    { month: { year: 2026, month: 11 }, numUsedObjects: 6 },
    { month: { year: 2026, month: 12 }, numUsedObjects: 5 },
  ]);
  expect(await client.usageReports.detailsForMonth('2026-12')).toEqual([
    {
      workspace: workspace.id,
      usageByChart: [
        {
          chart: { name: 'Small', key: 'hall' },
          usageByEvent: [{ event: { deleted: false, id, key: 'ev' }, numUsedObjects: 5 }],
        },
      ],
    },
  ]);
  expect(await client.usageReports.detailsForEventInMonth(id, '2026-11')).toEqual([
    { object: 'A-1', numUsedObjects: 1, usageByReason: { STATUS_CHANGED: 1 } },
    { object: 'A-2', numUsedObjects: 1, usageByReason: { SELECTED: 1 } },
    { object: 'GA1', numUsedObjects: 4, usageByReason: { STATUS_CHANGED: 3, SELECTED: 1 } },
  ]);
});

test('nothing is billed for renderings, and the plan has no price', async () => {
  await using standin = await startStandin();
  const company = await makeCompany(standin);
  const { client } = company;
  await makeHall(standin, company);
  const november = new Month(2026, 11);
  const all = await client.usageReports.billableRenderingsSummaryForAllMonths();
  expect([all.companyId, all.usage]).toEqual([expect.any(Number), {}]);
  expect(await client.usageReports.billableRenderingsSummaryForMonth(november)).toMatchObject({
    companyId: all.companyId,
    month: { year: 2026, month: 11 },
    usage: {},
  });
  expect(await client.usageReports.billableRenderingsForChartInMonth('hall', november)).toEqual([]);
  expect(await client.usageReports.subscription()).toMatchObject({
    companyId: all.companyId,
    price: 0,
  });
  for (const refused of [
    client.usageReports.detailsForMonth('2026-13'),
    client.usageReports.detailsForMonth('yesterday'),
  ]) {
    await refuses({ status: 400, code: 'GENERAL_ERROR' }, refused);
  }
  await refuses(
    { status: 404, code: 'EVENT_NOT_FOUND' },
    client.usageReports.detailsForEventInMonth(999_999, '2026-11'),
  );
  await refuses(
    { status: 404, code: 'CHART_NOT_FOUND' },
    client.usageReports.billableRenderingsForChartInMonth('nowhere', november),
  );
});
