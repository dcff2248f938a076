/** Everything that the SDK can call is called once and answered; a method that an update of the SDK brings fails here until it is. */
import {
  BestAvailableParams,
  CategoryUpdateParams,
  CreateEventParams,
  CreateSeasonParams,
  ForSaleConfigParams,
  Month,
  StatusChangeRequest,
  UpdateEventParams,
  UpdateSeasonParams,
} from 'seatsio';
import { expect, test } from 'vitest';
import { collect, makeCompany } from './company.ts';
import { smallDrawing, startStandin, uploadDrawing } from './start.ts';
import type {
  Channels,
  ChartReports,
  Charts,
  EventReports,
  Events,
  Seasons,
  SeatsioClient,
  UsageReports,
  Workspaces,
} from 'seatsio';
import type { TestCompany } from './company.ts';
import type { Standin } from './start.ts';

/** What a call needs to have something to work on: everything is made anew for each. */
interface Hall extends TestCompany {
  chart: () => Promise<string>;
  /** One that has an event and an edited drawing. */
  draft: () => Promise<string>;
  event: () => Promise<string>;
  /** One that has booked A-1. */
  season: () => Promise<{ key: string; event: string; partial: string }>;
  token: () => Promise<string>;
}

type Calls = Record<string, (service: object, hall: Hall) => Promise<unknown>>;
/** Calls of a service that need more than a key, by their names. */
type Methods<T> = {
  [K in keyof T as T[K] extends (...all: never[]) => unknown ? K : never]?: (
    service: T,
    hall: Hall,
  ) => Promise<unknown>;
};

const BUYER = '0f8fad5b-d9cb-469f-a165-70867728950e';
const MONTH = '2026-11';
const NOVEMBER = new Month(2026, 11);
const category = { key: 'new', label: 'Nuova', color: '#123456', accessible: false };
const channel = { key: 'friends', name: 'Amici', color: '#123456', index: 1, objects: ['A-1'] };
const best = (number: number) => new BestAvailableParams().withNumber(number);
const season = (events: number) => new CreateSeasonParams().numberOfEvents(events);

/** These methods are called with nothing but what is made for them. */
function each(names: string, make: (hall: Hall) => Promise<unknown> | unknown[] = () => []): Calls {
  const call = (name: string): Calls[string] => {
    return async (service, hall) => {
      const made = await make(hall);
      const method = Reflect.get(service, name) as (...all: unknown[]) => Promise<unknown>;
      return method.apply(service, Array.isArray(made) ? made : [made]);
    };
  };
  return Object.fromEntries(names.split(' ').map((name) => [name, call(name)]));
}

/** All pages, and the first of an iterator, which a service of lists has. */
const walked: Calls = {
  listAll: (service) => collect((service as SeatsioClient['charts']).listAll()),
  iterator: (service) => (service as SeatsioClient['charts']).iterator().firstPage(),
};

const chart = (hall: Hall) => hall.chart();
const draft = (hall: Hall) => hall.draft();
const event = (hall: Hall) => hall.event();
const workspace = async (hall: Hall) => (await hall.client.workspaces.create('Un altro')).key;
const idOf = async ({ client }: Hall, key: string) => (await client.workspaces.retrieve(key)).id;
const sleeping = async (hall: Hall) => {
  const key = await workspace(hall);
  await hall.client.workspaces.deactivate(key);
  return key;
};
const booked = async (hall: Hall) => {
  const key = await hall.event();
  await hall.client.events.book(key, ['A-1']);
  return key;
};
const withChannel = async (hall: Hall) => {
  const key = await hall.event();
  await hall.client.events.channels.addMultiple(key, [channel]);
  return key;
};

