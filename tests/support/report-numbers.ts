/** Compares the product's reports with a slow count over all rows. */
import { expect } from 'vitest';
import { readReport } from '#server/contract/reports.ts';
import { findWrongCounts, oldCounts } from '#db/report/kept.ts';
import { keepFigures } from '#server/services/reports/keep.ts';
import { callOk, makeAdmin } from './make.ts';
import { makeSeason } from './random-season.ts';
import type { TestServer } from './server.ts';
import { slowDoor, slowHall, slowSales } from './slow-count.ts';
import { slowMoney } from './slow-money.ts';
import { sellTo } from './till.ts';

type Cookie = { cookie: string };
type Query = { event_id?: string; show_id?: string; season?: string; from?: string; to?: string };
type Figures = Awaited<ReturnType<typeof figuresOf>>;

async function figuresOf(
  server: TestServer,
  admin: Cookie,
  [report, query]: readonly [string, Query],
) {
  const { figures } = await callOk(server, readReport, { params: { report }, query }, admin);
  return (id: string) => figures.find((figure) => figure.id === id)!;
}

/** Rows by their first cell; rows of zeros are left out. */
function rowsOf(figures: Figures, id: string, columns: number): Record<string, unknown[]> {
  return Object.fromEntries(
    figures(id)
      .rows.map((row) => [row[0], row.slice(1, columns + 1)] as const)
      .filter(([, values]) => values.some((value) => value !== 0 && value !== null)),
  );
}

function nonZero(numbers: Record<string, number[]>): Record<string, number[]> {
  return Object.fromEntries(
    Object.entries(numbers).filter(([, values]) => values.some((value) => value !== 0)),
  );
}

function valueOf(figures: Figures, key: string) {
  const { columns, rows } = figures('sums');
  return rows[0]?.[columns.findIndex((column) => column.key === key)] ?? 0;
}

export async function expectSales(
  server: TestServer,
  admin: Cookie,
  { query, ids }: { query: Query; ids: string[] },
) {
  const { db } = server.house.ctx;
  const within = query.from === undefined ? null : { from: query.from, to: query.to! };
  const slow = await slowSales(db, ids, within);
  const figures = await figuresOf(server, admin, ['sales', query]);
  expect({
    paid: valueOf(figures, 'paid'),
    fees: valueOf(figures, 'fees'),
    refunded: valueOf(figures, 'refunded'),
    refundedFees: valueOf(figures, 'refunded_fees'),
  }).toEqual(slow.sums);
  for (const [id, columns] of [
    ['by_channel', 3],
    ['by_hour', 3],
    ['lead_time', 3],
    ['by_type', 2],
    ['by_category', 2],
    ['by_day', 3],
    ['refunds', 3],
  ] as const)
    expect([id, rowsOf(figures, id, columns)]).toEqual([id, nonZero(slow[id])]);
}

export async function expectMoney(
  server: TestServer,
  admin: Cookie,
  { query, ids }: { query: Query; ids: string[] },
) {
  const { db, now } = server.house.ctx;
  const within = query.from === undefined ? null : { from: query.from, to: query.to! };
  const slow = await slowMoney(db, { event_ids: ids, now: now() }, within);
  const figures = await figuresOf(server, admin, ['money', query]);
  expect(
    Object.fromEntries(Object.keys(slow.sums).map((key) => [key, valueOf(figures, key)])),
  ).toEqual(slow.sums);
  expect(rowsOf(figures, 'methods', 5)).toEqual(slow.methods);
  expect(figures('on_the_way').rows.map(([day, ...row]) => [day ?? '', row])).toEqual(
    Object.entries(slow.on_the_way).toSorted(([one], [other]) => one.localeCompare(other)),
  );
  expect(rowsOf(figures, 'gifts', 2)).toEqual(slow.gifts);
  expect(
    figures('reservations')
      .rows.map((row) => row.slice(1))
      .toSorted(),
  ).toEqual(slow.reserved.toSorted());
  expect(figures('shifts').rows).toHaveLength(slow.shifts);
}

export async function expectHallAndDoor(
  server: TestServer,
  admin: Cookie,
  { query, ids, begun }: { query: Query; ids: string[]; begun: string[] },
) {
  const { db } = server.house.ctx;
  const hall = await figuresOf(server, admin, ['hall', query]);
  const filled = await slowHall(db, ids);
  // In a report of many events, seats that wait for payment count as left.
  const isOne = query.event_id !== undefined;
  expect(rowsOf(hall, 'by_category', 6)).toEqual(
    Object.fromEntries(
      Object.entries(filled).map(([name, [places, sold, gift, waiting, blocked, left]]) => [
        name,
        [
          places,
          sold,
          gift,
          ...(isOne ? [waiting, blocked, left] : [0, blocked, left! + waiting!]),
        ],
      ]),
    ),
  );
  const slow = await slowDoor(db, begun);
  const door = await figuresOf(server, admin, ['door', query]);
  expect(
    Object.fromEntries(Object.keys(slow.sums).map((key) => [key, valueOf(door, key)])),
  ).toEqual(slow.sums);
  expect(rowsOf(door, 'missing_by_category', 2)).toEqual(slow.missing);
  const { columns, rows } = door('curve');
  const curve: Record<string, number> = {};
  for (const row of rows)
    for (const [nth, { key, label }] of columns.entries())
      if (key.startsWith('gate_') && row[nth] !== 0)
        curve[`${row[0]} ${label === 'Senza varco' ? '' : label}`] = Number(row[nth]);
  expect(curve).toEqual(slow.curve);
}

export async function keep(server: TestServer): Promise<void> {
  server.clock.advance(5_000);
  await keepFigures(server.house.ctx, new AbortController().signal);
  expect(await oldCounts(server.house.ctx.db)).toEqual([]);
  expect(await findWrongCounts(server.house.ctx.db)).toEqual([]);
}

/** A random season: each evening live, the show from the stored figures, and some of its days. */
export async function expectSeason(server: TestServer, seed: number): Promise<void> {
  const admin = await makeAdmin(server);
  const { order_id } = await sellTo(server);
  const now = server.clock.now();
  const ids = await makeSeason(server.house.ctx.db, { seed, order_id, now });
  const show = { show_id: `spettacolo-${seed}` };
  const begun = ids.slice(0, 3);
  for (const id of begun) {
    await expectSales(server, admin, { query: { event_id: id }, ids: [id] });
    await expectMoney(server, admin, { query: { event_id: id }, ids: [id] });
    const query = { event_id: id };
    await expectHallAndDoor(server, admin, { query, ids: [id], begun: [id] });
  }
  await keep(server);
  await expectSales(server, admin, { query: show, ids });
  await expectMoney(server, admin, { query: show, ids });
  await expectHallAndDoor(server, admin, { query: show, ids, begun });
  const all = [...ids, 'la-locandiera'];
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const query = { from: day(now - 20 * 86_400_000), to: day(now - 3 * 86_400_000) };
  await expectSales(server, admin, { query, ids: all });
  await expectMoney(server, admin, { query, ids: all });
}
