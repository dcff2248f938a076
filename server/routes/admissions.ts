/** The door: endpoint to use case, one line each. */
import * as v from 'valibot';
import {
  admitTicket,
  importAdmissions,
  listenDoor,
  listRecentAdmissions,
  pullChanges,
  pullList,
  readAdmission,
  scan,
  sendAdmissions,
  undoAdmission,
} from '#server/contract/admissions.ts';
import { listConflicts, settleConflict } from '#server/contract/conflicts.ts';
import { readPresence } from '#server/contract/presence.ts';
import { wireVersion } from '#server/contract/version.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { hasRole } from '#server/domain/user.ts';
import { serve, type House } from '#server/http/serve.ts';
import {
  admitTicket as admit,
  readAdmission as read,
  recentAdmissions,
  undoAdmission as undo,
} from '#server/services/door/admissions.ts';
import { conflictsForOffice, settleConflict as settle } from '#server/services/door/conflicts.ts';
import { changesFor, listFor } from '#server/services/door/list.ts';
import { listenDoor as listen } from '#server/services/door/live.ts';
import { importScans, takeScans, type SentScan } from '#server/services/door/scans.ts';
import { presenceOf } from '#server/services/door/presence.ts';

export function admissionRoutes(house: House): void {
  serve(house, pullList, async ({ params, query }, { phone }) => {
    requireWire(query.wire);
    return listFor(house.ctx, phone, params.eventId);
  });
  serve(house, pullChanges, async ({ params, query }, { phone }) => {
    requireWire(query.wire);
    const { since = '' } = query;
    return changesFor(house.ctx, phone, { event_id: params.eventId, since });
  });
  serve(house, listenDoor, async (_, { phone }) => listen(house.ctx, phone));
  serve(house, sendAdmissions, ({ body }, { phone }) =>
    takeScans(house.ctx, { phone: phone.phone, events: phone.ever, items: body.items, readScan }),
  );
  serve(house, listRecentAdmissions, ({ query }, { user }) =>
    recentAdmissions(house.ctx, { ...query, withOrders: hasRole(user.role, 'office') }),
  );
  // Before the address of one ticket, whose name it would be.
  serve(house, importAdmissions, ({ body }, { user }) =>
    importScans(house.ctx, {
      phone_id: body.phone_id,
      items: body.items,
      readScan,
      actor: `user:${user.id}`,
    }),
  );
  serve(house, admitTicket, ({ params, body }, { user }) =>
    admit(house.ctx, params.ticketId, {
      user_id: user.id,
      direction: body.direction ?? 'in',
      override: body.override ?? null,
    }),
  );
  serve(house, readPresence, ({ params }) => presenceOf(house.ctx, params.eventId));
  serve(house, listConflicts, ({ query }) =>
    conflictsForOffice(house.ctx, { event_id: query.event_id, open: query.open === '1' }),
  );
  serve(house, settleConflict, ({ params, body }, { user }) =>
    settle(house.ctx, params.admissionId, {
      as: body.as,
      words: body.note || null,
      user_id: user.id,
    }),
  );
  serve(house, undoAdmission, ({ params, body }, { user }) =>
    undo(house.ctx, params.ticketId, { ...body, user_id: user.id }),
  );
  serve(house, readAdmission, ({ params }, { user }) =>
    read(house.ctx, params.ticketId, hasRole(user.role, 'office')),
  );
}

/** Items of a batch are read one by one: null is a poison item, which must not touch its neighbours. */
function readScan(item: unknown): SentScan | null {
  const result = v.safeParse(scan, item);
  return result.success ? result.output : null;
}

/** @throws Refusal update_required */
function requireWire(wire: string | undefined): void {
  if (wire !== String(wireVersion)) throw new Refusal('update_required');
}
