/** Events and seats through the seats.io SDK, at seats.io or at our stand-in. */
import { isDeepStrictEqual } from 'node:util';
import {
  CreateEventParams,
  TableBookingConfig,
  UpdateEventParams,
  type Event,
  type EventObjectInfo,
  type SeatsioClient,
} from 'seatsio';
import { lineName, type PlaceKind } from '#server/domain/seat/seat-name.ts';
import { blockedStatus } from '#server/domain/seat/block.ts';
import { noChannel } from '#server/domain/seat/contingent.ts';
import { eachBy } from './provider.ts';
import type { TableBooking } from '#server/domain/event/whole-terms.ts';
import { heldStatus } from '#server/domain/seat/seat-state.ts';
import { askingSeats, clientOf, isNotFound } from './seatsio-call.ts';

/**
 * An object of an event's chart as it is now. `label` is its technical name; people read section,
 * row and seat.
 */
export interface SeatObject {
  label: string;
  kind: PlaceKind;
  category_key: string;
  category: string;
  section: string | null;
  row: string | null;
  seat: string;
  places: number;
  /**
   * The places that the drawing gives an object that is sold whole (a table's seats; a booth has
   * one); 0: a seat, or an area sold by number.
   */
  drawn_whole: number;
  status: string;
  for_sale: boolean;
  hold_token: string | null;
  /** The places held in a standing area, by hold token. */ held: Record<string, number>;
  order_id: string | null;
  /** The key of the channel to which the object belongs. */ channel: string | null;
  left: string | null;
  right: string | null;
  /** The door or stairs that lead to the object. */ entrance: string | null;
  accessible: boolean;
  companion: boolean;
  restricted_view: boolean;
  /** The label of the table to which a seat belongs. */ at_table: string | null;
}

/** An object as the office sees it; `area` only for standing areas. */
export type ObjectInfo = ReturnType<typeof infoOf>;
/** The event as the seat map has it; times in milliseconds, `date` as a day. */
type SeatEvent = ReturnType<typeof eventOf>;

/** An object to book; `quantity` only for standing areas. */
export interface SeatRequest {
  label: string;
  quantity: number | null;
  ticket_type: string;
}

/**
 * The keys of the channels from which a booking may take seats, besides seats in no channel; the
 * house's own bookings may take from all.
 */
export type OpenChannels = readonly string[] | 'all';

interface BookingTerms {
  holdToken: string | null;
  /** If left out, only seats in no channel. */ channels?: OpenChannels;
}

/** A channel: its seats are held and booked only with its key. `areas`: places by area. */
export interface NewChannel {
  key: string;
  name: string;
  color: string;
  objects: readonly string[];
  areas: Record<string, number>;
}

interface NewHall {
  chartKey: string;
  name: string;
  tables?: TableBooking | undefined;
}

