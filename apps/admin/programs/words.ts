/** Italian words for what other programs may read, and for what webhooks report. */
import { newerWord, withOther } from '#server/domain/text/newer-word.ts';
import type { ProgramScope } from '#server/domain/program/token.ts';
import type { DeliveryKind, DeliveryState, OffReason } from '#server/domain/program/webhook.ts';
import { newerHint, newerState, type StateWords } from '#apps/admin/kit/words.ts';

export const scopeWords = withOther<Record<ProgramScope, { word: string; hint: string }>>(
  {
    events: { word: 'Eventi', hint: 'Date, vendita e posti liberi per categoria.' },
    orders: { word: 'Ordini', hint: 'Importi, righe e stato, senza sapere chi ha comprato.' },
    buyers: {
      word: 'Acquirenti',
      hint: 'Con gli ordini, anche nome ed e-mail di chi ha comprato.',
    },
    tickets: { word: 'Biglietti', hint: 'Posto, tipo e stato, mai i codici.' },
    admissions: { word: 'Ingressi', hint: 'Chi è entrato e uscito, per biglietto.' },
    figures: { word: 'Cifre', hint: 'Conteggi e somme per evento.' },
  },
  newerHint,
);

export const kindWords = withOther<Record<DeliveryKind, string>>(
  {
    'order.confirmed': 'Ordine confermato',
    'order.refunded': 'Ordine rimborsato',
    'ticket.issued': 'Biglietti emessi',
    'ticket.revised': 'Biglietti cambiati',
    'ticket.ended': 'Biglietti annullati',
    'admission.created': 'Ingresso o uscita',
    'admission.undone': 'Lettura annullata',
    'event.changed': 'Evento cambiato',
    'sale.closed': 'Vendita chiusa',
    'seat.low': 'Ultimi posti',
    ping: 'Prova',
  },
  newerWord,
);

export const tokenStateWords: Record<'valid' | 'expired' | 'revoked', StateWords> = {
  valid: { word: 'Valida', tone: 'good', icon: 'check' },
  expired: { word: 'Scaduta', tone: 'neutral', icon: 'clock' },
  revoked: { word: 'Revocata', tone: 'neutral', icon: 'lock' },
};

export const offWords: Record<OffReason, string> = {
  gone: 'Spento: ha risposto 410',
  silent: 'Spento: per tre giorni non ha accettato niente',
  person: 'Spento',
};

export const deliveryStateWords = withOther<Record<DeliveryState, StateWords>>(
  {
    waiting: { word: 'In attesa', tone: 'warn', icon: 'clock' },
    done: { word: 'Consegnata', tone: 'good', icon: 'check' },
    given_up: { word: 'Non consegnata', tone: 'bad', icon: 'warning' },
  },
  newerState,
);

const faults: Record<string, string> = {
  address_not_allowed: 'L’indirizzo porta in una rete a cui non si può scrivere.',
  name_unknown: 'Il nome dell’indirizzo non si trova.',
  unreachable: 'Nessuna connessione.',
  certificate: 'Il certificato non è valido.',
  silent: 'Nessuna risposta entro quindici secondi.',
};

/** The result of the last try. */
export function outcomeOf({
  status,
  fault,
}: {
  status: number | null;
  fault: string | null;
}): string {
  if (status !== null) return `Risposta ${status}`;
  return fault === null ? 'Non ancora inviata' : (faults[fault] ?? fault);
}
