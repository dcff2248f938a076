/** Charts of the seats.io stand-in through the vendor's SDK: made, listed, tagged, archived, copied, their categories and pictures. */
import { expect, test } from 'vitest';
import { Category, CategoryUpdateParams, ChartListParams } from 'seatsio';
import { collect, makeCompany } from './company.ts';
import { refusalOf, refuses, smallDrawing, startStandin, uploadDrawing } from './start.ts';

interface Raw {
  name: string;
  venueType: string;
  categories: { list: object[]; maxCategoryKey: number };
  subChart: { rows: { seats: { categoryKey: unknown }[] }[] };
}

test('a new chart has the usual values and an empty drawing', async () => {
  await using standin = await startStandin();
  const { client } = await makeCompany(standin);
  const chart = await client.charts.create();
  expect(chart).toMatchObject({
    name: 'Untitled chart',
    status: 'NOT_USED',
    tags: [],
    archived: false,
    draftVersionThumbnailUrl: null,
    venueType: 'SIMPLE',
    zones: [],
    events: [],
  });
  expect(chart.key).toMatch(/^[0-9a-f-]{36}$/);
  expect(chart.id).toBeGreaterThan(0);
  expect(await client.charts.retrieve(chart.key)).toEqual(chart);
  expect(await client.charts.retrievePublishedVersion(chart.key)).toMatchObject({
    name: 'Untitled chart',
    venueType: 'SIMPLE',
    categories: { list: [] },
    subChart: { rows: [] },
  });
});

test('a chart is made with name, venue type and categories, whose keys stay what they are', async () => {
  await using standin = await startStandin();
  const { client } = await makeCompany(standin);
  const { key } = await client.charts.create('Sala', 'WITH_ZONES', [
    new Category(7, 'Seven', '#777777', true),
    { key: 'vip', label: 'VIP', color: '#123456' },
  ]);
  const categories = [
    { key: 7, label: 'Seven', color: '#777777', accessible: true },
    { key: 'vip', label: 'VIP', color: '#123456', accessible: false },
  ];
  const drawing = (await client.charts.retrievePublishedVersion(key)) as Raw;
  expect(drawing).toMatchObject({
    name: 'Sala',
    venueType: 'WITH_ZONES',
    categories: { list: categories, maxCategoryKey: 7 },
  });
  expect(await client.charts.listCategories(key)).toEqual(categories);
  expect((await client.charts.retrieve(key)).venueType).toBe('WITH_ZONES');
});

test('categories are added, changed, removed and replaced, without touching the name, and what was in a removed one is in none', async () => {
  await using standin = await startStandin();
  const { charts } = standin.client;
  await uploadDrawing(standin, { key: 'free', drawing: smallDrawing });
  const drawing = async () => (await charts.retrievePublishedVersion('free')) as Raw;
  await charts.addCategory('free', { key: 3, label: 'Cat3', color: '#333333' });
  await charts.updateCategory(
    'free',
    3,
    new CategoryUpdateParams().withColor('#444444').withAccessible(true),
  );
  expect(await charts.listCategories('free')).toEqual([
    ...smallDrawing.categories.list,
    { key: 3, label: 'Cat3', color: '#444444', accessible: true },
  ]);
  await charts.updateCategory('free', 3, new CategoryUpdateParams());
  expect((await drawing()).categories.list.at(-1)).toEqual({
    key: 3,
    label: 'Cat3',
    color: '#444444',
    accessible: true,
  });
  await charts.removeCategory('free', 1);
  expect(
    ((await charts.listCategories('free')) as { key: unknown }[]).map(({ key }) => key),
  ).toEqual(['two', 3]);
  expect((await drawing()).subChart.rows[0]!.seats.map(({ categoryKey }) => categoryKey)).toEqual(
    Array.from({ length: 8 }, () => null),
  );
  expect((await drawing()).subChart).toMatchObject({
    generalAdmissionAreas: [{ categoryKey: 'two' }],
  });
  const refused = [
    charts.removeCategory('free', 1),
    charts.updateCategory('free', 'nowhere', new CategoryUpdateParams()),
    charts.addCategory('free', { key: '3', label: 'Again', color: '#000000' }),
    charts.addCategory('free', { key: 4, color: '#000000' }),
    charts.removeCategory('nowhere', 1),
    charts.create('Twice', null, [
      { key: 1, label: 'A', color: '#1' },
      { key: '1', label: 'B', color: '#2' },
    ]),
  ];
  expect(
    (await Promise.all(refused.map(refusalOf))).map(({ status, code }) => [status, code]),
  ).toEqual([
    [404, 'CATEGORY_NOT_FOUND'],
    [404, 'CATEGORY_NOT_FOUND'],
    [400, 'CATEGORY_KEY_ALREADY_EXISTS'],
    [400, 'GENERAL_ERROR'],
    [404, 'CHART_NOT_FOUND'],
    [400, 'GENERAL_ERROR'],
  ]);
  await charts.update('free', 'After');
  expect((await drawing()).categories.list).toHaveLength(2);
  await charts.update('free', null, [{ key: 2, label: 'Two', color: '#222222' }]);
  expect(await drawing()).toMatchObject({
    name: 'After',
    categories: { list: [{ key: 2, label: 'Two', color: '#222222', accessible: false }] },
  });
});

