/** Italian words for an order's state and its money, for the screen and for files. */
import { newerWord, withOther } from '#server/domain/text/newer-word.ts';
import type { EndReason, OrderState } from './order.ts';
import type { MoneyState } from './payment.ts';

export const orderStateName = withOther<Record<OrderState, string>>(
  {
    booking: 'In prenotazione',
    awaiting_payment: 'Da pagare',
    confirmed: 'Confermato',
    deleted: 'Annullato',
  },
  newerWord,
);

/** A booking that costs nothing waits for a click in its mail, and not for money (RULES O6). */
export function orderStateOf(order: { state: OrderState; total_cents: number }): string {
  const waits = order.state === 'awaiting_payment' && order.total_cents === 0;
  return waits ? 'Da confermare per e-mail' : orderStateName[order.state];
}

/** Why an order ended without tickets. */
export const endReasonNames = withOther<Record<EndReason, string>>(
  {
    cancelled_by_visitor: 'lo ha voluto l’acquirente',
    cancelled_by_office: 'dall’ufficio',
    session_expired: 'tempo scaduto',
    reservation_expired: 'prenotazione scaduta',
    click_expired: 'prenotazione non confermata in tempo',
    payment_failed: 'pagamento non riuscito',
    never_finished: 'prenotazione mai completata',
    checkout_refused: 'Stripe non ha aperto il pagamento',
    refunded_by_office: 'rimborsato dall’ufficio',
    event_cancelled: 'evento annullato',
    seats_lost: 'posti appena presi da altri',
    exchange_changed: 'i biglietti da cambiare sono cambiati nel frattempo',
    no_place_in_hall: 'nessun posto nella nuova sala',
  },
  newerWord,
);

export const moneyName: Record<MoneyState, string> = {
  unpaid: 'Non pagato',
  processing: 'In verifica',
  paid: 'Pagato',
  partially_refunded: 'Rimborsato in parte',
  refunded: 'Rimborsato',
  deposit: 'Acconto',
};

/** What went into an order of another date, or was left to the house, was not paid back. */
export function moneyNameOf({
  money,
  refunded_cents,
  exchanged_cents,
  left_cents,
}: {
  money: MoneyState;
  refunded_cents: number;
  exchanged_cents: number;
  left_cents: number;
}): string {
  const isBack = money === 'refunded' || money === 'partially_refunded';
  if (!isBack) return moneyName[money];
  const words = [
    exchanged_cents > 0 && 'cambiato',
    left_cents > 0 && 'lasciato al teatro',
    exchanged_cents + left_cents < refunded_cents && 'rimborsato',
  ].filter((word) => word !== false);
  const said = words.join(' e ');
  const word = said.charAt(0).toUpperCase() + said.slice(1);
  return money === 'refunded' ? word : `${word} in parte`;
}

/**
 * The word for an ended ticket. If its refund failed, the word must not say that the money came
 * back.
 */
export function toldTicketState<State extends string | null>(
  state: State,
  refunded_cents: number,
): State | 'void' {
  return state === 'refunded' && refunded_cents === 0 ? 'void' : state;
}

/** The working days that a bank may take (RULES R3). */
export const creditWords = 'L’accredito può richiedere fino a 10 giorni lavorativi.';

/** The name of a way to pay, Stripe's or our own; an unknown one stays as it is. */
export function methodName(method: string): string {
  const names: Record<string, string> = {
    card: 'Carta',
    link: 'Link',
    satispay: 'Satispay',
    klarna: 'Klarna',
    paypal: 'PayPal',
    sepa_debit: 'Addebito SEPA',
    customer_balance: 'Bonifico',
    cash: 'Contanti',
    pos: 'POS',
    transfer: 'Bonifico',
    guest: 'Invito',
    exchange: 'Cambio data',
    gift: 'Lasciato al teatro',
    kept: 'Acconto trattenuto',
    other: 'Altro',
  };
  return names[method] ?? method;
}

/**
 * The name of a way to pay in reports: only its kind is known until Stripe reports the method.
 */
export function wayName(word: string): string {
  if (word === 'stripe') return 'Online';
  return word === 'manual' ? 'A mano' : methodName(word);
}

/** A line with the contact whom a buyer may ask; none without a contact. */
export function helpWords(who: { email: string | null; phone: string | null }): string[] {
  const ways = [who.email, who.phone].filter((way) => way !== null);
  return ways.length > 0 ? [`Assistenza: ${ways.join(', ')}`] : [];
}
