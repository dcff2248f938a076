/** Acts that mail many people: each route connects an endpoint to its use case. */
import * as announcements from '#server/contract/announcements.ts';
import type { Routing } from '#server/http/serve.ts';
import { announcementList, takeBack } from '#server/services/event/undo.ts';

export function announcementRoutes({ serve, ctx }: Routing): void {
  serve(announcements.listAnnouncements, ({ query }) => announcementList(ctx, query));
  serve(announcements.takeBackAnnouncement, ({ params }, { actor }) =>
    takeBack(ctx, params.announcementId, { actor, cancelling: false }),
  );
  serve(announcements.takeBackCancellation, ({ params }, { actor }) =>
    takeBack(ctx, params.runId, { actor, cancelling: true }),
  );
}