const charts: Methods<Charts> = {
  create: (service) => service.create('Nuovo', 'SIMPLE', [category]),
  update: async (service, hall) => service.update(await hall.chart(), 'Altro nome'),
  addCategory: async (service, hall) => service.addCategory(await hall.chart(), category),
  removeCategory: async (service, hall) => service.removeCategory(await hall.draft(), 'new'),
  updateCategory: async (service, hall) =>
    service.updateCategory(await hall.chart(), 1, new CategoryUpdateParams().withLabel('Platea')),
  moveOutOfArchive: async (service, hall) => {
    const key = await hall.chart();
    await service.moveToArchive(key);
    return service.moveOutOfArchive(key);
  },
  copyToWorkspace: async (service, hall) =>
    service.copyToWorkspace(await hall.chart(), await workspace(hall)),
  copyFromWorkspaceTo: async (service, hall) =>
    service.copyFromWorkspaceTo(await hall.chart(), hall.workspace.key, await workspace(hall)),
  addTag: async (service, hall) => service.addTag(await hall.chart(), 'nuovo'),
  removeTag: async (service, hall) => {
    const key = await hall.chart();
    await service.addTag(key, 'nuovo');
    return service.removeTag(key, 'nuovo');
  },
};

const events: Methods<Omit<Events, 'normalizeObjects' | 'changeStatusToRequest'>> = {
  create: async (service, hall) =>
    service.create(await hall.chart(), new CreateEventParams().withName('Prima')),
  createMultiple: async (service, hall) =>
    service.createMultiple(await hall.chart(), [new CreateEventParams(), new CreateEventParams()]),
  update: async (service, hall) =>
    service.update(await hall.event(), new UpdateEventParams().withName('Seconda')),
  statusChanges: async (service, hall) => service.statusChanges(await hall.event()).firstPage(),
  statusChangesForObject: async (service, hall) =>
    service.statusChangesForObject(await hall.event(), 'A-1').firstPage(),
  editForSaleConfig: async (service, hall) =>
    service.editForSaleConfig(await hall.event(), null, [{ object: 'A-1' }]),
  editForSaleConfigForEvents: async (service, hall) =>
    service.editForSaleConfigForEvents({
      [await hall.event()]: new ForSaleConfigParams().withNotForSale([{ object: 'A-1' }]),
    }),
  replaceForSaleConfig: async (service, hall) =>
    service.replaceForSaleConfig(await hall.event(), false, ['A-1']),
  overrideSeasonObjectStatus: async (service, hall) =>
    service.overrideSeasonObjectStatus((await hall.season()).event, ['A-1']),
  useSeasonObjectStatus: async (service, hall) => {
    const one = (await hall.season()).event;
    await service.overrideSeasonObjectStatus(one, ['A-1']);
    return service.useSeasonObjectStatus(one, ['A-1']);
  },
  updateExtraData: async (service, hall) =>
    service.updateExtraData(await hall.event(), 'A-1', { name: 'Ada' }),
  updateExtraDatas: async (service, hall) =>
    service.updateExtraDatas(await hall.event(), { 'A-1': { name: 'Ada' } }),
  changeObjectStatus: async (service, hall) =>
    service.changeObjectStatus(await hall.event(), ['A-1'], 'rotto'),
  changeObjectStatusInBatch: async (service, hall) =>
    service.changeObjectStatusInBatch([
      new StatusChangeRequest()
        .withType(StatusChangeRequest.TYPE_CHANGE_STATUS_TO)
        .withEventKey(await hall.event())
        .withObjects(['A-1'])
        .withStatus('rotto'),
    ]),
  bookBestAvailable: async (service, hall) =>
    service.bookBestAvailable(await hall.event(), best(2)),
  putUpForResale: async (service, hall) =>
    service.putUpForResale(await booked(hall), ['A-1'], 'listing'),
  hold: async (service, hall) => service.hold(await hall.event(), ['A-1'], await hall.token()),
  holdBestAvailable: async (service, hall) =>
    service.holdBestAvailable(await hall.event(), best(2), await hall.token()),
  changeBestAvailableObjectStatus: async (service, hall) =>
    service.changeBestAvailableObjectStatus(await hall.event(), best(2), 'rotto'),
};

