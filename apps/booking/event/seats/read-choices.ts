/**
 * Reads the chart's selected objects as lines of the summary. It comes with the chart, because
 * nothing is chosen before.
 */
import type { EventReply } from '#apps/booking/shell/replies.ts';
import { placeKindOf, type ChosenObject } from '#apps/shared/chosen-place.ts';
import { noFees } from '#server/domain/price/fees.ts';
import {
  feesOfPlaces,
  fullPriceOf,
  placesCents,
  priceOf,
  type PricedCategory,
} from '#server/domain/price/pricing.ts';
import { traitsOf } from '#server/domain/seat/notices.ts';
import type { PlaceKind } from '#server/domain/seat/seat-name.ts';
import { placesPaid } from '#server/domain/seat/whole.ts';
import type { Choice } from './choices.ts';

/** How the page's objects are sold and named. */
export interface ChoiceTerms {
  pricing: readonly PricedCategory[];
  whole: EventReply['whole_objects'];
  /** How many come to an object sold whole, by its label; missing: as many as it has places. */
  coming: ReadonlyMap<string, number>;
  nameOf: (object: ChosenObject) => string;
}

/** Other kinds of objects, such as a whole section, are not places and are left out. */
export function choicesOf(objects: readonly ChosenObject[], terms: ChoiceTerms): Choice[] {
  return objects.flatMap((object) => {
    const kind = placeKindOf(object);
    if (kind === undefined) return [];
    const whole = wholeOf(object.label, { ...terms, kind });
    const about = {
      object_id: object.label,
      is_area: kind === 'area' && whole === null,
      name: terms.nameOf(object),
      traits: traitsOf({
        kind,
        restricted_view: object.restrictedView === true,
        accessible: object.accessible === true,
        companion: object.companionSeat === true,
        whole: whole !== null,
      }),
      whole,
    };
    return quantitiesOf(object, about).map((chosen) => ({
      ...about,
      ...chosen,
      list_cents: null,
      reason: null,
      ...pricedAs(object, { ...chosen, whole, pricing: terms.pricing }),
    }));
  });
}

function wholeOf(
  label: string,
  { whole, coming, kind }: ChoiceTerms & { kind: PlaceKind },
): Choice['whole'] {
  const offer = whole.find(({ labels }) => labels.includes(label));
  return offer === undefined ? null : { ...offer, kind, coming: coming.get(label) ?? offer.places };
}

function pricedAs(
  { category, label }: ChosenObject,
  {
    ticket_type,
    quantity,
    whole,
    pricing,
  }: Pick<Choice, 'ticket_type' | 'quantity' | 'whole'> & Pick<ChoiceTerms, 'pricing'>,
): Pick<Choice, 'type_label' | 'cents' | 'fee_cents' | 'service_cents' | 'sold'> {
  const price =
    category === undefined
      ? null
      : priceOf(pricing, { key: String(category.key), label: category.label }, ticket_type);
  if (category === undefined || price === null)
    return { type_label: null, cents: null, ...noFees, sold: null };
  const { unit_amount, ticketType, bears } = price;
  const sold = { places: quantity, per: whole?.price_per };
  return {
    sold: {
      category: category.label,
      ticket_type: ticketType,
      places_cents: placesCents(unit_amount, sold),
      bears,
      whole: whole === null ? null : label,
    },
    type_label: price.label,
    cents: fullPriceOf(price, sold),
    ...feesOfPlaces(price, sold),
  };
}

/** An area with a single price has its count under a key that is not a ticket type. */
function quantitiesOf(
  object: ChosenObject,
  { is_area, whole }: Pick<Choice, 'is_area' | 'whole'>,
): Pick<Choice, 'ticket_type' | 'quantity'>[] {
  const typed = Object.entries(object.selectionPerTicketType ?? {})
    .filter(
      ([ticketType, quantity]) =>
        ticketType !== '' && ticketType !== 'NO_TICKET_TYPE' && quantity > 0,
    )
    .map(([ticket_type, quantity]) => ({ ticket_type, quantity }));
  if (!is_area)
    return [
      {
        ticket_type: object.selectedTicketType || typed[0]?.ticket_type,
        quantity: whole === null ? 1 : placesPaid(whole, whole.coming),
      },
    ];
  if (typed.length > 0) return typed;
  const quantity = object.numSelected ?? 0;
  return quantity > 0 ? [{ ticket_type: undefined, quantity }] : [];
}
