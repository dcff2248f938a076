/** Why tickets cannot be moved, as the office reads it (RULES M1). */
import type { MoveObstacle } from './move.ts';

export const moveObstacleWords: Record<MoveObstacle, string> = {
  not_confirmed: 'Questo ordine non è confermato: non ci sono biglietti da spostare.',
  event_cancelled: 'L’evento è annullato: i biglietti non si spostano più.',
  event_over: 'L’evento è finito: i biglietti non si spostano più.',
  rehearsal: 'I biglietti di una prova generale non si spostano.',
  ticket_over: 'Uno dei biglietti non vale più.',
  refund_open: 'Per uno dei biglietti c’è un rimborso: prima si decide quello.',
  already_in: 'Con uno dei biglietti qualcuno è già entrato.',
  place_of_before:
    'Su uno dei posti nuovi questo ordine aveva già un biglietto: scegline un altro.',
};

/** Why money goes back, in the refund's own line. */
export const cheaperSeatWords = 'Posto meno caro';