const channels: Methods<Channels> = {
  add: async (service, hall) =>
    service.add(await hall.event(), 'friends', 'Amici', '#123456', 1, ['A-1']),
  update: async (service, hall) =>
    service.update(await withChannel(hall), 'friends', 'Amiche', undefined, undefined),
  addObjects: async (service, hall) =>
    service.addObjects(await withChannel(hall), 'friends', ['A-2'], { GA1: 5 }),
  removeObjects: async (service, hall) =>
    service.removeObjects(await withChannel(hall), 'friends', ['A-1']),
};

const seasons: Methods<Seasons> = {
  create: async (service, hall) => service.create(await hall.chart(), season(2)),
  update: async (service, hall) =>
    service.update(
      (await hall.season()).key,
      new UpdateSeasonParams().withForSalePropagated(false),
    ),
  createPartialSeason: async (service, hall) => {
    const { key, event: one } = await hall.season();
    return service.createPartialSeason(key, 'primavera', 'Primavera', [one]);
  },
  createEvents: async (service, hall) => service.createEvents((await hall.season()).key, 2),
  addEventsToPartialSeason: async (service, hall) => {
    const { key, partial, event: one } = await hall.season();
    return service.addEventsToPartialSeason(key, partial, [one]);
  },
  removeEventFromPartialSeason: async (service, hall) => {
    const { key, partial, event: one } = await hall.season();
    await service.addEventsToPartialSeason(key, partial, [one]);
    return service.removeEventFromPartialSeason(key, partial, one);
  },
};

const workspaces: Methods<Workspaces> = {
  update: async (service, hall) => service.update(await workspace(hall), 'Altro nome'),
  removeSecretKey: async (service, hall) => {
    const key = await workspace(hall);
    await service.addSecretKey(key);
    return service.removeSecretKey(key, (await service.retrieve(key)).secretKey);
  },
  listActive: (service) => collect(service.listActive()),
  listInactive: (service) => collect(service.listInactive()),
  activeWorkspacesIterator: (service) => service.activeWorkspacesIterator().firstPage(),
  inactiveWorkspacesIterator: (service) => service.inactiveWorkspacesIterator().firstPage(),
};

const chartReports: Methods<ChartReports> = {
  byObjectType: async (service, hall) => service.byObjectType(await hall.chart(), 'chart'),
  summaryByObjectType: async (service, hall) =>
    service.summaryByObjectType(await hall.chart(), 'true'),
  byCategoryLabel: async (service, hall) => service.byCategoryLabel(await hall.chart(), 'false'),
  byCategoryKey: async (service, hall) =>
    service.byCategoryKey(await hall.draft(), undefined, 'draft'),
  summaryByCategoryKey: async (service, hall) =>
    service.summaryByCategoryKey(await hall.draft(), undefined, 'draft'),
  fetchReport: async (service, hall) => service.fetchReport('byLabel', await hall.chart()),
  fetchSummaryReport: async (service, hall) =>
    service.fetchSummaryReport('byZone', await hall.chart()),
};

const usageReports: Methods<UsageReports> = {
  billableRenderingsForChartInMonth: async (service, hall) =>
    service.billableRenderingsForChartInMonth(await hall.chart(), NOVEMBER),
  detailsForEventInMonth: async (service, hall) => {
    const { id } = await hall.client.events.retrieve(await hall.event());
    return service.detailsForEventInMonth(id, MONTH);
  },
};

const REPORTS = 'Status ObjectType CategoryLabel CategoryKey Section Zone Availability Channel';

