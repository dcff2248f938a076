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
  Accounts,
  Channels,
  ChartReports,
  Charts,
  EventLog,
  EventReports,
  Events,
  HoldTokens,
  Seasons,
  SeatsioClient,
  TicketBuyers,
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

type Methods<T> = {
  [K in keyof T as T[K] extends (...all: never[]) => unknown ? K : never]: (
    service: T,
    hall: Hall,
  ) => Promise<unknown>;
};

const BUYER = '0f8fad5b-d9cb-469f-a165-70867728950e';
const MONTH = '2026-11';
const category = { key: 'new', label: 'Nuova', color: '#123456', accessible: false };
const channel = { key: 'friends', name: 'Amici', color: '#123456', index: 1, objects: ['A-1'] };
const best = (number: number) => new BestAvailableParams().withNumber(number);
const season = (events: number) => new CreateSeasonParams().numberOfEvents(events);

/** For a report that takes an event's key; the second argument is a filter where there is one. */
const onEvent =
  <T>(ask: (service: T, event: string) => Promise<unknown>) =>
  async (service: T, hall: Hall) =>
    ask(service, await hall.event());
const onChart =
  <T>(ask: (service: T, chart: string) => Promise<unknown>) =>
  async (service: T, hall: Hall) =>
    ask(service, await hall.chart());
const onDraft =
  <T>(ask: (service: T, chart: string) => Promise<unknown>) =>
  async (service: T, hall: Hall) =>
    ask(service, await hall.draft());

async function withChannel(hall: Hall): Promise<string> {
  const event = await hall.event();
  await hall.client.events.channels.add(
    event,
    channel.key,
    channel.name,
    channel.color,
    1,
    channel.objects,
  );
  return event;
}

async function otherWorkspace(
  hall: Hall,
  { active = true } = {},
): Promise<{ key: string; id: number }> {
  const made = await hall.client.workspaces.create('Un altro');
  if (!active) await hall.client.workspaces.deactivate(made.key);
  return made;
}

const charts: Methods<Charts> = {
  create: (service) => service.create('Nuovo', 'SIMPLE', [category]),
  update: onChart((service, chart) => service.update(chart, 'Altro nome')),
  addCategory: onChart((service, chart) => service.addCategory(chart, category)),
  removeCategory: onChart(async (service, chart) => {
    await service.addCategory(chart, category);
    return service.removeCategory(chart, 'new');
  }),
  listCategories: onChart((service, chart) => service.listCategories(chart)),
  updateCategory: onChart((service, chart) =>
    service.updateCategory(chart, 1, new CategoryUpdateParams().withLabel('Platea')),
  ),
  validatePublishedVersion: onChart((service, chart) => service.validatePublishedVersion(chart)),
  validateDraftVersion: onDraft((service, chart) => service.validateDraftVersion(chart)),
  retrieve: onChart((service, chart) => service.retrieve(chart)),
  retrieveWithEvents: onChart((service, chart) => service.retrieveWithEvents(chart)),
  retrievePublishedVersion: onChart((service, chart) => service.retrievePublishedVersion(chart)),
  retrieveDraftVersion: onDraft((service, chart) => service.retrieveDraftVersion(chart)),
  publishDraftVersion: onDraft((service, chart) => service.publishDraftVersion(chart)),
  discardDraftVersion: onDraft((service, chart) => service.discardDraftVersion(chart)),
  moveToArchive: onChart((service, chart) => service.moveToArchive(chart)),
  moveOutOfArchive: onChart(async (service, chart) => {
    await service.moveToArchive(chart);
    return service.moveOutOfArchive(chart);
  }),
  copy: onChart((service, chart) => service.copy(chart)),
  copyDraftVersion: onDraft((service, chart) => service.copyDraftVersion(chart)),
  copyToWorkspace: async (service, hall) =>
    service.copyToWorkspace(await hall.chart(), (await otherWorkspace(hall)).key),
  copyFromWorkspaceTo: async (service, hall) =>
    service.copyFromWorkspaceTo(
      await hall.chart(),
      hall.workspace.key,
      (await otherWorkspace(hall)).key,
    ),
  retrievePublishedVersionThumbnail: onChart((service, chart) =>
    service.retrievePublishedVersionThumbnail(chart),
  ),
  retrieveDraftVersionThumbnail: onDraft((service, chart) =>
    service.retrieveDraftVersionThumbnail(chart),
  ),
  listAllTags: (service) => service.listAllTags(),
  addTag: onChart((service, chart) => service.addTag(chart, 'nuovo')),
  removeTag: onChart(async (service, chart) => {
    await service.addTag(chart, 'nuovo');
    return service.removeTag(chart, 'nuovo');
  }),
  listAll: (service) => collect(service.listAll()),
  listFirstPage: (service) => service.listFirstPage(),
  listPageAfter: onChart(async (service, chart) =>
    service.listPageAfter((await service.retrieve(chart)).id),
  ),
  listPageBefore: onChart(async (service, chart) =>
    service.listPageBefore((await service.retrieve(chart)).id),
  ),
  iterator: (service) => service.iterator().firstPage(),
};

