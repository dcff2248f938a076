/** What people read about refunds, on the order page and in the office: why not, and how far. */
import type { Obstacle, RefundState } from '#server/domain/refund.ts';
import type { BadgeTone } from './ui/badge.tsx';

/** A sentence about one ticket or about the whole wish. */
export const obstacleWords: Record<Obstacle, string> = {
  not_confirmed: 'L’ordine non è confermato.',
  never: 'Per questo evento i biglietti non sono rimborsabili.',
  event_past: 'L’evento è già cominciato.',
  too_late: 'Il termine per chiedere il rimborso è passato.',
  too_close: 'L’evento è troppo vicino: il rimborso non si può più chiedere.',
  disputed:
    'Il pagamento è contestato presso la banca: finché è aperta la contestazione non si può rimborsare.',
  already_asked: 'Il rimborso è già stato chiesto.',
  ticket_gone: 'Il biglietto è già stato rimborsato o annullato.',
  ticket_used: 'Il biglietto è già stato usato all’ingresso.',
  nothing_paid: 'Il biglietto è gratuito: non c’è nulla da rimborsare.',
  nothing_left: 'Non resta nulla da rimborsare.',
  nothing_chosen: 'Scegli che cosa rimborsare.',
  too_much: 'L’importo supera quanto resta da rimborsare.',
};

/** A word for a badge. */
export const refundStateWords: Record<RefundState, { label: string; tone: BadgeTone }> = {
  asked: { label: 'Richiesto', tone: 'primary' },
  refused: { label: 'Rifiutato', tone: 'neutral' },
  requested: { label: 'In corso', tone: 'primary' },
  pending: { label: 'In corso', tone: 'primary' },
  requires_action: { label: 'In corso', tone: 'primary' },
  succeeded: { label: 'Eseguito', tone: 'good' },
  failed: { label: 'Non riuscito', tone: 'bad' },
  canceled: { label: 'Ritirato', tone: 'neutral' },
};