/** Path of a service in the client -> its calls. */
const SERVICES = {
  charts: {
    ...each('listCategories validatePublishedVersion retrieve retrieveWithEvents copy', chart),
    ...each('retrievePublishedVersion retrievePublishedVersionThumbnail moveToArchive', chart),
    ...each('validateDraftVersion retrieveDraftVersion publishDraftVersion', draft),
    ...each('discardDraftVersion copyDraftVersion retrieveDraftVersionThumbnail', draft),
    ...each('listAllTags listFirstPage'),
    ...each('listPageAfter listPageBefore', async (hall) => {
      const { id } = await hall.client.charts.retrieve(await hall.chart());
      return id;
    }),
    ...walked,
    ...charts,
  },
  'charts.archive': {
    all: (service: Charts['archive']) => collect(service.all()),
    ...each('firstPage'),
    ...each('pageAfter pageBefore', () => [1]),
  },
  events: {
    ...each('retrieve delete moveEventToChartCopy', event),
    ...each('markEverythingAsForSale markEverythingAsNotForSale', event),
    ...each('listFirstPage'),
    ...each('listPageAfter listPageBefore', async (hall) => {
      const { id } = await hall.client.events.retrieve(await hall.event());
      return id;
    }),
    ...each('markAsForSale markAsNotForSale book', async (hall) => [await hall.event(), ['A-1']]),
    ...each('retrieveObjectInfo', async (hall) => [await hall.event(), 'A-1']),
    ...each('retrieveObjectInfos', async (hall) => [await hall.event(), ['A-1', 'GA1']]),
    ...each('release', async (hall) => [await booked(hall), ['A-1']]),
    ...walked,
    ...events,
  },
  'events.channels': {
    ...each('addMultiple replace', async (hall) => [await hall.event(), [channel]]),
    ...each('remove', async (hall) => [await withChannel(hall), 'friends']),
    ...channels,
  },
  seasons: { ...each('retrieve', async (hall) => (await hall.season()).key), ...seasons },
  holdTokens: {
    ...each('create'),
    ...each('expiresInMinutes', async (hall) => [await hall.token(), 20]),
    ...each('retrieve', (hall) => hall.token()),
  },
  workspaces: {
    ...each('create', () => ['Nuovo', true]),
    ...each('setDefault retrieve', (hall) => [hall.workspace.key]),
    ...each('regenerateSecretKey addSecretKey deactivate', workspace),
    ...each('activate delete', sleeping),
    ...each('listFirstPage listActiveFirstPage listInactiveFirstPage'),
    ...each('listPageAfter listPageBefore listActivePageAfter listActivePageBefore', async (hall) =>
      idOf(hall, await workspace(hall)),
    ),
    ...each('listInactivePageAfter listInactivePageBefore', async (hall) =>
      idOf(hall, await sleeping(hall)),
    ),
    ...walked,
    ...workspaces,
  },
  accounts: {
    ...each('retrieveMyAccount regenerateDesignerKey'),
    ...each('enableDraftChartDrawings disableDraftChartDrawings'),
    ...each('changePassword', () => ['una lunga frase segreta']),
    ...each('changeHoldPeriod', () => [17]),
    ...each('updateSetting', () => ['VALIDATE_DUPLICATE_LABELS', 'WARNING']),
  },
  ticketBuyers: { ...each('add remove', () => [[BUYER]]), ...walked },
  eventLog: {
    ...each('listFirstPage'),
    ...each('listPageAfter', () => [1]),
    ...each('listPageBefore', () => [2]),
    ...walked,
  },
  eventReports: {
    withSeasonBookingsNotPropagated: async (service: EventReports, hall: Hall) =>
      service.withSeasonBookingsNotPropagated().flatList(await hall.event()),
    ...each('flatList flatListCsv byLabel byOrderId', event),
    ...each(
      [...REPORTS.split(' '), 'AvailabilityReason']
        .map((name) => `by${name} summaryBy${name} deepSummaryBy${name}`)
        .join(' '),
      event,
    ),
  },
  chartReports: {
    ...each('byLabel summaryByCategoryLabel bySection byZone', chart),
    ...each('summaryBySection summaryByZone', chart),
    ...chartReports,
  },
  usageReports: {
    ...each('summaryForAllMonths billableRenderingsSummaryForAllMonths subscription'),
    ...each('billableRenderingsSummaryForMonth', () => [NOVEMBER]),
    ...each('detailsForMonth', () => [MONTH]),
    ...usageReports,
  },
} as unknown as Record<string, Calls>;

