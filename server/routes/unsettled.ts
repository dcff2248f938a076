/**
 * Conflicts, entries against the book and scans in doubt: each route connects an endpoint to its
 * use case.
 */
import * as against from '#server/contract/door/against.ts';
import * as conflicts from '#server/contract/door/conflicts.ts';
import * as doubts from '#server/contract/door/doubts.ts';
import type { Routing } from '#server/http/serve.ts';
import { may } from '#server/domain/user/rights.ts';
import { conflictsForOffice, settleConflict } from '#server/services/door/conflicts.ts';
import { doubtsForOffice, settleDoubt } from '#server/services/door/doubts.ts';
import {
  entriesAgainstForOffice,
  settleEntryAgainst,
} from '#server/services/door/entries-against.ts';

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
  serve(against.listEntriesAgainst, ({ query }, { user }) =>
    entriesAgainstForOffice(ctx, {
      ...query,
      open: query.open === '1',
      withOrders: may(user.role, 'see_orders'),
    }),
  );
  serve(against.settleEntryAgainst, ({ params, body }, { user }) =>
    settleEntryAgainst(ctx, params.admissionId, {
      as: body.as,
      words: body.note || null,
      user_id: user.id,
      withOrders: may(user.role, 'see_orders'),
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
