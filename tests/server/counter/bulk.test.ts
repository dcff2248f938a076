/** Tickets of a whole evening on paper: what is printed and what is not, by either kind of printer, and whose evening it is. */
import { expect } from 'vitest';
import { changeTills, printOrder, readPaper, reissueTickets } from '#server/contract/counter.ts';
import { addressOf } from '#server/contract/endpoint.ts';
import { notePrinted, readEventPaper } from '#server/contract/paper.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { openDrawer, sellAtCounter, till } from '#tests/support/counter.ts';
import { ask, callOk, demoEvent, makeAdmin, until } from '#tests/support/make.ts';
import { asRole } from '#tests/support/roles.ts';
import { startTicketPrinter } from '#tests/support/ticket-printer.ts';

test('what is on paper is known per revision, from the roll and from the browser, and a new code is not on paper', async (server) => {
  await using printer = await startTicketPrinter();
  const admin = await makeAdmin(server);
  const { host, port } = printer;
  const tills = [{ id: till, name: 'Cassa 1', layout: '80mm' as const, printer: { host, port } }];
  await callOk(server, changeTills, { body: { version: 0, gifts_per_event: 10, tills } }, admin);
  await openDrawer(server, admin);
  const roll = await sellAtCounter(server, admin, { buyer: { name: 'Eva Bianchi' } });
  const sheet = await sellAtCounter(server, admin, { nth: 1 });
  const params = { eventId: demoEvent };
  const printed = async () => {
    const { items } = await callOk(server, readEventPaper, { params }, admin);
    return Object.fromEntries(items.map((item) => [item.order_id, [item.tickets, item.printed]]));
  };
  expect(await printed()).toEqual({ [roll.order_id]: [2, 0], [sheet.order_id]: [2, 0] });

  const orderId = roll.order_id;
  await callOk(server, printOrder, { params: { orderId }, body: { till_id: till } }, admin);
  await server.runDue();
  await until(async () => printer.jobs.length === 1);
  const paper = await callOk(server, readPaper, { params: { orderId: sheet.order_id } }, admin);
  const [first] = paper.tickets;
  const noteOne = (tickets: { ticket_id: string; revision: number }[]) =>
    callOk(server, notePrinted, { params: { orderId: sheet.order_id }, body: { tickets } }, admin);
  await noteOne([{ ticket_id: first!.ticket_id, revision: first!.revision }]);
  expect(await printed()).toEqual({ [roll.order_id]: [2, 2], [sheet.order_id]: [2, 1] });

  // Of another order, or of a revision that is no more: nothing.
  const body = { reason: 'Bagnati' };
  await callOk(server, reissueTickets, { params: { orderId: sheet.order_id }, body }, admin);
  await noteOne([{ ticket_id: first!.ticket_id, revision: first!.revision }]);
  expect(await printed()).toEqual({ [roll.order_id]: [2, 2], [sheet.order_id]: [2, 0] });
  expect(server.logged).toEqual([]);
});

it('a cashier prints evenings that sell now; the office also those that are over', async (server, admin) => {
  const cashier = await asRole(server, 'cassa');
  await openDrawer(server, admin);
  const { order_id } = await sellAtCounter(server, admin);
  const calls = [
    [readEventPaper.method, addressOf(readEventPaper, { eventId: demoEvent })],
    [readPaper.method, addressOf(readPaper, { orderId: order_id })],
  ] as const;
  const answers = (headers: { cookie: string }) =>
    Promise.all(calls.map(([method, path]) => ask(server, method, path, { headers })));
  const codes = async (headers: { cookie: string }) =>
    (await answers(headers)).map(({ status }) => status);
  expect(await codes(cashier)).toEqual([200, 200]);
  const { starts_at } = await server.house.ctx.db('events').where({ id: demoEvent }).first();
  await server.house.ctx
    .db('events')
    .update({ starts_at: starts_at - 400 * 86_400_000, ends_at: null });
  expect(await codes(admin)).toEqual([200, 200]);
  expect(await codes(cashier)).toEqual([404, 404]);
});
