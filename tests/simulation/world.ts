/**
 * The world of one history: a theatre evening with few seats, the server processes, and the
 * people around them.
 */
import type { Logger } from 'pino';
import { Refusal } from '#server/domain/refusal.ts';
import { connectPrograms } from '#server/adapters/program-line.ts';
import { ProviderRefused, ProviderUnavailable } from '#server/adapters/provider.ts';
import type { EventRow } from '#db/rows.ts';
import { watchClock } from '#server/services/kit/clock.ts';
import { product } from '#server/services/kit/version.ts';
import { dropLeases } from '#db/order/orders.ts';
import { dropClaims } from '#db/outbox.ts';
import { putSetting } from '#db/settings.ts';
import type { ExchangeAsk } from '#server/services/booking/exchange-plan.ts';
import type { BookingAsk } from '#server/services/booking/plan.ts';
import { backupSettings } from '#server/services/backup/settings.ts';
import type { Ctx } from '#server/services/context.ts';
import type { PaymentAsk } from '#server/domain/counter/counter.ts';
import { bareEvent } from '#server/domain/event/event.ts';
import type { sell, SaleAsk, Seller } from '#server/services/counter/sell.ts';
import { addEvent } from '#server/services/event/events.ts';
import type { History } from './history.ts';
import { inShort } from './hunt.ts';
import { makeScheduler, nextFault, operationNow, type Machine } from './scheduler.ts';
import { makeSeats, type Place, type SeatsDouble, type SeatsSetting } from './seats-double.ts';
import { otherEventId, type Store, type Turns } from './store.ts';
import { makeStripe, type KnownSession } from './stripe-double.ts';
import {
  chartsPort,
  mailPort,
  paymentsPort,
  seatsPort,
  type DrawnCharts,
  type Outside,
} from './vendors.ts';

export const eventId = 'serata';
export const begin = Date.parse('2026-10-01T10:00:00Z');
const dayMs = 86_400_000;
/** The number of tickets that one person may give away. */
export const mostGifts = 2;

export const hall: readonly Place[] = [
  { label: 'A1', category: 'Platea', capacity: null },
  { label: 'A2', category: 'Platea', capacity: null },
  { label: 'A3', category: 'Platea', capacity: null },
  { label: 'Loggione', category: 'Loggione', capacity: 4 },
  { label: 'T1', category: 'Tavoli', capacity: null, chairs: 3 },
  { label: 'T2', category: 'Tavoli', capacity: null, chairs: 4 },
];
/** In the other hall the first table is the larger one. */
const chairsThere = new Map([
  ['T1', 4],
  ['T2', 3],
]);
function placesIn(chart_key: string): readonly Place[] {
  if (chart_key === 'prima') return hall;
  return hall.map((place) => {
    const chairs = chairsThere.get(place.label);
    return chairs === undefined ? place : { ...place, chairs };
  });
}

/** The evenings on which people of this history come. */
export function eveningsOf({ exchanges }: Pick<World, 'exchanges'>): readonly string[] {
  return exchanges ? [eventId, otherEventId] : [eventId];
}

export function eveningOf(world: Pick<World, 'exchanges'>, nth: number): string {
  const evenings = eveningsOf(world);
  return evenings[nth % evenings.length]!;
}

/** The seat map of an evening's present hall. */
export function hallOf({ seats, halls }: World, event_id: string): SeatsDouble {
  return event_id === otherEventId ? halls.get('sabato')!.double : seats;
}

/** The places that people of this history choose: tables only where it has them. */
export function placesFor({ tables }: Pick<World, 'tables'>): readonly Place[] {
  return tables ? hall : hall.filter(({ chairs }) => chairs === undefined);
}
/**
 * The halls by chart key: the evening's hall, and another one in which the first seat is the
 * farthest.
 */
export const charts: DrawnCharts = {
  prima: drawn([1, 2, 3, 4, 5]),
  altra: drawn([9, 7, 5, 4, 3]),
};

