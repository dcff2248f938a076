/**
 * Codes of price rules: what a code opens in a sale, and its uses, which are claimed in the
 * transaction that stores an order and given back in the one that ends it unpaid (RULES P7).
 */
import type { Db, Trx } from '#db/engine/dialect.ts';
import {
  countUses,
  giveUsesBack,
  insertUses,
  liveCode,
  raiseUses,
  raiseUsesAnyway,
  renewUse,
  spellingOf,
  usesOf,
} from '#db/event/price-codes.ts';
import type { OrderRow, PriceCodeRow } from '#db/rows.ts';
import { recoveredToken } from '#server/domain/order/order-record.ts';
import { codeClaimsOf } from '#server/domain/order/priced-order.ts';
import { isUsedUp, takesCodes, type CodeClaim } from '#server/domain/price/code.ts';
import {
  isInForce,
  type CodeRule,
  type PriceRule,
  type SaleChannel,
  type UsingRule,
} from '#server/domain/price/rule.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { addressKey } from '#server/domain/text/mail-address.ts';
import { romeDay, startOfDay } from '#server/domain/time/rome-clock.ts';
import type { Ctx } from '#server/services/context.ts';
import { firstVersionOf } from './rule-desk.ts';

export interface PriceCode {
  code: PriceCodeRow;
  rule: UsingRule | CodeRule;
}

interface CodeSale {
  /** The rules that count for the date. */
  rules: readonly PriceRule[];
  channel: SaleChannel;
  /** The moment whose rules apply; if left out, now. */
  at?: number | undefined;
}

/**
 * The rule that the code of this spelling opens in this sale; null: none.
 * @throws Refusal code_used_up
 */
export async function priceCodeOf(
  ctx: Ctx,
  spelling: string,
  { rules, channel, at = ctx.now() }: CodeSale,
): Promise<PriceCode | null> {
  const code = await liveCode(ctx.db, spelling);
  // A page may still have an older version of the rule.
  const first = code && firstVersionOf(code.rule_id);
  const rule = rules.find(({ id }) => firstVersionOf(id) === first);
  if (!code || !rule || !takesCodes(rule)) return null;
  if (!isInForce(rule, { now: at, channel, opened: [rule.id] })) return null;
  if (isUsedUp(code) || (await isDayOver(ctx.db, code, ctx.now())))
    throw new Refusal('code_used_up', { fields: ['codes'], code: spelling });
  return { code, rule };
}

async function isDayOver(db: Db, code: PriceCodeRow, at: number): Promise<boolean> {
  const { id: code_id, most_orders_a_day: most } = code;
  if (most === null) return false;
  const from = startOfDay(romeDay(at));
  const before = startOfDay(romeDay(at) + 1);
  return (await countUses(db, { code_id, from, before })) >= most;
}

async function isAddressOver(trx: Trx, code: PriceCodeRow, address: string | null) {
  const { id: code_id, most_orders_an_address: most } = code;
  if (most === null) return false;
  if (address === null) throw new Refusal('code_needs_address', { fields: ['address'] });
  return (await countUses(trx, { code_id, address })) >= most;
}

interface Claiming {
  claim: CodeClaim;
  address: string | null;
  at: number;
}

/** Counts the use and locks the code's row until the commit. @throws Refusal code_used_up */
async function countClaim(trx: Trx, { claim, address, at }: Claiming): Promise<void> {
  const code = await raiseUses(trx, { id: claim.code_id, tickets: claim.tickets });
  if (!code || (await isDayOver(trx, code, at)) || (await isAddressOver(trx, code, address)))
    throw new Refusal('code_used_up', {
      fields: ['codes'],
      code: await spellingOf(trx, claim.code_id),
    });
}

/** Every transaction locks codes in this order, so that two do not wait for each other. */
function inOrder(claims: readonly CodeClaim[]): CodeClaim[] {
  return claims.toSorted((a, b) => (a.code_id < b.code_id ? -1 : 1));
}

/** How the buyer's address is kept and compared. */
function addressMark(address: string | null): string | null {
  return address === null ? null : addressKey(address);
}

type ClaimOrder = Pick<OrderRow, 'id' | 'priced_by'>;

/**
 * Counts the uses of a new order before its rows are written. Returns a function that stores the
 * uses after the order's rows.
 * @throws Refusal code_used_up, code_needs_address
 */
export async function claimCodes(
  ctx: Ctx,
  trx: Trx,
  { order, address }: { order: ClaimOrder; address: string | null },
): Promise<() => Promise<void>> {
  const claims = inOrder(codeClaimsOf(order));
  const at = ctx.now();
  const mark = addressMark(address);
  for (const claim of claims) await countClaim(trx, { claim, address: mark, at });
  return () =>
    insertUses(
      trx,
      claims.map((claim) => ({
        ...claim,
        id: ctx.newId(),
        order_id: order.id,
        address: mark,
        used_at: at,
        given_back_at: null,
      })),
    );
}

/**
 * Claims the codes of an ended order that is paid late. An order that a restored house rebuilt from
 * Stripe has no stored uses, so they are counted again whatever the limits.
 * @throws Refusal code_used_up
 */
export async function claimCodesAgain(ctx: Ctx, trx: Trx, order: OrderRow): Promise<void> {
  const claims = inOrder(codeClaimsOf(order));
  const known = claims.length === 0 ? [] : await usesOf(trx, order.id);
  for (const claim of claims) {
    const use = known.find(({ code_id }) => code_id === claim.code_id);
    if (use !== undefined) {
      await countClaim(trx, { claim, address: use.address, at: use.used_at });
      await renewUse(trx, use.id);
    } else if (order.hold_token === recoveredToken(order.id))
      await recoverUse(ctx, trx, order, claim);
  }
}

/** Nothing is left to count if the restored database does not have the code. */
async function recoverUse(ctx: Ctx, trx: Trx, order: OrderRow, claim: CodeClaim): Promise<void> {
  const { code_id: id, tickets } = claim;
  if (!(await raiseUsesAnyway(trx, { id, tickets }))) return;
  const use = { ...claim, id: ctx.newId(), order_id: order.id, address: null };
  await insertUses(trx, [{ ...use, used_at: order.created_at, given_back_at: null }]);
}

/** The uses of an order that ends unpaid come back. */
export async function giveCodesBack(ctx: Ctx, trx: Trx, order: ClaimOrder): Promise<void> {
  if (codeClaimsOf(order).length > 0) await giveUsesBack(trx, [order.id], ctx.now());
}
