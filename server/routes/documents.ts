/** Tickets on paper and calendar entries: each route connects an endpoint to its use case. */
import * as documents from '#server/contract/order/documents.ts';
import type { Routing } from '#server/http/serve.ts';
import { requireSeenOrder } from '#server/services/order/order-scope.ts';
import { calendarEntry, ticketsPdf } from '#server/services/order/documents.ts';

export function documentRoutes({ serve, ctx }: Routing): void {
  serve(documents.downloadTickets, ({ params, query }) =>
    ticketsPdf(ctx, params.orderId, query.ticket),
  );
  serve(documents.downloadCalendar, ({ params }) => calendarEntry(ctx, params.orderId));
  serve(documents.downloadTicketsAtDesk, async ({ params, query }, { user }) => {
    await requireSeenOrder(ctx, user, params.orderId);
    return ticketsPdf(ctx, params.orderId, query.ticket);
  });
  serve(documents.downloadCalendarAtDesk, async ({ params }, { user }) => {
    await requireSeenOrder(ctx, user, params.orderId);
    return calendarEntry(ctx, params.orderId);
  });
}