const archive: Methods<Charts['archive']> = {
  all: (service) => collect(service.all()),
  firstPage: (service) => service.firstPage(),
  pageAfter: onChart(async (service) => service.pageAfter(1)),
  pageBefore: onChart(async (service) => service.pageBefore(1)),
};

const events: Methods<Omit<Events, 'normalizeObjects' | 'changeStatusToRequest'>> = {
  create: onChart((service, chart) =>
    service.create(chart, new CreateEventParams().withName('Prima')),
  ),
  createMultiple: onChart((service, chart) =>
    service.createMultiple(chart, [new CreateEventParams(), new CreateEventParams()]),
  ),
  retrieve: onEvent((service, event) => service.retrieve(event)),
  update: onEvent((service, event) =>
    service.update(event, new UpdateEventParams().withName('Seconda')),
  ),
  delete: onEvent((service, event) => service.delete(event)),
  moveEventToChartCopy: onEvent((service, event) => service.moveEventToChartCopy(event)),
  listAll: (service) => collect(service.listAll()),
  listFirstPage: (service) => service.listFirstPage(),
  listPageAfter: onEvent(async (service, event) =>
    service.listPageAfter((await service.retrieve(event)).id),
  ),
  listPageBefore: onEvent(async (service, event) =>
    service.listPageBefore((await service.retrieve(event)).id),
  ),
  iterator: (service) => service.iterator().firstPage(),
  statusChanges: onEvent((service, event) => service.statusChanges(event).firstPage()),
  statusChangesForObject: onEvent((service, event) =>
    service.statusChangesForObject(event, 'A-1').firstPage(),
  ),
  editForSaleConfig: onEvent((service, event) =>
    service.editForSaleConfig(event, null, [{ object: 'A-1' }]),
  ),
  editForSaleConfigForEvents: onEvent((service, event) =>
    service.editForSaleConfigForEvents({
      [event]: new ForSaleConfigParams().withNotForSale([{ object: 'A-1' }]),
    }),
  ),
  replaceForSaleConfig: onEvent((service, event) =>
    service.replaceForSaleConfig(event, false, ['A-1']),
  ),
  markAsForSale: onEvent((service, event) => service.markAsForSale(event, ['A-1'])),
  markAsNotForSale: onEvent((service, event) => service.markAsNotForSale(event, ['A-1'])),
  markEverythingAsForSale: onEvent((service, event) => service.markEverythingAsForSale(event)),
  markEverythingAsNotForSale: onEvent((service, event) =>
    service.markEverythingAsNotForSale(event),
  ),
  overrideSeasonObjectStatus: async (service, hall) =>
    service.overrideSeasonObjectStatus((await hall.season()).event, ['A-1']),
  useSeasonObjectStatus: async (service, hall) => {
    const { event } = await hall.season();
    await service.overrideSeasonObjectStatus(event, ['A-1']);
    return service.useSeasonObjectStatus(event, ['A-1']);
  },
  updateExtraData: onEvent((service, event) =>
    service.updateExtraData(event, 'A-1', { name: 'Ada' }),
  ),
  updateExtraDatas: onEvent((service, event) =>
    service.updateExtraDatas(event, { 'A-1': { name: 'Ada' } }),
  ),
  retrieveObjectInfo: onEvent((service, event) => service.retrieveObjectInfo(event, 'A-1')),
  retrieveObjectInfos: onEvent((service, event) =>
    service.retrieveObjectInfos(event, ['A-1', 'GA1']),
  ),
  changeObjectStatus: onEvent((service, event) =>
    service.changeObjectStatus(event, ['A-1'], 'rotto'),
  ),
  changeObjectStatusInBatch: onEvent((service, event) =>
    service.changeObjectStatusInBatch([
      new StatusChangeRequest()
        .withType(StatusChangeRequest.TYPE_CHANGE_STATUS_TO)
        .withEventKey(event)
        .withObjects(['A-1'])
        .withStatus('rotto'),
    ]),
  ),
  book: onEvent((service, event) => service.book(event, ['A-1'])),
  bookBestAvailable: onEvent((service, event) => service.bookBestAvailable(event, best(2))),
  putUpForResale: onEvent(async (service, event) => {
    await service.book(event, ['A-1']);
    return service.putUpForResale(event, ['A-1'], 'listing');
  }),
  release: onEvent(async (service, event) => {
    await service.book(event, ['A-1']);
    return service.release(event, ['A-1']);
  }),
  hold: async (service, hall) => service.hold(await hall.event(), ['A-1'], await hall.token()),
  holdBestAvailable: async (service, hall) =>
    service.holdBestAvailable(await hall.event(), best(2), await hall.token()),
  changeBestAvailableObjectStatus: onEvent((service, event) =>
    service.changeBestAvailableObjectStatus(event, best(2), 'rotto'),
  ),
};