export interface Seats {
  workspaceKey: string;
  /** Every object of the event, in the order of the vendor's report. */
  objects(eventKey: string): Promise<SeatObject[]>;
  /**
   * Every object of a chart, as if free and for sale.
   * @throws ProviderRefused 404 for an unknown chart
   */
  chartObjects(chartKey: string): Promise<SeatObject[]>;
  /**
   * The named objects, and their neighbours `mates` if one call may name them all.
   * @throws ProviderRefused if the seat map does not know one of the names
   */
  around(
    eventKey: string,
    labels: readonly string[],
    mates: readonly string[],
  ): Promise<SeatObject[]>;
  /** The named objects, by label. */
  read(eventKey: string, labels: readonly string[]): Promise<Map<string, SeatObject>>;
  /** @throws ProviderRefused with status 404 for an unknown event */
  event(eventKey: string): Promise<SeatEvent>;
  /** The named objects as the office sees them, by label. */
  infos(eventKey: string, labels: readonly string[]): Promise<Map<string, ObjectInfo>>;
  /** The objects that are not available now, and every standing area (parts may be free). */
  taken(eventKey: string): Promise<ObjectInfo[]>;
  /**
   * How many places of a standing area are booked or blocked for this order now, counted from the
   * vendor's record of changes after `since`.
   */
  placesOf(
    eventKey: string,
    label: string,
    ask: { orderId: string; since: number },
  ): Promise<number>;
  /**
   * Books all or none. With a token, the token must hold the seats; without one, the seats must
   * be neither booked nor blocked.
   */
  book(
    eventKey: string,
    seats: readonly SeatRequest[],
    ask: { orderId: string } & BookingTerms,
  ): Promise<void>;
  /** Books all for this order if all are free now (not held, sold or blocked), otherwise none. */
  take(eventKey: string, seats: readonly SeatRequest[], orderId: string): Promise<void>;
  /** Blocks booked seats, which are never free in between; all or none. */
  keepBack(eventKey: string, labels: readonly string[]): Promise<void>;
  /** Books a blocked seat for this order. */
  rebook(eventKey: string, seat: SeatRequest, orderId: string): Promise<void>;
  /** Blocks all if all are free now (neither held nor sold), otherwise none. */
  block(eventKey: string, labels: readonly string[]): Promise<void>;
  /**
   * Blocks this many places of a standing area if they are free. `orderId` marks them in the
   * vendor's record, which placesOf() reads.
   */
  blockPlaces(
    eventKey: string,
    area: { label: string; places: number },
    orderId: string,
  ): Promise<void>;
  unblockPlaces(
    eventKey: string,
    area: { label: string; places: number },
    orderId: string,
  ): Promise<void>;
  /** From now on these objects can be held only with the key; held and sold ones stay. */
  addChannel(eventKey: string, channel: NewChannel): Promise<void>;
  /** Gives the channel exactly these objects; makes it if it is missing. May be repeated. */
  setChannel(eventKey: string, channel: NewChannel): Promise<void>;
  /** Returns the channel's seats to general sale; no error for an unknown channel. */
  dropChannel(eventKey: string, key: string): Promise<void>;
  /** Frees all if all are in visitors' carts, otherwise none. */
  freeHeld(eventKey: string, labels: readonly string[]): Promise<void>;
  /** Returns all to sale if all are blocked, otherwise none. */
  unblock(eventKey: string, labels: readonly string[]): Promise<void>;
  release(eventKey: string, seats: readonly SeatRequest[], orderId: string): Promise<void>;
  /**
   * The seconds that a hold token has left; 0 if it has ended.
   * @throws ProviderRefused with status 404 for an unknown token
   */
  holdLeft(holdToken: string): Promise<number>;
  /** Lets the token end this many minutes from now; returns the seconds left. */
  prolongHold(holdToken: string, minutes: number): Promise<number>;
  /**
   * Limits the places that one hold token may hold in the event. Only our own chart server
   * supports this; the vendor has a limit of its own.
   */
  limitHolds(eventKey: string, places: number): Promise<void>;
  /**
   * Sets how many places this hold token may hold, whatever the limit of its event. Only our own
   * chart server supports this.
   * @throws ProviderRefused if the token has ended
   */
  widenHold(holdToken: string, places: number): Promise<void>;
  /** Makes a hold token that lasts this many minutes; returns the seconds left. */
  newHold(minutes: number): Promise<{ hold_token: string; left: number }>;
  /**
   * While `required`, visitors can hold seats of the event only with admitted tokens. Only our
   * own chart server supports this.
   */
  requireAdmission(eventKey: string, required: boolean): Promise<void>;
  /** Admits a hold token; at the vendor every token is admitted. */
  admitHold(eventKey: string, holdToken: string): Promise<void>;
  /**
   * Makes the event on a chart, unless it exists. `tables`: which tables are sold whole; missing:
   * as they are drawn.
   */
  ensureEvent(eventKey: string, ask: NewHall): Promise<void>;
  /** Changes which tables are sold whole. */
  setTables(eventKey: string, tables: TableBooking): Promise<void>;
  /** Deletes the event; no error if it does not exist. */
  dropEvent(eventKey: string): Promise<void>;
}

/**
 * `url`: null for the real seats.io, region eu. The SDK's deadline is 10 s, and it repeats a call
 * only after a 429.
 */
export function connectSeats(options: {
  url: string | null;
  secretKey: string;
  workspaceKey: string;
}): Seats {
  const client = clientOf(options);
  return {
    workspaceKey: options.workspaceKey,
    ...eachBy(askingSeats, {
      ...callsThatRead(client),
      ...callsThatSell(client),
      ...callsThatKeepBack(client),
      ...callsOfHolds(client, options.url !== null),
      ...callsOfEvents(client),
    }),
  };
}

