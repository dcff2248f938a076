/** Helpers for tests: a visitor who picks seats, an admin with a session, a phone. */
import { setTimeout as pause } from 'node:timers/promises';
import {
  addressOf,
  type Asked,
  type EndpointShape,
  type ReplyOf,
} from '#server/contract/endpoint.ts';
import { bookSeats } from '#server/contract/order/orders.ts';
import { makePhone, pairPhone } from '#server/contract/door/phones.ts';
import { acceptInvite, login } from '#server/contract/users.ts';
import type { PhoneRole } from '#server/domain/door/phone.ts';
import type { HoldAnswer, HoldTokenInfo } from '#server/standins/seatsio/wire.ts';
import type { OrderRow } from '#db/rows.ts';
import type { TestServer } from './server.ts';

export interface Answered {
  status: number;
  body: unknown;
  headers: Headers;
}

/** Makes one HTTP request and returns any answer. */
export async function ask(
  server: { url: string },
  method: string,
  path: string,
  options: { body?: unknown; raw?: string; headers?: Record<string, string> } = {},
): Promise<Answered> {
  const response = await fetch(await addressFor(server, path), {
    method,
    redirect: 'manual',
    // A restarted server must not get a socket of the previous one.
    headers: {
      connection: 'close',
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(options.raw === undefined
      ? options.body === undefined
        ? {}
        : { body: JSON.stringify(options.body) }
      : { body: options.raw }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return {
    status: response.status,
    body: isJson ? JSON.parse(text) : text,
    headers: response.headers,
  };
}

/**
 * Tests name an order by its record, as the office does. A visitor's path carries the secret of the
 * order's link instead, which is put in here; any other text stays as it is.
 */
export async function asVisitor(server: { url: string }, path: string): Promise<string> {
  const record = /^\/(?:api\/)?orders\/([\w-]{20,40})(?=[/?#]|$)/.exec(path)?.[1];
  if (record === undefined || !('house' in server)) return path;
  const key = await linkKeyOf(server as TestServer, record).catch(() => undefined);
  return key === undefined ? path : path.replace(record, key);
}

/** The secret of the link to this order. */
export async function linkKeyOf({ house }: TestServer, id: string): Promise<string | undefined> {
  const order = await house.ctx.db<OrderRow>('orders').where({ id }).first('link_key');
  return order?.link_key;
}

/** The path that a visitor opens, from a path that names the order by its record. */
export async function addressFor(server: { url: string }, path: string): Promise<string> {
  return server.url + (await asVisitor(server, path));
}

/** The record of the order that a visitor's answer names. */
export async function recordOf(
  { house }: TestServer,
  { order_id: link_key }: { order_id: string },
): Promise<string> {
  return (await house.ctx.db<OrderRow>('orders').where({ link_key }).first('id'))!.id;
}

/** The form of a refusal, for toMatchObject(). */
export const aRefusal = (status: number, code: string, detail?: object) => ({
  status,
  body: detail ? { code, detail } : { code },
});

/** Calls an endpoint and expects success. */
export async function callOk<const E extends EndpointShape>(
  server: { url: string },
  endpoint: E,
  asked: Asked<E>,
  headers: Record<string, string> = {},
): Promise<ReplyOf<E>> {
  const { params, query, body } = asked as {
    params?: Record<string, string>;
    query?: Record<string, unknown>;
    body?: unknown;
  };
  const answer = await ask(server, endpoint.method, addressOf(endpoint, params, query), {
    body,
    headers,
  });
  if (answer.status >= 300)
    throw new Error(
      `${endpoint.method} ${endpoint.path}: ${answer.status} ${JSON.stringify(answer.body)}`,
    );
  return answer.body as ReplyOf<E>;
}

export const demoEvent = 'la-locandiera';

/** A visitor's hold token, made over the public API like in chart.js. */
export async function makeHoldToken(server: TestServer): Promise<string> {
  const { seatsio } = server.house.standins!;
  const answer = await ask(
    server,
    'POST',
    `/standins/seatsio/system/public/${seatsio!.workspaceKey}/hold-tokens`,
  );
  return (answer.body as HoldTokenInfo).holdToken;
}

export interface Chosen {
  object_id: string;
  ticket_type?: string;
  quantity?: number;
}

/** Holds the objects for a token over the public API; the status tells whether it worked. */
export async function holdObjects(
  server: TestServer,
  holdToken: string,
  chosen: readonly Chosen[],
  /** Another event, or the channels that the browser sends. */
  where: string | { channels: readonly string[] | undefined } = demoEvent,
): Promise<Answered & { body: HoldAnswer }> {
  const { seatsio } = server.house.standins!;
  const [event, channels] =
    typeof where === 'string' ? [where, undefined] : [demoEvent, where.channels];
  const answer = await ask(
    server,
    'POST',
    `/standins/seatsio/system/public/${seatsio!.workspaceKey}/events/${event}/actions/hold`,
    {
      body: {
        holdToken,
        ...(channels ? { channels } : {}),
        objects: chosen.map(({ object_id, quantity, ticket_type }) => ({
          objectId: object_id,
          ...(quantity ? { quantity } : {}),
          ...(ticket_type ? { ticketType: ticket_type } : {}),
        })),
      },
    },
  );
  return answer as Answered & { body: HoldAnswer };
}

/** Two neighbouring free seats that leave no single seat; each `nth` gives another pair. */
export async function findSeats(
  server: TestServer,
  { count = 2, nth = 0, category = 'Platea' } = {},
): Promise<string[]> {
  const objects = await server.house.ctx.seats.objects(demoEvent);
  const seats = new Map(
    objects
      .filter((object) => object.kind === 'seat' && object.category === category)
      .map((object) => [object.label, object]),
  );
  const found: string[][] = [];
  for (const first of [...seats.values()].filter((seat) => seat.left === null)) {
    const row = [first];
    while (row.at(-1)!.right !== null && seats.has(row.at(-1)!.right!))
      row.push(seats.get(row.at(-1)!.right!)!);
    if (
      row.length >= count + 2 &&
      row
        .slice(0, count + 2)
        .every(
          (seat) => seat.status === 'free' && seat.for_sale && !seat.accessible && !seat.companion,
        )
    )
      found.push(row.slice(0, count).map((seat) => seat.label));
  }
  const chosen = found[nth];
  if (!chosen) throw new Error(`no ${nth}th run of ${count} free seats`);
  return chosen;
}

export interface Booked {
  /** The record's; the visitor's path has another one, see asVisitor(). */
  order_id: string;
  link_key: string;
  checkout_url: string;
  hold_token: string;
  selected_objects: Chosen[];
}

export interface OrderOptions {
  seats?: string[];
  count?: number;
  nth?: number;
  category?: string;
  ticket_type?: string;
  /** Instead of seats. */ selected_objects?: Chosen[];
  event?: string;
  /** A visitor who buys again. */ hold_token?: string;
  buyer?: typeof aBuyer;
}

/** The selection in a visitor's cart, before the booking. */
export interface Held {
  hold_token: string;
  selected_objects: Chosen[];
}

export async function holdSeats(server: TestServer, options: OrderOptions = {}): Promise<Held> {
  const { ticket_type = 'intero', event = demoEvent } = options;
  const selected_objects =
    options.selected_objects ??
    (options.seats ?? (await findSeats(server, options))).map((object_id) => ({
      object_id,
      ticket_type,
    }));
  const hold_token = options.hold_token ?? (await makeHoldToken(server));
  const held = await holdObjects(server, hold_token, selected_objects, event);
  if (held.status !== 200) throw new Error(`hold refused: ${JSON.stringify(held.body)}`);
  return { hold_token, selected_objects };
}

/** Who books; a booking that costs something does not need it. */
export const aBuyer = { name: 'Eva Neri', email: 'eva@example.it' };

/** Books and returns any answer. */
export function tryBook(
  server: { url: string },
  {
    hold_token,
    selected_objects,
    buyer = aBuyer,
  }: Held & { buyer?: (typeof aBuyer & { phone?: string }) | null },
  event = demoEvent,
): Promise<Answered> {
  const body = { hold_token, selected_objects, buyer };
  return ask(server, 'POST', `/api/event/${event}/book`, { body });
}

/** Picks, holds and books seats, without payment. */
export async function makeOrder(server: TestServer, options: OrderOptions = {}): Promise<Booked> {
  const held = await holdSeats(server, options);
  const params = { eventId: options.event ?? demoEvent };
  const buyer = options.buyer ?? aBuyer;
  const booked = await callOk(server, bookSeats, { params, body: { ...held, buyer } });
  const { order_id: link_key, checkout_url } = booked;
  return { order_id: await recordOf(server, booked), link_key, checkout_url, ...held };
}

/** Pays with the two calls of the hosted page. */
export async function payOrder(
  server: TestServer,
  checkout_url: string,
  payment_method = 'pm_card_visa',
  typed: { name?: string; email?: string; phone?: string } = {},
): Promise<Answered> {
  const session = sessionIn(checkout_url);
  const page = await ask(server, 'GET', `/standins/stripe/v1/payment_pages/${session}`);
  const { amount_total } = page.body as { amount_total: number };
  return ask(server, 'POST', `/standins/stripe/v1/payment_pages/${session}/confirm`, {
    body: {
      payment_method,
      expected_amount: amount_total,
      ...typed,
      ...(typed.name === undefined ? {} : { custom_fields: { nome: typed.name } }),
    },
  });
}

/** Creates the first admin through the one-time link; returns the Cookie header. */
export function makeAdmin(server: TestServer): Promise<{ cookie: string }> {
  return acceptFirst(server, server.house.invite!);
}

/** The same for a product in a process of its own. */
export async function acceptFirst(
  server: { url: string },
  invite: string,
): Promise<{ cookie: string }> {
  const token = invite.split('#')[1]!;
  const answer = await ask(server, acceptInvite.method, acceptInvite.path, {
    body: { token, email: 'ada@teatro.it', name: 'Ada', password: 'una-platea-piena-di-luce' },
  });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return cookieOf(answer);
}

/** The session that an answer opens. */
export function cookieOf({ headers }: Answered): { cookie: string } {
  return { cookie: headers.getSetCookie()[0]!.split(';')[0]! };
}

/** Another session of the first admin. */
export async function comeAgain(server: { url: string }): Promise<{ cookie: string }> {
  const body = { email: 'ada@teatro.it', password: 'una-platea-piena-di-luce' };
  return cookieOf(await ask(server, login.method, login.path, { body }));
}

/** All items of a list, page by page; `read` puts the cursor into its query. */
export async function walkPages<T>(
  read: (place: { cursor?: string }) => Promise<{ items: T[]; next_cursor: string | null }>,
): Promise<T[]> {
  const items: T[] = [];
  let place: { cursor?: string } | null = {};
  while (place !== null) {
    const page: Awaited<ReturnType<typeof read>> = await read(place);
    items.push(...page.items);
    place = page.next_cursor === null ? null : { cursor: page.next_cursor };
  }
  return items;
}

export async function makePairedPhone(
  server: TestServer,
  admin: { cookie: string },
  name = 'Varco A',
  role: PhoneRole = 'steward',
) {
  const body = { name, gate: name, role, event_ids: [demoEvent] };
  const made = await callOk(server, makePhone, { body }, admin);
  const token = new URL(made.pairing_url).hash.replace('#pair=', '');
  const paired = await callOk(server, pairPhone, { body: { token } });
  return { ...paired, headers: { authorization: `Bearer ${paired.device_token}` } };
}

/** The id of the session at this address; the part behind # belongs to the page. */
export function sessionIn(checkout_url: string): string {
  return new URL(checkout_url).pathname.split('/').at(-1)!;
}

/** The longest pause between two tries. */
const longestPauseMs = 16;

/**
 * Waits for something in another process. It asks immediately and then less and less often,
 * because asking without a pause would take the processor from it.
 */
export async function until(condition: () => Promise<boolean>, limitMs = 60_000): Promise<void> {
  const end = Date.now() + limitMs;
  for (let ms = 1; !(await condition()); ms = Math.min(2 * ms, longestPauseMs)) {
    if (Date.now() > end) throw new Error('it never happened');
    await pause(ms);
  }
}
