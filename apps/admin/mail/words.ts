/** Italian words for mails: subject kinds, states, and why one could not be sent. */
import { newerWord, withOther } from '#server/domain/text/newer-word.ts';
import type { MailKind, MailState, MailTrouble } from '#server/domain/mail/kinds.ts';
import { newerState, type StateWords } from '#apps/admin/kit/words.ts';

export const mailKindWords = withOther<Record<MailKind, string>>(
  {
    tickets: 'Biglietti',
    awaiting: 'Pagamento da completare',
    cancelled: 'Ordine annullato',
    refunded: 'Rimborso',
    refund_asked: 'Rimborso richiesto',
    refund_refused: 'Rimborso non accolto',
    late_refunded: 'Pagato in ritardo',
    tickets_ended: 'Biglietti annullati',
    event_changed: 'Evento modificato',
    event_postponed: 'Evento spostato',
    event_cancelled: 'Evento annullato',
    cancellation_asked: 'Evento annullato: che cosa preferisci?',
    gift_receipt: 'Ricevuta del denaro lasciato',
    holder_changed: 'Intestatario',
    seats_changed: 'Posto cambiato',
    names_asked: 'Richiesta dei nomi',
    confirm_click: 'Conferma della prenotazione',
    day_before: 'Promemoria del giorno prima',
    reminder: 'Avviso da confermare',
    sale_open: 'Vendita aperta',
    queue_near: 'Turno vicino',
    message: 'Messaggio',
    message_test: 'Prova di un messaggio',
    order_links: 'Link agli ordini',
    login_alarm: 'Password indovinata?',
    health_alert: 'Avviso di Salute',
    invitation: 'Invito',
    password_reset: 'Nuova password',
  },
  newerWord,
);

export const mailStateWords = withOther<Record<MailState, StateWords>>(
  {
    waiting: { word: 'In partenza', tone: 'warn', icon: 'clock' },
    sent: { word: 'Inviato', tone: 'good', icon: 'check' },
    failed: { word: 'Non inviato', tone: 'bad', icon: 'warning' },
    dropped: { word: 'Non più utile', tone: 'neutral', icon: 'cross' },
  },
  newerState,
);

/** A mail has words of its own if no mail server is set up or the mail was rejected. */
export function mailWordsOf(state: MailState, trouble: MailTrouble | null): StateWords {
  if (state === 'sent' && trouble === 'not_set_up')
    return { word: 'Non spedito: posta non configurata', tone: 'warn', icon: 'warning' };
  if (state === 'failed' && (trouble === 'rejected' || trouble === 'bounced'))
    return { word: 'Respinto', tone: 'bad', icon: 'warning' };
  return mailStateWords[state];
}

export const mailTroubleWords = withOther<Record<MailTrouble, string>>(
  {
    no_address: 'L’ordine non ha un indirizzo e-mail.',
    anonymous: 'Il biglietto è stato venduto senza nome e senza indirizzo.',
    bad_address: 'L’indirizzo e-mail dell’ordine non è valido.',
    rejected: 'Il server di posta ha rifiutato il messaggio.',
    bounced:
      'Il messaggio è partito, ma il server di posta di chi doveva riceverlo lo ha rimandato indietro.',
    no_answer:
      'Il server di posta non risponde, chiede di aspettare o rifiuta il nostro mittente: riproviamo da soli.',
    gave_up: 'Dopo due giorni di tentativi senza risposta abbiamo smesso di provare.',
    not_set_up: 'Nessuno l’ha ricevuto: la posta di questo sito non è configurata.',
    abandoned: 'Un amministratore ha rinunciato a spedirlo.',
    obsolete: 'Quando è stato il suo turno non c’era più nulla da dire.',
  },
  newerWord,
);
