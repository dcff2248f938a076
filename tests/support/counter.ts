/**
 * A seller at the box office in tests: opens a drawer, holds seats as the chart does, and sells
 * them.
 */
import { makeSale } from '#server/contract/counter.ts';
import type { Asked, ReplyOf } from '#server/contract/endpoint.ts';
import { openShift } from '#server/contract/shifts.ts';
import { callOk, demoEvent, findSeats, holdObjects, makeHoldToken, type Chosen } from './make.ts';
import type { TestServer } from './server.ts';

export type Seller = { cookie: string };
type SaleBody = Asked<typeof makeSale>['body'];

export const till = 'cassa-1';

/** Opens the drawer with a hundred euros. */
export async function openDrawer(server: TestServer, seller: Seller, till_id = till) {
  return callOk(server, openShift, { body: { till_id, float_cents: 10_000 } }, seller);
}

let count = 0;
export function newSaleKey(): string {
  count += 1;
  return `vendita-di-prova-${process.pid}-${count}`;
}

/** Two full-price seats of the stalls for 64 euros, paid exactly; `parts` changes this. */
export async function saleBody(
  server: TestServer,
  parts: Partial<SaleBody> & {
    nth?: number;
    seats?: string[];
    ticket_type?: string;
    /** The channels that the till's map sends. */ channels?: string[];
  } = {},
): Promise<SaleBody> {
  const { nth = 0, seats, ticket_type = 'intero', channels, ...rest } = parts;
  const selected_objects: Chosen[] =
    rest.selected_objects ??
    (seats ?? (await findSeats(server, { nth }))).map((object_id) => ({ object_id, ticket_type }));
  const hold_token = rest.hold_token ?? (await makeHoldToken(server));
  const held = await holdObjects(server, hold_token, selected_objects, { channels });
  if (held.status !== 200) throw new Error(`hold refused: ${JSON.stringify(held.body)}`);
  const isPaid = !rest.gift && !rest.reservation;
  return {
    sale_key: newSaleKey(),
    event_id: demoEvent,
    hold_token,
    selected_objects,
    expected_cents: 6_400,
    ...(isPaid && { payments: [{ method: 'cash' as const, amount_cents: 6_400 }] }),
    ...rest,
  };
}

export async function sellAtCounter(
  server: TestServer,
  seller: Seller,
  parts: Parameters<typeof saleBody>[1] = {},
): Promise<ReplyOf<typeof makeSale>> {
  return callOk(server, makeSale, { body: await saleBody(server, parts) }, seller);
}
