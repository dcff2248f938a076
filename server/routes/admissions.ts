/** The door: each route connects an endpoint to its use case. */
import * as v from 'valibot';
import * as admissions from '#server/contract/door/admissions.ts';
import * as presence from '#server/contract/door/presence.ts';
import { scanFile } from '#server/services/door/scan-export.ts';
import { previousWire, wires, type Wire } from '#server/domain/door/wire.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { may } from '#server/domain/user/rights.ts';
import type { Routing } from '#server/http/serve.ts';
import {
  admitTicket,
  readAdmission,
  recentAdmissions,
  undoAdmission,
} from '#server/services/door/admissions.ts';
import { importHeads } from '#server/services/door/heads.ts';
import { changesFor, listFor } from '#server/services/door/list.ts';
import { listenDoor } from '#server/services/door/live.ts';
import { importScans, takeScans, type SentScan } from '#server/services/door/scans.ts';
import { presenceOf } from '#server/services/door/presence.ts';
import { readHeads } from './heads.ts';
import { requireReadable } from './readable.ts';

export function admissionRoutes({ serve, ctx }: Routing): void {
  serve(admissions.pullList, async ({ params, query }, { phone }) => {
    const { eventId: event_id } = params;
    return listFor(ctx, phone, { event_id, wire: wireOf(query.wire) });
  });
  serve(admissions.pullChanges, async ({ params, query }, { phone }) => {
    const { since = '' } = query;
    const { eventId: event_id } = params;
    return changesFor(ctx, phone, { event_id, since, wire: wireOf(query.wire) });
  });
  serve(admissions.listenDoor, async ({ query }, { phone }) =>
    listenDoor(ctx, phone, wireOf(query.wire ?? String(previousWire))),
  );
  serve(admissions.sendAdmissions, ({ query, body }, { phone }) => {
    requireReadable(Number(query.wire ?? 0));
    return takeScans(ctx, {
      phone: phone.phone,
      sent_at: body.sent_at,
      replaced: phone.ended,
      events: phone.ever,
      items: body.items,
      readScan,
    });
  });
  serve(admissions.exportAdmissions, ({ query }) => scanFile(ctx, query));
  serve(admissions.listRecentAdmissions, ({ query }, { user }) =>
    recentAdmissions(ctx, { ...query, withOrders: may(user.role, 'see_orders') }),
  );
  // Must come before the route of one ticket, whose pattern also matches this path.
  serve(admissions.importAdmissions, async ({ body }, { actor }) => {
    requireReadable(body.wire);
    const scans = await importScans(ctx, { ...body, readScan, actor });
    return { ...scans, ...(await importHeads(ctx, { ...body, readHeads })) };
  });
  serve(admissions.admitTicket, ({ params, body }, { user }) =>
    admitTicket(ctx, params.ticketId, {
      user_id: user.id,
      direction: body.direction ?? 'in',
      override: body.override ?? null,
    }),
  );
  serve(presence.readPresence, ({ params }) => presenceOf(ctx, params.eventId));
  serve(admissions.undoAdmission, ({ params, body }, { user }) =>
    undoAdmission(ctx, params.ticketId, { ...body, user_id: user.id }),
  );
  serve(admissions.readAdmission, ({ params }, { user }) =>
    readAdmission(ctx, params.ticketId, may(user.role, 'see_orders')),
  );
}

/** Parses one item of a batch; null if it is unreadable, which does not affect the others. */
function readScan(item: unknown): SentScan | null {
  const result = v.safeParse(admissions.scan, item);
  return result.success ? result.output : null;
}

/** The number in which to answer. @throws Refusal server_outdated, update_required */
function wireOf(asked: string | undefined): Wire {
  requireReadable(Number(asked));
  const wire = wires.find((one) => String(one) === asked);
  if (wire === undefined) throw new Refusal('update_required');
  return wire;
}
