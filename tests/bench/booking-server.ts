/** The product for the booking bench, in a process of its own: `node booking-server.ts <data folder> <port> <sqlite | postgres://…> <seats> [no-database | no-checkpoint | rules]`; the seat map and Stripe answer at once. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { subscribe } from 'node:diagnostics_channel';
import { createServer, type IncomingMessage } from 'node:http';
import Koa from 'koa';
import compress from 'koa-compress';
import pino from 'pino';
import { connect } from '#db/engine/connect.ts';
import type { Db } from '#db/engine/dialect.ts';
import { migrate } from '#db/migrations/migrate.ts';
import { insertEvent } from '#db/event/events.ts';
import { insertPlaces } from '#db/seat/seats.ts';
import { transact } from '#db/engine/transact.ts';
import type { SeatObject, Seats } from '#server/adapters/seatsio.ts';
import type { Payments, SessionParams } from '#server/adapters/stripe.ts';
import { readConfig } from '#server/config.ts';
import { endpoints } from '#server/contract/all.ts';
import { bookSeats as bookEndpoint } from '#server/contract/order/orders.ts';
import { tellCaller } from '#server/http/caller.ts';
import { makeLimits } from '#server/http/limits.ts';
import { IndexedRouter } from '#server/http/router.ts';
import { serve } from '#server/http/serve.ts';
import { secureHeaders } from '#server/http/headers.ts';
import { logRequests } from '#server/http/log.ts';
import { measureRequests } from '#server/http/measure.ts';
import { translateErrors } from '#server/http/errors.ts';
import { standinDoor } from '#server/http/standin-door.ts';
import { openProduct } from '#server/open.ts';
import { planBooking } from '#server/services/booking/plan.ts';
import type { Ctx } from '#server/services/context.ts';
import { couple, threeForTwo } from '#tests/support/rules-in-force.ts';
import { benchEvent, labelOf, perSection, rowLength } from './booking-hall.ts';

const [dataDir, port, database, seats, mode] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string | undefined,
];

function objectOf(index: number): SeatObject {
  const inRow = index % rowLength;
  return {
    label: labelOf(index),
    kind: 'seat',
    category_key: '1',
    category: 'Platea',
    section: `S${Math.floor(index / perSection)}`,
    row: String(Math.floor((index % perSection) / rowLength)),
    seat: String(inRow),
    places: 1,
    status: 'free',
    for_sale: true,
    hold_token: null,
    held: {},
    order_id: null,
    channel: null,
    left: inRow === 0 ? null : labelOf(index - 1),
    right: inRow === rowLength - 1 ? null : labelOf(index + 1),
    accessible: false,
    companion: false,
    restricted_view: false,
    entrance: null,
    at_table: null,
    drawn_whole: 0,
  };
}

/**
 * The requester holds the requested seats: the token is in the address, so the database alone
 * decides who is first.
 */
const asking = new AsyncLocalStorage<string>();
subscribe('http.server.request.start', (message) => {
  asking.enterWith(
    new URLSearchParams(
      (message as { request: IncomingMessage }).request.url!.split('?')[1] ?? '',
    ).get('hold') ?? '',
  );
});

const hall = Array.from({ length: Number(seats) }, (_, index) => objectOf(index));
const sections = Map.groupBy(hall, (object) => object.section);
const never = () => Promise.reject(new Error('not part of the bench'));

const instantSeats: Seats = {
  workspaceKey: 'bench',
  objects: async () => hall,
  async around(_, labels) {
    const mine = new Set(labels);
    const named = new Set(labels.map((label) => label.split('-', 1)[0]!));
    return [...named].flatMap((section) =>
      sections
        .get(section)!
        .map((object): SeatObject =>
          mine.has(object.label)
            ? { ...object, status: 'reservedByToken', hold_token: asking.getStore()! }
            : object,
        ),
    );
  },
  book: async () => {},
  block: never,
  unblock: never,
  take: never,
  keepBack: never,
  rebook: never,
  blockPlaces: never,
  unblockPlaces: never,
  freeHeld: never,
  setChannel: never,
  addChannel: never,
  dropChannel: never,
  release: async () => {},
  ensureEvent: async () => {},
  setTables: never,
  dropEvent: never,
  limitHolds: async () => {},
  widenHold: async () => {},
  newHold: never,
  requireAdmission: never,
  admitHold: never,
  holdLeft: never,
  prolongHold: never,
  placesOf: async () => 0,
  read: async () => new Map(),
  event: never,
  chartObjects: never,
  infos: never,
  taken: never,
};

