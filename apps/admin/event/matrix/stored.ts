/** A table of prices as it is stored and sent, and one of its cells as it is typed. */
import type { Asked, ReplyOf } from '#server/contract/endpoint.ts';
import type { readEventPrices, saveEventPrices } from '#server/contract/price-matrix.ts';

type EventMatrix = ReplyOf<typeof readEventPrices>;
/** The prices of an event or a show. */
export type Matrix = Pick<EventMatrix, 'version' | 'types' | 'sectors' | 'fee' | 'phases'> &
  Partial<Pick<EventMatrix, 'phase_now'>>;
export type MatrixBody = Asked<typeof saveEventPrices>['body']['prices'];

/**
 * With a `price_id` the text shows that Stripe price's amount; without, the text is the price.
 */
export interface Cell {
  text: string;
  price_id: string | null;
}
