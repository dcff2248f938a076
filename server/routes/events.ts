/** Events: endpoint to use case, one line each. */
import {
  createEvent,
  duplicateEvent,
  publishEvent,
  readEvent,
  unpublishEvent,
  updateEvent,
} from '#server/contract/event-desk.ts';
import { getEvent, listEvents, listPublished } from '#server/contract/events.ts';
import { serve, type House } from '#server/http/serve.ts';
import {
  createEvent as create,
  duplicateEvent as duplicate,
  eventForOffice,
  publishEvent as publish,
  unpublishEvent as unpublish,
  updateEvent as update,
} from '#server/services/event/desk.ts';
import { eventPage, eventsForOffice, publishedEvents } from '#server/services/event/events.ts';
import type { User } from '#server/services/user/users.ts';

export function eventRoutes(house: House): void {
  serve(house, listPublished, () => publishedEvents(house.ctx));
  serve(house, getEvent, ({ params }) => eventPage(house.ctx, params.eventId));
  serve(house, listEvents, () => eventsForOffice(house.ctx));
  serve(house, readEvent, ({ params }) => eventForOffice(house.ctx, params.eventId));
  serve(house, createEvent, ({ body }, { user }) => create(house.ctx, body, actorOf(user)));
  serve(house, updateEvent, ({ params, body }, { user }) =>
    update(house.ctx, params.eventId, { ask: body, actor: actorOf(user) }),
  );
  serve(house, publishEvent, ({ params, body }, { user }) =>
    publish(house.ctx, params.eventId, { ...body, actor: actorOf(user) }),
  );
  serve(house, unpublishEvent, ({ params, body }, { user }) =>
    unpublish(house.ctx, params.eventId, { ...body, actor: actorOf(user) }),
  );
  serve(house, duplicateEvent, ({ params, body }, { user }) =>
    duplicate(house.ctx, params.eventId, { ...body, actor: actorOf(user) }),
  );
}

function actorOf(user: User): string {
  return `user:${user.id}`;
}
