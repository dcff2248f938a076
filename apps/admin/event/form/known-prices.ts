/** Queries for Stripe prices: those typed in the form, and those of other events. */
import { useEffect, useState } from 'react';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { listEvents } from '#server/contract/events.ts';
import { mostPrices, readPrices } from '#server/contract/prices.ts';
import { formatEuro } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { priceFaultWords } from '#apps/admin/order/refund/money-words.ts';
import { useAllPages } from '#apps/admin/kit/list/all-pages.ts';

export type StripePrice = ReplyOf<typeof readPrices>['items'][number];
/** `asking`: no answer yet; `silent`: Stripe does not answer. */
export type PriceFound =
  | { kind: 'none' | 'asking' | 'silent' | 'unknown' }
  | { kind: 'known'; price: StripePrice };

const priceForm = /^[\w-]{4,100}$/;
const freshMs = 30_000;

/** Asks Stripe about the typed codes after a pause in typing. */
export function usePrices(typed: readonly string[]): (priceId: string) => PriceFound {
  const wanted = [...new Set(typed.map((id) => id.trim()))]
    .filter((id) => priceForm.test(id))
    .sort()
    .slice(0, mostPrices)
    .join(',');
  const [asked, setAsked] = useState(wanted);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), 400);
    return () => clearTimeout(timer);
  }, [wanted]);
  const { data, isError } = useEndpoint(
    readPrices,
    { params: { priceIds: asked } },
    { enabled: asked !== '', staleTime: freshMs, placeholderData: (old) => old },
  );
  return (priceId) => {
    const id = priceId.trim();
    if (id === '') return { kind: 'none' };
    const price = data?.items.find((item) => item.id === id);
    if (price) return { kind: 'known', price };
    if (data?.unknown.includes(id) || !priceForm.test(id)) return { kind: 'unknown' };
    return { kind: isError ? 'silent' : 'asking' };
  };
}

/** The prices of other events, newest first, offered so that nobody copies codes. */
export function useUsedPrices(): StripePrice[] {
  const events = useAllPages(listEvents, { staleTime: freshMs });
  const ids = [
    ...new Set(
      (events.data?.items ?? []).flatMap((event) =>
        event.attributes.seat_pricing.flatMap((entry) =>
          entry.ticketTypes.map((type) => type.price_id),
        ),
      ),
    ),
  ].slice(0, mostPrices);
  const prices = useEndpoint(
    readPrices,
    { params: { priceIds: ids.join(',') } },
    { enabled: ids.length > 0, staleTime: freshMs },
  );
  return (prices.data?.items ?? []).filter((price) => price.sellable);
}

/** As in «Platea intero · 32,00 €». */
export function priceWords(price: StripePrice): string {
  const name = price.product.name ?? 'Prodotto eliminato';
  return `${price.nickname === null ? name : `${name}, ${price.nickname}`} · ${price.currency === 'eur' ? formatEuro(price.unit_amount) : price.currency.toUpperCase()}`;
}

/** Why the price cannot be sold; null: it can. */
export function priceFault(found: PriceFound): string | null {
  if (found.kind === 'unknown') return 'Stripe non conosce questo codice.';
  return found.kind === 'known' && found.price.why_not !== null
    ? `Non si può vendere. ${priceFaultWords[found.price.why_not]}`
    : null;
}
