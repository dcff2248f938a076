/** A cashier who harvests the house: what three letters at the till list, what a reservation unmasks, and what a stranger opens with the ids. */
import { findCustomers, makeSale } from '#server/contract/counter.ts';
import { listOrders } from '#server/contract/order/orders.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { openDrawer, saleBody } from '#tests/support/counter.ts';
import { ask, callOk, makeAdmin } from '#tests/support/make.ts';
import { feeEvent } from '#tests/support/refunds.ts';
import { asRole } from '#tests/support/roles.ts';
import { startServer } from '#tests/support/server.ts';

const buyers = 10;

interface Harvest {
  /** People listed by three letters. */ listed: number;
  /** Order pages that a stranger opens with an id from the till. */ opened: number;
  /** A reservation shows a mail that was masked. */ unmasked: boolean;
  /** Searches of one minute that were answered, of a hundred in parallel. */ searches: number;
}

export async function harvest(): Promise<Harvest> {
  await using server = await startServer();
  await makeAdmin(server);
  const cashier = await asRole(server, 'cassa');
  await openDrawer(server, cashier);
  const places = { event: feeEvent, count: 1 };
  for (let nth = 0; nth < buyers; nth += 1) {
    const person = { name: `Marta N${nth}`, email: `marta.numero${nth}@example.it` };
    await makePaidOrder(server, person, { ...places, nth: 2 * nth });
  }
  await server.house.ctx.db('events').where({ id: feeEvent }).update({ status: 'draft' });
  const find = (q: string) => callOk(server, findCustomers, { query: { q } }, cashier);
  const { items: listed } = await find('mar');
  const { items: named } = await find('marta n7');
  const ids = new Set([...listed, ...named].map(({ customer_id }) => customer_id));
  let opened = 0;
  for (const id of ids) {
    const page = await fetch(`${server.url}/api/orders/${encodeURIComponent(id)}`);
    if (page.status === 200) opened += 1;
  }
  const pay_by = new Date(server.clock.now() + 3_600_000).toISOString();
  const buyer = { customer: named[0]!.customer_id };
  const body = await saleBody(server, { buyer, reservation: { pay_by } });
  await callOk(server, makeSale, { body }, cashier);
  const seen = JSON.stringify(await callOk(server, listOrders, {}, cashier));
  const search = () => ask(server, 'GET', `${findCustomers.path}?q=marta`, { headers: cashier });
  const answers = await Promise.all(Array.from({ length: 100 }, search));
  return {
    listed: listed.length,
    opened,
    unmasked: seen.includes('marta.numero7@example.it'),
    searches: answers.filter(({ status }) => status === 200).length,
  };
}

/** Prints the harvest. */
export async function attackTill(): Promise<void> {
  const { listed, opened, unmasked, searches } = await harvest();
  console.log(
    `at the till: three letters list ${listed} people, their ids open ${opened} orders to a stranger, a reservation ${unmasked ? 'shows' : 'hides'} the masked mail, ${searches} of 100 searches answered (8, 8, shows and 100 at 794fcc32)`,
  );
}
