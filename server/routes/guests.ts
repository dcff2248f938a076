/** The guests of an evening: each route connects an endpoint to its use case. */
import * as guests from '#server/contract/guests.ts';
import type { Routing } from '#server/http/serve.ts';
import { guestFile, guestList, guestPaper, guestPaperPdf } from '#server/services/event/guests.ts';

export function guestRoutes({ serve, ctx }: Routing): void {
  serve(guests.listGuests, ({ params, query }) => guestList(ctx, params.eventId, query));
  serve(guests.exportGuests, ({ params, query }) => guestFile(ctx, params.eventId, query));
  serve(guests.readGuestPaper, ({ params }) => guestPaper(ctx, params.eventId));
  serve(guests.downloadGuestPaper, ({ params }) => guestPaperPdf(ctx, params.eventId));
}