/** The SDK's own business, not for callers: they put requests together, or send those that are. */
const INTERNAL = [
  'events.doChangeStatus',
  'events.changeStatusToRequest',
  'events.releaseObjectsRequest',
  'events.buildChangeObjectStatusRequest',
  'events.normalizeObjects',
  'eventReports.queryParams',
];

/** Services and their methods as they are in the SDK: what an instance's class brings, private or not. */
function listServices(client: SeatsioClient): Map<string, { service: object; methods: string[] }> {
  const found = new Map<string, { service: object; methods: string[] }>();
  const visit = (owner: object, path: string[]) => {
    for (const [name, value] of Object.entries(owner) as [string, unknown][]) {
      if (
        typeof value !== 'object' ||
        value === null ||
        name === 'seatsioClient' ||
        name === 'client' ||
        name === 'pageFetcher'
      )
        continue;
      const prototype = Object.getPrototypeOf(value) as object;
      if (prototype === Object.prototype || Array.isArray(value)) continue;
      const methods = Object.getOwnPropertyNames(prototype).filter(
        (method) => method !== 'constructor',
      );
      found.set([...path, name].join('.'), { service: value, methods });
      visit(value, [...path, name]);
    }
  };
  visit(client, []);
  return found;
}

async function openHall(standin: Standin): Promise<Hall> {
  const company = await makeCompany(standin);
  const { client, workspace } = company;
  let count = 0;
  const hall: Hall = {
    ...company,
    async chart() {
      const key = `chart-${(count += 1)}`;
      await uploadDrawing(
        { url: standin.url, secretKey: workspace.secretKey },
        { key, drawing: smallDrawing },
      );
      return key;
    },
    async draft() {
      const key = await hall.chart();
      await client.events.create(key);
      await client.charts.addCategory(key, category);
      return key;
    },
    async event() {
      return (await client.events.create(await hall.chart())).key;
    },
    async season() {
      const { key, events: made } = await client.seasons.create(await hall.chart(), season(1));
      await client.events.book(key, ['A-1']);
      const partial = await client.seasons.createPartialSeason(key);
      return { key, event: made![0]!.key, partial: partial.key };
    },
    async token() {
      return (await client.holdTokens.create()).holdToken;
    },
  };
  return hall;
}

test('no service and no method of the SDK is missing here, and none is here that the SDK does not have', async () => {
  await using standin = await startStandin();
  const { client } = await makeCompany(standin);
  const inSdk = [...listServices(client)].flatMap(([path, { methods }]) =>
    methods.map((method) => `${path}.${method}`),
  );
  const here = Object.entries(SERVICES).flatMap(([path, calls]) =>
    Object.keys(calls).map((method) => `${path}.${method}`),
  );
  expect(inSdk.length).toBeGreaterThan(150);
  expect(inSdk.toSorted()).toEqual([...here, ...INTERNAL].toSorted());
});

for (const [path, calls] of Object.entries(SERVICES)) {
  test(`every call of ${path} is answered`, async () => {
    await using standin = await startStandin();
    const refused: Record<string, unknown> = {};
    for (const [method, call] of Object.entries(calls)) {
      const hall = await openHall(standin);
      const { service } = listServices(hall.client).get(path)!;
      let requests = 0;
      const asked = new Set<string>();
      const counted = {
        onRequestStarted: () => void (requests += 1),
        onRequestEnded: () => undefined,
      };
      const watched = new Proxy(service, {
        get(target, name: string) {
          if (name === method) hall.client.setRequestListener(() => counted);
          asked.add(name);
          const value: unknown = Reflect.get(target, name, target);
          return typeof value === 'function' ? (value.bind(target) as unknown) : value;
        },
      });
      // An answer of undefined would be the SDK's own doing; a refusal, whatever its form, is ours.
      await call(watched, hall).catch((error: unknown) => {
        refused[method] = error;
      });
      if (!asked.has(method) || requests === 0) refused[method] ??= 'it was not called';
    }
    expect(refused).toEqual({});
  });
}
