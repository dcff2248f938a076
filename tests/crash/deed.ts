/** What the deeds share at whose writes a server is killed: waiting, buying and giving back. */
import { until, type Answered, type Booked } from '#tests/support/make.ts';
import type { Patron } from '#tests/support/patron.ts';
import { refundByOffice } from '#tests/support/refunds.ts';
import { buy } from './evening.ts';

export const patienceMs = 120_000;

export interface Deed {
  prepare: (patron: Patron) => Promise<Booked[]>;
  /** Every caller tries again until it is done. Throws if the end is wrong. */
  run: (patron: Patron, orders: readonly Booked[]) => Promise<void>;
  /** All rounds use the same orders. */
  repeats?: true;
}

export function buyTimes(count: number): Deed['prepare'] {
  return async (patron) => {
    const orders: Booked[] = [];
    while (orders.length < count) orders.push(await buy(patron));
    return orders;
  };
}

/**
 * 409: the request was handled before a death, or is being handled. 503: the seat map does not
 * answer for a moment.
 */
export const heard = (answer: Answered) => {
  if (![200, 409, 503].includes(answer.status))
    throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
};

/** The office presses again until these tickets are refunded and their places are given back. */
export async function giveBack(
  patron: Patron,
  order: Pick<Booked, 'order_id'>,
  tickets: readonly { id: string }[],
  wish: { handed_back?: boolean } = {},
): Promise<void> {
  const { house, admin } = patron;
  const ticket_ids = tickets.map(({ id }) => id);
  const left = () =>
    patron.rows(
      `SELECT id FROM tickets WHERE state = 'valid' AND id IN (${ticket_ids.map(() => '?').join()})`,
      ...ticket_ids,
    );
  await until(async () => {
    const press = () => refundByOffice(house, admin, order, { ticket_ids, ...wish });
    // 409 and 422: the first press was heard before a death.
    await house.persist(press).catch(() => {});
    await patron.rest();
    return (await left()).length === 0;
  }, patienceMs);
}

/** The valid tickets of an order. */
export const validOf = (patron: Patron, { order_id }: Pick<Booked, 'order_id'>) =>
  patron.rows<{ id: string }>(
    `SELECT id FROM tickets WHERE order_id = ? AND state = 'valid' ORDER BY id`,
    order_id,
  );
