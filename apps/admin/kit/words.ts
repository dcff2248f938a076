/** Italian words and tones for the states that the office reads. */
import { newerWord, withOther } from '#server/domain/text/newer-word.ts';
import { blockedStatus } from '#server/domain/seat/block.ts';
import type { ConflictAnswer, TicketState } from '#server/domain/door/admission.ts';
import type { Against, AgainstAnswer } from '#server/domain/door/against.ts';
import type { Doubt } from '#server/domain/door/doubt.ts';
import type { EventStatus, SalesState } from '#server/domain/event/event.ts';
import type { CheckoutStatus, OrderState } from '#server/domain/order/order.ts';
import type { PhoneRole, PhoneState } from '#server/domain/door/phone.ts';
import { closedStatus, type SeatState } from '#server/domain/seat/seat-state.ts';
import { orderStateName } from '#server/domain/order/order-words.ts';
import type { BadgeTone } from '#apps/shared/ui/badge.tsx';
import type { IconName } from '#apps/shared/ui/icon.tsx';

export interface StateWords {
  word: string;
  tone: BadgeTone;
  icon: IconName;
}

/** Stands for a state, or for a choice, that only a newer version knows. */
export const newerState: StateWords = { word: newerWord, tone: 'neutral', icon: 'info' };
export const newerHint = { word: newerWord, hint: '' };

export const orderStateWords = withOther<Record<OrderState, StateWords>>(
  {
    booking: { word: orderStateName.booking, tone: 'neutral', icon: 'clock' },
    awaiting_payment: { word: orderStateName.awaiting_payment, tone: 'warn', icon: 'clock' },
    confirmed: { word: orderStateName.confirmed, tone: 'good', icon: 'check' },
    deleted: { word: orderStateName.deleted, tone: 'neutral', icon: 'cross' },
  },
  newerState,
);

export const ticketStateWords = withOther<Record<TicketState, StateWords>>(
  {
    valid: { word: 'Valido', tone: 'good', icon: 'check' },
    void: { word: 'Annullato', tone: 'bad', icon: 'cross' },
    refunded: { word: 'Rimborsato', tone: 'bad', icon: 'refresh' },
    unpaid: { word: 'Da pagare', tone: 'warn', icon: 'clock' },
  },
  newerState,
);

export const phoneStateWords: Record<PhoneState, StateWords> = {
  waiting: { word: 'In attesa', tone: 'warn', icon: 'clock' },
  paired: { word: 'Abbinato', tone: 'good', icon: 'check' },
  revoked: { word: 'Revocato', tone: 'neutral', icon: 'lock' },
};

export const phoneRoleWords = withOther<Record<PhoneRole, { word: string; hint: string }>>(
  {
    steward: {
      word: 'Maschera',
      hint: 'Legge i biglietti. Per fare eccezioni chiede il consenso di un responsabile, se c’è un PIN.',
    },
    supervisor: {
      word: 'Responsabile',
      hint: 'In più fa entrare lo stesso senza chiedere, cerca le persone, annulla le letture degli altri telefoni e dà il consenso alle maschere.',
    },
  },
  newerHint,
);

export const conflictWords = withOther<Record<ConflictAnswer, { word: string; hint: string }>>(
  {
    same_person: {
      word: 'Era la stessa persona',
      hint: 'Uscita senza lettura e rientrata, o letta a due varchi.',
    },
    copy: { word: 'Possibile copia', hint: 'Due persone con lo stesso biglietto.' },
    mistake: { word: 'Errore di lettura', hint: 'Una delle due letture era uno sbaglio.' },
  },
  newerHint,
);

/** What became of a guest who came in without a valid ticket. */
export const againstWords = withOther<Record<AgainstAnswer, { word: string; hint: string }>>(
  {
    left: { word: 'È uscito', hint: 'Conta come uscita, e il posto torna in vendita.' },
    stays: {
      word: 'Resta: il posto non si vende',
      hint: 'Resta al suo posto fino alla fine; puoi cambiare risposta quando esce.',
    },
    mistake: {
      word: 'Errore di lettura',
      hint: 'L’ingresso viene annullato, e il posto torna in vendita.',
    },
  },
  newerHint,
);

/** What the house knew that spoke against an entry. */
export const againstReasonWords = withOther<Record<Against, string>>(
  {
    refunded: 'Biglietto rimborsato',
    void: 'Biglietto annullato',
    replaced: 'Biglietto spostato su un altro posto',
  },
  newerWord,
);

