/**
 * Finds earlier buyers by a few letters, for the till. A seller who may not change orders sees
 * mail and telephone masked (RULES K7).
 */
import { buyerOf, buyersByPhone, buyersByWords, type Buyer } from '#db/counter/customers.ts';
import {
  eachOnce,
  isPersonMeant,
  maskMail,
  maskPhone,
  readCustomerSearch,
} from '#server/domain/counter/customers.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { may } from '#server/domain/user/rights.ts';
import type { Role } from '#server/domain/user/user.ts';
import type { Ctx } from '#server/services/context.ts';

const mostShown = 8;
/** More orders are read than shown, because several orders of one customer become one entry. */
const mostRead = 100;

/** The customers, newest first; empty if too little was typed. */
export async function findCustomers(ctx: Ctx, role: Role, q: string) {
  const found = eachOnce(await buyersFor(ctx, q)).slice(0, mostShown);
  const isWhole = may(role, 'change_orders');
  return {
    items: found.map(({ order_id, buyer_name, buyer_email, buyer_phone }) => ({
      customer_id: order_id,
      name: buyer_name,
      email: isWhole || buyer_email === null ? buyer_email : maskMail(buyer_email),
      phone: isWhole || buyer_phone === null ? buyer_phone : maskPhone(buyer_phone),
    })),
  };
}

async function buyersFor(ctx: Ctx, q: string): Promise<Buyer[]> {
  const search = readCustomerSearch(q);
  if (search === null) return [];
  if ('digits' in search) return buyersByPhone(ctx.db, search.digits, mostRead);
  const buyers = await buyersByWords(ctx.db, search.words, mostRead);
  return buyers.filter((buyer) => isPersonMeant(buyer, search.words));
}

/**
 * The mail and telephone of an earlier buyer, unmasked: the sale needs them though the seller may
 * not see them. Refuses customer_unknown.
 */
export async function reachOf(ctx: Ctx, customer_id: string) {
  const buyer = await buyerOf(ctx.db, customer_id);
  if (!buyer) throw new Refusal('customer_unknown');
  return { email: buyer.buyer_email ?? undefined, phone: buyer.buyer_phone ?? undefined };
}