test('tags keep every character, come once and go again', async () => {
  await using standin = await startStandin();
  const { client } = await makeCompany(standin);
  const [one, two] = [await client.charts.create(), await client.charts.create()];
  const odd = 'a/b : "c" <d> è%2F?#';
  for (const tag of [odd, 'plain', odd]) await client.charts.addTag(one.key, tag);
  await client.charts.addTag(two.key, 'other');
  expect((await client.charts.retrieve(one.key)).tags).toEqual([odd, 'plain']);
  expect(await client.charts.listAllTags()).toEqual([odd, 'other', 'plain']);
  await client.charts.removeTag(one.key, odd);
  await client.charts.removeTag(one.key, 'never there');
  expect((await client.charts.retrieve(one.key)).tags).toEqual(['plain']);
  await refuses({ status: 404, code: 'CHART_NOT_FOUND' }, client.charts.addTag('nowhere', 'x'));
});

test('the list is filtered by part of the name and by tag, newest first, and tells only what is asked for', async () => {
  await using standin = await startStandin();
  const { charts, events } = (await makeCompany(standin)).client;
  const first = (await charts.create('Sala Nord')).key;
  const second = (await charts.create('Sala Sud')).key;
  const third = (await charts.create('Città')).key;
  for (const key of [first, third]) await charts.addTag(key, 'grande');
  const asked = () => new ChartListParams();
  for (const [params, keys] of [
    [asked(), [third, second, first]],
    [asked().withFilter('sala'), [second, first]],
    [asked().withFilter('TTÀ'), [third]],
    [asked().withFilter('%'), []],
    [asked().withTag('grande').withFilter('Sala'), [first]],
  ] as const)
    expect((await collect(charts.listAll(params))).map(({ key }) => key)).toEqual(keys);
  for (let nth = 0; nth < 3; nth += 1) await events.create(first);
  const plain = (await charts.listFirstPage()).items.at(-1)!;
  expect([plain.venueType, plain.validation, plain.events]).toEqual([undefined, undefined, []]);
  const all = asked()
    .withExpandEvents(true)
    .withEventsLimit(2)
    .withExpandValidation(true)
    .withExpandVenueType(true);
  const full = (await charts.listFirstPage(all)).items.at(-1)!;
  expect(full).toMatchObject({ venueType: 'SIMPLE', validation: { errors: [], warnings: [] } });
  expect(full.events).toHaveLength(2);
  expect((await charts.retrieveWithEvents(first)).events).toHaveLength(3);
});

test("an archived chart moves to the archive's list and back", async () => {
  await using standin = await startStandin();
  const { client } = await makeCompany(standin);
  const [one, two] = [await client.charts.create('One'), await client.charts.create('Two')];
  await client.charts.moveToArchive(one.key);
  expect((await client.charts.retrieve(one.key)).archived).toBe(true);
  expect((await client.charts.archive.firstPage()).items.map(({ key }) => key)).toEqual([one.key]);
  expect((await client.charts.listFirstPage()).items.map(({ key }) => key)).toEqual([two.key]);
  await client.charts.moveOutOfArchive(one.key);
  expect((await client.charts.archive.firstPage()).items).toEqual([]);
});

test('a copy has its own key and " (copy)" behind its name, a copy elsewhere keeps the name', async () => {
  await using standin = await startStandin();
  const { client, as, admin, workspace } = await makeCompany(standin);
  const { charts } = client;
  const one = { key: 1, label: 'One', color: '#111111' };
  const { key } = await charts.create('Sala', 'SIMPLE', [one]);
  const copy = await charts.copy(key);
  expect(copy).toMatchObject({ name: 'Sala (copy)', status: 'NOT_USED' });
  expect(await charts.listCategories(copy.key)).toHaveLength(1);
  const other = (await client.workspaces.create('Other')).key;
  const there = as(admin.secretKey, other).charts;
  for (const made of [
    await charts.copyToWorkspace(key, other),
    await charts.copyFromWorkspaceTo(key, workspace.key, other),
  ]) {
    expect((await there.retrieve(made.key)).name).toBe('Sala');
    await refuses({ status: 404 }, charts.retrieve(made.key));
  }
  await refuses('WORKSPACE_NOT_FOUND', charts.copyToWorkspace(key, 'nowhere'));
  const own = as(workspace.secretKey).charts;
  await expect(own.copyToWorkspace(key, other)).rejects.toMatchObject({ status: 403 });
});

test('a drawing is given back letter by letter as it came', async () => {
  await using standin = await startStandin();
  const text =
    '{ "name":"Raw","x_own":[1.50, {"z":1,"a":null}],"__proto__":{"a":1},"\\u0000":"\\ud800",\n"subChart":{"rows":null}}';
  expect((await standin.ask('POST /system/public/charts/raw', text)).status).toBe(201);
  const answer = await standin.ask('GET /charts/raw/version/published');
  expect([answer.headers.get('content-type'), answer.text]).toEqual([
    'application/json; charset=utf-8',
    text,
  ]);
});

test("the picture of a chart is a PNG in its categories' colours, with and without a key", async () => {
  await using standin = await startStandin();
  const { charts } = standin.client;
  const picture = Buffer.from(
    (await charts.retrievePublishedVersionThumbnail('small')) as ArrayBuffer,
  );
  expect(picture.subarray(0, 8)).toEqual(
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  );
  expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([480, 360]);
  const { publishedVersionThumbnailUrl } = await charts.retrieve('small');
  const open = await fetch(publishedVersionThumbnailUrl);
  expect([open.status, open.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(Buffer.from(await open.arrayBuffer()).equals(picture)).toBe(true);
  const empty = await charts.create();
  const white = Buffer.from(
    (await charts.retrievePublishedVersionThumbnail(empty.key)) as ArrayBuffer,
  );
  expect(white.length).toBeLessThan(picture.length);
  expect((await fetch(publishedVersionThumbnailUrl.replace('published', 'draft'))).status).toBe(
    404,
  );
});
