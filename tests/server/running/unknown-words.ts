/**
 * What a newer version may store: a word that this one does not know, in each column of words. Then
 * every list, page and file of the house is asked for.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { endpoints } from '#server/contract/all.ts';
import { isProgramCaller, type EndpointShape } from '#server/contract/endpoint.ts';
import { wireVersion } from '#server/domain/door/wire.ts';
import { programScopes } from '#server/domain/program/token.ts';
import { makeAdmin, makePairedPhone } from '#tests/support/make.ts';
import { makeProgram } from '#tests/support/programs.ts';
import { asRole } from '#tests/support/roles.ts';
import { feeEvent } from '#tests/support/refunds.ts';
import { seedStates } from '#tests/support/seed-states.ts';
import { checkInvariants } from '#server/services/reconcile/invariants.ts';
import { compareBooks } from '#server/services/reconcile/comparison.ts';
import type { Ctx } from '#server/services/context.ts';
import type { TestServer } from '#tests/support/server.ts';

interface WordColumn {
  table: string;
  column: string;
  longest: number;
}

const folder = join(import.meta.dirname, '../../../db/migrations');

/** Columns whose words are Stripe's too, or are not typed. */
const others: readonly WordColumn[] = [
  { table: 'audit', column: 'action', longest: 60 },
  { table: 'breaks', column: 'kind', longest: 40 },
  { table: 'orders', column: 'needs_attention', longest: 200 },
  { table: 'outbox', column: 'task', longest: 40 },
  { table: 'payments', column: 'method', longest: 20 },
];

/** Read from the migrations: a column `text<Words>(length)` has words of a list. */
export function wordColumns(): WordColumn[] {
  const found: WordColumn[] = [...others];
  for (const file of readdirSync(folder).filter((name) => /^(?:start|\d{3})-/.test(name))) {
    let table = '';
    for (const line of readFileSync(join(folder, file), 'utf8').split('\n')) {
      table = /^ {2}(\w+): table/.exec(line)?.[1] ?? table;
      const [, column, length] = /^ +(\w+): text<(?!string>).*>\((\d+)\)/.exec(line) ?? [];
      // Before the first table stand the columns that a show shares with its dates.
      const tables = table === '' ? ['events', 'shows'] : [table];
      if (column !== undefined)
        for (const each of tables) found.push({ table: each, column, longest: Number(length) });
    }
  }
  return found;
}

/** Fills a house with an order in every state, a phone, a program, and another person. */
export async function fillHouse(server: TestServer, { cookie }: { cookie: string }) {
  await asRole(server, 'viewer');
  await seedStates(server);
  const file = { id: 'file', work: 'orders_file', actor: 'system', begun_at: 0, moved_at: 0 };
  const { db } = server.house.ctx;
  await db('started_work').insert({ ...file, ended_at: 1, outcome: 'done' });
  const none = { with_fees: 0, orders: 0, sum_cents: 0, created_at: 0, finished_at: 1 };
  await db('refund_runs').insert({ id: 'run', event_id: feeEvent, actor: 'system', ...none });
  const dates = { event_id: feeEvent, to_event_id: feeEvent, question_id: 'run' };
  const over = { actor: 'system', created_at: 0, finished_at: 1 };
  await db('transfers').insert({ id: 'transfer', ...dates, ...over });
  const ended = await db('orders').where({ state: 'deleted' }).first('id');
  await db('orders').where({ id: ended!.id }).update({ deposit_end: 'kept' });
  const phone = await makePairedPhone(server, { cookie });
  const program = await makeProgram(server, { scopes: programScopes });
  return { cookie, phone, program };
}

type Filled = Awaited<ReturnType<typeof fillHouse>>;

/** Where the ids of an address's parameters are stored. */
const ids: Record<string, readonly [table: string, column: string]> = {
  eventId: ['events', 'id'],
  ticketId: ['tickets', 'id'],
  orderId: ['orders', 'id'],
  mailId: ['mails', 'id'],
  messageId: ['messages', 'id'],
  payoutId: ['payouts', 'id'],
  phoneId: ['phones', 'id'],
  showId: ['shows', 'id'],
  shiftId: ['shifts', 'id'],
  printId: ['print_jobs', 'id'],
  number: ['orders', 'number'],
};
const words: Record<string, readonly string[]> = { report: ['sales', 'hall', 'door', 'money'] };

type Row = Record<string, unknown>;

/** The row that has the new word; a table that has no row with a word gets one. */
export async function storeWord(
  { house: { ctx } }: TestServer,
  { table, column, longest }: WordColumn,
): Promise<Row> {
  const known = ctx.db(table).whereNotNull(column).orderBy(column, 'desc');
  const row = ((await known.first()) as Row | undefined) ?? (await inventRow(ctx, table, column));
  await ctx
    .db(table)
    .where(row)
    .update({ [column]: 'ignoto'.slice(0, longest) });
  return row;
}

