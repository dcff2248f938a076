/** Why tickets cannot be moved, as the office reads it (RULES M1). */
import type { MoveObstacle } from './move.ts';

export const moveObstacleWords: Record<MoveObstacle, string> = {
  not_confirmed: 'Questo ordine non è confermato: non ci sono biglietti da spostare.',
  event_cancelled: 'L’evento è annullato: i biglietti non si spostano più.',
  event_over: 'L’evento è finito: i biglietti non si spostano più.',
  rehearsal: 'I biglietti di una prova generale non si spostano.',
  hall_changing: 'La sala sta cambiando: i biglietti si spostano di nuovo a cambio finito.',
  ticket_over: 'Uno dei biglietti non vale più.',
  refund_open: 'Per uno dei biglietti c’è un rimborso: prima si decide quello.',
  used_up:
    'Con uno dei biglietti qualcuno è già entrato e uscito, e a questo evento non si rientra.',
  place_of_before:
    'Su uno dei posti nuovi questo ordine aveva già un biglietto: scegline un altro.',
  other_kind:
    'Un tavolo venduto intero va su un altro tavolo intero, un posto singolo su un posto singolo.',
  too_many: 'Il tavolo nuovo non ha un posto libero per ogni biglietto di quello vecchio.',
  not_single: 'Si scambiano solo posti singoli: non tavoli venduti interi né posti in piedi.',
};

/** The reason in the line of a refund for a cheaper ticket type. */
export const cheaperTypeWords = 'Tariffa meno cara';

/** The reason in the line of a refund for a cheaper seat. */
export const cheaperSeatWords = 'Posto meno caro';

/** Why a ticket is refunded in a change of hall (RULES H3). */
export const noPlaceWords = 'Cambio di sala: nessun posto nella nuova sala';
