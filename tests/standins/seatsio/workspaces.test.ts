/** Workspaces of the seats.io stand-in through the vendor's SDK: made, listed, switched off, deleted, and their keys. */
import { expect, test } from 'vitest';
import { collect, makeCompany } from './company.ts';
import { eventParams, refuses, startStandin } from './start.ts';

const NO_KEY = { status: 401 };
const FORBIDDEN = { status: 403 };

test('a fresh company has one default workspace and sees nothing of the others', async () => {
  await using standin = await startStandin();
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

test('a workspace is made, renamed and found again by its own key or by the admin key', async () => {
  await using standin = await startStandin();
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

test('lists are newest first, by state, and filtered by part of the name or of the key', async () => {
  await using standin = await startStandin();
  const { client, workspace } = await makeCompany(standin);
  const [a, b, c] = [
    await client.workspaces.create('sala a'),
    await client.workspaces.create('Sala B'),
    await client.workspaces.create('altro'),
  ];
  await client.workspaces.deactivate(b.key);
  const ids = (list: { id: number }[]) => list.map(({ id }) => id);
  expect(ids(await collect(client.workspaces.listAll()))).toEqual([c.id, b.id, a.id, workspace.id]);
  expect(ids(await collect(client.workspaces.listAll('SALA')))).toEqual([b.id, a.id]);
  expect(ids(await collect(client.workspaces.listAll(c.key.slice(4, 20))))).toEqual([c.id]);
  expect(ids(await collect(client.workspaces.listActive()))).toEqual([c.id, a.id, workspace.id]);
  expect(ids(await collect(client.workspaces.listActive('sala')))).toEqual([a.id]);
  expect(ids(await collect(client.workspaces.listInactive()))).toEqual([b.id]);
  expect(ids(await collect(client.workspaces.listInactive('altro')))).toEqual([]);
  expect(ids((await client.workspaces.listFirstPage(null, 2)).items)).toEqual([c.id, b.id]);
  expect(ids((await client.workspaces.listPageAfter(b.id, null, 1)).items)).toEqual([a.id]);
  expect(ids((await client.workspaces.listPageBefore(a.id, 'sala', 1)).items)).toEqual([b.id]);
  expect(ids((await client.workspaces.listInactivePageAfter(b.id)).items)).toEqual([]);
});

test('a workspace that is switched off refuses its key, and works again when it is switched on', async () => {
  await using standin = await startStandin();
  const { client, as, admin } = await makeCompany(standin);
  const made = await client.workspaces.create('Prova');
  await as(made.secretKey).charts.create();
  await client.workspaces.deactivate(made.key);
  await expect(as(made.secretKey).charts.create()).rejects.toMatchObject(FORBIDDEN);
  await expect(as(admin.secretKey, made.key).charts.create()).rejects.toMatchObject(FORBIDDEN);
  expect(
    (await fetch(`${standin.url}/system/public/${made.key}/hold-tokens`, { method: 'POST' }))
      .status,
  ).toBe(404);
  await client.workspaces.activate(made.key);
  expect((await as(made.secretKey).charts.listFirstPage()).items).toHaveLength(1);
});

test('only a workspace that is switched off is deleted, with everything in it', async () => {
  await using standin = await startStandin();
  const { client, as } = await makeCompany(standin);
  const made = await client.workspaces.create('Prova');
  const own = as(made.secretKey);
  const { key } = await own.charts.create();
  await own.events.create(key, eventParams({ key: 'ev' }));
  await refuses({ status: 400 }, client.workspaces.delete(made.key));
  await client.workspaces.deactivate(made.key);
  await client.workspaces.delete(made.key);
  await refuses({ status: 404, code: 'WORKSPACE_NOT_FOUND' }, client.workspaces.retrieve(made.key));
  await expect(own.events.retrieve('ev')).rejects.toMatchObject(NO_KEY);
});

test('there is one default workspace, and it stays active', async () => {
  await using standin = await startStandin();
  const { client, workspace } = await makeCompany(standin);
  const made = await client.workspaces.create('Prova');
  await refuses({ status: 400 }, client.workspaces.deactivate(workspace.key));
  await client.workspaces.setDefault(made.key);
  expect(
    (await collect(client.workspaces.listAll()))
      .filter(({ isDefault }) => isDefault)
      .map(({ key }) => key),
  ).toEqual([made.key]);
  await client.charts.create('In the new default');
  await client.workspaces.deactivate(workspace.key);
  await refuses({ status: 400 }, client.workspaces.setDefault(workspace.key));
});

test('secret keys are added, removed and made anew, and only those that are listed open', async () => {
  await using standin = await startStandin();
  const { client, as } = await makeCompany(standin);
  const { key, secretKey: first } = await client.workspaces.create('Prova');
  const second = (await client.workspaces.addSecretKey(key)) as string;
  expect(await client.workspaces.retrieve(key)).toMatchObject({
    secretKey: first,
    secretKeys: [first, second],
  });
  await as(second).charts.create();
  await client.workspaces.removeSecretKey(key, first);
  await expect(as(first).charts.create()).rejects.toMatchObject(NO_KEY);
  expect(await client.workspaces.retrieve(key)).toMatchObject({
    secretKey: second,
    secretKeys: [second],
  });
  await refuses({ status: 400 }, client.workspaces.removeSecretKey(key, second));
  await refuses({ status: 400 }, client.workspaces.removeSecretKey(key, 'unknown'));
  const third = (await client.workspaces.regenerateSecretKey(key)) as string;
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
