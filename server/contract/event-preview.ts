/** The event page as it will be, for users who may publish it. */
import { endpoint } from './endpoint.ts';
import { getEvent } from './events.ts';

/** The page of a draft can be seen but sells nothing: booking knows published events only. */
export const previewPage = endpoint('GET', '/api/admin/events/:eventId/page', {
  who: 'edit_events',
  refusals: ['event_not_found', 'provider_silent'],
  summary: 'What the event page will show',
  reply: getEvent.reply,
});
