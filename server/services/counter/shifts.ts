/**
 * Opens, reads and closes one person's shift at a till; a closed one never changes (RULES K3).
 */
import { isUniqueViolation, type Trx } from '#db/engine/dialect.ts';
import type { ShiftRow } from '#db/rows.ts';
import {
  closeShift,
  findShift,
  insertMove,
  insertShift,
  listShifts,
  lockOpenShift,
  notClosed,
  openShiftAt,
  openShiftOf,
} from '#db/counter/shifts.ts';
import { transact } from '#db/engine/transact.ts';
import { countDrawer, isBlind } from '#server/domain/counter/counter.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { may } from '#server/domain/user/rights.ts';
import { requireValue } from '#server/domain/require-value.ts';
import type { Ctx } from '#server/services/context.ts';
import { listPage, type ListAsk } from '#server/services/kit/page.ts';
import { requireCash } from '#server/services/payment/drawer.ts';
import { namesOf } from '#server/services/user/actors.ts';
import { happened } from '#server/services/kit/happened.ts';
import { rebuiltTill, rebuiltWords } from './rebuilt-shift.ts';
import { hideCash, readShift, type ShiftReport } from './shift-report.ts';
import type { Seller } from './sell.ts';
import { tillOf } from './tills.ts';

/** @throws Refusal till_unknown, shift_open, till_busy */
export async function openShift(
  ctx: Ctx,
  seller: Seller,
  { till_id, float_cents }: { till_id: string; float_cents: number },
) {
  const till = await tillOf(ctx, till_id);
  const shift: ShiftRow = {
    id: ctx.newId(),
    user_id: seller.id,
    till_id,
    till_name: till.name,
    float_cents,
    opened_at: ctx.now(),
    ...notClosed,
  };
  await transact(ctx.db, async (trx) => {
    if (await openShiftOf(trx, seller.id)) throw new Refusal('shift_open');
    const there = await openShiftAt(trx, till_id);
    if (there) throw new Refusal(there.user_id === seller.id ? 'shift_open' : 'till_busy');
    await insertShift(trx, shift);
    await happened(ctx, trx, {
      actor: `user:${seller.id}`,
      action: 'shift_opened',
      subject: shift.id,
      detail: { till: till.name, float_cents },
    });
  }).catch(async (error: unknown) => {
    // A concurrent call has opened a shift first, perhaps because the same person tapped twice.
    if (!isUniqueViolation(error)) throw error;
    throw new Refusal((await openShiftOf(ctx.db, seller.id)) ? 'shift_open' : 'till_busy');
  });
  return shiftInWords(ctx, seller, shift);
}

/** `below_zero`: the office takes out more than should lie in the drawer. */
interface CashMove {
  amount_cents: number;
  reason: string;
  below_zero?: boolean;
}

/**
 * Notes cash that was put in (above zero) or taken out (below zero). Refuses shift_not_open,
 * drawer_too_low.
 */
export async function moveCash(
  ctx: Ctx,
  seller: Seller,
  { amount_cents, reason, below_zero }: CashMove,
) {
  const shift = await transact(ctx.db, async (trx) => {
    const open = await lockOpenShift(trx, seller.id);
    if (!open) throw new Refusal('shift_not_open');
    const giver = { user_id: seller.id, role: seller.role };
    await requireCash(trx, {
      shift: open,
      taken: Math.max(0, -amount_cents),
      giver: below_zero === true ? { ...giver, drawer_reason: reason } : giver,
    });
    const at = ctx.now();
    await insertMove(trx, { id: ctx.newId(), shift_id: open.id, amount_cents, reason, at });
    await happened(ctx, trx, {
      actor: `user:${seller.id}`,
      action: 'shift_moved',
      subject: open.id,
      detail: { amount_cents, reason },
    });
    return open;
  });
  return shiftInWords(ctx, seller, shift);
}

interface ClosingAsk {
  /** If left out, the seller's own shift. */
  shift_id?: string;
  /** How many of each coin and note, by its value in cents. */
  pieces: Record<string, number>;
  /** The sum that the seller saw; left out: a count that is blind. */
  expected_cents?: number;
  difference_reason?: string;
}

/**
 * Closes a shift: compares the counted drawer with what it must contain, and stores the reading
 * for ever. A count that differs without a reason is kept in the registry and refused with the
 * difference. Refuses: shift_not_found, shift_not_open, bad_request (there is no such coin),
 * shift_changed (a sale was made meanwhile), difference_unexplained.
 */
