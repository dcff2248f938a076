/** Rehearsals: endpoint to use case, one line each. */
import {
  closeRehearsal,
  downloadSheet,
  listRehearsals,
  makeRehearsal,
  readRehearsal,
  turnRehearsal,
} from '#server/contract/rehearsals.ts';
import { serve, type House } from '#server/http/serve.ts';
import {
  closeRehearsal as close,
  makeRehearsal as make,
  readRehearsal as read,
  rehearsalSheet,
  rehearsalsForOffice,
  turnRehearsal as turn,
} from '#server/services/door/rehearsals.ts';

export function rehearsalRoutes(house: House): void {
  serve(house, listRehearsals, () => rehearsalsForOffice(house.ctx));
  serve(house, makeRehearsal, ({ body }, { user }) =>
    make(house.ctx, {
      event_id: body.event_id ?? null,
      replaces: body.replaces ?? null,
      user_id: user.id,
    }),
  );
  serve(house, readRehearsal, ({ params }) => read(house.ctx, params.eventId));
  serve(house, turnRehearsal, ({ params, body }, { user }) =>
    turn(house.ctx, params.eventId, { phase: body.phase, actor: `user:${user.id}` }),
  );
  serve(house, closeRehearsal, ({ params }, { user }) =>
    close(house.ctx, params.eventId, `user:${user.id}`),
  );
  serve(house, downloadSheet, ({ params }) => rehearsalSheet(house.ctx, params.eventId));
}
