/** Drafts and checks of charts of the seats.io stand-in: what waits, what is published, and what is refused then. */
import { expect } from 'vitest';
import { Category, TableBookingConfig } from 'seatsio';
import { makeCompany } from './company.ts';
import {
  basic,
  eventParams,
  refuses,
  smallDrawing,
  things,
  uploadDrawing,
  testStandin as test,
} from './start.ts';
import type { Standin } from './start.ts';

const ALL = [
  'VALIDATE_DUPLICATE_LABELS',
  'VALIDATE_OBJECTS_WITHOUT_CATEGORIES',
  'VALIDATE_UNLABELED_OBJECTS',
  'VALIDATE_FOCAL_POINT',
  'VALIDATE_OBJECT_TYPES_PER_CATEGORY',
  'VALIDATE_EMPTY_FLOOR',
];
type Small = typeof smallDrawing;

/** Our own call in the place of the vendor's designer. */
async function draw(
  { url, secretKey }: Pick<Standin, 'url' | 'secretKey'>,
  key: string,
  drawing: unknown,
) {
  const answer = await fetch(`${url}/charts/${key}/version/draft`, {
    method: 'POST',
    headers: { Authorization: basic(secretKey) },
    body: JSON.stringify(drawing),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    body:
      text === ''
        ? null
        : (JSON.parse(text) as {
            errors: { code: string; data: { objects: Record<string, string[]> } }[];
          }),
  };
}

function changed(change: (drawing: Small) => void): Small {
  const drawing = structuredClone(smallDrawing);
  change(drawing);
  return drawing;
}

test('a chart that has events gets a draft, which is published', async (standin) => {
  const { client } = await makeCompany(standin);
  const { key } = await client.charts.create('Old');
  const event = await client.events.create(key);
  await client.charts.update(key, 'New');
  await client.charts.addCategory(key, new Category(1, 'One', '#111111', false));
  expect(await client.charts.retrieve(key)).toMatchObject({
    name: 'Old',
    status: 'PUBLISHED_WITH_DRAFT',
    draftVersionThumbnailUrl: expect.stringContaining('/version/draft/thumbnail'),
  });
  expect(await client.charts.retrieveDraftVersion(key)).toMatchObject({
    name: 'New',
    categories: { list: [{ key: 1 }] },
  });
  expect(await client.charts.retrievePublishedVersion(key)).toMatchObject({
    name: 'Old',
    categories: { list: [] },
  });
  expect((await client.events.retrieve(event.key)).categories).toEqual([]);
  expect(
    Buffer.from((await client.charts.retrieveDraftVersionThumbnail(key)) as ArrayBuffer)
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG');
  await client.charts.publishDraftVersion(key);
  expect(await client.charts.retrieve(key)).toMatchObject({
    name: 'New',
    status: 'PUBLISHED',
    draftVersionThumbnailUrl: null,
  });
  expect((await client.events.retrieve(event.key)).categories).toHaveLength(1);
  await refuses({ status: 404, code: 'DRAFT_NOT_FOUND' }, client.charts.retrieveDraftVersion(key));
});

test('a discarded draft leaves nothing, and the next one is not mistaken for it', async (standin) => {
  const { client } = await makeCompany(standin);
  const { key } = await client.charts.create('Old');
  await client.events.create(key);
  await client.charts.update(key, null, [{ key: 1, label: 'First', color: '#111111' }]);
  expect(await client.charts.listCategories(key)).toMatchObject([{ label: 'First' }]);
  expect((await client.charts.copyDraftVersion(key)).name).toBe('Old (copy)');
  await client.charts.discardDraftVersion(key);
  expect(await client.charts.retrieve(key)).toMatchObject({ name: 'Old', status: 'PUBLISHED' });
  await client.charts.update(key, null, [{ key: 1, label: 'Second', color: '#111111' }]);
  expect(await client.charts.listCategories(key)).toMatchObject([{ label: 'Second' }]);
  await refuses('CHART_NOT_FOUND', client.charts.publishDraftVersion('nowhere'));
  await client.charts.publishDraftVersion(key);
  await refuses(
    'DRAFT_NOT_FOUND',
    client.charts.publishDraftVersion(key),
    client.charts.discardDraftVersion(key),
    client.charts.copyDraftVersion(key),
    client.charts.validateDraftVersion(key),
  );
  // The SDK rejects with the bytes of an answer that should have been a picture.
  const bytes: unknown = await client.charts.retrieveDraftVersionThumbnail(key).catch((e) => e);
  expect(String(bytes)).toContain('DRAFT_NOT_FOUND');
});

test('with drafts switched off a chart in use is changed at once', async (standin) => {
  const { client } = await makeCompany(standin);
  const { key } = await client.charts.create('Old');
  await client.events.create(key);
  await client.accounts.disableDraftChartDrawings();
  await client.charts.update(key, 'New');
  expect(await client.charts.retrieve(key)).toMatchObject({ name: 'New', status: 'PUBLISHED' });
  await client.accounts.enableDraftChartDrawings();
  await client.charts.update(key, 'Newer');
  expect(await client.charts.retrieve(key)).toMatchObject({
    name: 'New',
    status: 'PUBLISHED_WITH_DRAFT',
  });
});

test('an object that is not free keeps its label, its kind and its room when a draft is published', async (standin) => {
  const { events, charts } = standin.client;
  await events.book('ev', things('A-3', { objectId: 'GA1', quantity: 40 }));
  const tableBookingConfig = TableBookingConfig.allByTable();
  await events.create('small', eventParams({ key: 'ev2', tableBookingConfig }));
  await events.book('ev2', ['T1']);
  const refusals: [Small, Record<string, string[]>][] = [
    [
      changed(({ subChart }) => {
        subChart.rows[0]!.label = 'Z';
      }),
      { ev: ['A-3'] },
    ],
    [
      changed(({ subChart }) => {
        subChart.rows[0]!.seats.splice(2, 1);
      }),
      { ev: ['A-3'] },
    ],
    [
      changed(({ subChart }) => {
        subChart.generalAdmissionAreas[0]!.capacity = 39;
      }),
      { ev: ['GA1'] },
    ],
    [
      changed(({ subChart }) => {
        Object.assign(subChart, { tables: [], booths: [{ label: 'T1', center: { x: 1, y: 1 } }] });
      }),
      { ev2: ['T1'] },
    ],
  ];
  for (const [drawing, lost] of refusals) {
    expect(await draw(standin, 'small', drawing)).toEqual({ status: 204, body: null });
    const refused = charts.publishDraftVersion('small');
    await expect(refused).rejects.toMatchObject({
      status: 400,
      errors: [{ code: 'OBJECTS_NOT_FREE', data: { objects: lost } }],
    });
  }
  expect((await charts.retrieve('small')).status).toBe('PUBLISHED_WITH_DRAFT');
  await draw(
    standin,
    'small',
    changed(({ subChart }) => {
      subChart.rows[1]!.label = 'Y';
      Object.assign(subChart.rows[0]!, { displayLabel: 'Prima' });
      subChart.generalAdmissionAreas[0]!.capacity = 40;
    }),
  );
  await charts.publishDraftVersion('small');
  expect(await standin.info('A-3')).toMatchObject({
    status: 'booked',
    labels: { parent: { label: 'Prima' } },
    ids: { parent: 'A' },
  });
  expect(await standin.info('Y-1')).toMatchObject({ status: 'free' });
  expect(await standin.info('GA1')).toMatchObject({ numBooked: 40, numFree: 0 });
});

test('open charts hear that a new version was published', async (standin) => {
  const before = (await standin.visit('GET', '/rendering-info?event_key=ev')).body;
  const stop = new AbortController();
  const stream = await fetch(
    `${standin.url}/system/public/${standin.workspaceKey}/events/ev/stream?since=${before.sequence}`,
    { signal: stop.signal },
  );
  await draw(
    standin,
    'small',
    changed(({ subChart }) => {
      subChart.rows[1]!.label = 'Y';
    }),
  );
  await standin.client.charts.publishDraftVersion('small');
  let heard = '';
  for await (const part of stream.body!.pipeThrough(new TextDecoderStream())) {
    heard += part;
    if (heard.includes('resync')) break;
  }
  stop.abort();
  const after = (await standin.visit('GET', '/rendering-info?event_key=ev')).body;
  expect(after.chart.version).toBeGreaterThan(before.chart.version);
});

test('each of the six checks finds its fault and speaks as loudly as the account says', async (standin) => {
  const { client, admin } = await makeCompany(standin);
  const owner = { url: standin.url, secretKey: admin.secretKey };
  const { subChart, ...root } = smallDrawing;
  const faults: [string, unknown][] = [
    [
      'VALIDATE_DUPLICATE_LABELS',
      changed((drawing) => {
        drawing.subChart.rows[1]!.label = 'A';
      }),
    ],
    [
      'VALIDATE_OBJECTS_WITHOUT_CATEGORIES',
      changed((drawing) => {
        Object.assign(drawing.subChart.rows[1]!.seats[0]!, { categoryKey: null });
      }),
    ],
    [
      'VALIDATE_UNLABELED_OBJECTS',
      changed((drawing) => {
        drawing.subChart.rows[1]!.seats[0]!.label = '?';
      }),
    ],
    [
      'VALIDATE_FOCAL_POINT',
      changed((drawing) => {
        Object.assign(drawing.subChart, { focalPoint: null });
      }),
    ],
    ['VALIDATE_OBJECT_TYPES_PER_CATEGORY', smallDrawing],
    [
      'VALIDATE_EMPTY_FLOOR',
      {
        ...root,
        subChartFloors: [
          { ...subChart, floorName: '1' },
          { focalPoint: null, floorName: '2' },
        ],
      },
    ],
  ];
  for (const [index, [, drawing]] of faults.entries())
    await uploadDrawing(owner, { key: `c${index}`, drawing: drawing as object });
  expect(await client.charts.validatePublishedVersion('c0')).toEqual({ errors: [], warnings: [] });
  for (const [index, [name]] of faults.entries()) {
    await client.accounts.updateSetting(name, 'WARNING');
    const warned = await Promise.all(
      faults.map(
        (_, other) =>
          client.charts.validatePublishedVersion(`c${other}`) as Promise<{ warnings: string[] }>,
      ),
    );
    // The one drawing serves all, so its mixed category is found in each.
    expect(warned.map(({ warnings }) => warnings.includes(name))).toEqual(
      faults.map((_, other) => other === index || name === ALL[4]),
    );
    await client.accounts.updateSetting(name, 'ERROR');
    expect(await client.charts.validatePublishedVersion(`c${index}`)).toEqual({
      errors: [name],
      warnings: [],
    });
    await refuses(
      { status: 400, code: 'DRAWING_VALIDATION_FAILED' },
      client.events.create(`c${index}`),
    );
    await client.accounts.updateSetting(name, 'OFF');
  }
});

test('an invalid draft is not published, and both its errors and its warnings are told', async (standin) => {
  const { client, admin } = await makeCompany(standin);
  const owner = { url: standin.url, secretKey: admin.secretKey };
  await uploadDrawing(owner, { key: 'hall', drawing: smallDrawing });
  await client.events.create('hall');
  await client.accounts.updateSetting('VALIDATE_DUPLICATE_LABELS', 'ERROR');
  await client.accounts.updateSetting('VALIDATE_FOCAL_POINT', 'WARNING');
  await draw(
    owner,
    'hall',
    changed((drawing) => {
      drawing.subChart.rows[1]!.label = 'A';
      Object.assign(drawing.subChart, { focalPoint: null });
    }),
  );
  expect(await client.charts.validateDraftVersion('hall')).toEqual({
    errors: ['VALIDATE_DUPLICATE_LABELS'],
    warnings: ['VALIDATE_FOCAL_POINT'],
  });
  expect(await client.charts.validatePublishedVersion('hall')).toEqual({
    errors: [],
    warnings: [],
  });
  await expect(client.charts.publishDraftVersion('hall')).rejects.toMatchObject({
    status: 400,
    messages: [expect.stringContaining('hall'), expect.any(String)],
    errors: [
      {
        code: 'DRAWING_VALIDATION_FAILED',
        data: { failedValidations: ['VALIDATE_DUPLICATE_LABELS'] },
      },
    ],
    warnings: [
      { code: 'DRAWING_VALIDATION_FAILED', data: { failedValidations: ['VALIDATE_FOCAL_POINT'] } },
    ],
  });
  expect((await client.charts.retrieve('hall')).status).toBe('PUBLISHED_WITH_DRAFT');
});
