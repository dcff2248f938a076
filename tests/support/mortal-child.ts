/**
 * The product as a process that a test can kill at a named point and whose clock it moves: what
 * server/main.ts starts, without its printed lines. It lives with the tests, because the product
 * has no such controls. Argument: milliseconds by which its clock is ahead.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { wakeWorker } from '#db/engine/wake.ts';
import { readConfig } from '#server/config.ts';
import { invariants } from '#db/reconcile/invariants.ts';
import { openProduct } from '#server/open.ts';
import { watchWrites } from './writes.ts';

export type Order =
  | { kind: 'arm'; point: string | null }
  | { kind: 'die_at_write'; every: number }
  /** Time goes by. */
  | { kind: 'advance'; ms: number }
  /** The computer's clock is set, back or forward, and no time goes by. */
  | { kind: 'set_clock'; ms: number }
  | { kind: 'broken' }
  | { kind: 'points' }
  | { kind: 'sql'; sql: string; values: (string | number | null)[] }
  /** The SQLite file may no longer grow, as on a full disk, or may grow again. */
  | { kind: 'disk'; full: boolean };

let ahead = Number(process.argv[2] ?? 0);
let passed = 0;
let armed: string | null = null;
const seen = new Set<string>();

/** Ends the process inside this call: nothing runs after it, and nothing is flushed. */
function pass(point: string): void {
  seen.add(point);
  if (point === armed) process.kill(process.pid, 'SIGKILL');
}

const now = () => Date.now() + ahead;
const elapsed = () => performance.now() + passed;
/**
 * A file with one known write per line; in tests that set it, the process dies at writes that are
 * not in it.
 */
const writesFile = process.env['WRITES_FILE'];
let atWrite: (name: string) => void = () => {};
if (writesFile) watchWrites((name) => atWrite(name));
/** Calls whose answers come page by page. */
const paged = new Set([
  'sessions',
  'movements',
  'movementsOfPayout',
  'movementsOfSource',
  'payouts',
  'receipts',
]);
const house = await openProduct(readConfig(process.env, []), { now, elapsed, fault: pass });
const { ctx } = house;
// A killed process stores no compile cache, and the next start would compile everything again.
flushCompileCache();
ctx.seats = passing('seats', ctx.seats);
ctx.payments = passing('payments', ctx.payments);
ctx.mail = passing('mail', ctx.mail);

/** Every other outside call has a fault point before it and one after its answer. */
function passing<T extends object>(name: string, port: T): T {
  return Object.fromEntries(
    Object.entries(port).map(([method, value]: [string, unknown]) => [
      method,
      typeof value !== 'function' || paged.has(method)
        ? value
        : async (...args: unknown[]) => {
            pass(`before ${name}.${method}`);
            const answer: unknown = await value.apply(port, args);
            pass(`after ${name}.${method}`);
            return answer;
          },
    ]),
  ) as T;
}

/**
 * From now on the process records each new write and dies at every `every`th. A second write with
 * the same name counts as new.
 */
function dieAtWrite(file: string, every: number): void {
  const known = new Set(existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []);
  const times = new Map<string, number>();
  let fresh = 0;
  atWrite = (name) => {
    const time = (times.get(name) ?? 0) + 1;
    times.set(name, time);
    if (known.has(`${name} (${time})`)) return;
    appendFileSync(file, `${name} (${time})\n`);
    fresh += 1;
    if (fresh === every) process.kill(process.pid, 'SIGKILL');
  };
}

/** PostgreSQL's driver returns more than the rows. */
const rowsOf = (answer: unknown): unknown =>
  Array.isArray(answer) ? answer : (answer as { rows: unknown }).rows;

async function obey(order: Order): Promise<unknown> {
  switch (order.kind) {
    case 'arm':
      armed = order.point;
      atWrite = () => {};
      return null;
    case 'die_at_write':
      dieAtWrite(writesFile!, order.every);
      return null;
    case 'advance':
    case 'set_clock':
      ahead += order.ms;
      if (order.kind === 'advance') passed += Math.max(0, order.ms);
      wakeWorker(ctx.db);
      return null;
    case 'points':
      return [...seen];
    case 'broken': {
      const found = await Promise.all(
        invariants.map(async ({ name, find }) => [name, await find(ctx.db, now())] as const),
      );
      return found.filter(([, violations]) => violations.length > 0);
    }
    case 'sql':
      return rowsOf(await ctx.db.raw(order.sql, order.values));
    case 'disk': {
      const connection = (await ctx.db.client.acquireConnection()) as {
        pragma: (text: string, options?: object) => unknown;
      };
      try {
        const pages = connection.pragma('page_count', { simple: true });
        return connection.pragma(`max_page_count = ${order.full ? String(pages) : '1073741823'}`, {
          simple: true,
        });
      } finally {
        await ctx.db.client.releaseConnection(connection);
      }
    }
  }
}

process.on('message', ({ id, order }: { id: number; order: Order }) => {
  obey(order).then(
    (answer) => process.send!({ id, answer }),
    (error: unknown) => process.send!({ id, error: String(error) }),
  );
});
// The same as in server/main.ts.
process.once('SIGTERM', () => {
  void house.close().then(() => process.disconnect());
});
process.send!({ ready: house.invite ?? '' });
