/**
 * Payouts for the office: the list, with the money still on its way, and one payout with its sums
 * and lines, also as a file.
 */
import { lastBreak } from '#db/reconcile/breaks.ts';
import { transact } from '#db/engine/transact.ts';
import type { After } from '#db/engine/page.ts';
import {
  findPayout,
  linesOfPayout,
  listPayouts,
  sumLines,
  waitingLines,
  type JudgedLine,
} from '#db/payment/payouts.ts';
import type { PayoutRow } from '#db/rows.ts';
import { formatListDate, isoOf } from '#server/domain/time/dates.ts';
import { dayText, romeDay } from '#server/domain/time/rome-clock.ts';
import { judgeLine } from '#server/domain/payment/payout.ts';
import { movementNames, standingNames } from '#server/domain/payment/payout-words.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';
import { csvFile, type CsvFormat } from '#server/services/kit/csv-file.ts';
import { readPage } from '#server/services/kit/page.ts';
import { queueTask } from '#server/services/kit/queue-task.ts';
import { faultyLines, readUntil } from './payout-check.ts';

interface PageWish {
  limit?: number;
  cursor?: string | undefined;
}
const usualRows = 50;

export async function payoutList(ctx: Ctx, { limit = usualRows, cursor }: PageWish) {
  const { rows, next_cursor } = await readPage(
    { limit, cursor },
    (page) => listPayouts(ctx.db, page),
    (row) => row.created_at,
  );
  return {
    items: rows.map(payoutForOffice),
    next_cursor,
    read_until: await readUntil(ctx),
    on_the_way: await onTheWayNow(ctx),
  };
}

function payoutForOffice({ id, read_at, automatic, ...row }: PayoutRow) {
  return { ...row, payout_id: id, automatic: automatic === 1, read: read_at !== null };
}

/** The money on its way to the bank; what is available already counts as arriving today. */
async function onTheWayNow(ctx: Ctx) {
  const lines = await waitingLines(ctx.db);
  const dayOf = (at: number) => dayText(romeDay(Math.max(at, ctx.now())));
  const days = [...Map.groupBy(lines, ({ available_at }) => dayOf(available_at))].map(
    ([day, those]) => ({ day, ...addUp(those) }),
  );
  return { ...addUp(lines), days };
}

function addUp(lines: readonly { net_cents: number; lines: number }[]) {
  return {
    net_cents: lines.reduce((sum, each) => sum + each.net_cents, 0),
    lines: lines.reduce((sum, each) => sum + each.lines, 0),
  };
}

async function payoutOf(ctx: Ctx, id: string): Promise<PayoutRow> {
  const payout = await findPayout(ctx.db, id);
  if (!payout) throw new Refusal('payout_not_found');
  return payout;
}

export async function payoutPage(ctx: Ctx, id: string) {
  const payout = await payoutOf(ctx, id);
  const told = await lastBreak(ctx.db, 'payout_differs', id);
  return {
    ...payoutForOffice(payout),
    sums: await sumLines(ctx.db, id),
    break_id: told?.settled_at === null ? told.id : null,
  };
}

export async function payoutLines(
  ctx: Ctx,
  id: string,
  { limit = usualRows, cursor, differing = false }: PageWish & { differing?: boolean },
) {
  await payoutOf(ctx, id);
  if (differing)
    return { items: (await faultyLines(ctx, id)).map(lineForOffice), next_cursor: null };
  const { rows, next_cursor } = await readPage(
    { limit, cursor },
    (page) => linesOfPayout(ctx.db, id, page),
    (row) => row.created_at,
  );
  return { items: rows.map(lineForOffice), next_cursor };
}

function lineForOffice(line: JudgedLine) {
  return {
    ...line,
    line_id: line.id,
    standing: judgeLine(line),
    our_fee_cents: line.kind === 'charge' ? line.our_fee_cents : null,
  };
}

/** Lines per query; other requests run between two of them. */
const filePage = 500;

export async function payoutFile(ctx: Ctx, id: string, format: CsvFormat = 'excel') {
  const payout = await payoutOf(ctx, id);
  const lines: JudgedLine[] = [];
  for (let after: After | null = null; ;) {
    const page: JudgedLine[] = await linesOfPayout(ctx.db, id, { limit: filePage, after });
    lines.push(...page);
    const last = page.at(-1);
    if (!last || page.length < filePage) break;
    after = { at: last.created_at, id: last.id };
  }
  return csvFile(ctx, {
    name: `accredito-${dayText(romeDay(payout.arrives_at))}`,
    headings,
    lines: lines.map((line) => cellsOf(line, format === 'excel')),
    format,
  });
}

const headings = [
  'Movimento',
  'Data',
  'Ordine',
  'Evento',
  'Lordo',
  'Commissione',
  'Netto',
  'Qui',
  'Commissione qui',
  'Confronto',
  'Codice Stripe',
  'Riga Stripe',
];

function cellsOf(line: JudgedLine, excel: boolean): (string | number)[] {
  const money = (cents: number | null) =>
    cents === null ? '' : (cents / 100).toFixed(2).replace('.', excel ? ',' : '.');
  return [
    movementNames[line.kind],
    excel ? formatListDate(line.created_at) : isoOf(line.created_at),
    line.order_number ?? '',
    line.event_title ?? '',
    money(line.gross_cents),
    money(line.fee_cents),
    money(line.net_cents),
    money(line.our_cents),
    money(line.kind === 'charge' ? line.our_fee_cents : null),
    standingNames[judgeLine(line)],
    line.source_id ?? '',
    line.id,
  ];
}

/** Queues the reading of all payouts; two calls queue one task. */
export async function askPayouts(ctx: Ctx): Promise<void> {
  await transact(ctx.db, (trx) => queueTask(ctx, trx, { task: 'read_payout', subject: 'all' }));
}
