/** Random evenings of the simulation, each with its book: both verifiers and our own tables must say the same of it. `--evenings N --seed S`. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import * as fc from 'fast-check';
import { waitForPayout } from '#db/book.ts';
import { transact } from '#db/engine/transact.ts';
import { notePayoutRead, putLines, putPayout } from '#db/payment/payouts.ts';
import type { PayoutLineRow } from '#db/rows.ts';
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
const count = { evenings: 0, rows: 0, tickets: 0, refunds: 0, payoutLines: 0 };

function house(): Ctx {
  const parts = { db: store.db, memory: {}, dataDir, secretsKey: null };
  return { ...parts, now: () => later, fault() {} } as unknown as Ctx;
}

/** One has been read to the end; of the other only some lines are known. */
const payouts = [
  { id: 'po_read', read_at: later },
  { id: 'po_begun', read_at: null },
];

/** Stripe sends the money of every second payment and refund to the bank, as the product writes it down. */
async function payOut(): Promise<void> {
  const moved = [
    ...(await moneyOf('charge', 'payments', 'charge_id')),
    ...(await moneyOf('refund', 'refunds', 'stripe_refund_id')),
  ];
  for (const [nth, { id, read_at }] of payouts.entries())
    await transact(store.db, async (trx) => {
      await putPayout(trx, {
        id,
        amount_cents: 0,
        state: 'paid',
        automatic: 1,
        listed: 1,
        failure: null,
        bank_reference: null,
        created_at: later,
        arrives_at: later,
      });
      const own = moved.filter((_, at) => at % 2 === nth);
      await putLines(
        trx,
        own.map((row) => lineOf(id, row)),
      );
      if (read_at === null) return;
      await notePayoutRead(trx, id, { read_at, sum_cents: 0, lines: own.length, differences: 0 });
      await waitForPayout(trx, id, later);
    });
}

interface Moved {
  kind: 'charge' | 'refund';
  source: string;
  cents: number;
}

async function moneyOf(kind: Moved['kind'], table: string, source: string): Promise<Moved[]> {
  const rows: { source: string; cents: number }[] = await store
    .db(table)
    .whereNotNull(source)
    .orderBy('id')
    .select(`${source} as source`, 'amount_cents as cents');
  return rows.map((row) => ({ kind, ...row }));
}

function lineOf(payout_id: string, { kind, source, cents }: Moved): PayoutLineRow {
  const gross_cents = kind === 'charge' ? cents : -cents;
  return {
    id: `txn_${source}`,
    payout_id,
    kind,
    type: kind,
    category: kind,
    gross_cents,
    fee_cents: 25,
    net_cents: gross_cents - 25,
    created_at: later,
    available_at: later,
    source_id: source,
    charge_id: null,
    payment_intent: null,
    order_mark: null,
    description: null,
  };
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
    sent_to_bank: await sum('payout_lines', 'net_cents', { payout_id: payouts[0]!.id }),
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
  count.payoutLines += rows.filter(({ kind }) => kind === 'payout_line').length;
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
    sent_to_bank: totals.paid_out_cents,
    payouts: totals.paid_out.length,
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
  fc.asyncProperty(histories(deedsOf({})), async (history: History) => {
    await play(history);
    await payOut();
    const problems = await compare();
    count.evenings += 1;
    if (problems.length > 0) throw new Error(problems.join('\n'));
  }),
  { numRuns: Number(values.evenings), seed: Number(values.seed), endOnFailure: true },
);
console.log(
  `${count.evenings} evenings, ${count.rows} rows, ${count.tickets} tickets, ${count.refunds} refunds, ${count.payoutLines} lines of payouts, seed ${values.seed}`,
);
if (result.failed) console.log(String((result as { errorInstance?: unknown }).errorInstance));
await store.close();
await rm(dataDir, { recursive: true, force: true });
process.exit(result.failed ? 1 : 0);
