/** Rehearsals: each route connects an endpoint to its use case. */
import * as rehearsals from '#server/contract/door/rehearsals.ts';
import type { Routing } from '#server/http/serve.ts';
import {
  closeRehearsal,
  makeRehearsal,
  readRehearsal,
  rehearsalSheet,
  rehearsalsForOffice,
  turnRehearsal,
} from '#server/services/door/rehearsals.ts';

export function rehearsalRoutes({ serve, ctx }: Routing): void {
  serve(rehearsals.listRehearsals, ({ query }) => rehearsalsForOffice(ctx, query));
  serve(rehearsals.makeRehearsal, ({ body }, { user }) =>
    makeRehearsal(ctx, {
      event_id: body.event_id ?? null,
      replaces: body.replaces ?? null,
      user_id: user.id,
    }),
  );
  serve(rehearsals.readRehearsal, ({ params }) => readRehearsal(ctx, params.eventId));
  serve(rehearsals.turnRehearsal, ({ params, body }, { actor }) =>
    turnRehearsal(ctx, params.eventId, { phase: body.phase, actor }),
  );
  serve(rehearsals.closeRehearsal, ({ params }, { actor }) =>
    closeRehearsal(ctx, params.eventId, actor),
  );
  serve(rehearsals.downloadSheet, ({ params }) => rehearsalSheet(ctx, params.eventId));
}