export const settledWords = withOther<Record<ConflictAnswer | AgainstAnswer, { word: string }>>(
  { ...againstWords, ...conflictWords },
  newerHint,
);

/** Why a scan does not count until the office decides. */
export const doubtWords = withOther<Record<Doubt, string>>(
  {
    not_its_scan:
      'Una maschera ha annullato la lettura di un altro telefono: può farlo solo un responsabile.',
    undone_late: 'Il telefono ha annullato una sua lettura dopo più di dieci minuti.',
    before_doors: 'È di più di tre ore prima dell’apertura delle porte.',
    after_end: 'È di più di 48 ore dopo la fine dell’evento.',
    not_yet_past: 'È arrivata più di dodici ore prima dell’ora che porta scritta.',
    phone_ended: 'È stata fatta quando il telefono era già revocato o sostituito.',
    event_ended: 'È stata fatta quando il telefono non era più abbinato a questo evento.',
    no_consent:
      'Una maschera ha fatto passare contro la regola, o a mano, senza il consenso di un responsabile.',
    no_proof: 'Non c’è la prova che il codice del biglietto sia stato letto.',
    not_sold: 'Per questo posto non era stato venduto nessun biglietto con quel codice.',
    before_ticket: 'È di prima che il biglietto fosse venduto.',
    too_fast: 'Il telefono ha fatto passare più gente di quanta se ne possa cercare a mano.',
  },
  newerWord,
);

/** `many` is the plural; `mark` is drawn on the seat for people who do not see colours. */
interface SeatWords {
  word: string;
  many: string;
  mark: string;
}

export const seatStateWords: Record<SeatState, SeatWords> = {
  free: { word: 'Libero', many: 'Liberi', mark: '' },
  held: { word: 'Nel carrello', many: 'Nel carrello', mark: 'C' },
  paying: { word: 'In pagamento', many: 'In pagamento', mark: 'P' },
  sold: { word: 'Venduto', many: 'Venduti', mark: 'V' },
  inside: { word: 'Entrato', many: 'Entrati', mark: 'E' },
  blocked: { word: 'Bloccato', many: 'Bloccati', mark: 'X' },
};

/** Why the seat map refuses a place; an unknown status is shown as it is. */
export function mapStatusWords(status: string): string {
  const words: Record<string, string> = {
    not_for_sale: 'Non in vendita',
    booked: 'Occupato da qualcuno che non ha un ordine qui',
    reservedByToken: 'Nel carrello di un visitatore',
    resale: 'In rivendita',
    [blockedStatus]: 'Bloccato dall’ufficio',
    [closedStatus]: 'Vuoto: il tavolo è venduto intero a meno persone',
  };
  return words[status] ?? `Stato sulla pianta: ${status}`;
}

const salesWords: Record<SalesState, StateWords> = {
  not_yet: { word: 'Vendita non ancora aperta', tone: 'primary', icon: 'clock' },
  open: { word: 'In vendita', tone: 'good', icon: 'check' },
  paused: { word: 'Vendita sospesa', tone: 'warn', icon: 'clock' },
  closed: { word: 'Vendita chiusa', tone: 'neutral', icon: 'lock' },
  cancelled: { word: 'Annullato', tone: 'bad', icon: 'cross' },
};

/** A draft is not on sale, whatever its dates are. */
export function eventWords(event: {
  status: EventStatus;
  sales: { state: SalesState };
}): StateWords {
  if (event.status === 'draft') return { word: 'Bozza', tone: 'neutral', icon: 'edit' };
  return salesWords[event.status === 'cancelled' ? 'cancelled' : event.sales.state];
}

export const checkoutWords = withOther<Record<CheckoutStatus, string>>(
  {
    open: 'Aperta',
    expired: 'Scaduta',
    complete: 'Completata',
  },
  newerWord,
);

/** Stripe's three payment states. */
export function paymentWords(payment_status: string): string {
  const words: Record<string, string> = {
    paid: 'Pagato',
    unpaid: 'Non pagato',
    no_payment_required: 'Nessun pagamento richiesto',
  };
  return words[payment_status] ?? payment_status;
}

export const chartStatusWords: Record<
  'NOT_USED' | 'PUBLISHED' | 'PUBLISHED_WITH_DRAFT',
  StateWords
> = {
  NOT_USED: { word: 'Non ancora usata', tone: 'neutral', icon: 'edit' },
  PUBLISHED: { word: 'In uso', tone: 'good', icon: 'check' },
  PUBLISHED_WITH_DRAFT: { word: 'In uso, con una bozza', tone: 'primary', icon: 'edit' },
};