const channels: Methods<Channels> = {
  add: onEvent((service, event) => service.add(event, 'friends', 'Amici', '#123456', 1, ['A-1'])),
  addMultiple: onEvent((service, event) => service.addMultiple(event, [channel])),
  remove: async (service, hall) => service.remove(await withChannel(hall), 'friends'),
  update: async (service, hall) =>
    service.update(await withChannel(hall), 'friends', 'Amiche', undefined, undefined),
  addObjects: async (service, hall) =>
    service.addObjects(await withChannel(hall), 'friends', ['A-2'], { GA1: 5 }),
  removeObjects: async (service, hall) =>
    service.removeObjects(await withChannel(hall), 'friends', ['A-1']),
  replace: onEvent((service, event) => service.replace(event, [channel])),
};

const seasons: Methods<Seasons> = {
  create: onChart((service, chart) => service.create(chart, season(2))),
  update: async (service, hall) =>
    service.update(
      (await hall.season()).key,
      new UpdateSeasonParams().withForSalePropagated(false),
    ),
  createPartialSeason: async (service, hall) => {
    const { key, event } = await hall.season();
    return service.createPartialSeason(key, 'primavera', 'Primavera', [event]);
  },
  createEvents: async (service, hall) => service.createEvents((await hall.season()).key, 2),
  addEventsToPartialSeason: async (service, hall) => {
    const { key, partial, event } = await hall.season();
    return service.addEventsToPartialSeason(key, partial, [event]);
  },
  removeEventFromPartialSeason: async (service, hall) => {
    const { key, partial, event } = await hall.season();
    await service.addEventsToPartialSeason(key, partial, [event]);
    return service.removeEventFromPartialSeason(key, partial, event);
  },
  retrieve: async (service, hall) => service.retrieve((await hall.season()).key),
};

const holdTokens: Methods<HoldTokens> = {
  create: (service) => service.create(),
  expiresInMinutes: async (service, hall) => service.expiresInMinutes(await hall.token(), 20),
  retrieve: async (service, hall) => service.retrieve(await hall.token()),
};

