/** Events: endpoint to use case, one line each. */
import { getEvent, listEvents, listPublished, readEvent } from '#server/contract/events.ts';
import { serve, type House } from '#server/http/serve.ts';
import { eventForOffice, eventPage, eventsForOffice, publishedEvents } from '#server/services/events.ts';

export function eventRoutes(house: House): void {
  serve(house, listPublished, () => publishedEvents(house.ctx));
  serve(house, getEvent, ({ params }) => eventPage(house.ctx, params.eventId));
  serve(house, listEvents, () => eventsForOffice(house.ctx));
  serve(house, readEvent, ({ params }) => eventForOffice(house.ctx, params.eventId));
}
