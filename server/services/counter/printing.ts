/**
 * The queue of each till's ticket printer. A job waits while the paper is out or the cover is
 * open, and prints the codes that are valid when it prints (RULES K6).
 */
import {
  findPrint,
  insertPrint,
  lastPrint,
  notePrint,
  waitingPrints,
  type PrintWithOrder,
} from '#db/counter/prints.ts';
import { notePaper } from '#db/counter/paper.ts';
import type { PrintJobRow, TicketRow } from '#db/rows.ts';
import { transact } from '#db/engine/transact.ts';
import { askPrinter, sendToPrinter } from '#server/adapters/printer.ts';
import { formatListDate } from '#server/domain/time/dates.ts';
import type { PrinterState, PrintTrouble } from '#server/domain/counter/printing.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';
import { paperLogo } from '#server/services/site/look.ts';
import { queueTask } from '#server/services/kit/queue-task.ts';
import { happened } from '#server/services/kit/happened.ts';
import { requirePaperOrder } from './paper-order.ts';
import { paperOf } from './paper.ts';
import type { Seller } from './sell.ts';
import { counterSettings, tillOf, type Till } from './tills.ts';

/** A refilled printer is ready soon, so a waiting job tries again after this time. */
const againMs = 3_000;
/** After this time the event is over, and a job that still waits is given up. */
const giveUpMs = 12 * 3_600_000;

interface PrintAsk {
  /** The order to print; null prints a test page. */
  order_id: string | null;
  till_id: string;
  seller: Seller;
  opens_drawer?: boolean;
  /** Only the tickets whose present code has no paper yet. */
  only_new?: boolean;
}

/** Refuses: order_not_found, order_not_confirmed, till_unknown, printer_missing. */
export async function queuePrint(ctx: Ctx, ask: PrintAsk) {
  if (ask.order_id !== null) await requirePaperOrder(ctx, ask.seller, ask.order_id);
  const { printer } = await tillOf(ctx, ask.till_id);
  if (printer === null) throw new Refusal('printer_missing');
  const job: PrintJobRow = {
    id: ctx.newId(),
    order_id: ask.order_id,
    till_id: ask.till_id,
    actor: `user:${ask.seller.id}`,
    state: 'waiting',
    opens_drawer: ask.opens_drawer === true ? 1 : 0,
    only_new: ask.only_new === true ? 1 : 0,
    attempts: 0,
    last_error: null,
    created_at: ctx.now(),
    ended_at: null,
  };
  await transact(ctx.db, async (trx) => {
    await insertPrint(trx, job);
    await queueTask(ctx, trx, { task: 'print', subject: ask.till_id });
  });
  return readPrint(ctx, job.id);
}

/** @throws Refusal print_not_found */
export async function readPrint(ctx: Ctx, id: string) {
  const job = await findPrint(ctx.db, id);
  if (!job) throw new Refusal('print_not_found');
  return inWords(job);
}

/** Drops a waiting job; a printed job does not change. Refuses print_not_found. */
export async function dropPrint(ctx: Ctx, id: string): Promise<void> {
  await readPrint(ctx, id);
  await notePrint(ctx.db, id, { state: 'given_up', ended_at: ctx.now() });
}

/** @throws Refusal till_unknown */
export async function printerOf(ctx: Ctx, till_id: string) {
  const { printer } = await tillOf(ctx, till_id);
  const state: PrinterState = printer === null ? 'no_printer' : await askPrinter(printer);
  const last = await lastPrint(ctx.db, till_id);
  return {
    state,
    waiting: (await waitingPrints(ctx.db, till_id)).map(inWords),
    last: last === undefined ? null : inWords(last),
  };
}

/**
 * The worker's task: prints all waiting jobs of one till, one after another. Idempotent, because
 * each job has a state; returns when to run again.
 */
export async function printWaiting(ctx: Ctx, till_id: string): Promise<number | null> {
  const { tills } = await counterSettings(ctx);
  const till = tills.find(({ id }) => id === till_id);
  for (const job of await waitingPrints(ctx.db, till_id)) {
    const trouble = await tryJob(ctx, job, till);
    if (trouble === null) continue;
    const isOver = trouble === 'no_tickets' || ctx.now() > job.created_at + giveUpMs;
    await notePrint(ctx.db, job.id, {
      attempts: job.attempts + 1,
      last_error: trouble,
      ...(isOver && { state: 'given_up', ended_at: ctx.now() }),
    });
    if (!isOver) return ctx.now() + againMs;
  }
  return null;
}

/** Null if the job is printed, otherwise why it is not. */
async function tryJob(
  ctx: Ctx,
  job: PrintWithOrder,
  till: Till | undefined,
): Promise<PrintTrouble | null> {
  if (!till?.printer) return 'no_printer';
  const sheet = await sheetOf(ctx, job, till);
  if (sheet === null) return 'no_tickets';
  const trouble = await sendToPrinter(till.printer, sheet.bytes);
  if (trouble !== null) return trouble;
  ctx.fault('printed');
  await transact(ctx.db, async (trx) => {
    const changes = { state: 'printed', last_error: null, ended_at: ctx.now() } as const;
    if (!(await notePrint(trx, job.id, changes)) || job.order_id === null) return;
    await notePaper(trx, sheet.tickets);
    await happened(ctx, trx, {
      actor: job.actor,
      action: 'tickets_printed',
      subject: job.order_id,
    });
  });
  return null;
}

/**
 * The bytes to print, made just before printing, so that no replaced code is printed. Null if no
 * ticket is valid any more.
 */
async function sheetOf(
  ctx: Ctx,
  { order_id, opens_drawer, only_new }: PrintWithOrder,
  till: Till,
): Promise<Sheet | null> {
  // Loaded here, because only houses with a ticket printer need it.
  const { thermalTest, thermalTickets } = await import('#server/adapters/thermal-ticket.ts');
  if (order_id === null)
    return { bytes: thermalTest(till.name, formatListDate(ctx.now())), tickets: [] };
  const paper = await paperOf(ctx, order_id);
  const tickets = paper.tickets.filter(({ printed }) => only_new === 0 || !printed);
  const [first] = tickets;
  if (first === undefined) return null;
  const logo = await paperLogo(ctx, first.house);
  return {
    bytes: thermalTickets(tickets, { opens_drawer: opens_drawer === 1, logo }),
    tickets: tickets.map(({ ticket_id, revision }) => ({ id: ticket_id, revision })),
  };
}

interface Sheet {
  bytes: Uint8Array;
  /** The tickets in `bytes`, which are noted as printed afterwards. */
  tickets: Pick<TicketRow, 'id' | 'revision'>[];
}

function inWords(job: PrintWithOrder) {
  return { ...job, print_id: job.id, trouble: job.last_error };
}
