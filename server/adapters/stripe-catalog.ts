/** Makes products with their prices at Stripe, and archives or restores them. */
import type { Stripe } from 'stripe';
import { eachBy } from './provider.ts';
import { askingStripe, orNull } from './stripe-call.ts';
import { hasOurMark, withMark, type HouseId } from './stripe-mark.ts';

export interface Catalog {
  /**
   * Makes a product with our own id, so that it can be found if the answer is lost. The same key
   * makes only one product.
   */
  makeProduct(ask: { id: string; name: string }, idempotencyKey: string): Promise<void>;
  /** Makes a price in euros, paid once; returns Stripe's id. The same key makes one price. */
  makePrice(
    ask: { product_id: string; unit_amount: number },
    idempotencyKey: string,
  ): Promise<string>;
  /** Sets the name that buyers read; no error for an unknown product. */
  nameProduct(product_id: string, name: string): Promise<void>;
  /**
   * Activates or archives a product with our prices; no error for an unknown product. A price that
   * another shop has added to it stays for sale, and so does the product.
   */
  sellProduct(product_id: string, active: boolean): Promise<void>;
}

export function connectCatalog(stripe: Stripe, house: HouseId): Catalog {
  return eachBy<Catalog>(askingStripe, {
    async makeProduct({ id, name }, idempotencyKey) {
      const metadata = withMark(await house());
      await stripe.products.create({ id, name, metadata }, { idempotencyKey });
    },
    async makePrice({ product_id, unit_amount }, idempotencyKey) {
      const price = await stripe.prices.create(
        {
          product: product_id,
          currency: 'eur',
          unit_amount,
          metadata: withMark(await house()),
        },
        { idempotencyKey },
      );
      return price.id;
    },
    async nameProduct(product_id, name) {
      await orNull(() => stripe.products.update(product_id, { name }));
    },
    sellProduct: async (product_id, active) =>
      sellProduct(stripe, await house(), { id: product_id, active }),
  });
}

async function sellProduct(
  stripe: Stripe,
  house: string,
  { id, active }: { id: string; active: boolean },
): Promise<void> {
  const product = await orNull(() => stripe.products.retrieve(id));
  if (product === null) return;
  const { data } = await stripe.prices.list({ product: id, limit: 100 });
  const isOurs = ({ metadata }: Stripe.Price) => hasOurMark(house, metadata);
  for (const price of data.filter(isOurs))
    if (price.active !== active) await stripe.prices.update(price.id, { active });
  const othersSell = data.some((price) => price.active && !isOurs(price));
  if (product.active !== (active || othersSell))
    await stripe.products.update(id, { active: active || othersSell });
}
