/**
 * Measures how long the office waits with 200,000 orders of 500 events: the first screen, and
 * each kind of search. Figures, no verdict.
 */
import { readToday } from '#server/contract/today.ts';
import { searchOffice } from '#server/contract/search.ts';
import { listOrders, readOrder, totalOrders } from '#server/contract/order/orders.ts';
import { findCustomers } from '#server/contract/counter.ts';
import { addressOf } from '#server/contract/endpoint.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { demoEvent, makeAdmin } from '#tests/support/make.ts';
import type { DatabaseKind, TestServer } from '#tests/support/server.ts';
import { fillTheatre } from './admin-data.ts';
import { onDatabases } from './databases.ts';
import { quantile } from './quantile.ts';
import { scaled } from './scale.ts';

const [kinds = 'sqlite,postgres', ...sizes] = process.argv.slice(2);
const events = Number(sizes[0] ?? scaled(500, 12));
const seats = Number(sizes[1] ?? scaled(400, 60));
const rounds = scaled(40, 2);

function searches(some: Record<string, string>): [what: string, q: string][] {
  return [
    ['number', some['number']!],
    ['half a number', some['number']!.slice(0, 4)],
    ['name', some['buyer_name']!],
    ['first name', some['buyer_name']!.split(' ')[0]!],
    ['two letters', some['buyer_name']!.slice(0, 2)],
    ['mail', some['buyer_email']!],
    ['seat', 'Platea C 12'],
    ['seat without its sector', 'c 12'],
    ['receipt', some['receipt_number']!],
    ['event', 'sera 250'],
    ['nothing', 'zzqxw'],
    ['end of a ticket', some['code_end']!],
  ];
}

async function measure(server: TestServer, database: DatabaseKind): Promise<void> {
  const admin = await makeAdmin(server);
  const { order_id } = await makePaidOrder(server, { email: 'eva@example.it' });
  const { db } = server.house.ctx;
  await fillTheatre(
    db,
    { events, seats },
    { event_id: demoEvent, order_id, now: server.clock.now() },
  );
  const some = {
    ...(await db('orders').where({ id: 'order-10-50' }).first()),
    ...(await db('tickets').where({ order_id: 'order-10-50' }).first('code_end')),
  };
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const list = (query: object) => addressOf(listOrders, {}, { limit: 50, ...query });
  const filters = [
    ['all', {}],
    ['state', { state: 'awaiting_payment' }],
    ['money', { money: 'refunded' }],
    ['paid', { money: 'paid' }],
    ['to settle', { attention: true }],
    ['nothing to settle', { attention: false }],
    ['event', { event_id: 'sera-10' }],
    ['days', { from: day(Date.now() - 9e8), to: day(Date.now()) }],
  ] as const;
  const asks: [string, string][] = [
    ['Oggi', addressOf(readToday, {})],
    ['order', addressOf(readOrder, { orderId: some.id })],
    ...searches(some).map(([what, q]): [string, string] => [
      `search: ${what}`,
      addressOf(searchOffice, {}, { q }),
    ]),
    ...searches(some).map(([what, q]): [string, string] => [`list: ${what}`, list({ q })]),
    ...filters.map(([what, query]): [string, string] => [`list: ${what}`, list(query)]),
    ['customers by telephone', addressOf(findCustomers, {}, { q: '4567' })],
    ...[...filters, ['first name', { q: some.buyer_name.split(' ')[0] }] as const].map(
      ([what, query]): [string, string] => [`sums: ${what}`, addressOf(totalOrders, {}, query)],
    ),
  ];
  for (const [what, address] of asks) {
    const times: number[] = [];
    let found = '';
    for (let round = 0; round < rounds; round += 1) {
      const began = performance.now();
      const answer = await fetch(server.url + address, { headers: admin });
      found = await answer.text();
      if (answer.status !== 200) throw new Error(`${what}: ${answer.status} ${found}`);
      times.push(performance.now() - began);
    }
    const told = found.includes('"items"') ? `${JSON.parse(found).items.length} found` : '';
    console.log(
      `${database} ${what}: median ${quantile(times, 0.5).toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms ${told}`,
    );
  }
}

await onDatabases(kinds, measure);
