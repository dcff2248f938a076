/** Reminders of a sale that opens: each route connects an endpoint to its use case. */
import * as reminders from '#server/contract/reminders.ts';
import type { Routing } from '#server/http/serve.ts';
import {
  askForReminder,
  confirmReminder,
  dropReminder,
  shownReminder,
} from '#server/services/event/reminders.ts';

export function reminderRoutes({ serve, ctx }: Routing): void {
  serve(reminders.askReminder, ({ params, body }) =>
    askForReminder(ctx, params.eventId, body.email),
  );
  serve(reminders.readReminder, ({ body }) => shownReminder(ctx, body.token));
  serve(reminders.confirmReminder, ({ body }) => confirmReminder(ctx, body.token));
  serve(reminders.dropReminder, ({ body }) => dropReminder(ctx, body.token));
}
