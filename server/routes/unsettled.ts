/** Conflicts and scans in doubt: each route connects an endpoint to its use case. */
import * as conflicts from '#server/contract/door/conflicts.ts';
import * as doubts from '#server/contract/door/doubts.ts';
import type { Routing } from '#server/http/serve.ts';
import { conflictsForOffice, settleConflict } from '#server/services/door/conflicts.ts';
import { doubtsForOffice, settleDoubt } from '#server/services/door/doubts.ts';

export function unsettledRoutes({ serve, ctx }: Routing): void {
  serve(conflicts.listConflicts, ({ query }) =>
    conflictsForOffice(ctx, { ...query, open: query.open === '1' }),
  );
  serve(conflicts.settleConflict, ({ params, body }, { user }) =>
    settleConflict(ctx, params.admissionId, {
      as: body.as,
      words: body.note || null,
      user_id: user.id,
    }),
  );
  serve(doubts.listDoubts, ({ query }) =>
    doubtsForOffice(ctx, { ...query, open: query.open === '1' }),
  );
  serve(doubts.settleDoubt, ({ params, body }, { user }) =>
    settleDoubt(ctx, params.admissionId, {
      as: body.as,
      words: body.note || null,
      user_id: user.id,
    }),
  );
}
