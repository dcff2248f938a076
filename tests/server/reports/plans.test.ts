/** While a sale runs nobody walks through a table that grows with it, no report and no visitor: each statement of the reports and of the job that counts for them is explained by the database itself. */
import Database from 'better-sqlite3';
import { expect, onTestFinished } from 'vitest';
import { isPostgres, type Db } from '#db/engine/dialect.ts';
import { orderOfHold, ordersOnPlaces } from '#db/order/orders.ts';
import { soldAmong } from '#db/seat/object-places.ts';
import { soldByPrice } from '#db/payment/made-prices.ts';
import { liveLines } from '#db/reconcile/breaks.ts';
import { hallPlaces } from '#db/report/hall.ts';
import { unsoldOf } from '#db/seat/contingents.ts';
import { countFreePlaces } from '#db/seat/places-left.ts';
import { takenLines } from '#db/seat/rehousings.ts';
import {
  freePlacesOfArea,
  knownPlaces,
  listTaken,
  placesAround,
  placesInUse,
} from '#db/seat/seats.ts';
import { transact } from '#db/engine/transact.ts';
import { keepFigures } from '#server/services/reports/keep.ts';
import { readReport } from '#server/contract/reports.ts';
import { reportNames } from '#server/domain/report/figure.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { callOk, demoEvent, findSeats } from '#tests/support/make.ts';
import type { TestServer } from '#tests/support/server.ts';

const growing = 'orders order_lines tickets places payments refunds disputes admissions'.split(' ');

interface Statement {
  sql: string;
  bindings: readonly unknown[];
}

/** What the house is asked from now on, each statement once: Knex tells of its own, better-sqlite3 prepares all of them, also those of the stand-ins' files. */
function overhear({ house: { ctx } }: TestServer): Map<string, Statement> {
  const heard = new Map<string, Statement>();
  const note = (statement: Statement) => heard.set(statement.sql, statement);
  if (isPostgres(ctx.db)) {
    ctx.db.on('query', note);
    onTestFinished(() => void ctx.db.off('query', note));
    return heard;
  }
  const { prototype } = Database;
  const { prepare } = prototype;
  const { filename } = (ctx.db.client as { config: { connection: { filename: string } } }).config
    .connection;
  prototype.prepare = function noted(this: Database.Database, sql: string) {
    if (this.name === filename) note({ sql, bindings: [] });
    return prepare.call(this, sql);
  } as typeof prepare;
  onTestFinished(() => {
    prototype.prepare = prepare;
  });
  return heard;
}

/** A table under the name that the statement gives it. */
function tableOf(sql: string, name: string): string {
  return (
    growing.find((table) =>
      new RegExp(`\\b${table}["\`]?(?: AS)? ["\`]?${name}\\b`, 'i').test(sql),
    ) ?? name
  );
}

/** PostgreSQL walks through a table only where it has no index to go by. */
async function planOf(db: Db, { sql, bindings }: Statement): Promise<string[]> {
  if (isPostgres(db))
    return db.transaction(async (trx) => {
      await trx.raw('SET LOCAL enable_seqscan = off');
      const { rows } = await trx.raw<{ rows: { 'QUERY PLAN': string }[] }>(
        // Knex tells of numbered marks and takes plain ones.
        `EXPLAIN ${sql.replaceAll(/\$\d+/g, '?')}`,
        bindings as never,
      );
      return rows.map((row) => row['QUERY PLAN']);
    });
  const plan: { detail: string }[] = await db.raw(
    `EXPLAIN QUERY PLAN ${sql}`,
    Array.from(sql.matchAll(/\?/g), () => 1),
  );
  return plan.map(({ detail }) => detail);
}

/** The growing tables that a statement reads from one end to the other. */
async function walkedBy(db: Db, statement: Statement): Promise<string[]> {
  const plan = await planOf(db, statement);
  if (isPostgres(db)) return plan.flatMap((line) => /Seq Scan on (\w+)/.exec(line)?.[1] ?? []);
  return plan.flatMap((line) => {
    // An automatic index is made of the whole table, each time.
    const name = /^(?:SCAN|SEARCH(?= \w+ USING AUTOMATIC)) (\w+)/.exec(line)?.[1];
    return name === undefined ? [] : tableOf(statement.sql, name);
  });
}

