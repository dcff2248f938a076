/** Italian words and tones for payments, refunds, disputes and decisions. */
import type { PriceFault } from '#server/domain/price/price-bounds.ts';
import { newerWord, withOther } from '#server/domain/text/newer-word.ts';
import {
  attentionReasons,
  type AttentionDecision,
  type AttentionReason,
} from '#server/domain/order/order.ts';
import { moneyName, moneyNameOf } from '#server/domain/order/order-words.ts';
import type { MoneyState } from '#server/domain/order/payment.ts';
import type { PaymentKind, RefundOrigin, RefundState } from '#server/domain/payment/refund.ts';
import { newerState, type StateWords } from '#apps/admin/kit/words.ts';

export const moneyWords: Record<MoneyState, StateWords> = {
  unpaid: { word: moneyName.unpaid, tone: 'neutral', icon: 'clock' },
  processing: { word: moneyName.processing, tone: 'warn', icon: 'clock' },
  paid: { word: moneyName.paid, tone: 'good', icon: 'check' },
  partially_refunded: { word: moneyName.partially_refunded, tone: 'primary', icon: 'refresh' },
  refunded: { word: moneyName.refunded, tone: 'primary', icon: 'refresh' },
  deposit: { word: moneyName.deposit, tone: 'warn', icon: 'clock' },
};

/** Free orders and payments outside Stripe have words of their own. */
export function moneyWordsOf(order: {
  money: MoneyState;
  paid_by: PaymentKind | null;
  refunded_cents: number;
  exchanged_cents: number;
  /** Of them: left to the house. */
  left_cents: number;
}): StateWords {
  const { money, paid_by } = order;
  if (money !== 'paid') return { ...moneyWords[money], word: moneyNameOf(order) };
  if (paid_by === 'free') return { word: 'Gratuito', tone: 'good', icon: 'check' };
  if (paid_by === 'exchange') return { word: 'Con un cambio', tone: 'good', icon: 'check' };
  return paid_by === 'manual'
    ? { word: 'Pagato a mano', tone: 'good', icon: 'check' }
    : moneyWords.paid;
}

const refundStateWords = withOther<Record<RefundState, StateWords>>(
  {
    asked: { word: 'Richiesto dall’acquirente', tone: 'warn', icon: 'user' },
    refused: { word: 'Rifiutato', tone: 'neutral', icon: 'cross' },
    requested: { word: 'Da eseguire', tone: 'warn', icon: 'clock' },
    pending: { word: 'In corso', tone: 'warn', icon: 'clock' },
    requires_action: { word: 'Serve un’azione su Stripe', tone: 'warn', icon: 'warning' },
    succeeded: { word: 'Rimborsato', tone: 'good', icon: 'check' },
    failed: { word: 'Non riuscito', tone: 'bad', icon: 'warning' },
    canceled: { word: 'Annullato da Stripe', tone: 'bad', icon: 'cross' },
  },
  newerState,
);

/** Money that a person hands back has words of its own. */
export function refundWordsOf({
  state,
  kind,
  decided_at,
}: {
  state: RefundState;
  kind: PaymentKind;
  decided_at?: string | null;
}): StateWords {
  // If nobody has decided about the request, the buyer has withdrawn it.
  if (state === 'canceled' && decided_at === null)
    return { word: 'Ritirato', tone: 'neutral', icon: 'cross' };
  if (kind === 'exchange') return { word: 'Con un cambio', tone: 'good', icon: 'check' };
  if (kind === 'gift') return { word: 'Lasciato al teatro', tone: 'good', icon: 'check' };
  if (kind === 'kept') return { word: 'Acconto trattenuto', tone: 'good', icon: 'check' };
  if (kind === 'manual' && state === 'requested')
    return { word: 'Da restituire a mano', tone: 'warn', icon: 'clock' };
  return kind === 'manual' && state === 'succeeded'
    ? { word: 'Restituito a mano', tone: 'good', icon: 'check' }
    : refundStateWords[state];
}

export const refundOriginWords = withOther<Record<RefundOrigin, string>>(
  {
    office: 'dall’ufficio',
    buyer: 'su richiesta dell’acquirente',
    event_cancelled: 'per l’evento annullato',
    postponed: 'per lo spettacolo spostato',
    late_payment: 'per un pagamento arrivato tardi',
    stripe: 'fatto dal sito di Stripe',
    exchange: 'per il cambio di data',
    deposit: 'per la prenotazione finita senza il resto',
    rehoused: 'per il cambio di sala',
  },
  newerWord,
);

/** Why a refund failed, in Stripe's reasons; an unknown reason is shown as it is. */
export function failureWords(failure: string): string {
  const words: Record<string, string> = {
    lost_or_stolen_card: 'La carta risulta persa o rubata.',
    expired_or_canceled_card: 'La carta è scaduta o chiusa.',
    charge_for_pending_refund_disputed: 'L’acquirente ha contestato il pagamento.',
    insufficient_funds: 'Il saldo su Stripe non basta.',
    declined: 'La banca ha rifiutato il rimborso.',
    merchant_request: 'Annullato dal sito di Stripe.',
    unknown: 'Stripe non dice il motivo.',
    charge_disputed: 'Il pagamento è contestato: Stripe non lo rimborsa.',
    charge_already_refunded: 'Risulta già rimborsato su Stripe.',
    amount_too_large: 'Su Stripe resta meno da rimborsare.',
    tried_again: 'Ritentato con un altro rimborso.',
    withdrawn: 'Ritirato dall’acquirente.',
    event_cancelled: 'Compreso nel rimborso dell’evento annullato.',
    left_out: 'Compreso nel rimborso per il cambio di sala.',
    already_refunded: 'Già rimborsato dal sito di Stripe.',
    processing: 'La banca lo sta elaborando.',
    charge_pending: 'Il pagamento non è ancora definitivo.',
  };
  return words[failure] ?? failure;
}

