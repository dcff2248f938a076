/** Sentences for the buyer about where a refund's money is. */
import { creditWords } from '#server/domain/order/order-words.ts';
import { formatEuro } from '#apps/shared/format.ts';
import type { RefundsReply } from '#apps/booking/shell/replies.ts';

type Refund = RefundsReply['refunds'][number];

export function sayRefund({
  state,
  kind,
  amount_cents,
  decided_at,
}: Pick<Refund, 'state' | 'kind' | 'amount_cents' | 'decided_at'>): string {
  const sum = formatEuro(amount_cents);
  // A cancelled refund was withdrawn by the buyer if it was undecided, else it failed.
  switch (state === 'canceled' && decided_at !== null ? 'failed' : state) {
    case 'asked':
      return `Hai chiesto il rimborso di ${sum}. Ti rispondiamo per e-mail: fino ad allora i biglietti restano validi.`;
    case 'refused':
      return `La richiesta di rimborso di ${sum} non è stata accolta: i biglietti restano validi.`;
    case 'canceled':
      return `La richiesta di rimborso di ${sum} è stata ritirata.`;
    case 'failed':
      return `Il rimborso di ${sum} non è riuscito. Ce ne stiamo occupando: ti contatteremo, oppure scrivici.`;
    case 'succeeded':
      if (amount_cents === 0) return 'I biglietti sono stati annullati.';
      return kind === 'manual'
        ? `Ti abbiamo restituito ${sum}.`
        : `Ti abbiamo rimborsato ${sum}. ${creditWords}`;
    default:
      return kind === 'manual'
        ? `Ti restituiremo ${sum}: ti contatteremo per farlo.`
        : `Il rimborso di ${sum} è in corso. ${creditWords}`;
  }
}