function drawn(far: readonly number[]): DrawnCharts[string] {
  const booths = hall
    .filter(({ capacity }) => capacity === null)
    .map(({ label }, at) => ({ label, center: { x: 0, y: 40 * far[at]! } }));
  const categories = [...new Set(hall.map(({ category }) => category))];
  return {
    drawing: { subChart: { booths, focalPoint: { x: 0, y: 0 } } },
    categories: categories.map((label) => ({ key: label, label, color: null })),
  };
}
const prices = [
  { id: 'price_intero', unit_amount: 2_000 },
  { id: 'price_ridotto', unit_amount: 1_200 },
  { id: 'price_omaggio', unit_amount: 0 },
  { id: 'price_loggione', unit_amount: 1_000 },
  { id: 'price_loggione_ridotto', unit_amount: 700 },
  { id: 'price_tavolo', unit_amount: 1_500 },
  { id: 'price_fee', unit_amount: 150 },
];
/** How many places of a table are paid at least. */
const leastParty = 1;
const event: Omit<EventRow, 'feed_seq'> = {
  ...bareEvent,
  id: eventId,
  title: 'Serata',
  starts_at: begin + 40 * dayMs,
  status: 'published',
  venue_title: 'Teatro',
  seatsio_event_key: 'serata',
  chart_key: 'prima',
  seat_pricing: JSON.stringify([
    {
      category: 'Platea',
      ticketTypes: [
        { price_id: 'price_intero', ticketType: 'intero', label: 'Intero' },
        { price_id: 'price_ridotto', ticketType: 'ridotto', label: 'Ridotto' },
        { price_id: 'price_omaggio', ticketType: 'omaggio', label: 'Omaggio' },
      ],
    },
    {
      category: 'Loggione',
      ticketTypes: [
        { price_id: 'price_loggione', ticketType: 'intero', label: 'Intero' },
        { price_id: 'price_loggione_ridotto', ticketType: 'ridotto', label: 'Ridotto' },
      ],
    },
    {
      category: 'Tavoli',
      ticketTypes: [{ price_id: 'price_tavolo', ticketType: 'intero', label: 'Intero' }],
    },
  ]),
  whole_terms: JSON.stringify({
    tables: { mode: 'INHERIT' },
    categories: { Tavoli: { minimum: leastParty } },
  }),
  code_tag: 'SIMU',
  code_secret: 'c'.repeat(43),
  earlier_secret: null,
  code_salt: 's'.repeat(22),
  feed_epoch: 'epoch',
  created_at: begin,
  fee_price_id: 'price_fee',
  refund_request: 'automatic',
  free_confirm: 1,
  exchange: 1,
};
/** Its buyers pay for a change of the date. */
const otherEvent: typeof event = {
  ...event,
  id: otherEventId,
  show_id: eventId,
  starts_at: event.starts_at + 7 * dayMs,
  seatsio_event_key: 'sabato',
  code_tag: 'SABA',
  code_secret: 'd'.repeat(43),
  code_salt: 't'.repeat(22),
  exchange_fee_cents: 100,
};

interface Visitor {
  ask: Booking | null;
  tokens: number;
}

/** What a visitor asks for, and for which evening. */
export interface Booking extends BookingAsk {
  event_id: string;
  exchange?: ExchangeAsk;
}

export interface World extends Outside {
  store: Store;
  /**
   * The place of actions without a server process: visitors at Stripe's page, the office at its
   * dashboard. It never dies.
   */
  street: Machine;
  machines: { machine: Machine; ctx: Ctx }[];
  clockWasSet: boolean;
  /** People also buy tables that are sold whole. */ tables: boolean;
  /** There is another evening, and people change the date of their tickets. */ exchanges: boolean;
  /** Tickets change seats with each other. */ swaps: boolean;
  /** Reservations are paid in parts. */ deposits: boolean;
  /** The process with this number, which is restarted if it is dead. */
  server: (number: number) => Promise<{ machine: Machine; ctx: Ctx }>;
  visitors: Visitor[];
  /** The requests of the tills in order; null: the request could not be priced. */
  sales: ({ seller: Seller; ask: SaleAsk } | null)[];
  /** The parts of reservations that tills took, or tried to. */
  parts: { seller: Seller; order_id: string; key: string; payments: PaymentAsk[] }[];
  /** Orders whose ids have left the server. */
  orders: string[];
  /** Orders that visitors were told are confirmed, which must stay true. */
  toldConfirmed: Set<string>;
  /** What sellers were told about their sales, by order. */
  toldSales: Map<string, Awaited<ReturnType<typeof sell>>>;
  wrong: (what: string) => void;
  figures: Record<string, number>;
  problems: string[];
  story: string[];
}

/** Fills the database with which every history begins. */
export async function furnish(store: Store): Promise<void> {
  const seats = makeSeats({ now: () => begin, places: hall, onRelease: () => {}, wrong: () => {} });
  const ctx = {
    db: store.db,
    now: () => begin,
    seats: { objects: async () => seats.objects() },
  } as unknown as Ctx;
  await addEvent(ctx, event);
  await addEvent(ctx, otherEvent);
  const till = { layout: '80mm', printer: null } as const;
  const tills = ['ada', 'bea'].map((id) => ({
    id: `till-of-${id}`,
    name: `Cassa di ${id}`,
    ...till,
  }));
  const settings = { version: 1, gifts_per_event: mostGifts, tills };
  await putSetting(store.db, 'counter', JSON.stringify(settings));
  await store.keep();
}

