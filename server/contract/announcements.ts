/** Acts that mail many people: which of them wait, and how each is taken back (RULES N4). */
import * as v from 'valibot';
import { announcedActs, announcementStates } from '#server/domain/mail/announcement.ts';
import { endpoint, text, timeOut } from './endpoint.ts';

/**
 * The acts of the last ten minutes, the newest first; give either an event or a show, else 400
 * bad_request. `at`: the server's time. `events`: how many dates the act has changed; `buyers`: in
 * all of them together, the orders that are written to. Until `begins_at` nothing leaves.
 */
export const listAnnouncements = endpoint('GET', '/api/admin/announcements', {
  who: 'see_events',
  summary: 'Acts whose mails wait for a minute or have just left',
  query: v.object({ event_id: v.optional(text(100, 1)), show_id: v.optional(text(100, 1)) }),
  reply: v.object({
    at: timeOut,
    items: v.array(
      v.object({
        announcement_id: v.string(),
        act: v.picklist(announcedActs),
        state: v.picklist(announcementStates),
        events: v.number(),
        buyers: v.number(),
        actor: v.string(),
        created_at: timeOut,
        begins_at: timeOut,
      }),
    ),
  }),
});

const refusals = ['message_not_found', 'message_begun', 'undo_answered', 'undo_overtaken'] as const;

/**
 * Day, times and place are again as before the act, in all dates that it has changed, and no mail
 * leaves. Again changes nothing. 409: message_begun after the minute; undo_answered if a buyer has
 * bought or answered since; undo_overtaken if what it changed was changed again.
 */
export const takeBackAnnouncement = endpoint(
  'POST',
  '/api/admin/announcements/:announcementId/take_back',
  {
    who: 'edit_events',
    refusals,
    summary: 'Take a new date or place back before its mails leave',
  },
);

/** The event is on sale again, and nothing is refunded; refuses as takeBackAnnouncement does. */
export const takeBackCancellation = endpoint('POST', '/api/admin/refund_runs/:runId/take_back', {
  who: 'cancel_events',
  refusals,
  summary: 'Take the cancelling of an event back before its refunds begin',
});
