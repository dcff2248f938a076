/** Tickets at a network printer: bytes with the code that the door reads, a queue that waits for paper, and codes that change only when asked. */
import { expect } from 'vitest';
import {
  changeTills,
  dropPrint,
  printOrder,
  printTest,
  readPaper,
  readPrint,
  readPrinter,
  reissueTickets,
} from '#server/contract/counter.ts';
import { admitTicket } from '#server/contract/door/admissions.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { openDrawer, sellAtCounter, till, type Seller } from '#tests/support/counter.ts';
import { ask, callOk, makeAdmin, until } from '#tests/support/make.ts';
import type { TestServer } from '#tests/support/server.ts';
import { codesIn, startTicketPrinter, type TicketPrinter } from '#tests/support/ticket-printer.ts';

async function usePrinter(server: TestServer, admin: Seller, { host, port }: TicketPrinter) {
  const body = {
    version: 0,
    gifts_per_event: 10,
    tills: [{ id: till, name: 'Cassa 1', layout: '80mm' as const, printer: { host, port } }],
  };
  await callOk(server, changeTills, { body }, admin);
}

/** The worker has sent them, and the printer has seen the end of each. */
async function printedJobs(server: TestServer, printer: TicketPrinter, count: number) {
  await server.runDue();
  await until(async () => printer.jobs.length === count);
}

async function printedSale(server: TestServer, printer: TicketPrinter) {
  const admin = await makeAdmin(server);
  await usePrinter(server, admin, printer);
  await openDrawer(server, admin);
  const sale = await sellAtCounter(server, admin);
  const params = { orderId: sale.order_id };
  const print = (opens_drawer = false) =>
    callOk(server, printOrder, { params, body: { till_id: till, opens_drawer } }, admin);
  const stateOf = async ({ print_id }: { print_id: string }) => {
    const job = await callOk(server, readPrint, { params: { printId: print_id } }, admin);
    return [job.state, job.trouble];
  };
  return { admin, params, print, stateOf };
}

test('a sale is printed with its codes and opens the drawer; a reprint is the same code until a new one is asked for', async (server) => {
  await using printer = await startTicketPrinter();
  const { admin, params, print, stateOf } = await printedSale(server, printer);
  const first = await print(true);
  await printedJobs(server, printer, 1);
  expect(await stateOf(first)).toEqual(['printed', null]);
  const paper = await callOk(server, readPaper, { params }, admin);
  const codes = paper.tickets.map(({ code }) => code);
  expect(codesIn(printer.jobs[0]!)).toEqual(codes);
  const pulse = Buffer.from('1b70', 'hex');
  expect(printer.jobs[0]!.includes(pulse)).toBe(true);

  // The printer has no Greek: that name is left out, and the ticket has its seat and order.
  const [latin, greek] = paper.tickets;
  const { db } = server.house.ctx;
  await db('tickets').where({ id: latin!.ticket_id }).update({ holder: 'Đorđe Žižić…' });
  await db('tickets').where({ id: greek!.ticket_id }).update({ holder: 'Ευγενία Παπά' });
  await print();
  await printedJobs(server, printer, 2);
  const words = printer.jobs[1]!.toString('latin1');
  expect(words.match(/Intestatario: [^\n\r]+/g)).toEqual(['Intestatario: Dorde Zizic...']);
  expect(words).not.toContain('?');
  expect(words.split(greek!.order)).toHaveLength(3);
  expect(codesIn(printer.jobs[1]!)).toEqual(codes);
  expect(printer.jobs[1]!.includes(pulse)).toBe(false);

  const body = { reason: 'Biglietti persi' };
  expect(await callOk(server, reissueTickets, { params, body }, admin)).toEqual({ tickets: 2 });
  await print();
  await printedJobs(server, printer, 3);
  const fresh = codesIn(printer.jobs[2]!);
  expect(fresh).toHaveLength(2);
  expect(fresh.filter((code) => codes.includes(code))).toEqual([]);
  const old = await callOk(
    server,
    admitTicket,
    { params: { ticketId: codes[0]! }, body: {} },
    admin,
  );
  expect(old.verdict).toBe('replaced');
  expect(server.logged).toEqual([]);
});

