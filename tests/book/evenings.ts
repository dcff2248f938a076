/** Random evenings of the simulation, each with its book: both verifiers and our own tables must say the same of it. `--evenings N --seed S`. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import * as fc from 'fast-check';
import type { Ctx } from '#server/services/context.ts';
import { judgeBook } from '#server/domain/book/verdict.ts';
import type { History } from '#tests/simulation/history.ts';
import { checkWithNode } from './make-book.ts';
import { lookInto, type Sums } from './second-verifier.ts';

const { values } = parseArgs({
  options: {
    evenings: { type: 'string', default: '100' },
    seed: { type: 'string', default: '20' },
  },
});
const { histories } = await import('#tests/simulation/history.ts');
const { deedsOf } = await import('#tests/simulation/deeds.ts');
const { preparePlay } = await import('#tests/simulation/play.ts');
const { steerIntervals } = await import('#tests/simulation/scheduler.ts');
const { openSqliteStore } = await import('#tests/simulation/store.ts');
const { begin, eventId, furnish } = await import('#tests/simulation/world.ts');
const { bookText } = await import('#server/services/book/file.ts');

const turns = {} as Parameters<typeof openSqliteStore>[0];
steerIntervals(() => turns.scheduler);
const store = await openSqliteStore(turns);
await furnish(store);
const play = await preparePlay(store, turns);
const dataDir = await mkdtemp(join(tmpdir(), 'botteghino-book-'));
const later = begin + 60 * 86_400_000;
const count = { evenings: 0, rows: 0, tickets: 0, refunds: 0 };

function house(): Ctx {
  const parts = { db: store.db, memory: {}, dataDir, secretsKey: null };
  return { ...parts, now: () => later, fault() {} } as unknown as Ctx;
}

/** Null: nothing was sold. */
async function bookOf(): Promise<Buffer | null> {
  try {
    const parts: string[] = [];
    for await (const part of await bookText(house(), eventId)) parts.push(part);
    return Buffer.from(parts.join(''));
  } catch (error) {
    if ((error as { code?: string }).code === 'book_empty') return null;
    throw error;
  }
}

async function ourSums(): Promise<Partial<Sums>> {
  const sum = async (table: string, column: string, where: object = {}) => {
    const row: Record<string, number | null> = (await store
      .db(table)
      .where(where)
      .sum({ n: column })
      .first())!;
    return Number(row['n'] ?? 0);
  };
  const tickets = async (where: object) =>
    Number((await store.db('tickets').where(where).count({ n: '*' }))[0]!['n']);
  return {
    tickets_issued: await tickets({}),
    tickets_good: await tickets({ state: 'valid' }),
    tickets_void: await tickets({ state: 'void' }),
    tickets_refunded: await tickets({ state: 'refunded' }),
    worth_of_good: await sum('tickets', 'price_cents', { state: 'valid' }),
    came_in: await sum('payments', 'amount_cents'),
    fees_of_stripe: await sum('payments', 'stripe_fee_cents'),
    went_back: await sum('refunds', 'amount_cents', { state: 'succeeded' }),
  };
}

async function compare(): Promise<string[]> {
  const ours = await ourSums();
  const bytes = await bookOf();
  if (bytes === null)
    return Object.values(ours).every((n) => n === 0)
      ? []
      : ['something was sold, and there is no book'];
  const { totals, faults, signature, rows } = await judgeBook(
    bytes,
    { fingerprint: '', heads: '' },
    checkWithNode,
  );
  const { wrong, sums } = lookInto(bytes);
  count.rows += rows.length;
  count.tickets += totals.issued;
  count.refunds += rows.filter(({ kind }) => kind === 'refund').length;
  const first: Sums = {
    tickets_issued: totals.issued,
    tickets_good: totals.valid,
    worth_of_good: totals.valid_cents,
    presale_of_good: totals.valid_fee_cents,
    tickets_void: totals.voided,
    tickets_refunded: totals.refunded,
    changes_of_tickets: totals.revised,
    orders: totals.orders,
    came_in: totals.paid_cents,
    went_back: totals.refunded_cents,
    going_back: totals.refunding_cents,
    fees_of_stripe: totals.stripe_fee_cents,
    went_in: totals.entries,
    went_out: totals.exits,
    shifts: totals.shifts,
  };
  const differ = (name: string, one: object, other: Partial<Sums>) =>
    Object.entries(other).flatMap(([key, value]) =>
      (one as Record<string, number>)[key] === value
        ? []
        : [`${name}: ${key}, ${(one as Record<string, number>)[key]} and ${value}`],
    );
  return [
    ...faults.map(({ kind, n }) => `first verifier: ${kind} ${n}`),
    ...(signature === 'good' ? [] : ['signature']),
    ...wrong.map((what) => `second verifier: ${what}`),
    ...differ('first and second', first, sums),
    ...differ('second and our tables', sums, ours),
  ];
}

const result = await fc.check(
  fc.asyncProperty(histories(deedsOf({ rehouses: false })), async (history: History) => {
    await play(history);
    const problems = await compare();
    count.evenings += 1;
    if (problems.length > 0) throw new Error(problems.join('\n'));
  }),
  { numRuns: Number(values.evenings), seed: Number(values.seed), endOnFailure: true },
);
console.log(
  `${count.evenings} evenings, ${count.rows} rows, ${count.tickets} tickets, ${count.refunds} refunds, seed ${values.seed}`,
);
if (result.failed) console.log(String((result as { errorInstance?: unknown }).errorInstance));
await store.close();
await rm(dataDir, { recursive: true, force: true });
process.exit(result.failed ? 1 : 0);