const cents = 3_200;
const open = {
  url: 'http://localhost/pay',
  status: 'open',
  payment_status: 'unpaid',
  paid: false,
  failed: false,
  currency: 'eur',
  payment_intent: null,
  receipt_number: null,
  buyer_name: null,
  buyer_email: null,
  buyer_phone: null,
  created_at: Date.now(),
};
const instantPayments = {
  live: false,
  prices: async (ids: readonly string[]) =>
    ids.map((id) => ({ id, unit_amount: cents, product_id: 'prod_1' })),
  open: async (params: SessionParams) => ({
    ...open,
    id: `cs_test_${params.order_id}`,
    amount_total: params.items.reduce(
      (sum, item) => sum + item.quantity * ('lowered' in item ? item.lowered!.unit_amount : cents),
      0,
    ),
    expires_at: params.expires_at,
    order_id: params.order_id,
  }),
  read: async (id: string) => ({
    ...open,
    id,
    amount_total: (mode === 'rules' ? 3 : 4) * cents,
    expires_at: Date.now(),
    order_id: id.slice(8),
  }),
  sessions: async function* () {},
  undelivered: async () => [],
} as unknown as Payments;

const event = benchEvent(['Platea'], 'price_1');
const aGroup = {
  kind: 'group',
  name: 'Gruppi',
  scope: threeForTwo.scope,
  meets: false,
  from_places: 20,
  percent: 20,
  price_cents: null,
  free_every: null,
};
const config = readConfig(
  {
    PORT: port,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'fatal',
    ...(database === 'sqlite' ? {} : { DATABASE_URL: database }),
    SEATSIO_SECRET_KEY: 'bench',
    SEATSIO_WORKSPACE_KEY: 'bench',
    STRIPE_SECRET_KEY: 'sk_test_bench',
    STRIPE_WEBHOOK_SECRET: 'whsec_bench',
  },
  [],
);

if (mode === 'no-database') {
  // The same column, the same routes and the same rules; where the order would be stored, an answer is made up.
  const log = pino({ level: 'fatal' });
  // An empty database in memory, because the rules read it once.
  const db = connect(':memory:');
  await migrate(db);
  const ctx = {
    db,
    memory: {},
    seats: instantSeats,
    payments: instantPayments,
    now: Date.now,
    publicUrl: config.publicUrl,
    log,
  } as unknown as Ctx;
  const limits = makeLimits();
  const router = new IndexedRouter();
  for (const endpoint of Object.values(endpoints)) {
    if (endpoint !== bookEndpoint)
      serve({ router, ctx, limits, strictRefusals: true }, endpoint, never);
    else
      serve({ router, ctx, limits, strictRefusals: true }, bookEndpoint, async ({ body }) => {
        await planBooking(ctx, { ...event, feed_seq: 0 }, body);
        const order_id = randomBytes(16).toString('base64url');
        return { order_id, checkout_url: `http://localhost/pay/${order_id}` };
      });
  }
  const app = new Koa();
  for (const part of [
    tellCaller({ hops: 0 }, ctx),
    logRequests(log),
    measureRequests(ctx),
    secureHeaders({
      publicUrl: config.publicUrl,
      ownCertificate: false,
      realSeatsio: true,
      monitoring: null,
    }),
    compress({ threshold: 2_048 }),
    translateErrors({
      log,
      isDatabaseBusy: () => false,
      isDiskFull: () => false,
      isDatabaseAway: () => false,
    }),
    standinDoor({ ctx, addresses: { seatsio: null, stripe: null } }, limits),
    router.routes(),
  ])
    app.use(part as Koa.Middleware);
  createServer(app.callback()).listen(Number(port), () => process.send!('ready'));
} else {
  const house = await openProduct(config, { seats: instantSeats, payments: instantPayments });
  const known = await house.ctx.db('events').where({ id: event.id }).first('id');
  if (!known) {
    await transact(house.ctx.db, async (trx) => {
      await insertEvent(trx, { ...event, feed_seq: hall.length + 1 });
      await insertPlaces(
        trx,
        hall.map((object, index) => ({
          event_id: event.id,
          place: object.label,
          object_label: object.label,
          kind: object.kind,
          category: object.category,
          category_key: object.category_key,
          section: object.section,
          row: object.row,
          seat: object.seat,
          position: 1,
          issued: 0,
          earlier_codes: 0,
          lost_codes: 0,
          skipped_to: 0,
          in_whole: 0,
          lost_revisions: null,
          entrance: null,
          restricted_view: 0,
          accessible: 0,
          companion: 0,
          in_hall: 1,
          feed_seq: index + 1,
        })),
      );
    });
  }
  if (mode === 'rules') await addRules(house.ctx.db);
  if (mode === 'no-checkpoint') await house.ctx.db.raw('PRAGMA wal_autocheckpoint = 0');
  process.send!('ready');
}
process.on('disconnect', () => process.exit());

/** Three for two, which lowers every cart of the bench, beside a package and a group. */
async function addRules(db: Db): Promise<void> {
  const rules = [threeForTwo, couple, aGroup].map((content, nth) => ({
    id: `rule-${nth}`,
    event_id: event.id,
    show_id: null,
    content: JSON.stringify(content),
    created_at: event.created_at,
    created_by: null,
    ended_at: null,
  }));
  await db('price_rules').insert(rules);
}