const workspaces: Methods<Workspaces> = {
  create: (service) => service.create('Nuovo', true),
  update: async (service, hall) => service.update((await otherWorkspace(hall)).key, 'Altro nome'),
  setDefault: (service, hall) => service.setDefault(hall.workspace.key),
  regenerateSecretKey: async (service, hall) =>
    service.regenerateSecretKey((await otherWorkspace(hall)).key),
  addSecretKey: async (service, hall) => service.addSecretKey((await otherWorkspace(hall)).key),
  removeSecretKey: async (service, hall) => {
    const { key } = await otherWorkspace(hall);
    await service.addSecretKey(key);
    return service.removeSecretKey(key, (await service.retrieve(key)).secretKey);
  },
  activate: async (service, hall) =>
    service.activate((await otherWorkspace(hall, { active: false })).key),
  deactivate: async (service, hall) => service.deactivate((await otherWorkspace(hall)).key),
  delete: async (service, hall) =>
    service.delete((await otherWorkspace(hall, { active: false })).key),
  retrieve: (service, hall) => service.retrieve(hall.workspace.key),
  listAll: (service) => collect(service.listAll()),
  listFirstPage: (service) => service.listFirstPage(),
  listPageAfter: async (service, hall) => service.listPageAfter((await otherWorkspace(hall)).id),
  listPageBefore: async (service, hall) => service.listPageBefore((await otherWorkspace(hall)).id),
  listActive: (service) => collect(service.listActive()),
  listActiveFirstPage: (service) => service.listActiveFirstPage(),
  listActivePageAfter: async (service, hall) =>
    service.listActivePageAfter((await otherWorkspace(hall)).id),
  listActivePageBefore: async (service, hall) =>
    service.listActivePageBefore((await otherWorkspace(hall)).id),
  listInactive: (service) => collect(service.listInactive()),
  listInactiveFirstPage: (service) => service.listInactiveFirstPage(),
  listInactivePageAfter: async (service, hall) =>
    service.listInactivePageAfter((await otherWorkspace(hall, { active: false })).id),
  listInactivePageBefore: async (service, hall) =>
    service.listInactivePageBefore((await otherWorkspace(hall, { active: false })).id),
  iterator: (service) => service.iterator().firstPage(),
  activeWorkspacesIterator: (service) => service.activeWorkspacesIterator().firstPage(),
  inactiveWorkspacesIterator: (service) => service.inactiveWorkspacesIterator().firstPage(),
};

const accounts: Methods<Accounts> = {
  retrieveMyAccount: (service) => service.retrieveMyAccount(),
  regenerateDesignerKey: (service) => service.regenerateDesignerKey(),
  enableDraftChartDrawings: (service) => service.enableDraftChartDrawings(),
  disableDraftChartDrawings: (service) => service.disableDraftChartDrawings(),
  changePassword: (service) => service.changePassword('una lunga frase segreta'),
  changeHoldPeriod: (service) => service.changeHoldPeriod(17),
  updateSetting: (service) => service.updateSetting('VALIDATE_DUPLICATE_LABELS', 'WARNING'),
};

const ticketBuyers: Methods<TicketBuyers> = {
  add: (service) => service.add([BUYER]),
  remove: (service) => service.remove([BUYER]),
  listAll: (service) => collect(service.listAll()),
  iterator: (service) => service.iterator().firstPage(),
};

const eventLog: Methods<EventLog> = {
  listAll: (service) => collect(service.listAll()),
  listFirstPage: (service) => service.listFirstPage(),
  listPageAfter: (service) => service.listPageAfter(1),
  listPageBefore: (service) => service.listPageBefore(2),
  iterator: (service) => service.iterator().firstPage(),
};