export function disputeStatusWords(status: string): string {
  const words: Record<string, string> = {
    needs_response: 'Stripe aspetta le prove',
    under_review: 'In esame alla banca',
    won: 'Vinta',
    lost: 'Persa',
    warning_needs_response: 'Richiesta di informazioni',
    warning_under_review: 'Richiesta in esame',
    warning_closed: 'Richiesta chiusa',
    prevented: 'Evitata',
    appeal_needs_response: 'Ricorso: servono prove',
    appeal_under_review: 'Ricorso in esame',
    appeal_won: 'Ricorso vinto',
    appeal_lost: 'Ricorso perso',
  };
  return words[status] ?? status;
}

export function disputeReasonWords(reason: string): string {
  const words: Record<string, string> = {
    fraudulent: 'l’acquirente dice di non aver pagato lui',
    duplicate: 'pagamento doppio',
    product_not_received: 'biglietti non ricevuti',
    product_unacceptable: 'servizio non conforme',
    credit_not_processed: 'rimborso promesso e non arrivato',
    unrecognized: 'pagamento non riconosciuto',
    subscription_canceled: 'abbonamento disdetto',
    general: 'motivo generico',
  };
  return words[reason] ?? reason;
}

/** Why an order needs a person. */
export function attentionWords(reason: string): string {
  const words: Record<AttentionReason, string> = {
    amount_differs:
      'L’importo pagato su Stripe non è quello dell’ordine: i biglietti non sono stati emessi.',
    provider_refused:
      'Stripe o la pianta dei posti non riconoscono questo ordine: controlla le chiavi e guarda l’ordine sul loro sito.',
    refund_failed: 'Un rimborso non è riuscito: i soldi sono ancora da restituire.',
    refunded_at_stripe:
      'Il pagamento è stato rimborsato dal sito di Stripe: decidi se i biglietti valgono ancora.',
    disputed:
      'L’acquirente ha contestato il pagamento alla sua banca: decidi se i biglietti valgono ancora.',
    refund_pending:
      'Un rimborso è in corso da più di dieci giorni: controlla su Stripe o chiedi alla banca.',
    dispute_lost:
      'La contestazione è persa e i soldi sono tornati all’acquirente: decidi se i biglietti valgono ancora.',
    too_many_for_address:
      'Con questo indirizzo e-mail sono stati comprati più biglietti di quanti ne permette l’evento. L’ordine è valido: decidi se lasciarlo, o apri l’ordine e rimborsa.',
  };
  const known = attentionReasons.find((name) => name === reason);
  return known === undefined ? reason : words[known];
}

interface DecisionWords {
  label: string;
  /** Says what the button will do. */ effect: string;
  danger: boolean;
}

/** The label and the effect of a decision about an order with this reason. */
export function decisionWords(decision: AttentionDecision, reason: string): DecisionWords {
  const words: Record<AttentionDecision, DecisionWords> = {
    accept: {
      label: 'Accetta l’importo',
      effect:
        'L’ordine viene confermato con la somma arrivata e i biglietti vengono emessi e spediti.',
      danger: false,
    },
    refund: {
      label: 'Rimborsa tutto',
      effect:
        'Tutta la somma arrivata torna all’acquirente, l’ordine finisce e i posti tornano in vendita.',
      danger: true,
    },
    retry: {
      label: 'Chiedi di nuovo',
      effect: 'L’ordine viene riletto adesso da Stripe e dalla pianta dei posti.',
      danger: false,
    },
    void: {
      label: 'Annulla i biglietti',
      effect: 'I biglietti non valgono più alla porta e i posti tornano in vendita.',
      danger: true,
    },
    keep: {
      label: 'Lascia validi i biglietti',
      effect: 'I biglietti restano validi alla porta, i posti restano occupati.',
      danger: false,
    },
    acknowledge: {
      label: 'Ho provveduto',
      effect: 'L’avviso sparisce; non cambia altro.',
      danger: false,
    },
  };
  return reason === 'disputed' && decision === 'void'
    ? {
        ...words.void,
        effect:
          'I biglietti non valgono più alla porta e i posti tornano in vendita. La contestazione continua.',
      }
    : words[decision];
}

export const priceFaultWords: Record<PriceFault, string> = {
  inactive: 'Il prezzo è archiviato su Stripe.',
  product_inactive: 'Il prodotto è archiviato su Stripe.',
  not_eur: 'Il prezzo non è in euro.',
  no_amount: 'Il prezzo non ha un importo fisso.',
  recurring: 'È un abbonamento, non un pagamento unico.',
};