function callsThatRead(
  client: SeatsioClient,
): Pick<
  Seats,
  'objects' | 'chartObjects' | 'around' | 'read' | 'event' | 'infos' | 'taken' | 'placesOf'
> {
  const { events } = client;
  const infosOf = async (eventKey: string, labels: readonly string[]) =>
    Object.entries(await events.retrieveObjectInfos(eventKey, [...labels]));
  return {
    objects: async (eventKey) => (await client.eventReports.flatList(eventKey)).map(objectOf),
    async chartObjects(chartKey) {
      const report = (await client.chartReports.byLabel(chartKey, 'chart')) as unknown as Record<
        string,
        EventObjectInfo[]
      >;
      const infos = Object.values(report).flat();
      return infos.map((info) => ({ ...objectOf(info), status: 'free', for_sale: true }));
    },
    around: (eventKey, labels, mates) => readAround(client, eventKey, { labels, mates }),
    read: async (eventKey, labels) =>
      new Map((await infosOf(eventKey, labels)).map(([label, info]) => [label, objectOf(info)])),
    event: async (eventKey) => eventOf(await events.retrieve(eventKey)),
    infos: async (eventKey, labels) =>
      new Map((await infosOf(eventKey, labels)).map(([label, info]) => [label, infoOf(info)])),
    taken: (eventKey) => readTaken(client, eventKey),
    placesOf: (eventKey, label, ask) => countBooked(client, { eventKey, label, ...ask }),
  };
}

function callsThatSell(client: SeatsioClient): Pick<Seats, 'book' | 'take' | 'release'> {
  return {
    book: (eventKey, seats, ask) => bookAt(client, eventKey, { seats, ...ask }),
    take: (eventKey, seats, orderId) =>
      takeFrom(client, eventKey, { seats, orderId, from: 'free' }),
    async release(eventKey, seats, orderId) {
      await client.events.release(eventKey, seats.map(propertiesOf), null, orderId, null, true);
    },
  };
}

type KeepingBack =
  | 'keepBack'
  | 'rebook'
  | 'block'
  | 'unblock'
  | 'blockPlaces'
  | 'unblockPlaces'
  | 'addChannel'
  | 'setChannel'
  | 'dropChannel';

function callsThatKeepBack(client: SeatsioClient): Pick<Seats, KeepingBack> {
  const { events } = client;
  return {
    keepBack: (eventKey, labels) =>
      changeAll(client, eventKey, { labels, from: 'booked', to: blockedStatus }),
    rebook: (eventKey, seat, orderId) =>
      takeFrom(client, eventKey, { seats: [seat], orderId, from: blockedStatus }),
    block: (eventKey, labels) =>
      changeAll(client, eventKey, { labels, from: 'free', to: blockedStatus }),
    unblock: (eventKey, labels) =>
      changeAll(client, eventKey, { labels, from: blockedStatus, to: 'free' }),
    async blockPlaces(eventKey, area, orderId) {
      const status = blockedStatus;
      await events.changeObjectStatus(eventKey, keptOf(area), status, null, orderId, null, true);
    },
    async unblockPlaces(eventKey, area, orderId) {
      await events.release(eventKey, keptOf(area), null, orderId, null, true);
    },
    addChannel: (eventKey, channel) => addChannel(client, eventKey, channel),
    async setChannel(eventKey, channel) {
      const { key, name, color, objects, areas } = channel;
      await events.channels
        .update(eventKey, key, name, color, [...objects], areas)
        .catch(async (error: unknown) => {
          unlessNotFound(error);
          await addChannel(client, eventKey, channel);
        });
    },
    async dropChannel(eventKey, key) {
      await events.channels.remove(eventKey, key).catch(unlessNotFound);
    },
  };
}

async function addChannel(
  client: SeatsioClient,
  eventKey: string,
  { key, name, color, objects, areas }: NewChannel,
): Promise<void> {
  await client.events.channels.add(eventKey, key, name, color, undefined, [...objects], areas);
}

type HoldCalls =
  | 'freeHeld'
  | 'holdLeft'
  | 'prolongHold'
  | 'limitHolds'
  | 'widenHold'
  | 'newHold'
  | 'requireAdmission'
  | 'admitHold';

