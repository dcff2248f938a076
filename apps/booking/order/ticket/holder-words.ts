/** Words about the names on tickets. */
import { formatListDate } from '#apps/shared/format.ts';
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

/** The rule for changing names, with its deadline; null for events without names and changes. */
export function sayHolderRule({
  nominative,
  holder_change_until,
}: OrderReply['event']): string | null {
  const names = nominative
    ? 'I biglietti sono nominativi: all’ingresso serve un documento d’identità.'
    : null;
  if (holder_change_until === null) return names;
  const [day, time] = formatListDate(holder_change_until).split(' ');
  const change = nominative
    ? 'L’intestatario si può cambiare'
    : 'Puoi passare un biglietto a un’altra persona';
  return [names, `${change} fino al ${day} alle ${time}: il codice di prima smette di valere.`]
    .filter((part) => part !== null)
    .join(' ');
}

export function needsHolderName(
  event: OrderReply['event'],
  ticket: Pick<OrderReply['tickets'][number], 'holder' | 'state'>,
): boolean {
  return event.nominative && ticket.holder === null && ticket.state === 'valid';
}