test('jobs wait for paper, for the cover and for the printer, and come in their order', async (server) => {
  await using printer = await startTicketPrinter();
  const { admin, print, stateOf } = await printedSale(server, printer);
  const waitFor = async (part: Partial<TicketPrinter>, trouble: string | null) => {
    Object.assign(printer, part);
    server.clock.advance(4_000);
    await server.runDue();
    expect(await stateOf(jobs[0]!)).toEqual([trouble === null ? 'printed' : 'waiting', trouble]);
  };
  const jobs: { print_id: string }[] = [];
  printer.hasPaper = false;
  jobs.push(await print());
  await waitFor({}, 'paper_out');
  jobs.push(await print());
  await waitFor({ hasPaper: true, isCoverOpen: true }, 'cover_open');
  const { state, waiting } = await callOk(server, readPrinter, { params: { tillId: till } }, admin);
  expect([state, waiting.length]).toEqual(['cover_open', 2]);
  await waitFor({ isCoverOpen: false }, null);
  expect(await stateOf(jobs[1]!)).toEqual(['printed', null]);
  await printedJobs(server, printer, 2);

  await printer[Symbol.asyncDispose]();
  const lost = await print();
  await server.runDue();
  expect(await stateOf(lost)).toEqual(['waiting', 'unreachable']);
  await callOk(server, dropPrint, { params: { printId: lost.print_id } }, admin);
  expect((await stateOf(lost))[0]).toBe('given_up');
});

it('a process that dies when the paper is out prints the same codes again, and writes it down once', async (server) => {
  await using printer = await startTicketPrinter();
  const { params, print, stateOf } = await printedSale(server, printer);
  const { ctx } = server.house;
  const fault = ctx.fault;
  ctx.fault = (point) => {
    if (point === 'printed') throw new Error('died');
  };
  const job = await print();
  await printedJobs(server, printer, 1);
  expect(await stateOf(job)).toEqual(['waiting', null]);
  ctx.fault = fault;
  server.clock.advance(10 * 60_000);
  await printedJobs(server, printer, 2);
  expect(await stateOf(job)).toEqual(['printed', null]);
  expect(codesIn(printer.jobs[1]!)).toEqual(codesIn(printer.jobs[0]!));
  const audit = await ctx.db('audit').where({ subject: params.orderId }).pluck('action');
  expect(audit.filter((action) => action === 'tickets_printed')).toHaveLength(1);
});

it('a printer that says nothing of itself prints all the same, also a test page', async (server) => {
  await using printer = await startTicketPrinter({ silent: true });
  const { admin } = await printedSale(server, printer);
  const job = await callOk(server, printTest, { params: { tillId: till } }, admin);
  await server.runDue();
  const done = await callOk(server, readPrint, { params: { printId: job.print_id } }, admin);
  expect(done.state).toBe('printed');
  await printedJobs(server, printer, 1);
  expect(printer.jobs[0]!.toString('latin1')).toContain('Prova di stampa');
  const { last } = await callOk(server, readPrinter, { params: { tillId: till } }, admin);
  expect(last).toMatchObject({ print_id: job.print_id, state: 'printed' });
  expect(last!.ended_at).toEqual(expect.any(String));
});

it('printers are numbers of the house’s own network only', async (server, admin) => {
  const put = (host: string) =>
    ask(server, 'PUT', changeTills.path, {
      headers: admin,
      body: {
        version: 0,
        gifts_per_event: 10,
        tills: [{ id: till, name: 'Cassa 1', layout: '80mm', printer: { host, port: 9100 } }],
      },
    });
  for (const host of ['8.8.8.8', 'example.org', 'localhost', '192.168.1.300', '169.254.169.254'])
    expect((await put(host)).body).toMatchObject({ code: 'printer_address_wrong' });
  expect((await put('192.168.1.50')).status).toBe(200);
  expect((await put('192.168.1.51')).body).toMatchObject({ code: 'site_changed' });
});
