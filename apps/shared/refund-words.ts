/** Why something is not given back, in one Italian sentence each; the same for the buyer and the office. */
import type { Obstacle } from '#server/domain/refund.ts';

export const obstacleWords: Record<Obstacle, string> = {
  not_confirmed: 'L’ordine non è confermato.',
  never: 'Per questo evento non sono previsti rimborsi.',
  event_past: 'L’evento è già passato.',
  too_late: 'Il termine per chiedere il rimborso è passato.',
  too_close: 'Manca troppo poco all’evento.',
  disputed: 'Il pagamento è contestato: finché la banca non decide non si può rimborsare.',
  already_asked: 'Il rimborso è già stato richiesto.',
  ticket_gone: 'Il biglietto è già stato rimborsato o annullato.',
  ticket_used: 'Il biglietto è già stato usato.',
  nothing_paid: 'Per questo biglietto non è stato pagato nulla.',
  nothing_left: 'Non resta nulla da rimborsare.',
  nothing_chosen: 'Scegli che cosa rimborsare.',
  too_much: 'È più di quanto resta da rimborsare.',
};
