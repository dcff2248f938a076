/** Refunds as people see them, with order, seats and the names of the people who acted. */
import type { Db } from '#db/engine/dialect.ts';
import {
  listRefunds,
  ticketsOfRefunds,
  type ListedRefund,
  type RefundFilter,
} from '#db/payment/refunds.ts';
import type { Page } from '#db/engine/page.ts';
import { seatName } from '#server/domain/seat/seat-name.ts';
import { requireValue } from '#server/domain/require-value.ts';
import type { Ctx } from '#server/services/context.ts';
import { namesOf } from '#server/services/user/actors.ts';

export type RefundInWords = Omit<ListedRefund, 'voids_tickets' | 'frees_seats'> & {
  refund_id: string;
  voids_tickets: boolean;
  frees_seats: boolean;
  ticket_ids: string[];
  seats: string[];
};

/** The refund as it is now; the worker carries it out. */
export async function startRefund(ctx: Ctx, id: string): Promise<RefundInWords> {
  ctx.fault('refund_requested');
  const [refund] = await refundsInWords(ctx.db, { id }, { limit: 1, after: null });
  return requireValue(refund, 'refund');
}

/** The refunds, newest first. */
export async function refundsInWords(
  db: Db,
  filter: RefundFilter,
  page: Page,
): Promise<RefundInWords[]> {
  const rows = await listRefunds(db, filter, page);
  const tickets = Map.groupBy(
    await ticketsOfRefunds(
      db,
      rows.map((row) => row.id),
    ),
    (ticket) => ticket.refund_id,
  );
  const actors = rows.map(({ actor }) => actor);
  const nameOf = await namesOf(db, actors);
  return rows.map((row) => {
    const own = tickets.get(row.id) ?? [];
    return {
      ...row,
      refund_id: row.id,
      actor: nameOf(row.actor),
      voids_tickets: row.voids_tickets === 1,
      frees_seats: row.frees_seats === 1,
      ticket_ids: own.flatMap((ticket) => ticket.ticket_id ?? []),
      seats: own.map((ticket) => seatName(ticket)),
    };
  });
}
