/**
 * Finds earlier buyers by a few letters for the till; sellers who may not change orders see mail
 * and telephone masked (RULES K7).
 */
import { buyerOf, buyersByPhone, buyersByWords, type Buyer } from '#db/counter/customers.ts';
import { settingOnce } from '#db/settings.ts';
import {
  contactFor,
  eachOnce,
  isPersonMeant,
  type CustomerSearch,
  readCustomerSearch,
  seesContacts,
} from '#server/domain/counter/customers.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Ctx } from '#server/services/context.ts';
import { memo } from '#server/services/kit/memo.ts';
import { isSealedWith, seal, unseal, useSealingKey } from '#server/services/kit/sealing.ts';
import { countShared } from '#server/services/kit/shared-counts.ts';
import type { Viewer } from '#server/services/order/order-scope.ts';
import { countReading } from '#server/services/user/unusual.ts';
import { newToken } from '#server/services/user/secrets.ts';

const mostShown = 8;
/** Several orders of one customer are shown as one. */
const mostRead = 100;
/** The limits of one seller's searches; typing one name takes a few of them. */
const mostSearches = [
  { points: 40, duration: 60 },
  { points: 600, duration: 86_400 },
];
/** For this time after a search a sale may name a customer that it found. */
const foundForMs = 30 * 60_000;

/**
 * Newest first; empty if too little was typed. A seller who sees contacts masked gets none if
 * more people match than are shown, so that a few letters do not list all customers.
 * @throws Refusal too_many_requests
 */
export async function findCustomers(ctx: Ctx, viewer: Viewer, q: string) {
  const search = readCustomerSearch(q);
  if (search === null) return { items: [], too_many: false };
  await countSearch(ctx, viewer);
  const buyers = await buyersFor(ctx, search);
  const found = eachOnce(buyers.filter((buyer) => isPersonMeant(viewer.role, buyer, search)));
  const too_many = found.length > mostShown && !seesContacts(viewer.role);
  const shown = too_many ? [] : found.slice(0, mostShown);
  const key = await keyOf(ctx);
  const until = ctx.now() + foundForMs;
  return {
    items: shown.map((buyer) => {
      const { buyer_email, buyer_phone } = contactFor(viewer.role, { ...buyer, contact_hidden: 1 });
      return {
        customer_id: seal(JSON.stringify([viewer.id, until, buyer.order_id]), key),
        name: buyer.buyer_name,
        email: buyer_email,
        phone: buyer_phone,
      };
    }),
    too_many,
  };
}

async function countSearch(ctx: Ctx, { id }: Viewer): Promise<void> {
  await countReading(ctx, id, 'search');
  for (const rate of mostSearches) {
    const waitMs = await countShared(ctx, `customers ${rate.duration} ${id}`, rate);
    if (waitMs > 0)
      throw new Refusal('too_many_requests', { retry_after_seconds: Math.ceil(waitMs / 1_000) });
  }
}

async function buyersFor(ctx: Ctx, search: CustomerSearch): Promise<Buyer[]> {
  return 'digits' in search
    ? buyersByPhone(ctx.db, search.digits, mostRead)
    : buyersByWords(ctx.db, search.words, mostRead);
}

/**
 * Mail and telephone of an earlier buyer whom this seller has found, even if masked; then
 * `contact_hidden` keeps them masked in the new order.
 * @throws Refusal customer_unknown
 */
export async function reachOf(ctx: Ctx, viewer: Viewer, customer_id: string) {
  const order_id = await orderIn(ctx, viewer, customer_id);
  const buyer = order_id === null ? undefined : await buyerOf(ctx.db, order_id);
  if (!buyer) throw new Refusal('customer_unknown');
  return {
    email: buyer.buyer_email ?? undefined,
    phone: buyer.buyer_phone ?? undefined,
    contact_hidden: seesContacts(viewer.role) ? (0 as const) : (1 as const),
  };
}

/** The order in an id that this seller got; null if the id is another's, too old or forged. */
async function orderIn(ctx: Ctx, { id }: Viewer, customer_id: string): Promise<string | null> {
  // unseal() returns a text that was never sealed as it is.
  if (!isSealedWith(customer_id, await keyOf(ctx))) return null;
  try {
    const [person, until, order_id] = JSON.parse(unseal(customer_id)) as [string, number, string];
    return person === id && until > ctx.now() ? order_id : null;
  } catch {
    return null;
  }
}

const keys = memo<Buffer>({ freshMs: Number.POSITIVE_INFINITY });

/** Made once and stored, so that every process opens what another one sealed. */
function keyOf(ctx: Ctx): Promise<Buffer> {
  return keys.get(ctx.memory, {
    async ask() {
      const key = Buffer.from(await settingOnce(ctx.db, 'customers_key', newToken), 'base64url');
      useSealingKey(key);
      return key;
    },
  });
}