export async function makeWorld(
  store: Store,
  turns: Turns,
  { history, tellsStory }: { history: History; tellsStory: boolean },
): Promise<World> {
  const problems: string[] = [];
  const story: string[] = [];
  const scheduler = makeScheduler(begin, history.picks);
  const clock = () => new Date(scheduler.now()).toISOString().slice(8, 19).replace('T', ' ');
  const tell = tellsStory
    ? (what: string) => {
        story.push(`    ${clock()}  ${what}`);
      }
    : () => {};
  const wrong = (what: string) => {
    problems.push(what);
    tell(`!! ${what}`);
  };
  Object.assign(turns, { scheduler, tell });
  const stripe = makeStripe({ now: scheduler.now, prices, wrong });
  stripe.refundsArePending = history.refundsArePending;
  const isOpen = (session: KnownSession) =>
    session.seen && session.status === 'open' && session.expires_at > scheduler.now();
  const seatsSetting: SeatsSetting = {
    now: scheduler.now,
    places: hall,
    wrong,
    onRelease(order_id) {
      if (stripe.sessions.some((session) => session.order_id === order_id && isOpen(session)))
        wrong(`the seats of ${order_id} were released while it could still be paid`);
    },
  };
  const seats = makeSeats(seatsSetting);
  const figures: Record<string, number> = {};
  const count = (what: string) => {
    figures[what] = (figures[what] ?? 0) + 1;
  };
  Object.assign(turns, { count });
  let ids = 0;
  const world: World = {
    scheduler,
    seats,
    halls: new Map([
      ['serata', { chart_key: 'prima', double: seats }],
      ...(history.exchanges
        ? [['sabato', { chart_key: 'prima', double: makeSeats(seatsSetting) }] as const]
        : []),
    ]),
    newHall: (chart_key) => makeSeats({ ...seatsSetting, places: placesIn(chart_key) }),
    stripe,
    mailbox: [],
    tell,
    count,
    loses: history.loses,
    store,
    wrong,
    problems,
    story,
    figures,
    sales: [],
    parts: [],
    orders: [],
    toldConfirmed: new Set(),
    toldSales: new Map(),
    street: { name: 'street', dead: false, onDeath: () => {} },
    machines: [],
    clockWasSet: false,
    tables: history.tables === true,
    exchanges: history.exchanges === true,
    swaps: history.swaps === true,
    deposits: history.deposits === true,
    visitors: Array.from({ length: 3 }, () => ({ ask: null, tokens: 0 })),
    async server(number) {
      const index = store.kind === 'sqlite' ? 0 : number % 2;
      if (world.machines[index]?.machine.dead === false) return world.machines[index];
      const machine: Machine = {
        name: `server ${index + 1}`,
        dead: false,
        onDeath() {
          tell(`${machine.name} is dead`);
        },
      };
      world.machines[index] = {
        machine,
        ctx: makeCtx(world, machine, () => `id${String((ids += 1)).padStart(20, '0')}`),
      };
      // The product drops these when it starts, because SQLite belongs to one process.
      if (store.kind === 'sqlite') {
        await dropLeases(store.db);
        await dropClaims(store.db, scheduler.houseNow());
      }
      await watchClock({ ...world.machines[index].ctx, db: store.db });
      return world.machines[index];
    },
  };
  return world;
}

function makeCtx(world: World, machine: Machine, newId: () => string): Ctx {
  const { scheduler, tell, wrong } = world;
  return {
    db: world.store.open(machine),
    memory: {},
    now: scheduler.houseNow,
    elapsed: scheduler.now,
    secretsKey: null,
    version: product.version,
    standins: { stripe: true, seatsio: true },
    newId,
    charts: chartsPort(world, machine, charts),
    async pause(ms) {
      const before = scheduler.now();
      // Timers are not exact to the millisecond, and longer waits make histories shorter.
      if (operationNow()) await scheduler.park(machine, Math.max(ms, 1_000));
      return scheduler.now() - before;
    },
    seats: seatsPort(world, machine),
    payments: paymentsPort(world, machine),
    mail: mailPort(world, machine),
    // No program has asked for webhooks, so nothing is ever sent.
    programs: connectPrograms({ allowed: [] }),
    settings: {
      organiser: { name: 'Teatro', email: null, phone: null },
      monitoring: null,
      googleWallet: null,
      appleWallet: null,
      demonstration: false,
      timeSources: [],
      keys: [],
      secondFactor: 'off',
      confirmRefundCents: 20_000,
      alertMail: null,
      heartbeatUrl: null,
    },
    publicUrl: 'https://biglietti.example.it',
    dataDir: '/nowhere',
    backups: backupSettings({
      dataDir: '/nowhere',
      database: ':memory:',
      namedStatements: false,
      chartInDatabase: false,
      secretsKey: null,
      secretsKeysBefore: [],
      backup: { folder: null, seal: null, keep: { hours: 1, days: 1, weeks: 1 } },
    }),
    chart: { script_url: '', region: 'eu' },
    log: logOf(machine, wrong),
    fault(point) {
      const operation = operationNow();
      if (!operation || machine.dead || !nextFault(operation, 'point')) return;
      tell(`${operation.words}: crash at ${point}`);
      world.count(`crash at ${point}`);
      scheduler.kill(machine);
      throw new Error(`died at ${point}`);
    },
  };
}

/** A logged error is a fault of ours, unless a vendor caused it. */
function logOf(machine: Machine, wrong: (what: string) => void): Logger {
  const error = (facts: { err?: unknown }, words: string) => {
    if (
      machine.dead ||
      facts.err === undefined ||
      facts.err instanceof ProviderUnavailable ||
      facts.err instanceof ProviderRefused ||
      facts.err instanceof Refusal
    )
      return;
    wrong(`logged: ${words}: ${inShort(facts.err)}`);
  };
  const log: object = { error, fatal: error, warn() {}, info() {}, debug() {}, child: () => log };
  return log as Logger;
}
