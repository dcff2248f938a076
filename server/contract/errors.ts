/** Every refusal's HTTP status and Italian sentence: a new code without both does not compile. */
import { formatListDate } from '#server/domain/dates.ts';
import * as v from 'valibot';
import type { RefusalCode } from '#server/domain/refusal.ts';
import { whoMay } from '#server/domain/rights.ts';
import { choiceFaults } from '#server/domain/seating-words.ts';
import type { Role } from '#server/domain/user.ts';

/** The shape of every error on the wire (RULES W1). */
export const errorReply = v.object({
  status: v.number(),
  code: v.string(),
  message: v.string(),
  detail: v.optional(v.unknown()),
});
export type ErrorReply = v.InferOutput<typeof errorReply>;

type Answer = readonly [status: number, message: string];

const answers: Record<RefusalCode, Answer> = {
  bad_request: [400, 'La richiesta contiene dati non validi. Controlla e riprova.'],
  broken_json: [400, 'La richiesta non è leggibile: il JSON non è valido.'],
  wrong_content_type: [415, 'Questo tipo di contenuto non è accettato.'],
  body_too_large: [413, 'La richiesta è troppo grande.'],
  not_found: [404, 'Indirizzo inesistente.'],
  method_not_allowed: [405, 'Questa operazione non è prevista a questo indirizzo.'],
  too_many_requests: [429, 'Troppe richieste in poco tempo. Aspetta qualche secondo e riprova.'],
  not_logged_in: [401, 'Devi accedere per continuare.'],
  not_allowed: [403, 'Non hai i permessi per questa operazione.'],
  wrong_origin: [403, 'La richiesta arriva da un altro sito ed è stata rifiutata.'],
  try_again: [503, 'Il sistema è occupato. Riprova tra qualche secondo.'],
  no_room: [503, 'Il sistema in questo momento non può salvare nulla. Riprova più tardi.'],
  database_away: [
    503,
    'In questo momento l’archivio del botteghino non risponde. Riprova tra qualche secondo: niente è andato perso.',
  ],
  maintenance: [
    503,
    'Stiamo facendo manutenzione: per qualche minuto non si possono comprare biglietti.',
  ],
  unexpected: [500, 'Errore imprevisto. Riprova tra poco.'],

  event_not_found: [404, 'Questo evento non esiste o non è in vendita.'],
  postponement_not_possible: [
    409,
    'Questa data non si può rinviare: è una bozza, oppure qualcuno è già entrato.',
  ],
  postponement_over: [
    409,
    'Non si può più rispondere: il termine è passato, oppure il rimborso è già stato chiesto.',
  ],
  show_not_found: [404, 'Questo spettacolo non esiste.'],
  show_changed: [
    409,
    'Nel frattempo lo spettacolo o una delle sue date è cambiato: guarda di nuovo l’anteprima.',
  ],
  too_many_dates: [422, 'Sono troppe date: fanne meno per volta.'],
  seats_not_free: [
    409,
    'Uno o più dei posti non sono liberi: qualcuno li ha scelti, comprati o bloccati.',
  ],
  move_refused: [422, 'Questi biglietti non si possono spostare.'],
  move_changed: [
    409,
    'Nel frattempo qualcosa è cambiato e la differenza non è più la stessa. Controlla e conferma di nuovo.',
  ],
  move_unsettled: [422, 'Di’ prima che cosa succede della differenza di prezzo.'],
  hold_in_use: [
    409,
    'Uno o più dei posti sono in un acquisto in corso: aspetta che finisca, o annulla l’ordine.',
  ],
  seats_not_held: [409, 'Uno o più dei posti non sono in nessun carrello: aggiorna la pianta.'],
  block_not_found: [404, 'Questo blocco non c’è più: i suoi posti sono già tornati in vendita.'],
  contingent_not_found: [404, 'Questo contingente non c’è più.'],
  contingent_left_empty: [409, 'Al contingente non resterebbe nessun posto: liberalo invece.'],
  contingent_unsettled: [
    409,
    'La pianta sta ancora cambiando questo contingente: riprova fra poco.',
  ],
  too_many_contingents: [422, 'Questo evento ha già tutti i contingenti che la pianta permette.'],
  code_in_use: [
    409,
    'Un contingente di questo evento ha, o aveva, già questo codice: scegline un altro.',
  ],
  code_unknown: [404, 'Questo codice non apre nessun posto: controlla come è scritto.'],
  seats_reserved: [
    409,
    'Uno o più dei tuoi posti sono riservati: per comprarli serve il codice giusto, oppure la cassa del teatro. Scegline altri.',
  ],
  release_time_past: [422, 'L’ora in cui i posti tornano in vendita è già passata.'],
  sale_not_waiting: [
    409,
    'Per questo spettacolo non c’è più da aspettare: guarda la sua pagina per sapere se si vende.',
  ],
  reminder_gone: [
    410,
    'Questo link non vale più: era da confermare entro 48 ore, o l’avviso è già partito o è stato tolto.',
  ],
  event_changed: [
    409,
    'Nel frattempo qualcun altro ha salvato questo evento: ricarica la pagina per vedere le sue modifiche.',
  ],
  event_incomplete: [422, 'Mancano ancora alcune informazioni: completale e riprova.'],
  event_has_orders: [409, 'Per questo evento c’è già almeno un ordine: non è più possibile.'],
  event_not_draft: [
    409,
    'Si elimina solo una bozza che non è mai stata in vendita. Un evento che è sul sito si annulla.',
  ],
  show_has_dates: [409, 'Lo spettacolo ha ancora delle date: elimina prima quelle.'],
  event_times_wrong: [422, 'Gli orari non sono in ordine: controlla quelli indicati.'],
  buyers_to_tell: [
    409,
    'Data o luogo cambiano per chi ha già comprato: conferma che vanno avvisati.',
  ],
  slug_taken: [409, 'C’è già un evento con questo indirizzo: scegline un altro.'],
  seat_event_taken: [409, 'Questa pianta dei posti è già di un altro evento.'],
  price_not_sellable: [422, 'Uno dei prezzi non può essere venduto: controllalo su Stripe.'],
  category_unknown: [422, 'Una delle categorie non esiste nella pianta scelta.'],
  text_too_long: [422, 'Il testo è troppo lungo: al massimo 20.000 caratteri.'],
  image_unknown: [422, 'Una delle immagini non c’è più: caricala di nuovo.'],
  image_unreadable: [
    422,
    'Questo file non è un’immagine che possiamo usare: serve un JPEG, PNG, WebP o AVIF, non animato.',
  ],
  image_too_large: [422, 'L’immagine ha troppi pixel: al massimo 40 megapixel.'],
  image_too_small: [422, 'L’immagine è troppo piccola: servono almeno 160 pixel per lato.'],
  order_not_found: [404, 'Ordine non trovato.'],
  ticket_not_found: [404, 'Biglietto non trovato.'],
  phone_not_found: [404, 'Telefono non trovato.'],
  admission_not_found: [404, 'Questa lettura non è in elenco.'],
  receipt_not_found: [404, 'Nessun ordine con questo numero di ricevuta.'],
  session_not_found: [404, 'Questo ordine non ha una sessione di pagamento.'],
  price_not_found: [404, 'Stripe non conosce questo prezzo.'],

  nothing_selected: [400, 'Seleziona prima i posti...'],
  seats_taken: [409, 'Qualcuno ha appena preso uno dei tuoi posti. Scegline altri.'],
  hold_expired: [409, 'Tempo scaduto: i posti sono tornati disponibili. Sceglili di nuovo.'],
  sale_closed: [410, 'La vendita per questo evento non è aperta.'],
  event_cancelled: [410, 'Questo evento è stato annullato.'],
  object_without_price: [422, 'Uno dei posti scelti non è in vendita a questo prezzo.'],
  object_unknown: [422, 'Uno dei posti scelti non esiste in questa pianta.'],
  orphan_seats: [422, choiceFaults.noOrphanSeats],
  seats_not_consecutive: [422, choiceFaults.consecutiveSeats],
  too_many_seats: [422, 'Hai scelto più posti di quanti se ne possono comprare insieme.'],
  provider_silent: [
    503,
    'Il servizio di pagamento o la pianta dei posti non risponde. Riprova tra poco: i tuoi posti restano riservati.',
  ],
  checkout_refused: [
    502,
    'Il pagamento non può essere avviato in questo momento. Nessun importo è stato addebitato.',
  ],
  order_pending: [409, 'Hai già un ordine in sospeso: riprendi il pagamento o annullalo.'],

  total_changed: [409, 'Il totale dell’ordine è cambiato nel frattempo: ricontrolla e riprova.'],
  payment_under_way: [
    409,
    'Il pagamento online di questo ordine è in corso: aspetta l’esito prima di decidere.',
  ],
  decision_not_possible: [
    409,
    'Questa decisione non è più possibile: la situazione dell’ordine è cambiata.',
  ],

  order_not_confirmed: [409, 'Questo ordine non è confermato: non ci sono ancora biglietti.'],
  wallet_not_offered: [404, 'Questo portafoglio digitale non è disponibile.'],
  no_valid_tickets: [409, 'In questo ordine non ci sono più biglietti validi.'],
  holder_missing: [409, 'Indica prima nome e cognome di chi userà i biglietti.'],
  holder_name_wrong: [
    422,
    'Scrivi nome e cognome, come sul documento: solo lettere, spazi, apostrofi e trattini.',
  ],
  holder_fixed: [409, 'L’intestatario di questo biglietto non può più essere cambiato.'],
  mail_not_found: [404, 'Messaggio non trovato.'],
  buyer_forgotten: [
    410,
    'I dati di chi ha comprato sono stati cancellati, come promette l’informativa privacy: per quest’ordine non si scrive più a nessuno.',
  ],
  buyer_wrong: [422, 'Controlla i dati dell’acquirente: uno o più campi non vanno bene.'],
  note_not_found: [404, 'Questa nota non c’è più.'],
  note_of_another: [409, 'Questa nota la cancella chi l’ha scritta, o un amministratore.'],
  order_not_extendable: [
    409,
    'A questo ordine non si possono aggiungere posti: deve essere confermato e dello stesso evento.',
  ],
  mail_address_missing: [
    422,
    'Per questo ordine non conosciamo un indirizzo e-mail: indicane uno.',
  ],
  message_not_found: [404, 'Questo invio non esiste.'],
  message_not_running: [409, 'L’invio non è in corso: non c’è nulla da fermare.'],
  message_not_stopped: [409, 'L’invio non è fermo: non c’è nulla da riprendere.'],
  message_begun: [409, 'L’invio è già cominciato: non si può più annullare.'],
  message_too_soon: [
    409,
    'Da meno di un’ora è partito un altro messaggio per lo stesso evento: conferma che vuoi scrivere di nuovo.',
  ],
  message_too_wide: [422, 'Sono troppi ordini per un solo invio: restringi i filtri.'],
  recipients_changed: [
    409,
    'Nel frattempo i destinatari sono cambiati: controlla di nuovo l’anteprima.',
  ],
  nobody_to_write_to: [422, 'Tra questi ordini non ce n’è nessuno a cui scrivere.'],

  seat_event_not_found: [404, 'La pianta dei posti non conosce questo evento.'],
  seat_object_not_found: [404, 'Uno dei posti indicati non esiste in questa pianta.'],
  chart_not_found: [404, 'Questa pianta non esiste, o non è ancora pubblicata.'],
  chart_key_taken: [409, 'C’è già una pianta con questa chiave: scegline un’altra.'],
  drawing_invalid: [422, 'Il disegno ha degli errori e non può essere importato.'],
  import_not_possible: [
    409,
    'Le piante di questo sito sono su seats.io, che non accetta disegni da fuori: disegnale sul loro sito.',
  ],
  account_refused: [
    422,
    'Questa chiave segreta non è accettata da seats.io. Controlla la chiave e la regione dell’account.',
  ],

  refund_changed: [
    409,
    'Nel frattempo qualcosa è cambiato e l’importo da rimborsare non è più lo stesso. Controlla la nuova somma e conferma di nuovo.',
  ],
  refund_refused: [422, 'Questo rimborso non è possibile.'],
  refund_not_found: [404, 'Rimborso non trovato.'],
  refund_not_open: [
    409,
    'Questo rimborso è già stato deciso: ricarica la pagina per vedere come sta.',
  ],
  seats_sold_again: [
    409,
    'I posti non sono più di questo ordine: i suoi biglietti non possono tornare validi.',
  ],
  refund_run_not_found: [404, 'Questo annullamento non esiste.'],
  cancellation_changed: [
    409,
    'Nel frattempo gli ordini sono cambiati. Controlla i nuovi numeri e conferma di nuovo.',
  ],

  break_not_found: [404, 'Questa differenza non è in elenco.'],
  break_settled: [409, 'Questa differenza è già stata chiusa.'],
  break_persists: [
    409,
    'La differenza c’è ancora: il fornitore non ha accettato la correzione, o nulla è cambiato. Controlla dal fornitore e riprova, oppure prendine nota.',
  ],
  action_not_possible: [422, 'Per questa differenza non è prevista questa correzione.'],

  login_failed: [401, 'E-mail o password non corretti.'],
  invite_invalid: [410, 'Questo invito non è più valido.'],
  link_invalid: [410, 'Questo link non è più valido: chiedine un altro.'],
  account_suspended: [403, 'Il tuo accesso è sospeso. Parlane con un amministratore.'],
  password_wrong: [422, 'La password di adesso non è corretta.'],
  session_unknown: [404, 'Questo accesso è già terminato.'],
  person_not_found: [404, 'Questa persona non è più in elenco.'],
  code_needed: [401, 'Serve anche il codice: aprilo nell’app dei codici, o usane uno di riserva.'],
  code_wrong: [401, 'Il codice non è corretto o è già stato usato.'],
  factor_required: [403, 'Prima aggiungi un secondo fattore al tuo accesso.'],
  factor_missing: [409, 'Il tuo accesso non ha un secondo fattore.'],
  passkey_refused: [422, 'Questa passkey non è stata accettata. Riprova, o usane un’altra.'],
  passkey_unknown: [404, 'Questa passkey non è più in elenco.'],
  confirm_again: [403, 'Per questa operazione conferma di nuovo chi sei.'],
  confirm_wrong: [422, 'Non corrisponde: riprova.'],
  last_admin: [409, 'È l’unico amministratore attivo: prima dai questo ruolo a un’altra persona.'],
  password_weak: [
    422,
    'La password deve avere almeno 12 caratteri e non essere tra le più comuni.',
  ],
  email_taken: [409, 'Esiste già un utente con questa e-mail.'],

  site_changed: [
    409,
    'Nel frattempo qualcun altro ha salvato queste impostazioni. Ricarica la pagina e ripeti le tue modifiche.',
  ],
  site_invalid: [422, 'Alcuni dati non possono essere giusti: controlla i campi indicati.'],
  look_invalid: [422, 'Così non va bene: controlla i campi indicati.'],
  text_placeholder_unknown: [
    422,
    'In un testo c’è un segnaposto che non conosciamo: controlla i nomi tra parentesi graffe.',
  ],

  pairing_invalid: [
    410,
    'Questo codice di abbinamento non è più valido: chiedine uno nuovo in ufficio.',
  ],
  phone_revoked: [401, 'Questo telefono non è più autorizzato.'],
  resync_required: [409, 'L’elenco dei biglietti va scaricato di nuovo.'],
  update_required: [
    426,
    'Aggiorna l’app per continuare: questa versione è troppo vecchia per ricevere l’elenco dei biglietti. Le letture già fatte vengono inviate comunque.',
  ],
  undo_not_possible: [
    409,
    'Questa lettura non può essere annullata: non ha fatto entrare né uscire nessuno, o è già stata annullata.',
  ],
  rehearsal_closed: [409, 'Questa prova generale è chiusa: preparane un’altra.'],
  conflict_gone: [
    409,
    'Questo doppio ingresso non c’è più: una delle due letture è stata annullata o corretta nel frattempo.',
  ],
  doubt_gone: [409, 'Questa lettura non è più in dubbio: qualcuno ha già deciso.'],
  shift_not_open: [409, 'Apri prima il turno di cassa: i soldi passano solo dal tuo cassetto.'],
  shift_open: [409, 'Hai già un turno aperto: chiudilo prima di aprirne un altro.'],
  till_busy: [409, 'A questa cassa c’è già un turno aperto.'],
  till_unknown: [404, 'Questa cassa non esiste più. Scegline un’altra.'],
  shift_not_found: [404, 'Questo turno di cassa non esiste.'],
  shift_changed: [
    409,
    'Nel frattempo il contante atteso è cambiato: guarda i nuovi totali e chiudi di nuovo.',
  ],
  difference_unexplained: [422, 'Il contante non torna: scrivi perché, poi chiudi il turno.'],
  sale_differs: [409, 'Questa vendita è già stata registrata con altri posti.'],
  payment_wrong: [422, 'I pagamenti non corrispondono al totale. Controlla gli importi.'],
  transfer_not_allowed: [
    403,
    'Un bonifico lo segna solo l’ufficio, che vede il conto. Prenota i posti: si paga più tardi.',
  ],
  not_own_shift: [
    403,
    'Puoi restituire solo quello che hai incassato nel tuo turno aperto. Per il resto chiedi all’ufficio.',
  ],
  customer_unknown: [409, 'Questo cliente non c’è più tra gli ordini: scrivi tu il nome.'],
  price_by_hand_wrong: [422, 'Il prezzo a mano dev’essere più di zero e non oltre il listino.'],
  price_by_hand_not_allowed: [403, 'Solo l’ufficio può cambiare il prezzo. Chiedi a chi può.'],
  group_not_allowed: [
    403,
    'Un gruppo così grande lo vende solo l’ufficio. Chiedi a chi può, o vendi in più volte.',
  ],
  gifts_used_up: [409, 'Hai già dato tutti gli omaggi previsti per questo evento.'],
  reservation_time_wrong: [
    422,
    'La prenotazione deve scadere più tardi di adesso e prima dell’inizio.',
  ],
  order_not_reserved: [409, 'Questo ordine non è una prenotazione da pagare.'],
  printer_missing: [409, 'Questa cassa non ha una stampante di rete: stampa dal browser.'],
  printer_address_wrong: [
    422,
    'L’indirizzo della stampante dev’essere un numero IP della rete locale, come 192.168.1.50.',
  ],
  print_not_found: [404, 'Questa stampa non esiste più.'],
  job_not_found: [404, 'Questo lavoro non c’è più: forse è stato appena fatto.'],
  job_under_way: [409, 'Questo lavoro è in corso proprio ora: aspetta un momento.'],
  job_not_optional: [
    422,
    'Questo lavoro non si può abbandonare: ne dipendono denaro o posti. Riprova più tardi.',
  ],
  webhook_signature: [400, 'Firma non valida.'],
};

export const errors = Object.fromEntries(
  Object.entries(answers).map(([code, [status, message]]) => [code, { status, message }]),
) as Record<RefusalCode, { status: number; message: string }>;

/** What goes on the wire for a code. */
export function errorReplyOf(code: RefusalCode, detail?: unknown): ErrorReply {
  const [status, sentence] = answers[code];
  const message = hasRoles(detail)
    ? `${sentence} ${whoMay(detail.roles)}`
    : `${sentence}${afterRestore(detail)}`;
  return { status, code, message, ...(detail === undefined ? {} : { detail }) };
}

/** What is not there may have come after the copy from which this house was brought back. */
function afterRestore(detail: unknown): string {
  if (typeof detail !== 'object' || detail === null || !('restored_from' in detail)) return '';
  const when = formatListDate(String(detail.restored_from));
  return ` Dopo un guasto questo sito è ripartito da una copia del ${when}. Se hai pagato dopo, il denaro non è perso: scrivi a chi organizza, indicando l’indirizzo e-mail con cui hai pagato.`;
}

/** A refusal for want of a right says who has it. */
function hasRoles(detail: unknown): detail is { roles: readonly Role[] } {
  return typeof detail === 'object' && detail !== null && 'roles' in detail;
}