async function inventRow({ db, now, newId }: Ctx, table: string, column: string): Promise<Row> {
  const row: Row = {};
  for (const [name, { type, nullable }] of Object.entries(await db(table).columnInfo())) {
    const isNumber = /int|float|real|double/.test(type);
    const json = { detail: '{}', body: '{}', report: '{}', kinds: '[]' };
    const other = Object.entries(json).find(([known]) => known === name)?.[1] ?? 'x';
    const from = await tableOf(db, name);
    if (name === 'id') row[name] = newId();
    else if (from !== null && from !== table) row[name] = await freeRow(db, from, { table, name });
    else if (name === column || !nullable)
      row[name] = isNumber ? (/_(?:at|by)$/.test(name) ? now() : 10) : other;
  }
  await db(table).insert(row);
  return row;
}

/** The table that a column names a row of: `from_order_id` is an order's. */
async function tableOf(db: Ctx['db'], column: string): Promise<string | null> {
  const [, name] = /^(\w+)_id$/.exec(column) ?? [];
  if (name === undefined) return null;
  if (name === 'run') return 'refund_runs';
  for (const table of [`${name}s`, `${name.replace(/^.*_/, '')}s`])
    if (await db.schema.hasTable(table)) return table;
  return null;
}

/** A row that none of the table names yet, as some may be named once; null: there is none. */
async function freeRow(
  db: Ctx['db'],
  from: string,
  { table, name }: { table: string; name: string },
): Promise<string | null> {
  const rows = db(from).orderBy('id');
  const free = await rows
    .clone()
    .whereNotIn('id', db(table).whereNotNull(name).select(name))
    .first('id');
  return (free ?? (await rows.first('id')))?.id ?? null;
}

/** Asks for everything that can be read; returns what was answered with an error of ours. */
async function walkHouse(
  server: TestServer,
  { cookie, phone, program }: Filled,
  rows: readonly Row[],
): Promise<string[]> {
  const wrong: string[] = [];
  const headersOf = ({ who }: EndpointShape): Record<string, string> => {
    if (who === 'phone') return { authorization: `Bearer ${phone.device_token}` };
    return isProgramCaller(who) ? program.headers : who === 'public' ? {} : { cookie };
  };
  for (const [name, endpoint] of Object.entries(endpoints as Record<string, EndpointShape>)) {
    if (endpoint.method !== 'GET' || endpoint.stream) continue;
    for (const path of await pathsOf(server, endpoint, rows)) {
      const answer = await fetch(server.url + path, { headers: headersOf(endpoint) });
      await answer.text();
      if (answer.status >= 500) wrong.push(`${name} ${path}: ${answer.status}`);
    }
  }
  return wrong;
}

async function pathsOf(
  { house: { ctx } }: TestServer,
  { path, who }: EndpointShape,
  rows: readonly Row[],
): Promise<string[]> {
  const name = /:(\w+)/.exec(path)?.[1];
  if (name === undefined) return [path];
  const at = ids[name];
  const values = new Set(words[name] ?? []);
  if (at !== undefined) {
    const [table, column] = at;
    const known = column === 'id' ? name.replace(/I/, '_i') : name;
    for (const row of rows) if (typeof row[known] === 'string') values.add(row[known]);
    for (const value of await ctx.db(table).orderBy(column).limit(1).pluck(column))
      values.add(String(value));
  }
  const links =
    name === 'orderId' && who === 'public'
      ? await ctx
          .db('orders')
          .whereIn('id', [...values])
          .pluck('link_key')
      : [...values];
  const query = who === 'phone' ? `?wire=${wireVersion}` : '';
  return links.map((value) => path.replace(/:\w+/, encodeURIComponent(String(value))) + query);
}

/** What is paid, given back, valid and admitted. */
const held = ({ house: { ctx } }: TestServer) =>
  Promise.all(
    ['payments', 'refunds', 'tickets', 'admissions'].map((table) =>
      ctx.db(table).orderBy('id').select(),
    ),
  );

/** A new word in each column of words breaks no list, page or file, and no work. */
export async function expectUnbroken(server: TestServer): Promise<void> {
  const filled = await fillHouse(server, await makeAdmin(server));
  await server.runDue();
  const columns = wordColumns();
  expect(columns.length).toBeGreaterThan(65);
  const rows: Row[] = [];
  for (const column of columns) rows.push(await storeWord(server, column));
  expect(await walkHouse(server, filled, rows)).toEqual([]);
  expect(server.logged).toEqual([]);
  // Nor does the work that is due then stumble over it, move money or change a ticket.
  const before = await held(server);
  server.clock.advance(10 * 60_000);
  await server.runDue();
  await checkInvariants(server.house.ctx);
  await compareBooks(server.house.ctx, new AbortController().signal);
  expect(server.logged.filter((line) => /TypeError|task failed/.test(line))).toEqual([]);
  expect(await held(server)).toEqual(before);
}