const eventReports: Methods<EventReports> = {
  withSeasonBookingsNotPropagated: onEvent((service, event) =>
    service.withSeasonBookingsNotPropagated().flatList(event),
  ),
  flatList: onEvent((service, event) => service.flatList(event)),
  flatListCsv: onEvent((service, event) => service.flatListCsv(event)),
  byStatus: onEvent((service, event) => service.byStatus(event, 'free')),
  summaryByStatus: onEvent((service, event) => service.summaryByStatus(event)),
  deepSummaryByStatus: onEvent((service, event) => service.deepSummaryByStatus(event)),
  byObjectType: onEvent((service, event) => service.byObjectType(event)),
  summaryByObjectType: onEvent((service, event) => service.summaryByObjectType(event)),
  deepSummaryByObjectType: onEvent((service, event) => service.deepSummaryByObjectType(event)),
  byCategoryLabel: onEvent((service, event) => service.byCategoryLabel(event)),
  summaryByCategoryLabel: onEvent((service, event) => service.summaryByCategoryLabel(event)),
  deepSummaryByCategoryLabel: onEvent((service, event) =>
    service.deepSummaryByCategoryLabel(event),
  ),
  byCategoryKey: onEvent((service, event) => service.byCategoryKey(event, 1)),
  summaryByCategoryKey: onEvent((service, event) => service.summaryByCategoryKey(event)),
  deepSummaryByCategoryKey: onEvent((service, event) => service.deepSummaryByCategoryKey(event)),
  byLabel: onEvent((service, event) => service.byLabel(event)),
  byOrderId: onEvent((service, event) => service.byOrderId(event)),
  bySection: onEvent((service, event) => service.bySection(event)),
  summaryBySection: onEvent((service, event) => service.summaryBySection(event)),
  deepSummaryBySection: onEvent((service, event) => service.deepSummaryBySection(event)),
  byZone: onEvent((service, event) => service.byZone(event)),
  summaryByZone: onEvent((service, event) => service.summaryByZone(event)),
  deepSummaryByZone: onEvent((service, event) => service.deepSummaryByZone(event)),
  byAvailability: onEvent((service, event) => service.byAvailability(event)),
  byAvailabilityReason: onEvent((service, event) => service.byAvailabilityReason(event)),
  summaryByAvailability: onEvent((service, event) => service.summaryByAvailability(event)),
  summaryByAvailabilityReason: onEvent((service, event) =>
    service.summaryByAvailabilityReason(event),
  ),
  deepSummaryByAvailability: onEvent((service, event) => service.deepSummaryByAvailability(event)),
  deepSummaryByAvailabilityReason: onEvent((service, event) =>
    service.deepSummaryByAvailabilityReason(event),
  ),
  byChannel: onEvent((service, event) => service.byChannel(event)),
  summaryByChannel: onEvent((service, event) => service.summaryByChannel(event)),
  deepSummaryByChannel: onEvent((service, event) => service.deepSummaryByChannel(event)),
};

const chartReports: Methods<ChartReports> = {
  byLabel: onChart((service, chart) => service.byLabel(chart)),
  byObjectType: onChart((service, chart) => service.byObjectType(chart, 'chart')),
  summaryByObjectType: onChart((service, chart) => service.summaryByObjectType(chart, 'true')),
  byCategoryLabel: onChart((service, chart) => service.byCategoryLabel(chart, 'false')),
  summaryByCategoryLabel: onChart((service, chart) => service.summaryByCategoryLabel(chart)),
  byCategoryKey: onDraft((service, chart) => service.byCategoryKey(chart, undefined, 'draft')),
  summaryByCategoryKey: onDraft((service, chart) =>
    service.summaryByCategoryKey(chart, undefined, 'draft'),
  ),
  bySection: onChart((service, chart) => service.bySection(chart)),
  byZone: onChart((service, chart) => service.byZone(chart)),
  summaryBySection: onChart((service, chart) => service.summaryBySection(chart)),
  summaryByZone: onChart((service, chart) => service.summaryByZone(chart)),
  fetchReport: onChart((service, chart) => service.fetchReport('byLabel', chart)),
  fetchSummaryReport: onChart((service, chart) => service.fetchSummaryReport('byZone', chart)),
};

const usageReports: Methods<UsageReports> = {
  summaryForAllMonths: (service) => service.summaryForAllMonths(),
  billableRenderingsSummaryForAllMonths: (service) =>
    service.billableRenderingsSummaryForAllMonths(),
  billableRenderingsSummaryForMonth: (service) =>
    service.billableRenderingsSummaryForMonth(new Month(2026, 11)),
  billableRenderingsForChartInMonth: onChart((service, chart) =>
    service.billableRenderingsForChartInMonth(chart, new Month(2026, 11)),
  ),
  detailsForMonth: (service) => service.detailsForMonth(MONTH),
  detailsForEventInMonth: async (service, hall) =>
    service.detailsForEventInMonth(
      (await hall.client.events.retrieve(await hall.event())).id,
      MONTH,
    ),
  subscription: (service) => service.subscription(),
};

type Calls = Record<string, (service: object, hall: Hall) => Promise<unknown>>;
/** Path of a service in the client -> its calls. */
const SERVICES = {
  charts,
  'charts.archive': archive,
  events,
  'events.channels': channels,
  seasons,
  holdTokens,
  workspaces,
  accounts,
  ticketBuyers,
  eventLog,
  eventReports,
  chartReports,
  usageReports,
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
