/** What mails say of tickets that got other seats, alone or by a change of hall (RULES M3, H3). */
import { findMove, moveOfRun } from '#db/order/moves.ts';
import { findRehousing } from '#db/seat/rehousings.ts';
import type { Db } from '#db/engine/dialect.ts';
import type { MailRow, MoveRow, OrderRow, PostponementRow } from '#db/rows.ts';
import type { TicketWithPlace } from '#db/order/tickets.ts';
import type { OrderMailKind } from '#server/domain/mail/kinds.ts';
import type { MailFacts } from '#server/domain/mail/order-facts.ts';
import { readNews } from '#server/domain/seat/rehousing-place.ts';
import { seatName } from '#server/domain/seat/seat-name.ts';
import type { Ctx } from '#server/services/context.ts';
import { movedInWords } from '#server/services/order/seat-names.ts';
import { refundKeyOf } from './mail-key.ts';

interface About {
  mail: MailRow;
  kind: OrderMailKind;
  order: OrderRow;
  postponement: Pick<PostponementRow, 'of_rehousing'> | null;
}

export type MovedFacts = Pick<MailFacts, 'moved' | 'rehoused'>;

/** No seats and null in any mail that is not about a move. */
export async function movedIn(
  ctx: Ctx,
  about: About,
  tickets: readonly TicketWithPlace[],
): Promise<MovedFacts> {
  const move = await moveFor(ctx.db, about);
  if (move === undefined) return { moved: [], rehoused: null };
  const moved = (await movedInWords(ctx.db, move)).flatMap(({ ticket_id, from }) => {
    const ticket = tickets.find(({ id }) => id === ticket_id);
    // The present place, perhaps after a later move.
    return ticket ? [{ from, to: seatName(ticket) }] : [];
  });
  return { moved, rehoused: await rehousedBy(ctx.db, move) };
}

async function moveFor(
  db: Db,
  { mail, kind, order, postponement }: About,
): Promise<MoveRow | undefined> {
  if (kind === 'seats_changed') return findMove(db, refundKeyOf(mail));
  const run = postponement?.of_rehousing ?? null;
  return run === null ? undefined : moveOfRun(db, { order_id: order.id, of_rehousing: run });
}

async function rehousedBy(db: Db, move: MoveRow): Promise<MailFacts['rehoused']> {
  const { of_rehousing, difference_cents } = move;
  const run = of_rehousing === null ? undefined : await findRehousing(db, of_rehousing);
  if (run === undefined) return null;
  return { reason: readNews(run)?.reason ?? null, refund_cents: -Math.min(0, difference_cents) };
}
