/** Events: each route connects an endpoint to its use case. */
import * as eventDesk from '#server/contract/event-desk.ts';
import { previewPage } from '#server/contract/event-preview.ts';
import * as events from '#server/contract/events.ts';
import * as postponements from '#server/contract/postponements.ts';
import type { Routing } from '#server/http/serve.ts';
import {
  createEvent,
  duplicateEvent,
  eventForOffice,
  publishEvent,
  unpublishEvent,
  updateEvent,
} from '#server/services/event/desk.ts';
import { previewEvent } from '#server/services/event/met-tickets.ts';
import { deleteEvent } from '#server/services/event/deletion.ts';
import { postponeEvent, postponementForOffice } from '#server/services/event/postponement.ts';
import { nameObjects } from '#server/services/event/place-names.ts';
import { answerPostponement } from '#server/services/refund/postponed.ts';
import {
  eventPage,
  eventsForOffice,
  pageForOffice,
  publishedEvents,
} from '#server/services/event/events.ts';

export function eventRoutes({ serve, ctx }: Routing): void {
  serve(events.listPublished, () => publishedEvents(ctx));
  serve(events.getEvent, ({ params }) => eventPage(ctx, params.eventId));
  serve(events.namePlaces, ({ params, body }) => nameObjects(ctx, params.eventId, body.objects));
  serve(previewPage, ({ params }) => pageForOffice(ctx, params.eventId));
  serve(events.listEvents, ({ query }) => eventsForOffice(ctx, query));
  serve(eventDesk.readEvent, ({ params }) => eventForOffice(ctx, params.eventId));
  serve(eventDesk.previewEvent, ({ params, body }) => previewEvent(ctx, params.eventId, body));
  serve(eventDesk.createEvent, ({ body }, { actor }) => createEvent(ctx, body, actor));
  serve(eventDesk.updateEvent, ({ params, body }, { actor }) =>
    updateEvent(ctx, params.eventId, { ask: body, actor }),
  );
  serve(eventDesk.publishEvent, ({ params, body }, { actor }) =>
    publishEvent(ctx, params.eventId, { ...body, actor }),
  );
  serve(eventDesk.unpublishEvent, ({ params, body }, { actor }) =>
    unpublishEvent(ctx, params.eventId, { ...body, actor }),
  );
  serve(eventDesk.deleteEvent, ({ params, query }, { actor }) =>
    deleteEvent(ctx, params.eventId, { ...query, actor }),
  );
  serve(eventDesk.duplicateEvent, ({ params, body }, { actor }) =>
    duplicateEvent(ctx, params.eventId, { ...body, actor }),
  );
  serve(postponements.readPostponement, ({ params }) => postponementForOffice(ctx, params.eventId));
  serve(postponements.postponeEvent, ({ params, body }, { actor }) =>
    postponeEvent(ctx, params.eventId, body, actor),
  );
  serve(postponements.answerPostponement, ({ params, body }) =>
    answerPostponement(ctx, params.orderId, { ...body, actor: 'visitor' }),
  );
}
