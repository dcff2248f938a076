/** A ticket's own link opens this ticket and nothing of its order, and ends with the ticket's code (RULES O22). */
import { expect } from 'vitest';
import { endpoints } from '#server/contract/all.ts';
import { reissueTickets } from '#server/contract/counter.ts';
import type { EndpointShape } from '#server/contract/endpoint.ts';
import { setHolder } from '#server/contract/order/holders.ts';
import { viewAsBuyer } from '#server/contract/order/links.ts';
import { getOrder, listOrderTickets } from '#server/contract/order/orders.ts';
import { handOnTicket } from '#server/contract/order/ticket-links.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { openDrawer } from '#tests/support/counter.ts';
import { mailsOf } from '#tests/support/mail-day.ts';
import { aRefusal, ask, callOk, demoEvent, findSeats, makeAdmin } from '#tests/support/make.ts';
import { makeSold, tryMove, type Sold } from '#tests/support/move.ts';
import { refundByOffice, setPolicy } from '#tests/support/refunds.ts';
import type { TestServer } from '#tests/support/server.ts';

const email = 'anna@example.it';
const ended = aRefusal(404, 'ticket_link_ended');

async function pageOf(server: TestServer, { order_id }: { order_id: string }) {
  return callOk(server, getOrder, { params: { orderId: order_id } });
}

/** The links of the order's tickets, in the order of the sale. */
async function linksOf(server: TestServer, sold: Sold): Promise<string[]> {
  const { tickets } = await pageOf(server, sold);
  return sold.tickets.map((id) => tickets.find(({ ticket_id }) => ticket_id === id)?.link ?? '');
}

function open(server: TestServer, link: string, what = '') {
  const { pathname } = new URL(link);
  return ask(server, 'GET', `/api${pathname}/ticket${what}`);
}

test('a link opens one ticket with its evening, and no price, buyer or other ticket', async (server) => {
  const sold = await makeSold(server, { email });
  const [first, second] = await linksOf(server, sold);
  expect(first).toMatch(/\/orders\/[\w-]{22}\.[\w-]+$/);
  const { status, body } = await open(server, first!);
  const [ticket] = (await pageOf(server, sold)).tickets.filter(({ link }) => link === first);
  expect([status, body]).toEqual([
    200,
    expect.objectContaining({
      ticket: expect.objectContaining({ code: ticket!.code, seat: ticket!.seat }),
    }),
  ]);
  const order = await server.house.ctx.db('orders').where({ id: sold.order_id }).first();
  const text = JSON.stringify(body);
  for (const secret of [
    order.link_key,
    order.number,
    email,
    'Eva Neri',
    sold.tickets[1]!,
    '_cents',
  ])
    expect([secret, text.includes(secret)]).toEqual([secret, false]);
  const calendar = await open(server, first!, '/calendar.ics');
  expect([calendar.status, String(calendar.body).match(/posto \d+/g)?.length]).toEqual([200, 1]);
  // It is no link of an order, and one ticket's key is not another's.
  const { pathname } = new URL(first!);
  const visitors: EndpointShape[] = Object.values(endpoints).filter(
    ({ who, path, body }: EndpointShape) => who === 'public' && path.includes(':orderId') && !body,
  );
  for (const { method, path } of visitors) {
    const named = path.replace('/orders/:orderId', pathname).replace(/:\w+/g, 'x');
    expect([path, await ask(server, method, named)]).toMatchObject([
      path,
      aRefusal(404, 'order_not_found'),
    ]);
  }
  const [key] = pathname.slice('/orders/'.length).split('.');
  for (const wrong of [`${key}.${sold.tickets[1]}`, `x.${sold.tickets[0]}`, `${key}.`, `.${key}`])
    expect(await open(server, `${server.url}/orders/${wrong}`)).toMatchObject(ended);
  expect((await open(server, second!)).status).toBe(200);
  const page = await fetch(first!.replace(/^.*(?=\/orders\/)/, server.url));
  expect([page.status, (await page.text()).includes('noindex')]).toEqual([200, true]);
  expect(server.logged).toEqual([]);
});

test('a link ends with a reissue, a new holder, a refund and a void, and follows a move', async (server, admin) => {
  await openDrawer(server, admin);
  await setPolicy(server, { holder_change: 1, holder_changes_max: 3 }, demoEvent);
  const sold = await makeSold(server, { email });
  const params = { orderId: sold.order_id };
  const [first, second] = await linksOf(server, sold);
  const handed = { ...params, ticketId: sold.tickets[0]! };
  await callOk(server, handOnTicket, { params: handed });
  const isHanded = async () => (await pageOf(server, sold)).tickets.map((one) => one.handed_on);
  expect((await isHanded()).filter(Boolean)).toHaveLength(1);
  // A move: the old link opens the new place, twice over.
  for (const nth of [4, 8]) {
    const seats = await findSeats(server, { nth });
    expect((await tryMove(server, admin, sold, seats)).status).toBe(200);
    await server.runDue();
    const { status, body } = await open(server, first!);
    const now = (await pageOf(server, sold)).tickets.map(({ seat }) => seat);
    expect([status, now.includes((body as { ticket: { seat: string } }).ticket.seat)]).toEqual([
      200,
      true,
    ]);
    expect((await isHanded()).filter(Boolean)).toHaveLength(1);
  }
  await callOk(server, setHolder, {
    params: handed,
    body: { first_name: 'Bruno', last_name: 'Verdi', email: 'bruno@example.it' },
  });
  expect(await open(server, first!)).toMatchObject(ended);
  expect(await isHanded()).toEqual([false, false]);
  await server.runDue();
  const letter = (await mailsOf(server, sold.order_id)).find(
    ({ to_address }) => to_address === 'bruno@example.it',
  );
  const [mailed] = await linksOf(server, sold);
  expect([letter!.text!.includes(mailed!), letter!.text!.match(/\/orders\//g)?.length]).toEqual([
    true,
    1,
  ]);
  await callOk(server, reissueTickets, { params, body: { reason: 'persi' } }, admin);
  for (const link of [mailed!, second!]) expect(await open(server, link)).toMatchObject(ended);
  const [one, other] = await linksOf(server, sold);
  expect((await open(server, one!)).status).toBe(200);
  await refundByOffice(server, admin, sold, { ticket_ids: [sold.tickets[0]!] });
  await server.runDue();
  expect(await open(server, one!)).toMatchObject(ended);
  await server.house.ctx.db('tickets').where({ id: sold.tickets[1] }).update({ state: 'void' });
  expect(await open(server, other!)).toMatchObject(ended);
  expect((await pageOf(server, sold)).tickets.map(({ link }) => link)).toEqual([null, null]);
});

it('the office, which sees orders and tickets, sees no link', async (server) => {
  const sold = await makeSold(server, { email });
  const admin = await makeAdmin(server);
  const params = { orderId: sold.order_id };
  const view = await callOk(server, viewAsBuyer, { params }, admin);
  const list = await callOk(server, listOrderTickets, { params }, admin);
  const [first] = await linksOf(server, sold);
  const key = new URL(first!).pathname.split('/').at(-1)!.split('.')[0]!;
  expect(JSON.stringify([view, list])).not.toContain(key);
});
