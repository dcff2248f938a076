/** People without a ticket: each route connects an endpoint to its use case. */
import * as v from 'valibot';
import * as heads from '#server/contract/door/heads.ts';
import { requireReadable } from './readable.ts';
import type { Routing } from '#server/http/serve.ts';
import {
  countHeads,
  headsForOffice,
  takeHeads,
  undoHeads,
  type SentHeads,
} from '#server/services/door/heads.ts';

export function headRoutes({ serve, ctx }: Routing): void {
  serve(heads.sendHeads, ({ query, body }, { phone }) => {
    requireReadable(Number(query.wire ?? 0));
    return takeHeads(ctx, {
      phone: phone.phone,
      sent_at: body.sent_at,
      replaced: phone.ended,
      events: phone.ever,
      items: body.items,
      readHeads,
    });
  });
  serve(heads.listHeads, ({ params }) => headsForOffice(ctx, params.eventId));
  serve(heads.countHeads, ({ params, body }, { user }) =>
    countHeads(ctx, params.eventId, { ...body, user_id: user.id }),
  );
  serve(heads.undoHeads, ({ params }, { user }) => {
    const { eventId: event_id, headId: head_id } = params;
    return undoHeads(ctx, { event_id, head_id, user_id: user.id });
  });
}

/** Parses one item of a batch; null if it is unreadable, which does not affect the others. */
export function readHeads(item: unknown): SentHeads | null {
  const result = v.safeParse(heads.headCount, item);
  return result.success ? result.output : null;
}
