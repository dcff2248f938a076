/** The event page as it will be, for users who may publish it. */
import { endpoint } from './endpoint.ts';
import { getEvent } from './events.ts';

/** The page of a draft is visible but sells nothing: only published events can be booked. */
export const previewPage = endpoint('GET', '/api/admin/events/:eventId/page', {
  who: 'edit_events',
  refusals: ['event_not_found', 'provider_silent'],
  summary: 'What the event page will show',
  reply: getEvent.reply,
});
