/** What the map says about a table, a booth or an area that is sold whole. */
import type { EventReply } from '#apps/booking/shell/replies.ts';
import type { ChosenObject } from '#apps/shared/chosen-place.ts';
import { formatCount, formatEuro } from '#apps/shared/format.ts';
import {
  fullPrice,
  fullPriceOf,
  typesInCategory,
  type PricedCategory,
} from '#server/domain/price/pricing.ts';

type Whole = EventReply['whole_objects'][number];

/** For the chart's option `popoverInfo`, which our script and the vendor's have. */
export function sayWhole(whole: readonly Whole[], pricing: readonly PricedCategory[]) {
  return (object: Pick<ChosenObject, 'label' | 'category'>): string => {
    const offer = whole.find(({ labels }) => labels.includes(object.label));
    if (offer === undefined) return '';
    const { key, label } = object.category ?? { key: '', label: '' };
    const types = typesInCategory(pricing, { key: String(key), label });
    return wholeInfo(offer, types);
  };
}

function wholeInfo(
  { places, minimum, price_per: per }: Whole,
  types: readonly PricedCategory['ticketTypes'][number][],
): string {
  const seats = formatCount(places, 'posto', 'posti');
  const from = (cents: number[]) =>
    `${cents.length > 1 ? 'da ' : ''}${formatEuro(Math.min(...cents))}`;
  const each = per === 'object' ? 'un prezzo per tutti' : `${from(types.map(fullPrice))} a posto`;
  const least = from(types.map((type) => fullPriceOf(type, { places: minimum, per })));
  const price = types.length === 0 ? '' : `, ${each}`;
  if (minimum === places) return `Si compra intero: ${seats}${price}`;
  if (per === 'object') return `Si compra intero: ${seats}${price}, anche se siete meno`;
  const fewest = minimum === 1 ? 'si paga almeno 1 posto' : `si pagano almeno ${minimum} posti`;
  return `Si compra intero: ${seats}${price}. Potete essere meno: ${fewest}${types.length === 0 ? '' : ` (${least})`}`;
}