export async function endShift(ctx: Ctx, seller: Seller, ask: ClosingAsk) {
  const counted_cents = countDrawer(ask.pieces);
  const difference_reason = ask.difference_reason?.trim() || null;
  const ended = await transact(ctx.db, async (trx) => {
    const shift = await shiftToClose(trx, seller, ask.shift_id);
    if (!shift) throw new Refusal('shift_not_open');
    const report = await readShift(trx, shift);
    const { expected_cents } = report;
    if (expected_cents !== (ask.expected_cents ?? expected_cents))
      throw new Refusal('shift_changed', isBlind(seller.role, shift) ? {} : { expected_cents });
    if (counted_cents !== expected_cents && difference_reason === null) {
      const detail = { counted_cents, expected_cents };
      const actor = `user:${seller.id}` as const;
      await happened(ctx, trx, { actor, action: 'shift_counted', subject: shift.id, detail });
      return new Refusal('difference_unexplained', detail);
    }
    await closeShift(trx, shift.id, {
      closed_at: ctx.now(),
      pieces: JSON.stringify(ask.pieces),
      counted_cents,
      expected_cents,
      difference_reason,
      report: JSON.stringify(report),
    });
    await happened(ctx, trx, {
      actor: `user:${seller.id}`,
      action: 'shift_closed',
      subject: shift.id,
      detail: { counted_cents, expected_cents, reason: difference_reason },
    });
    return shift.id;
  });
  if (ended instanceof Refusal) throw ended;
  return shiftInWords(ctx, seller, requireValue(await findShift(ctx.db, ended), 'shift'));
}

/**
 * The shift to close: one's own, or for the office that of a seller who left without counting,
 * because an open shift blocks the till.
 */
async function shiftToClose(trx: Trx, seller: Seller, id: string | undefined) {
  if (id === undefined) return lockOpenShift(trx, seller.id);
  const shift = await findShift(trx, id);
  const mayClose = shift && (shift.user_id === seller.id || may(seller.role, 'close_shifts'));
  if (!mayClose) throw new Refusal('shift_not_found');
  const open = await lockOpenShift(trx, shift.user_id);
  return open?.id === id ? open : undefined;
}

/** The shift, if it is the reader's own or the reader is of the office; or shift_not_found. */
export async function shiftFor(ctx: Ctx, reader: Seller, id: string) {
  const shift = await findShift(ctx.db, id);
  const mayRead = shift && (shift.user_id === reader.id || may(reader.role, 'see_shifts'));
  if (!mayRead) throw new Refusal('shift_not_found');
  return shiftInWords(ctx, reader, shift);
}

/** Null if the seller has no open shift. */
export async function ownShift(ctx: Ctx, seller: Seller) {
  const shift = await openShiftOf(ctx.db, seller.id);
  return shift ? shiftInWords(ctx, seller, shift) : null;
}

/** The reader's shifts, newest first; for the office everybody's. */
export async function shiftList(ctx: Ctx, reader: Seller, { limit, cursor }: ListAsk) {
  const user_id = may(reader.role, 'see_shifts') ? undefined : reader.id;
  const { rows, next_cursor } = await listPage(
    { limit, cursor },
    (page) => listShifts(ctx.db, { user_id }, page),
    { timeOf: (row) => row.opened_at, textsOf: (row) => [row.till_name] },
  );
  const nameOf = await namesOf(
    ctx.db,
    rows.map((row) => `user:${row.user_id}`),
  );
  return { items: rows.map((row) => headOf(row, nameOf)), next_cursor };
}

/** The shift with its reading: the present one, or if it is closed the one stored then. */
async function shiftInWords(ctx: Ctx, reader: Seller, shift: ShiftRow) {
  const report =
    shift.report === null
      ? await readShift(ctx.db, shift)
      : (JSON.parse(shift.report) as ShiftReport);
  const nameOf = await namesOf(ctx.db, [`user:${shift.user_id}`]);
  return {
    ...headOf(shift, nameOf),
    pieces: shift.pieces === null ? null : (JSON.parse(shift.pieces) as Record<string, number>),
    report: isBlind(reader.role, shift) ? hideCash(report) : report,
  };
}

function headOf(shift: ShiftRow, nameOf: (actor: string) => string) {
  const user_name =
    shift.till_id === rebuiltTill ? rebuiltWords.seller : nameOf(`user:${shift.user_id}`);
  return { ...shift, shift_id: shift.id, user_name };
}