/** `isOwn`: true for our own chart server, which has more calls than the vendor. */
function callsOfHolds(client: SeatsioClient, isOwn: boolean): Pick<Seats, HoldCalls> {
  const { holdTokens } = client;
  const tell = async (of: 'events' | 'hold-tokens', path: string, body: object) => {
    if (isOwn) await client.client.post(`/${of}/${path}`, body);
  };
  const actionOn = (key: string, action: string) => `${encodeURIComponent(key)}/actions/${action}`;
  return {
    freeHeld: (eventKey, labels) =>
      changeAll(client, eventKey, { labels, from: heldStatus, to: 'free' }),
    holdLeft: async (holdToken) => (await holdTokens.retrieve(holdToken)).expiresInSeconds,
    prolongHold: async (holdToken, minutes) =>
      (await holdTokens.expiresInMinutes(holdToken, minutes)).expiresInSeconds,
    async newHold(minutes) {
      const { holdToken, expiresInSeconds } = await holdTokens.create(minutes);
      return { hold_token: holdToken, left: expiresInSeconds };
    },
    async limitHolds(eventKey, places) {
      await tell('events', actionOn(eventKey, 'limit-holds'), { places });
    },
    async widenHold(holdToken, places) {
      await tell('hold-tokens', actionOn(holdToken, 'limit-holds'), { places });
    },
    requireAdmission: (eventKey, required) =>
      tell('events', actionOn(eventKey, 'require-admission'), { required }),
    async admitHold(eventKey, holdToken) {
      await tell('events', actionOn(eventKey, 'admit'), { holdToken });
    },
  };
}

function callsOfEvents(
  client: SeatsioClient,
): Pick<Seats, 'ensureEvent' | 'setTables' | 'dropEvent'> {
  return {
    ensureEvent: (eventKey, ask) => ensureEvent(client, eventKey, ask),
    setTables: (eventKey, tables) => setTables(client, eventKey, tables),
    async dropEvent(eventKey) {
      await client.events.delete(eventKey).catch(unlessNotFound);
    },
  };
}

function unlessNotFound(error: unknown): void {
  if (!isNotFound(error)) throw error;
}

/** Blocked places have their own ticket type, so that releasing them releases no sold ones. */
function keptOf({ label, places }: { label: string; places: number }) {
  return { objectId: label, quantity: places, ticketType: blockedStatus };
}

async function bookAt(
  client: SeatsioClient,
  eventKey: string,
  ask: { seats: readonly SeatRequest[]; orderId: string } & BookingTerms,
): Promise<void> {
  const { holdToken, orderId, channels = [] } = ask;
  const ignoresChannels = channels === 'all';
  const keys = ignoresChannels || channels.length === 0 ? null : [noChannel, ...channels];
  // Without a hold token the vendor would also book blocked seats.
  const rejected = holdToken === null ? [blockedStatus] : null;
  await client.events.changeObjectStatus(
    eventKey,
    ask.seats.map(propertiesOf),
    'booked',
    holdToken,
    orderId,
    null,
    ignoresChannels,
    keys,
    null,
    rejected,
  );
}

async function takeFrom(
  client: SeatsioClient,
  eventKey: string,
  { seats, orderId, from }: { seats: readonly SeatRequest[]; orderId: string; from: string },
): Promise<void> {
  await client.events.changeObjectStatus(
    eventKey,
    seats.map(propertiesOf),
    'booked',
    null,
    orderId,
    null,
    true,
    null,
    [from],
  );
}

/** Makes one change at the vendor, all or none; the vendor decides between us and a visitor. */
async function changeAll(
  client: SeatsioClient,
  eventKey: string,
  { labels, from, to }: { labels: readonly string[]; from: string; to: string },
): Promise<void> {
  await client.events.changeObjectStatus(eventKey, [...labels], to, null, null, null, true, null, [
    from,
  ]);
}

/** A call may name at most this many objects, because their names are in the address. */
const mostNamed = 150;

async function readAround(
  client: SeatsioClient,
  eventKey: string,
  { labels, mates }: { labels: readonly string[]; mates: readonly string[] },
): Promise<SeatObject[]> {
  const all = [...new Set([...labels, ...mates])];
  const named = all.length <= mostNamed ? all : [...labels];
  return Object.values(await client.events.retrieveObjectInfos(eventKey, named)).map(objectOf);
}

