/** Tickets on paper and calendar entries: endpoint to use case, one line each. */
import { downloadCalendar, downloadTickets } from '#server/contract/documents.ts';
import { serve, type House } from '#server/http/serve.ts';
import { calendarEntry, ticketsPdf } from '#server/services/booking/documents.ts';

export function documentRoutes(house: House): void {
  serve(house, downloadTickets, ({ params, query }) =>
    ticketsPdf(house.ctx, params.orderId, query.ticket),
  );
  serve(house, downloadCalendar, ({ params }) => calendarEntry(house.ctx, params.orderId));
}
