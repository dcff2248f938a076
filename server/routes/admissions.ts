/** The door: endpoint to use case, one line each. */
import * as v from 'valibot';
import { admitTicket, listRecentAdmissions, pullChanges, readAdmission, scan, sendAdmissions } from '#server/contract/admissions.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { hasRole } from '#server/domain/user.ts';
import { serve, type House } from '#server/http/serve.ts';
import { admitTicket as admit, changes, readAdmission as read, recentAdmissions, takeScans, type SentScan } from '#server/services/admissions.ts';

export function admissionRoutes(house: House): void {
  serve(house, pullChanges, ({ params, query }, { phone }) => {
    if (!phone.events.has(params.eventId)) throw new Refusal('event_not_found');
    return changes(house.ctx, params.eventId, query);
  });
  serve(house, sendAdmissions, ({ body }, { phone }) => takeScans(house.ctx, { ...phone, items: body.items, readScan }));
  serve(house, listRecentAdmissions, ({ query }, { user }) => recentAdmissions(house.ctx, { ...query, withOrders: hasRole(user.role, 'office') }));
  serve(house, admitTicket, ({ params, body }, { user }) => admit(house.ctx, params.ticketId, { user_id: user.id, direction: body.direction ?? 'in', override: body.override ?? null }));
  serve(house, readAdmission, ({ params }, { user }) => read(house.ctx, params.ticketId, hasRole(user.role, 'office')));
}

/** Items of a batch are read one by one: null is a poison item, which must not touch its neighbours. */
function readScan(item: unknown): SentScan | null {
  const result = v.safeParse(scan, item);
  return result.success ? result.output : null;
}