async function readTaken(client: SeatsioClient, eventKey: string): Promise<ObjectInfo[]> {
  const reports = await Promise.all([
    client.eventReports.byAvailability(eventKey, 'not_available'),
    client.eventReports.byObjectType(eventKey, 'generalAdmission'),
  ]);
  return onceEach(reports.flatMap((report) => Object.values(report).flat())).map(infoOf);
}

function onceEach(infos: readonly EventObjectInfo[]): EventObjectInfo[] {
  return [...new Map(infos.map((info) => [info.label, info])).values()];
}

async function countBooked(
  client: SeatsioClient,
  ask: { eventKey: string; label: string; orderId: string; since: number },
): Promise<number> {
  const signs: Record<string, number> = { booked: 1, [blockedStatus]: 1, free: -1 };
  let places = 0;
  // The newest changes come first; changes from before the order cannot be the order's.
  for await (const change of client.events
    .statusChangesForObject(ask.eventKey, ask.label)
    .all({ limit: 1_000 })) {
    if (change.date.getTime() < ask.since - clockSlackMs) break;
    // When a visitor's hold in a standing area ends, the vendor's record names the area's last
    // order, although none of its places is freed.
    if (change.orderId === ask.orderId && change.origin.type === 'API_CALL')
      places += (signs[change.status] ?? 0) * (change.quantity ?? 1);
  }
  return places;
}

async function ensureEvent(
  client: SeatsioClient,
  eventKey: string,
  { chartKey, name, tables }: NewHall,
): Promise<void> {
  const known = await client.events.retrieve(eventKey).then(
    ({ tableBookingConfig: { mode, tables: named = {} } }) => ({ mode, tables: named }),
    (error: unknown) => (isNotFound(error) ? null : Promise.reject(error)),
  );
  if (known !== null) {
    // An interrupted call may have made the event with other tables.
    if (tables && !isDeepStrictEqual(known, { tables: {}, ...tables }))
      await setTables(client, eventKey, tables);
    return;
  }
  const params = new CreateEventParams().withKey(eventKey).withName(name);
  if (tables) params.withTableBookingConfig(bookingConfigOf(tables));
  // Another caller may have made the event meanwhile.
  await client.events.create(chartKey, params).catch((error: unknown) =>
    client.events.retrieve(eventKey).catch(() => {
      throw error;
    }),
  );
}

async function setTables(
  client: SeatsioClient,
  eventKey: string,
  tables: TableBooking,
): Promise<void> {
  const params = new UpdateEventParams().withTableBookingConfig(bookingConfigOf(tables));
  await client.events.update(eventKey, params);
}

function bookingConfigOf({ mode, tables }: TableBooking): TableBookingConfig {
  return mode === 'CUSTOM'
    ? TableBookingConfig.custom({ ...tables })
    : new TableBookingConfig(mode);
}

/**
 * The vendor's clock and ours may have differed by this much when an order was made: a page has a
 * thousand changes, so more of them cost little, and an order's places are never missed.
 */
const clockSlackMs = 24 * 3_600_000;

function propertiesOf(seat: SeatRequest) {
  return {
    objectId: seat.label,
    ...(seat.quantity === null ? {} : { quantity: seat.quantity }),
    ticketType: seat.ticket_type,
  };
}

const kinds: Record<string, PlaceKind> = {
  seat: 'seat',
  table: 'table',
  booth: 'booth',
  generalAdmission: 'area',
};

/** For us an area with free places is free, although the vendor shows it as held or booked. */
function ourStatusOf(info: EventObjectInfo): string {
  return (info.numFree ?? 0) > 0 ? 'free' : info.status;
}

function objectOf(info: EventObjectInfo): SeatObject {
  const kind = kinds[info.objectType] ?? 'seat';
  return {
    label: info.label,
    kind,
    category_key: String(info.categoryKey ?? ''),
    category: info.categoryLabel ?? '',
    section: info.labels.getSection() ?? null,
    row: rowOf(info),
    seat: ownNameOf(info),
    places: kind === 'area' ? (info.capacity ?? 0) : 1,
    drawn_whole: wholePlacesOf(info, kind),
    status: ourStatusOf(info),
    for_sale: info.forSale,
    hold_token: info.holdToken ?? null,
    held: heldOf(info),
    order_id: info.orderId ?? null,
    channel: info.channel ?? null,
    left: info.leftNeighbour ?? null,
    right: info.rightNeighbour ?? null,
    entrance: info.entrance ?? null,
    accessible: info.isAccessible ?? false,
    companion: info.isCompanionSeat ?? false,
    restricted_view: info.hasRestrictedView ?? false,
    at_table: tableOf(info),
  };
}

