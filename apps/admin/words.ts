/** Italian words and tones for the states that the office reads. */
import type { TicketState } from '#server/domain/admission.ts';
import type { EventStatus, SalesState } from '#server/domain/event.ts';
import type { CheckoutStatus, OrderState } from '#server/domain/order.ts';
import type { PhoneState } from '#server/domain/phone.ts';
import type { SeatState } from '#server/domain/seat-state.ts';
import type { Role } from '#server/domain/user.ts';
import type { BadgeTone } from '#apps/shared/ui/badge.tsx';
import type { IconName } from '#apps/shared/ui/icon.tsx';

export interface StateWords { word: string; tone: BadgeTone; icon: IconName }

export const orderStateWords: Record<OrderState, StateWords> = {
  booking: { word: 'In prenotazione', tone: 'neutral', icon: 'clock' },
  awaiting_payment: { word: 'Da pagare', tone: 'warn', icon: 'clock' },
  confirmed: { word: 'Confermato', tone: 'good', icon: 'check' },
  deleted: { word: 'Annullato', tone: 'neutral', icon: 'cross' },
};

export const ticketStateWords: Record<TicketState, StateWords> = {
  valid: { word: 'Valido', tone: 'good', icon: 'check' },
  void: { word: 'Annullato', tone: 'bad', icon: 'cross' },
  refunded: { word: 'Rimborsato', tone: 'bad', icon: 'refresh' },
  unpaid: { word: 'Da pagare', tone: 'warn', icon: 'clock' },
};

export const phoneStateWords: Record<PhoneState, StateWords> = {
  waiting: { word: 'In attesa', tone: 'warn', icon: 'clock' },
  paired: { word: 'Abbinato', tone: 'good', icon: 'check' },
  revoked: { word: 'Revocato', tone: 'neutral', icon: 'lock' },
};

/** `many` counts places, `mark` is what stands on the seat in the map: colour alone would not tell everybody. */
export interface SeatWords { word: string; many: string; mark: string }

export const seatStateWords: Record<SeatState, SeatWords> = {
  free: { word: 'Libero', many: 'Liberi', mark: '' },
  held: { word: 'Nel carrello', many: 'Nel carrello', mark: 'C' },
  paying: { word: 'In pagamento', many: 'In pagamento', mark: 'P' },
  sold: { word: 'Venduto', many: 'Venduti', mark: 'V' },
  inside: { word: 'Entrato', many: 'Entrati', mark: 'E' },
  blocked: { word: 'Bloccato', many: 'Bloccati', mark: 'X' },
};

/** Why the seat map does not give a place away; a custom status is told as it is. */
export function mapStatusWords(status: string): string {
  const words: Record<string, string> = { not_for_sale: 'Non in vendita', booked: 'Occupato da qualcuno che non ha un ordine qui', reservedByToken: 'Nel carrello di un visitatore', resale: 'In rivendita' };
  return words[status] ?? `Stato sulla pianta: ${status}`;
}

const salesWords: Record<SalesState, StateWords> = {
  not_yet: { word: 'Vendita non ancora aperta', tone: 'primary', icon: 'clock' },
  open: { word: 'In vendita', tone: 'good', icon: 'check' },
  closed: { word: 'Vendita chiusa', tone: 'neutral', icon: 'lock' },
  cancelled: { word: 'Annullato', tone: 'bad', icon: 'cross' },
};

/** A draft sells to nobody, whatever its dates say. */
export function eventWords(event: { status: EventStatus; sales: { state: SalesState } }): StateWords {
  if (event.status === 'draft') return { word: 'Bozza', tone: 'neutral', icon: 'edit' };
  return salesWords[event.status === 'cancelled' ? 'cancelled' : event.sales.state];
}

export const checkoutWords: Record<CheckoutStatus, string> = { open: 'Aperta', expired: 'Scaduta', complete: 'Completata' };

/** Stripe's three payment states. */
export function paymentWords(payment_status: string): string {
  const words: Record<string, string> = { paid: 'Pagato', unpaid: 'Non pagato', no_payment_required: 'Nessun pagamento richiesto' };
  return words[payment_status] ?? payment_status;
}

export const roleWords: Record<Role, string> = { door: 'Porta', office: 'Ufficio', admin: 'Amministratore' };

/** Reasons why the machine could not settle an order by itself. */
export function attentionWords(reason: string): string {
  const words: Record<string, string> = {
    amount_differs: 'L’importo pagato su Stripe non è quello dell’ordine: i biglietti non sono stati emessi.',
    refund_failed: 'Il pagamento è arrivato quando l’ordine era già annullato, e Stripe ha rifiutato il rimborso: va fatto a mano.',
    provider_refused: 'Stripe o la pianta dei posti non riconoscono questo ordine: controlla le chiavi e guarda l’ordine sul loro sito.',
    paid_after_end_refunded: 'Il pagamento è arrivato quando l’ordine era già annullato e i posti non erano più liberi: è stato rimborsato per intero. Avvisa l’acquirente.',
  };
  return words[reason] ?? reason;
}

export const chartStatusWords: Record<'NOT_USED' | 'PUBLISHED' | 'PUBLISHED_WITH_DRAFT', StateWords> = {
  NOT_USED: { word: 'Non ancora usata', tone: 'neutral', icon: 'edit' },
  PUBLISHED: { word: 'In uso', tone: 'good', icon: 'check' },
  PUBLISHED_WITH_DRAFT: { word: 'In uso, con una bozza', tone: 'primary', icon: 'edit' },
};

/** Who did it, as the audit spells it: `visitor`, `stripe`, `system`, `user:<id>`, `phone:<id>`. */
export function actorWords(actor: string): string {
  const words: Record<string, string> = { visitor: 'acquirente', stripe: 'Stripe', system: 'sistema', user: 'ufficio', phone: 'telefono' };
  return words[actor.split(':')[0]!] ?? actor;
}

export function actionWords(action: string): string {
  const words: Record<string, string> = {
    order_stored: 'Ordine creato', checkout_opened: 'Pagamento aperto', cancel_asked: 'Annullamento chiesto', order_deleted: 'Ordine annullato, posti liberati',
    order_confirmed: 'Ordine confermato, biglietti emessi', late_payment_refunded: 'Pagamento arrivato tardi e rimborsato', late_payment_not_refunded: 'Pagamento arrivato tardi, rimborso rifiutato', admitted: 'Ingresso registrato', let_out: 'Uscita registrata',
  };
  return words[action] ?? action;
}
