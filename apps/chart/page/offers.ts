/** How ticket types are shown wherever one is chosen: name, remarks, both prices, fees. */
import { fillLive, make } from './dom.ts';
import type { Offer, PriceList } from '#apps/chart/places/pricing.ts';
import { translate, words } from '#apps/chart/words.ts';

/** The name of a ticket type with its remarks. */
export function makeOfferName(offer: Offer): HTMLElement {
  const name = make('span', { className: 'bsc-offer-name' }, translate(offer.label));
  name.append(...offerNotes(offer));
  return name;
}

/** The small print under the name: the remark, and why it is not available. */
export function offerNotes(offer: Offer): HTMLElement[] {
  const notes: HTMLElement[] = [];
  if (offer.description) notes.push(make('small', {}, translate(offer.description)));
  if (offer.unavailable) notes.push(make('small', { className: 'bsc-why' }, reasonOf(offer)));
  return notes;
}

function reasonOf({ unavailableReason = 'unavailable' }: Offer): string {
  if (unavailableReason === 'unavailable') return words.unavailable;
  return unavailableReason === 'soldOut' ? words.soldOut : translate(unavailableReason);
}

/** The price, with the former price struck out beside it and the fees under it. */
export function makePrice(offer: Offer, prices: PriceList): HTMLElement {
  return fillLive(make('span', { className: 'bsc-amount' }), (price) =>
    price.replaceChildren(...priceParts(offer, prices)),
  );
}

function priceParts(offer: Offer, prices: PriceList): (Node | string)[] {
  const before =
    offer.originalPrice === undefined || offer.originalPrice === offer.price
      ? ''
      : prices.write(offer.originalPrice);
  const price = make('b', {}, offer.formatted);
  const fees = prices.feesIncluded ? words.fees : words.feesAdded;
  return [
    // A struck-out number is read aloud like any other, so it is also announced in words.
    ...(before ? [make('s', { attributes: { 'aria-hidden': 'true' } }, before), ' '] : []),
    price,
    ...(before ? [make('span', { className: 'bsc-silent' }, ` ${words.insteadOf(before)}`)] : []),
    ...(offer.fee ? [make('small', {}, fees(prices.write(offer.fee)))] : []),
  ];
}
