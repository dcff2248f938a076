/** Where this tab keeps the change of date that it is at. */
import { keptText } from '#apps/booking/shell/kept-text.ts';

/** As JSON. */
export interface WantedExchange {
  /** The secret of the old order's link. */ order_id: string;
  ticket_ids: string[];
  worth_cents: number;
  fee_cents: number;
  /** Of the old evening. */ starts_at: string;
  /** The evenings to choose from. */ event_ids: string[];
}

export const keptExchange = keptText('sessionStorage', 'botteghino.exchange.1');
