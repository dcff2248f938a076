/** The seat map: the only file that speaks the seats.io SDK, to the vendor or to our stand-in. */
import { CreateEventParams, Region, SeatsioClient, type EventObjectInfo } from 'seatsio';
import type { PlaceKind } from '#server/domain/seat-name.ts';
import { ProviderRefused, ProviderSilent } from './provider.ts';

/** An object of an event's chart as it is now. `label` is technical, the parts are what people read. */
export interface SeatObject {
  label: string; kind: PlaceKind; category_key: string; category: string;
  section: string | null; row: string | null; seat: string; places: number;
  status: string; for_sale: boolean; hold_token: string | null; /** Standing areas: places held, by token. */ held: Record<string, number>; order_id: string | null;
  left: string | null; right: string | null; accessible: boolean; companion: boolean; whole_table: boolean;
}

/** What is booked: `quantity` for standing areas. */
export interface SeatRequest { label: string; quantity: number | null; ticket_type: string }

export interface Seats {
  workspaceKey: string;
  /** Every object of the chart, in the order of the vendor's report. */
  objects(eventKey: string): Promise<SeatObject[]>;
  /** The objects named, by label. */
  read(eventKey: string, labels: readonly string[]): Promise<Map<string, SeatObject>>;
  /** How many places of a standing area are booked for this order now, by the vendor's own record of changes since `since`. */
  placesOf(eventKey: string, label: string, ask: { orderId: string; since: number }): Promise<number>;
  /** With a token the seats must be held by it; without, they must not be booked. All or nothing. */
  book(eventKey: string, seats: readonly SeatRequest[], ask: { orderId: string; holdToken: string | null }): Promise<void>;
  release(eventKey: string, seats: readonly SeatRequest[], orderId: string): Promise<void>;
  /** Makes the event on a chart; true also when it is there already. */
  ensureEvent(eventKey: string, ask: { chartKey: string; name: string }): Promise<void>;
}

/** `url` null: the real seats.io, region eu. The SDK's own deadline is 10 s; it repeats only 429. */
export function connectSeats(options: { url: string | null; secretKey: string; workspaceKey: string }): Seats {
  const client = new SeatsioClient(options.url === null ? Region.EU() : new Region(options.url), options.secretKey);
  return {
    workspaceKey: options.workspaceKey,
    objects: (eventKey) => asking(async () => (await client.eventReports.flatList(eventKey)).map(objectOf)),
    read: (eventKey, labels) => asking(async () => new Map(Object.entries(await client.events.retrieveObjectInfos(eventKey, [...labels])).map(([label, info]) => [label, objectOf(info)]))),
    placesOf: (eventKey, label, { orderId, since }) => asking(async () => {
      let places = 0;
      // Newest first; what is older than the order cannot be its own.
      for await (const change of client.events.statusChangesForObject(eventKey, label).all({ limit: 1_000 })) {
        if (change.date.getTime() < since - clockSlackMs) break;
        if (change.orderId === orderId) places += (change.status === 'booked' ? 1 : change.status === 'free' ? -1 : 0) * (change.quantity ?? 1);
      }
      return places;
    }),
    book: (eventKey, seats, { orderId, holdToken }) => asking(async () => {
      await client.events.book(eventKey, seats.map(propertiesOf), holdToken, orderId, null, true);
    }),
    release: (eventKey, seats, orderId) => asking(async () => {
      await client.events.release(eventKey, seats.map(propertiesOf), null, orderId, null, true);
    }),
    ensureEvent: (eventKey, { chartKey, name }) => asking(async () => {
      const known = await client.events.retrieve(eventKey).then(() => true, (error: unknown) => isNotFound(error) ? false : Promise.reject(error));
      if (!known) await client.events.create(chartKey, new CreateEventParams().withKey(eventKey).withName(name));
    }),
  };
}

/** The vendor's clock and ours need not agree. */
const clockSlackMs = 10 * 60_000;

function propertiesOf(seat: SeatRequest) {
  return { objectId: seat.label, ...(seat.quantity === null ? {} : { quantity: seat.quantity }), ticketType: seat.ticket_type };
}

const kinds: Record<string, PlaceKind> = { seat: 'seat', table: 'table', booth: 'booth', generalAdmission: 'area' };

function objectOf(info: EventObjectInfo): SeatObject {
  const kind = kinds[info.objectType] ?? 'seat';
  return {
    label: info.label, kind, category_key: String(info.categoryKey ?? ''), category: info.categoryLabel ?? '',
    section: info.labels.getSection() ?? null, row: rowOf(info), seat: info.labels.own.label,
    places: kind === 'area' ? info.capacity ?? 0 : 1,
    status: info.status, for_sale: info.forSale, hold_token: info.holdToken ?? null, held: heldOf(info), order_id: info.orderId ?? null,
    left: info.leftNeighbour ?? null, right: info.rightNeighbour ?? null,
    accessible: info.isAccessible ?? false, companion: info.isCompanionSeat ?? false, whole_table: info.labels.parent?.type === 'table',
  };
}

function heldOf(info: EventObjectInfo): Record<string, number> {
  const holds = (info.holds ?? {}) as Record<string, Record<string, number>>;
  return Object.fromEntries(Object.entries(holds).map(([token, types]) => [token, Object.values(types).reduce((sum, places) => sum + places, 0)]));
}

/** A drawing may call its rows something else: "Palco 7". */
function rowOf(info: EventObjectInfo): string | null {
  const row = info.labels.parent?.label ?? null;
  return row !== null && info.parentDisplayedObjectType ? `${info.parentDisplayedObjectType} ${row}` : row;
}

/** The SDK throws a parsed body, a bare string for an empty body, or an AxiosError: here they become two. */
async function asking<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const status = statusOf(error);
    if (status !== null && status >= 400 && status < 500 && status !== 408 && status !== 429) {
      const first = (error as { errors?: { code?: string; message?: string }[] }).errors?.[0];
      throw new ProviderRefused('seats.io', first?.code ?? String(status), first?.message ?? String(error));
    }
    throw new ProviderSilent('seats.io', error instanceof Error ? error.message : JSON.stringify(error), error);
  }
}

function isNotFound(error: unknown): boolean {
  return statusOf(error) === 404;
}

function statusOf(error: unknown): number | null {
  if (typeof error === 'string') return Number(/resulted in (\d{3})/.exec(error)?.[1] ?? Number.NaN) || null;
  const status = (error as { status?: unknown } | null)?.status;
  return typeof status === 'number' ? status : null;
}
