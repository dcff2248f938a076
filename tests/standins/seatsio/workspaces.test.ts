/** Workspaces of the seats.io stand-in through the vendor's SDK: made, listed, switched off, deleted, and their keys. */
import { expect, test } from 'vitest';
import { collect, makeCompany } from './company.ts';
import { eventParams, refuses, startStandin, testStandin as it } from './start.ts';

const NO_KEY = { status: 401 };
const FORBIDDEN = { status: 403 };

it('a fresh company has one default workspace and sees nothing of the others', async (standin) => {
  const [one, two] = [await makeCompany(standin), await makeCompany(standin)];
  expect(one.workspace).toMatchObject({
    isDefault: true,
    isActive: true,
    isTest: false,
    settings: {},
  });
  expect(await collect(one.client.workspaces.listAll())).toEqual([one.workspace]);
  expect(await one.client.workspaces.retrieve(one.workspace.key)).toEqual(one.workspace);
  await refuses(
    { status: 404, code: 'WORKSPACE_NOT_FOUND' },
    one.client.workspaces.retrieve(two.workspace.key),
  );
  await refuses(
    { status: 404, code: 'WORKSPACE_NOT_FOUND' },
    one.as(one.admin.secretKey, two.workspace.key).charts.create(),
  );
  await one.client.charts.create('Mine');
  expect((await two.client.charts.listFirstPage()).items).toEqual([]);
});

it('a workspace is made, renamed and found again by its own key or by the admin key', async (standin) => {
  const { client, as, admin } = await makeCompany(standin);
  const made = await client.workspaces.create('Prova', true);
  expect(made).toMatchObject({
    name: 'Prova',
    isTest: true,
    isDefault: false,
    isActive: true,
    settings: {},
  });
  expect(made.secretKeys).toEqual([made.secretKey]);
  await client.workspaces.update(made.key, 'Nuovo nome');
  expect((await client.workspaces.retrieve(made.key)).name).toBe('Nuovo nome');
  const chart = await as(made.secretKey).charts.create('Dentro');
  expect((await as(admin.secretKey, made.key).charts.retrieve(chart.key)).name).toBe('Dentro');
  await refuses({ status: 404 }, client.charts.retrieve(chart.key));
  for (const name of ['', 'x'.repeat(501)])
    await refuses({ status: 400, code: 'GENERAL_ERROR' }, client.workspaces.create(name));
});

it('lists are newest first, by state, and filtered by part of the name or of the key', async (standin) => {
  const { client, workspace } = await makeCompany(standin);
  const { workspaces } = client;
  const a = await workspaces.create('sala a');
  const b = await workspaces.create('Sala B');
  await workspaces.deactivate(b.key);
  for (const [list, found] of [
    [workspaces.listAll(), [b, a, workspace]],
    [workspaces.listAll('SALA'), [b, a]],
    [workspaces.listAll(a.key.slice(4, 20)), [a]],
    [workspaces.listActive('sala'), [a]],
    [workspaces.listInactive(), [b]],
  ] as const)
    expect((await collect(list)).map(({ id }) => id)).toEqual(found.map(({ id }) => id));
});

it('a workspace that is switched off refuses its keys, works again when it is switched on, and only off is deleted with everything in it', async (standin) => {
  const { client, as, admin } = await makeCompany(standin);
  const { workspaces } = client;
  const { key, secretKey } = await workspaces.create('Prova');
  const own = as(secretKey);
  const chart = await own.charts.create();
  await own.events.create(chart.key, eventParams({ key: 'ev' }));
  await refuses({ status: 400 }, workspaces.delete(key));
  await workspaces.deactivate(key);
  for (const { charts } of [own, as(admin.secretKey, key)])
    await expect(charts.create()).rejects.toMatchObject(FORBIDDEN);
  const tokens = `${standin.url}/system/public/${key}/hold-tokens`;
  expect((await fetch(tokens, { method: 'POST' })).status).toBe(404);
  await workspaces.activate(key);
  expect((await own.charts.listFirstPage()).items).toHaveLength(1);
  await workspaces.deactivate(key);
  await workspaces.delete(key);
  await refuses('WORKSPACE_NOT_FOUND', workspaces.retrieve(key));
  await expect(own.events.retrieve('ev')).rejects.toMatchObject(NO_KEY);
});

it('there is one default workspace, and it stays active', async (standin) => {
  const { client, workspace } = await makeCompany(standin);
  const { key } = await client.workspaces.create('Prova');
  await refuses({ status: 400 }, client.workspaces.deactivate(workspace.key));
  await client.workspaces.setDefault(key);
  const all = await collect(client.workspaces.listAll());
  expect(all.filter(({ isDefault }) => isDefault)).toMatchObject([{ key }]);
  await client.workspaces.deactivate(workspace.key);
  await refuses({ status: 400 }, client.workspaces.setDefault(workspace.key));
});

it('secret keys are added, removed and made anew, and only those that are listed open', async (standin) => {
  const { client, as } = await makeCompany(standin);
  const { workspaces } = client;
  const { key, secretKey: first } = await workspaces.create('Prova');
  const second = (await workspaces.addSecretKey(key)) as string;
  expect((await workspaces.retrieve(key)).secretKeys).toEqual([first, second]);
  await workspaces.removeSecretKey(key, first);
  await expect(as(first).charts.create()).rejects.toMatchObject(NO_KEY);
  await refuses({ status: 400 }, workspaces.removeSecretKey(key, second));
  const third = (await workspaces.regenerateSecretKey(key)) as string;
  await expect(as(second).charts.create()).rejects.toMatchObject(NO_KEY);
  await as(third).charts.create();
});

test("a workspace's own key opens nothing of the company", async () => {
  await using standin = await startStandin();
  const { as, workspace } = await makeCompany(standin);
  const own = as(workspace.secretKey);
  for (const refused of [
    own.workspaces.create('No'),
    own.workspaces.retrieve(workspace.key),
    own.accounts.retrieveMyAccount(),
    own.ticketBuyers.add([]),
    own.usageReports.summaryForAllMonths(),
  ])
    await expect(refused).rejects.toMatchObject(FORBIDDEN);
  await expect(as('wrong').accounts.retrieveMyAccount()).rejects.toMatchObject(NO_KEY);
});
