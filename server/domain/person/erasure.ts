/**
 * What prevents the erasure of an order's buyer or a ticket's holder, and until when (RULES L6).
 */

/**
 * `open`: not paid and not ended yet; `coming`: a ticket must still open the door; the others
 * wait for a person or a bank.
 */
export const blockers = ['open', 'coming', 'attention', 'refund', 'dispute'] as const;
type Blocker = (typeof blockers)[number];

export interface ErasureFacts {
  state: string;
  /** The end of the event; its start if no end is known. */
  over_at: number;
  valid_tickets: number;
  needs_attention: string | null;
  open_refunds: number;
  open_disputes: number;
}

/** Conflicts at the door are settled within a day. */
const settledAfterMs = 24 * 3_600_000;

/** Null: nothing prevents it. */
export function blockerOf(facts: ErasureFacts, now: number): Blocker | null {
  if (facts.state !== 'confirmed' && facts.state !== 'deleted') return 'open';
  if (facts.needs_attention !== null) return 'attention';
  if (facts.open_refunds > 0) return 'refund';
  if (facts.open_disputes > 0) return 'dispute';
  return facts.valid_tickets > 0 && facts.over_at + settledAfterMs > now ? 'coming' : null;
}

/** When the data can be erased; null: a person must decide first. */
export function erasableAt(blocker: Blocker, { over_at }: Pick<ErasureFacts, 'over_at'>) {
  return blocker === 'coming' ? over_at + settledAfterMs : null;
}

export const blockerWords: Record<Blocker, string> = {
  open: 'l’ordine aspetta ancora il pagamento o la sua fine',
  coming: 'i biglietti devono ancora aprire la porta: servono per avvisi, rimborsi e controllo',
  attention: 'l’ordine aspetta una decisione in Da sistemare',
  refund: 'un rimborso è in corso',
  dispute: 'la banca tratta una contestazione (art. 17, par. 3, lett. e, GDPR)',
};
