/** Account, ticket buyers, event log and usage of the seats.io stand-in through the vendor's SDK. */
import { expect } from 'vitest';
import { Month } from 'seatsio';
import { collect, makeCompany } from './company.ts';
import {
  eventParams,
  refuses,
  smallDrawing,
  things,
  uploadDrawing,
  testStandin as test,
} from './start.ts';
import type { SeatsioClient } from 'seatsio';
import type { Standin } from './start.ts';
import type { TestCompany } from './company.ts';

const DAY = 24 * 60 * 60 * 1000;

test('a fresh account has the usual settings', async (standin) => {
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

test('settings are changed one by one and stay', async (standin) => {
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

test('an account may have several admin keys, made anew and removed but for the last; an old one opens nothing', async (standin) => {
  const { client, admin, as } = await makeCompany(standin);
  const act = async (at: SeatsioClient, action: string, body?: object) =>
    (
      (await at.client.post(`/accounts/me/secret-key/actions/${action}`, body)) as {
        data: { secretKey: string };
      }
    ).data.secretKey;
  const second = await act(client, 'add');
  const { secretKey } = admin;
  expect(await as(second).accounts.retrieveMyAccount()).toMatchObject({
    secretKey,
    secretKeys: [secretKey, second],
  });
  await act(client, 'remove', { secretKey });
  await expect(client.accounts.retrieveMyAccount()).rejects.toMatchObject({ status: 401 });
  await refuses('LAST_SECRET_KEY', act(as(second), 'remove', { secretKey: second }));
  const only = await act(as(second), 'regenerate');
  await refuses('SECRET_KEY_NOT_FOUND', act(as(only), 'remove', { secretKey: second }));
  const designerKey = await as(only).accounts.regenerateDesignerKey();
  expect(designerKey).not.toBe(admin.designerKey);
  expect(await as(only).accounts.retrieveMyAccount()).toMatchObject({
    designerKey,
    secretKeys: [only],
  });
});

test('ticket buyers are a set of ids: each is added and removed once, and a long list is walked to its end', async (standin) => {
  const { ticketBuyers } = (await makeCompany(standin)).client;
  const ids = Array.from(
    { length: 1200 },
    (_, index) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
  );
  await ticketBuyers.add(ids.slice(0, 1000));
  expect(await ticketBuyers.add([...ids.slice(999), ids[1199]!])).toEqual({
    added: ids.slice(1000),
    alreadyPresent: [ids[999]],
  });
  expect(await collect(ticketBuyers.listAll())).toEqual(ids.toReversed());
  await ticketBuyers.remove([ids[0]!]);
  expect(await ticketBuyers.remove(ids.slice(0, 2))).toEqual({
    removed: [ids[1]],
    notPresent: [ids[0]],
  });
  await refuses({ status: 400 }, ticketBuyers.add(['no uuid']), ticketBuyers.add(ids));
});

test('the event log tells what was changed, oldest first, for two weeks', async (standin) => {
  const { client, workspace } = await makeCompany(standin);
  const { key } = await client.charts.create();
  await client.events.create(key, eventParams({ key: 'ev' }));
  standin.clock.now += 13 * DAY;
  await client.events.channels.replace('ev', []);
  const log = async () => collect(client.eventLog.listAll());
  const changed = {
    type: 'event.channels.updated',
    timestamp: new Date(standin.clock.now),
    data: { key: 'ev', workspaceKey: workspace.key },
  };
  const [made] = await log();
  expect(await log()).toMatchObject([{ type: 'chart.created' }, changed]);
  expect((await client.eventLog.listPageAfter(made!.id)).items).toMatchObject([changed]);
  standin.clock.now += 2 * DAY;
  expect(await log()).toMatchObject([changed]);
});

async function makeHall(standin: Standin, { client, admin }: TestCompany) {
  await uploadDrawing(
    { url: standin.url, secretKey: admin.secretKey },
    { key: 'hall', drawing: smallDrawing },
  );
  return client.events.create('hall', eventParams({ key: 'ev' }));
}

test('an object counts as used once per event, in the month in which that began', async (standin) => {
  const company = await makeCompany(standin);
  const { client, workspace } = company;
  const { id } = await makeHall(standin, company);
  await client.events.book('ev', things('A-1', { objectId: 'GA1', quantity: 3 }));
  await client.events.release('ev', 'A-1');
  await client.events.book('ev', 'A-1');
  const { holdToken } = await client.holdTokens.create();
  const body = JSON.stringify({ holdToken, objects: [{ objectId: 'A-2' }] });
  const holding = `${standin.url}/system/public/${workspace.key}/events/ev/actions/hold`;
  expect((await fetch(holding, { method: 'POST', body })).status).toBe(200);
  standin.clock.now += 15 * DAY;
  await client.events.book('ev', things('A-3', { objectId: 'GA1', quantity: 4 }));
  const summary = await client.usageReports.summaryForAllMonths();
  expect(summary.usageCutoffDate).toEqual(new Date(standin.clock.now));
  expect(summary.usage).toEqual([
    { month: { year: 2026, month: 11 }, numUsedObjects: 5 },
    { month: { year: 2026, month: 12 }, numUsedObjects: 5 },
  ]);
  const event = { event: { deleted: false, id, key: 'ev' }, numUsedObjects: 5 };
  const usageByChart = [{ chart: { name: 'Small', key: 'hall' }, usageByEvent: [event] }];
  expect(await client.usageReports.detailsForMonth('2026-12')).toEqual([
    { workspace: workspace.id, usageByChart },
  ]);
  expect(await client.usageReports.detailsForEventInMonth(id, '2026-11')).toEqual([
    { object: 'A-1', numUsedObjects: 1, usageByReason: { STATUS_CHANGED: 1 } },
    { object: 'A-2', numUsedObjects: 1, usageByReason: { SELECTED: 1 } },
    { object: 'GA1', numUsedObjects: 3, usageByReason: { STATUS_CHANGED: 3 } },
  ]);
});

test('nothing is billed for renderings, and the plan has no price', async (standin) => {
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
  await refuses({ status: 400 }, client.usageReports.detailsForMonth('2026-13'));
  await refuses('EVENT_NOT_FOUND', client.usageReports.detailsForEventInMonth(999_999, '2026-11'));
});
