/** Every refusal's HTTP status and Italian sentence: a new code without both does not compile. */
import * as v from 'valibot';
import type { RefusalCode } from '#server/domain/refusal.ts';

/** The shape of every error on the wire (RULES W1). */
export const errorReply = v.object({
  status: v.number(),
  code: v.string(),
  message: v.string(),
  detail: v.optional(v.unknown()),
});
type ErrorReply = v.InferOutput<typeof errorReply>;

export const errors: Record<RefusalCode, { status: number; message: string }> = {
  bad_request: {
    status: 400,
    message: 'La richiesta contiene dati non validi. Controlla e riprova.',
  },
  broken_json: { status: 400, message: 'La richiesta non è leggibile: il JSON non è valido.' },
  wrong_content_type: { status: 415, message: 'Questo tipo di contenuto non è accettato.' },
  body_too_large: { status: 413, message: 'La richiesta è troppo grande.' },
  not_found: { status: 404, message: 'Indirizzo inesistente.' },
  method_not_allowed: {
    status: 405,
    message: 'Questa operazione non è prevista a questo indirizzo.',
  },
  too_many_requests: {
    status: 429,
    message: 'Troppe richieste in poco tempo. Aspetta qualche secondo e riprova.',
  },
  not_logged_in: { status: 401, message: 'Devi accedere per continuare.' },
  not_allowed: { status: 403, message: 'Non hai i permessi per questa operazione.' },
  wrong_origin: {
    status: 403,
    message: 'La richiesta arriva da un altro sito ed è stata rifiutata.',
  },
  try_again: { status: 503, message: 'Il sistema è occupato. Riprova tra qualche secondo.' },
  no_room: {
    status: 503,
    message: 'Il sistema in questo momento non può salvare nulla. Riprova più tardi.',
  },
  unexpected: { status: 500, message: 'Errore imprevisto. Riprova tra poco.' },

  event_not_found: { status: 404, message: 'Questo evento non esiste o non è in vendita.' },
  event_changed: {
    status: 409,
    message:
      'Nel frattempo qualcun altro ha salvato questo evento: ricarica la pagina per vedere le sue modifiche.',
  },
  event_incomplete: {
    status: 422,
    message: 'Mancano ancora alcune informazioni: completale e riprova.',
  },
  event_has_orders: {
    status: 409,
    message: 'Per questo evento c’è già almeno un ordine: non è più possibile.',
  },
  event_times_wrong: {
    status: 422,
    message: 'Gli orari non sono in ordine: controlla quelli indicati.',
  },
  buyers_to_tell: {
    status: 409,
    message: 'Data o luogo cambiano per chi ha già comprato: conferma che vanno avvisati.',
  },
  slug_taken: {
    status: 409,
    message: 'C’è già un evento con questo indirizzo: scegline un altro.',
  },
  seat_event_taken: { status: 409, message: 'Questa pianta dei posti è già di un altro evento.' },
  price_not_sellable: {
    status: 422,
    message: 'Uno dei prezzi non può essere venduto: controllalo su Stripe.',
  },
  category_unknown: { status: 422, message: 'Una delle categorie non esiste nella pianta scelta.' },
  text_too_long: { status: 422, message: 'Il testo è troppo lungo: al massimo 20.000 caratteri.' },
  image_unknown: { status: 422, message: 'Una delle immagini non c’è più: caricala di nuovo.' },
  image_unreadable: {
    status: 422,
    message:
      'Questo file non è un’immagine che possiamo usare: serve un JPEG, PNG, WebP o AVIF, non animato.',
  },
  image_too_large: { status: 422, message: 'L’immagine ha troppi pixel: al massimo 40 megapixel.' },
  image_too_small: {
    status: 422,
    message: 'L’immagine è troppo piccola: servono almeno 160 pixel per lato.',
  },
  order_not_found: { status: 404, message: 'Ordine non trovato.' },
  ticket_not_found: { status: 404, message: 'Biglietto non trovato.' },
  phone_not_found: { status: 404, message: 'Telefono non trovato.' },
  admission_not_found: { status: 404, message: 'Questa lettura non è in elenco.' },
  receipt_not_found: { status: 404, message: 'Nessun ordine con questo numero di ricevuta.' },
  session_not_found: { status: 404, message: 'Questo ordine non ha una sessione di pagamento.' },
  price_not_found: { status: 404, message: 'Stripe non conosce questo prezzo.' },

  nothing_selected: { status: 400, message: 'Seleziona prima i posti...' },
  seats_taken: {
    status: 409,
    message: 'Qualcuno ha appena preso uno dei tuoi posti. Scegline altri.',
  },
  hold_expired: {
    status: 409,
    message: 'Tempo scaduto: i posti sono tornati disponibili. Sceglili di nuovo.',
  },
  sale_closed: { status: 410, message: 'La vendita per questo evento non è aperta.' },
  event_cancelled: { status: 410, message: 'Questo evento è stato annullato.' },
  object_without_price: {
    status: 422,
    message: 'Uno dei posti scelti non è in vendita a questo prezzo.',
  },
  object_unknown: { status: 422, message: 'Uno dei posti scelti non esiste in questa pianta.' },
  orphan_seats: { status: 422, message: 'Così resterebbe un posto isolato: spostati di uno.' },
  seats_not_consecutive: { status: 422, message: 'Scegli posti vicini tra loro.' },
  too_many_seats: {
    status: 422,
    message: 'Hai scelto più posti di quanti se ne possono comprare insieme.',
  },
  provider_silent: {
    status: 503,
    message:
      'Il servizio di pagamento o la pianta dei posti non risponde. Riprova tra poco: i tuoi posti restano riservati.',
  },
  checkout_refused: {
    status: 502,
    message:
      'Il pagamento non può essere avviato in questo momento. Nessun importo è stato addebitato.',
  },
  order_pending: {
    status: 409,
    message: 'Hai già un ordine in sospeso: riprendi il pagamento o annullalo.',
  },

  total_changed: {
    status: 409,
    message: 'Il totale dell’ordine è cambiato nel frattempo: ricontrolla e riprova.',
  },
  payment_under_way: {
    status: 409,
    message: 'Il pagamento online di questo ordine è in corso: aspetta l’esito prima di decidere.',
  },
  decision_not_possible: {
    status: 409,
    message: 'Questa decisione non è più possibile: la situazione dell’ordine è cambiata.',
  },

  order_not_confirmed: {
    status: 409,
    message: 'Questo ordine non è confermato: non ci sono ancora biglietti.',
  },
  wallet_not_offered: { status: 404, message: 'Questo portafoglio digitale non è disponibile.' },
  no_valid_tickets: { status: 409, message: 'In questo ordine non ci sono più biglietti validi.' },
  holder_missing: { status: 409, message: 'Indica prima nome e cognome di chi userà i biglietti.' },
  holder_fixed: {
    status: 409,
    message: 'L’intestatario di questo biglietto non può più essere cambiato.',
  },
  mail_not_found: { status: 404, message: 'Messaggio non trovato.' },
  buyer_forgotten: {
    status: 410,
    message:
      'I dati di chi ha comprato sono stati cancellati, come promette l’informativa privacy: per quest’ordine non si scrive più a nessuno.',
  },
  mail_address_missing: {
    status: 422,
    message: 'Per questo ordine non conosciamo un indirizzo e-mail: indicane uno.',
  },

  seat_event_not_found: { status: 404, message: 'La pianta dei posti non conosce questo evento.' },
  seat_object_not_found: {
    status: 404,
    message: 'Uno dei posti indicati non esiste in questa pianta.',
  },
  chart_not_found: { status: 404, message: 'Questa pianta non esiste, o non è ancora pubblicata.' },
  chart_key_taken: {
    status: 409,
    message: 'C’è già una pianta con questa chiave: scegline un’altra.',
  },
  drawing_invalid: {
    status: 422,
    message: 'Il disegno ha degli errori e non può essere importato.',
  },
  import_not_possible: {
    status: 409,
    message:
      'Le piante di questo sito sono su seats.io, che non accetta disegni da fuori: disegnale sul loro sito.',
  },
  account_refused: {
    status: 422,
    message:
      'Questa chiave segreta non è accettata da seats.io. Controlla la chiave e la regione dell’account.',
  },

  refund_changed: {
    status: 409,
    message:
      'Nel frattempo qualcosa è cambiato e l’importo da rimborsare non è più lo stesso. Controlla la nuova somma e conferma di nuovo.',
  },
  refund_refused: { status: 422, message: 'Questo rimborso non è possibile.' },
  refund_not_found: { status: 404, message: 'Rimborso non trovato.' },
  refund_not_open: {
    status: 409,
    message: 'Questo rimborso è già stato deciso: ricarica la pagina per vedere come sta.',
  },
  refund_run_not_found: { status: 404, message: 'Questo annullamento non esiste.' },
  cancellation_changed: {
    status: 409,
    message:
      'Nel frattempo gli ordini sono cambiati. Controlla i nuovi numeri e conferma di nuovo.',
  },

  break_not_found: { status: 404, message: 'Questa differenza non è in elenco.' },
  break_settled: { status: 409, message: 'Questa differenza è già stata chiusa.' },
  break_persists: {
    status: 409,
    message:
      'La differenza c’è ancora: il fornitore non ha accettato la correzione, o nulla è cambiato. Controlla dal fornitore e riprova, oppure prendine nota.',
  },
  action_not_possible: {
    status: 422,
    message: 'Per questa differenza non è prevista questa correzione.',
  },

  login_failed: { status: 401, message: 'E-mail o password non corretti.' },
  invite_invalid: { status: 410, message: 'Questo invito non è più valido.' },
  password_weak: {
    status: 422,
    message: 'La password deve avere almeno 12 caratteri e non essere tra le più comuni.',
  },
  email_taken: { status: 409, message: 'Esiste già un utente con questa e-mail.' },

  site_changed: {
    status: 409,
    message:
      'Nel frattempo qualcun altro ha salvato queste impostazioni. Ricarica la pagina e ripeti le tue modifiche.',
  },
  site_invalid: {
    status: 422,
    message: 'Alcuni dati non possono essere giusti: controlla i campi indicati.',
  },
  text_placeholder_unknown: {
    status: 422,
    message:
      'In un testo c’è un segnaposto che non conosciamo: controlla i nomi tra parentesi graffe.',
  },

  pairing_invalid: {
    status: 410,
    message: 'Questo codice di abbinamento non è più valido: chiedine uno nuovo in ufficio.',
  },
  phone_revoked: { status: 401, message: 'Questo telefono non è più autorizzato.' },
  resync_required: { status: 409, message: 'L’elenco dei biglietti va scaricato di nuovo.' },
  update_required: {
    status: 426,
    message:
      'Aggiorna l’app per continuare: questa versione è troppo vecchia per ricevere l’elenco dei biglietti. Le letture già fatte vengono inviate comunque.',
  },
  undo_not_possible: {
    status: 409,
    message:
      'Questa lettura non può essere annullata: non ha fatto entrare né uscire nessuno, o è già stata annullata.',
  },
  rehearsal_closed: { status: 409, message: 'Questa prova generale è chiusa: preparane un’altra.' },
  conflict_gone: {
    status: 409,
    message:
      'Questo doppio ingresso non c’è più: una delle due letture è stata annullata o corretta nel frattempo.',
  },
  webhook_signature: { status: 400, message: 'Firma non valida.' },
};

/** What goes on the wire for a code. */
export function errorReplyOf(code: RefusalCode, detail?: unknown): ErrorReply {
  return {
    status: errors[code].status,
    code,
    message: errors[code].message,
    ...(detail === undefined ? {} : { detail }),
  };
}
