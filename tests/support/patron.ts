/**
 * Visitors, the office and Stripe's dashboard at a product that may die at any moment; each tries
 * again until it succeeds.
 */
import { connectSeats, type Seats } from '#server/adapters/seatsio.ts';
import type { Asked } from '#server/contract/endpoint.ts';
import { bookSeats, cancelCheckout } from '#server/contract/order/orders.ts';
import {
  acceptFirst,
  ask,
  callOk,
  findSeats,
  holdObjects,
  makeHoldToken,
  until,
  type Booked,
} from './make.ts';
import type { Mortal } from './mortal.ts';
import type { TestServer } from './server.ts';

/** The event is in four weeks, so refunds are possible, and every ticket has a fee. */
export const event = 'concerto-di-natale';

interface Wanted {
  event?: string;
  objects?: string[];
  codes?: string[];
  exchange?: Asked<typeof bookSeats>['body']['exchange'];
}

export type Patron = Awaited<ReturnType<typeof makePatron>>;

export async function makePatron(house: Mortal) {
  const { seatsio, stripe } = house.standins;
  const seats = connectSeats(seatsio!);
  // The parts of a server that other helpers need; vendors are asked directly, because they do
  // not die.
  const server = {
    url: house.url,
    house: { standins: house.standins, ctx: { seats } },
  } as unknown as TestServer;
  const admin = await acceptFirst(house, house.invite);
  /** Rows of the product's database. */
  const rows = <T = Record<string, unknown>>(
    sql: string,
    ...values: (string | number | null)[]
  ): Promise<T[]> => house.persist(() => house.tell<T[]>({ kind: 'sql', sql, values }));
  const stateOf = async (order_id: string) =>
    (await rows<{ state: string }>('SELECT state FROM orders WHERE id = ?', order_id))[0]!.state;

  /** Two neighbouring seats that are free at the seat map now. */
  const freeSeats = (category?: string, of = event) => findFree(seats, server, { category, of });
  /** Holds these seats of an evening as a chart does. */
  async function hold(labels: readonly string[], eventId: string) {
    const selected_objects = labels.map((object_id) => ({ object_id, ticket_type: 'intero' }));
    const hold_token = await house.persist(() => makeHoldToken(server));
    await house.persist(() => holdObjects(server, hold_token, selected_objects, eventId));
    return { hold_token, selected_objects };
  }

  return {
    house,
    seats,
    admin,
    rows,
    stateOf,
    freeSeats,
    hold,
    /** Two seats, or these objects of that evening. */
    async book(wanted?: Wanted): Promise<Booked> {
      const eventId = wanted?.event ?? event;
      const codes = wanted?.codes ?? [];
      const { exchange } = wanted ?? {};
      const labels = wanted?.objects ?? (await freeSeats());
      const { hold_token, selected_objects } = await hold(labels, eventId);
      const reply = await house.persist(async () => {
        const call = () =>
          callOk(server, bookSeats, {
            params: { eventId },
            body: { hold_token, selected_objects, codes, ...(exchange && { exchange }) },
          });
        // After "Riprova tra poco" the visitor presses again.
        return call().catch((error: unknown) =>
          String(error).includes('provider_silent') ? call() : Promise.reject(error),
        );
      });
      const { order_id: link_key, checkout_url } = reply;
      const [record] = await rows<{ id: string }>(
        'SELECT id FROM orders WHERE link_key = ?',
        link_key,
      );
      return { order_id: record!.id, link_key, checkout_url, hold_token, selected_objects };
    },
    async pay(order: Booked) {
      const [session] = await rows<{ id: string; amount_total: number }>(
        'SELECT id, amount_total FROM checkout_sessions WHERE order_id = ? ORDER BY attempt DESC LIMIT 1',
        order.order_id,
      );
      const paid = await fetch(`${stripe!.url}/v1/payment_pages/${session!.id}/confirm`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          payment_method: 'pm_card_visa',
          expected_amount: session!.amount_total,
          email: 'eva@example.it',
          name: 'Eva',
        }),
      });
      if (!paid.ok) throw new Error(`not paid: ${await paid.text()}`);
    },
    cancel: (order: Booked) =>
      house.persist(() => callOk(server, cancelCheckout, { params: { orderId: order.link_key } })),
    /** Waits until the order has this state, however often the process dies. */
    async reaches(order_id: string, state: 'confirmed' | 'deleted') {
      const [order] = await rows<{ link_key: string }>(
        'SELECT link_key FROM orders WHERE id = ?',
        order_id,
      );
      await until(async () => {
        // A polling page makes the product look at the order.
        await house.persist(() => ask(house, 'GET', `/api/orders/${order!.link_key}/status`));
        return (await stateOf(order_id)) === state;
      }, 25_000);
    },
    /** Waits until no due work is left. */
    rest: () =>
      soonOrLater(house, async () => {
        const waiting = await rows<{ n: number }>(
          `SELECT count(*) AS n FROM outbox WHERE task <> 'read_payment' AND NOT (task = 'settle_order' AND locked_until IS NULL AND run_at > ?)`,
          Date.now() + 1_000,
        );
        return Number(waiting[0]!.n) === 0;
      }),
  };
}

/**
 * Interrupted work is retried only after a minute, so the clock is moved if the condition is not
 * yet true.
 */
export async function soonOrLater(house: Mortal, isSo: () => Promise<boolean>): Promise<void> {
  for (let minutes = 0; minutes < 5; minutes += 1) {
    const isDone = await until(isSo, 10_000).then(
      () => true,
      () => false,
    );
    if (isDone) return;
    await house.persist(() => house.advance(61_000));
  }
  await until(isSo, 10_000);
}

async function findFree(
  seats: Seats,
  server: TestServer,
  { category, of }: { category: string | undefined; of: string },
): Promise<string[]> {
  const all = await seats.objects(of);
  const hall = {
    ...server,
    house: { ...server.house, ctx: { seats: { objects: async () => all } } },
  } as unknown as TestServer;
  return findSeats(hall, { category });
}