/** A seat's label is its table's label, a hyphen, and its own. */
function tableOf({ label, labels, ids }: EventObjectInfo): string | null {
  return labels.parent?.type === 'table' ? label.slice(0, -(ids.own.length + 1)) : null;
}

function wholePlacesOf(info: EventObjectInfo, kind: PlaceKind): number {
  if (kind === 'seat') return 0;
  if (kind === 'area') return info.bookAsAWhole === true ? (info.capacity ?? 0) : 0;
  return info.numSeats ?? 1;
}

function infoOf(info: EventObjectInfo) {
  const { labels } = info;
  const kind = kinds[info.objectType] ?? 'seat';
  return {
    label: info.label,
    labels: {
      own: labels.own.label,
      parent: labels.parent?.label ?? null,
      section: labels.getSection() ?? null,
    },
    kind,
    status: ourStatusOf(info),
    for_sale: info.forSale,
    is_available: info.isAvailable,
    category_key: info.categoryKey === undefined ? null : String(info.categoryKey),
    category_label: info.categoryLabel ?? null,
    order_id: info.orderId ?? null,
    ticket_type: info.ticketType ?? null,
    channel: info.channel ?? null,
    entrance: info.entrance ?? null,
    zone: info.zone ?? null,
    left_neighbour: info.leftNeighbour ?? null,
    right_neighbour: info.rightNeighbour ?? null,
    accessible: info.isAccessible ?? false,
    companion: info.isCompanionSeat ?? false,
    restricted_view: info.hasRestrictedView ?? false,
    area:
      kind === 'area' && info.bookAsAWhole !== true
        ? {
            capacity: info.capacity ?? 0,
            free: info.numFree ?? 0,
            booked: info.numBooked ?? 0,
            held: info.numHeld ?? 0,
            not_for_sale: info.numNotForSale ?? 0,
          }
        : null,
  };
}

function eventOf(event: Event) {
  const { forSaleConfig } = event;
  return {
    key: event.key,
    name: event.name,
    date: event.date?.toString() ?? null,
    chart_key: event.chartKey,
    created_on: event.createdOn?.getTime() ?? null,
    updated_on: event.updatedOn?.getTime() ?? null,
    is_in_the_past: event.isInThePast,
    is_season: event.isSeason(),
    supports_best_available: event.supportsBestAvailable,
    table_booking: {
      mode: event.tableBookingConfig.mode,
      tables: event.tableBookingConfig.tables ?? {},
    },
    for_sale_config: forSaleConfig && {
      for_sale: forSaleConfig.forSale,
      objects: forSaleConfig.objects ?? [],
      area_places: forSaleConfig.areaPlaces ?? {},
      categories: (forSaleConfig.categories ?? []).map(String),
    },
    categories: (event.categories ?? []).map(({ key, label, color, accessible }) => ({
      key: String(key),
      label,
      color,
      accessible,
    })),
    channels: (event.channels ?? []).map(({ key, name, color, objects, areaPlaces }) => ({
      key,
      name,
      color: (color as string | undefined) ?? null,
      objects: objects ?? [],
      area_places: areaPlaces ?? {},
    })),
  };
}

function heldOf(info: EventObjectInfo): Record<string, number> {
  const holds = (info.holds ?? {}) as Record<string, Record<string, number>>;
  return Object.fromEntries(
    Object.entries(holds).map(([token, types]) => [
      token,
      Object.values(types).reduce((sum, places) => sum + places, 0),
    ]),
  );
}

function rowOf({ labels, parentDisplayedObjectType: word }: EventObjectInfo): string | null {
  const { parent } = labels;
  if (!parent) return null;
  return lineName(parent.type === 'table' ? 'table' : 'row', { word, label: parent.label });
}

function ownNameOf({ labels, objectType, displayedObjectType: word }: EventObjectInfo): string {
  const { label } = labels.own;
  return objectType === 'table' ? lineName('table', { word, label }) : label;
}
