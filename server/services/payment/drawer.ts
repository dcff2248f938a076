/** The tills that pay a refund by hand, and whether a person may take it there (RULES K3). */
import type { Db, Trx } from '#db/engine/dialect.ts';
import { cashIn, lockOpenShifts, openShiftOf } from '#db/counter/shifts.ts';
import { exchangeInto } from '#db/order/exchanges.ts';
import { paymentsOf } from '#db/payment/payments.ts';
import { handedBackOf, type HandedBack, type RefundPart } from '#db/payment/refund-parts.ts';
import type { OrderRow, PaymentRow, ShiftRow } from '#db/rows.ts';
import { isBlind, mayGiveBack } from '#server/domain/counter/counter.ts';
import {
  leftByHand,
  proportionalParts,
  sumOfParts,
  type HandPart,
} from '#server/domain/counter/hand-back.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { may } from '#server/domain/user/rights.ts';
import type { Role } from '#server/domain/user/user.ts';

/**
 * The person who hands the money over. `ways`: its parts; left out: as it was paid.
 * `drawer_reason`: why it is taken from a till of another person, or leaves a drawer below zero.
 */
export interface Giver {
  user_id: string;
  role: Role;
  ways?: readonly HandPart[];
  drawer_reason?: string;
}

/** The parts in which a sum of this order goes back unless a person says otherwise. */
export async function defaultParts(
  db: Db,
  order_id: string,
  amount_cents: number,
): Promise<HandPart[]> {
  const paid: PaymentRow[] = [];
  const back: HandedBack[] = [];
  for (const id of await paidThrough(db, order_id)) {
    paid.push(...(await paymentsOf(db, id)).filter(({ kind }) => kind === 'manual'));
    back.push(...(await handedBackOf(db, id)));
  }
  return proportionalParts(amount_cents, leftByHand(paid, back));
}

/** The order and those of other dates whose tickets paid for it (RULES M6). */
async function paidThrough(db: Db, order_id: string): Promise<string[]> {
  const exchange = await exchangeInto(db, order_id);
  if (exchange?.state !== 'done') return [order_id];
  return [order_id, ...(await paidThrough(db, exchange.from_order_id))];
}

interface Handing {
  trx: Trx;
  order: OrderRow;
  amount_cents: number;
  giver: Giver;
}

/**
 * The parts of the refund, each with the open shift that pays it; none if no money goes back.
 * @throws Refusal shift_not_open, not_own_shift, transfer_not_allowed, ways_wrong, drawer_too_low
 */
export async function takeFromTills(handing: Handing): Promise<RefundPart[]> {
  const { trx, order, amount_cents, giver } = handing;
  const own = await openShiftOf(trx, giver.user_id);
  await requireOwn(handing, own?.id ?? null);
  if (amount_cents === 0) return [];
  const asked = giver.ways ?? (await defaultParts(trx, order.id, amount_cents));
  if (sumOfParts(asked) !== amount_cents) throw new Refusal('ways_wrong', { amount_cents });
  const parts = asked.map((part): RefundPart => {
    const shift_id = part.method === 'transfer' ? null : part.shift_id;
    if (shift_id === undefined && !own) throw new Refusal('shift_not_open');
    return { ...part, shift_id: shift_id === undefined ? (own?.id ?? null) : shift_id };
  });
  requireMayUse(giver, parts, own?.id ?? null);
  const ids = new Set(parts.flatMap(({ shift_id }) => shift_id ?? []));
  const shifts = await lockOpenShifts(trx, [...ids]);
  if (shifts.length < ids.size) throw new Refusal('shift_not_open');
  for (const shift of shifts) await requireCash(trx, { shift, taken: cashOf(parts, shift), giver });
  return parts;
}

async function requireOwn({ trx, order, amount_cents, giver }: Handing, own: string | null) {
  if (may(giver.role, 'refund')) return;
  // A gift that was given without a shift ends without one.
  const isTill = amount_cents > 0 || order.shift_id !== null;
  if (own === null && isTill) throw new Refusal('shift_not_open');
  const paid_in = (await paymentsOf(trx, order.id)).map(({ shift_id }) => shift_id);
  const { sold_by, shift_id } = order;
  const by = { id: giver.user_id, role: giver.role };
  if (!mayGiveBack(by, { sold_by, shift_id, paid_in }, own)) throw new Refusal('not_own_shift');
}

/** Only the office pays from a till of another person, or from none. */
function requireMayUse(
  { role, drawer_reason }: Giver,
  parts: readonly RefundPart[],
  own: string | null,
): void {
  const isOffice = may(role, 'refund');
  if (parts.some(({ method }) => method === 'transfer') && !may(role, 'book_transfers'))
    throw new Refusal('transfer_not_allowed');
  const others = parts.filter(({ shift_id }) => shift_id !== null && shift_id !== own);
  const none = parts.filter(({ method, shift_id }) => method !== 'transfer' && shift_id === null);
  if (!isOffice && others.length + none.length > 0) throw new Refusal('not_own_shift');
  if (others.length > 0 && drawer_reason === undefined)
    throw new Refusal('bad_request', { fields: ['drawer_reason'] });
}

function cashOf(parts: readonly RefundPart[], { id }: ShiftRow): number {
  return sumOfParts(parts.filter(({ method, shift_id }) => method === 'cash' && shift_id === id));
}

/**
 * Refuses drawer_too_low unless the money lies in the drawer; the office may say with a reason
 * that it does all the same. The shift must be locked.
 */
export async function requireCash(
  trx: Trx,
  { shift, taken, giver }: { shift: ShiftRow; taken: number; giver: Omit<Giver, 'ways'> },
): Promise<void> {
  if (taken === 0 || (giver.drawer_reason !== undefined && may(giver.role, 'refund'))) return;
  const in_drawer_cents = await cashIn(trx, shift);
  if (taken <= in_drawer_cents) return;
  const told = isBlind(giver.role, shift) ? {} : { in_drawer_cents };
  throw new Refusal('drawer_too_low', { till: shift.till_name, ...told });
}