async function walksOf(db: Db, statements: readonly Statement[]): Promise<string[]> {
  const walked: string[] = [];
  for (const statement of statements) walked.push(...(await walkedBy(db, statement)));
  return walked.filter((table) => growing.includes(table));
}

test('no report, and no count that is kept for one, walks through a growing table', async (server, admin) => {
  await makePaidOrder(server);
  const { ctx } = server.house;
  const heard = overhear(server);
  server.clock.advance(10_000);
  await keepFigures(ctx, new AbortController().signal);
  const scopes = [
    { event_id: demoEvent },
    { show_id: demoEvent },
    { from: '2026-01-01', to: '2027-12-31' },
  ];
  for (const report of reportNames)
    for (const query of scopes)
      await callOk(server, readReport, { params: { report }, query }, admin);
  const asked = [...heard.values()].filter(({ sql }) =>
    /^\s*(?:select|with|insert)\b.*\bfrom\b/is.test(sql),
  );
  expect(asked.length).toBeGreaterThan(15);
  expect(await walksOf(ctx.db, asked)).toEqual([]);
  // Where an index is missing it is seen.
  await ctx.db.schema.alterTable('payments', (t) => t.dropIndex(['order_id']));
  expect(await walksOf(ctx.db, asked)).toContain('payments');
});

test('the open order of a hold token is found by it, not among all open orders', async (server) => {
  const { db } = server.house.ctx;
  const heard = overhear(server);
  await orderOfHold(db, demoEvent, 'a-token');
  const [asked] = heard.values();
  expect((await planOf(db, asked!)).join('\n')).toContain('orders_live_hold');
});

test('the rows around chosen seats are read row by row, not the whole hall', async (server) => {
  const { db } = server.house.ctx;
  const seats = await findSeats(server, { count: 4 });
  const heard = overhear(server);
  const { known, mates } = await placesAround(db, demoEvent, seats);
  expect(known.map(({ place }) => place).toSorted()).toEqual(seats.toSorted());
  expect(mates).toHaveLength(16);
  const [asked] = heard.values();
  const plan = (await planOf(db, asked!)).join('\n');
  expect(plan.match(/places_event_id_section_row_index/g)).toHaveLength(2);
  expect(await walkedBy(db, asked!)).not.toContain('places');
});

test('what asks for the line of a place goes by the index of live places', async (server) => {
  const { db } = server.house.ctx;
  const seats = await findSeats(server, { count: 2 });
  const heard = overhear(server);
  const asks: Record<string, () => Promise<unknown>> = {
    placesAround: () => placesAround(db, demoEvent, seats),
    knownPlaces: () => knownPlaces(db, demoEvent, seats),
    placesInUse: () => placesInUse(db, demoEvent),
    listTaken: () => listTaken(db, demoEvent),
    countFreePlaces: () => countFreePlaces(db, [demoEvent]),
    hallPlaces: () => hallPlaces(db, demoEvent),
    soldAmong: () => soldAmong(db, demoEvent, seats),
    ordersOnPlaces: () => ordersOnPlaces(db, demoEvent, seats),
    takenLines: () => takenLines(db, demoEvent),
    liveLines: () => liveLines(db, demoEvent),
    soldByPrice: () => soldByPrice(db, [demoEvent]),
    unsoldOf: () => unsoldOf(db, 'a-contingent'),
    freePlacesOfArea: () =>
      transact(db, (trx) => freePlacesOfArea(trx, demoEvent, 'Loggione', { count: 2 })),
  };
  for (const [name, run] of Object.entries(asks)) {
    heard.clear();
    await run();
    const asked = [...heard.values()].filter(({ sql }) => /order_lines/.test(sql));
    const plans = await Promise.all(asked.map((statement) => planOf(db, statement)));
    expect([name, plans.flat().join('\n')]).toEqual([
      name,
      expect.stringContaining('order_lines_live_place'),
    ]);
  }
});
