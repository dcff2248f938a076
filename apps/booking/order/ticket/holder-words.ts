/** Words about the names on tickets. */
import type { HolderObstacle } from '#server/domain/order/holder.ts';
import type { OrderReply } from '#apps/booking/shell/replies.ts';

/** Why this ticket's holder cannot change; null: nothing is said. */
export const holderObstacleWords: Record<HolderObstacle, string | null> = {
  not_offered: null,
  ticket_gone: null,
  event_cancelled: null,
  ticket_used: 'Con questo biglietto si è già entrati.',
  too_late: 'Il termine per il cambio è passato.',
  no_more: 'Il cambio è già stato fatto: non è possibile farne altri.',
};

export function needsHolderName(
  event: Pick<OrderReply['event'], 'nominative'>,
  ticket: Pick<OrderReply['tickets'][number], 'holder' | 'state'>,
): boolean {
  return event.nominative && ticket.holder === null && ticket.state === 'valid';
}
