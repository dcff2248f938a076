/**
 * Italian words for what happened: a name for each action, and a line for each detail with the
 * old and the new value of what was changed.
 */
import { newerWord, withOther } from '#server/domain/text/newer-word.ts';
import { buyerSearchNames } from '#server/domain/door/buyer-search.ts';
import { eventFieldNames } from '#server/domain/event/field-names.ts';
import type { AuditAction } from './audit.ts';
import { formatListDate } from '#server/domain/time/dates.ts';
import { formatEuro } from '#server/domain/price/money.ts';
import { endReasonNames } from '#server/domain/order/order-words.ts';
import { regimeNames } from '#server/domain/papers/regime.ts';
import { roleNames } from '#server/domain/user/user.ts';

export const actionNames = withOther<Record<AuditAction, string>>(
  {
    order_stored: 'Ordine creato',
    order_recovered: 'Ordine ritrovato su Stripe dopo un ripristino',
    sale_rebuilt: 'Vendita in cassa ricostruita dopo un ripristino',
    cancel_asked: 'Annullamento dell’ordine chiesto',
    order_deleted: 'Ordine annullato',
    order_confirmed: 'Ordine confermato',
    payment_processing: 'Pagamento in verifica',
    click_asked: 'Conferma chiesta per e-mail',
    places_let_go: 'Posti gratuiti liberati',
    place_taken_back: 'Posto liberato ripreso all’ingresso',
    let_in_against: 'Entrato con un biglietto che non valeva più',
    against_settled: 'Ingresso senza biglietto valido deciso',
    place_given: 'Posto liberato assegnato ad altri',
    amount_differs: 'Pagata una somma diversa',
    paid_after_end: 'Pagamento dopo la fine dell’ordine',
    holder_named: 'Intestatario indicato',
    holder_changed: 'Intestatario cambiato',
    attention_settled: 'Ordine sistemato',
    buyer_changed: 'Acquirente corretto',
    note_added: 'Nota scritta',
    note_pinned: 'Nota messa in evidenza',
    note_unpinned: 'Nota tolta dall’evidenza',
    note_deleted: 'Nota cancellata',
    door_note_written: 'Nota per la porta scritta',
    door_note_removed: 'Nota per la porta tolta',
    seats_added: 'Posti aggiunti a un ordine',
    exchange_begun: 'Cambio di data cominciato',
    tickets_exchanged: 'Biglietti cambiati con un’altra data',
    money_left: 'Denaro lasciato al teatro',
    exchange_ended: 'Cambio di data non avvenuto',
    tickets_moved: 'Biglietti spostati',
    tickets_retyped: 'Tariffa cambiata',
    tickets_swapped: 'Posti scambiati',
    invoice_asked: 'Fattura chiesta',
    invoice_changed: 'Dati della fattura cambiati',
    invoice_made: 'Fattura emessa',
    invoice_reopened: 'Fattura riaperta',
    rehousing_planned: 'Cambio di sala preparato',
    rehousing_started: 'Cambio di sala avviato',
    rehousing_called_off: 'Cambio di sala annullato',
    rehousing_done: 'Cambio di sala eseguito',
    sale_resumed: 'Vendita ripresa',
    move_given_up: 'Spostamento non riuscito',
    block_changed: 'Blocco di posti modificato',
    contingent_made: 'Posti riservati a un contingente',
    contingent_changed: 'Contingente modificato',
    contingent_seats_added: 'Posti aggiunti a un contingente',
    contingent_seats_removed: 'Posti tolti da un contingente',
    contingent_released: 'Contingente liberato',
    contingent_restored: 'Contingente riservato di nuovo',
    holds_freed: 'Posti liberati dal carrello',
    event_deleted: 'Bozza eliminata',
    show_deleted: 'Spettacolo eliminato',
    prices_typed: 'Prezzi scritti',
    prices_renewed: 'Prezzi rifatti su Stripe',
    price_rule_added: 'Regola di prezzo aggiunta',
    price_rule_changed: 'Regola di prezzo cambiata',
    price_rule_ended: 'Regola di prezzo tolta',
    price_code_added: 'Codice di una regola aggiunto',
    price_codes_made: 'Codici di una regola creati',
    price_code_changed: 'Codice di una regola cambiato',
    price_code_ended: 'Codice di una regola chiuso',
    test_orders_removed: 'Ordini di prova tolti',
    demo_removed: 'Dimostrazione tolta',
    look_changed: 'Aspetto e biglietti modificati',
    message_queued: 'Invio a più acquirenti avviato',
    message_withdrawn: 'Invio a più acquirenti annullato',
    message_stopped: 'Invio a più acquirenti fermato',
    refunds_stopped: 'Rimborsi di un evento annullato fermati',
    refunds_resumed: 'Rimborsi di un evento annullato ripresi',
    file_stopped: 'File lungo fermato',
    message_resumed: 'Invio a più acquirenti ripreso',
    refund_asked: 'Rimborso richiesto',
    refund_requested: 'Rimborso deciso',
    refund_approved: 'Richiesta di rimborso approvata',
    refund_refused: 'Richiesta di rimborso rifiutata',
    refund_withdrawn: 'Richiesta di rimborso ritirata',
    refund_pending: 'Rimborso in corso',
    refund_requires_action: 'Rimborso fermo su Stripe',
    refund_succeeded: 'Rimborso riuscito',
    refund_failed: 'Rimborso non riuscito',
    refund_canceled: 'Rimborso annullato da Stripe',
    refund_taken_over: 'Rimborso fatto dal sito di Stripe',
    refund_done_elsewhere: 'Rimborso già fatto dal sito di Stripe',
    refund_retry: 'Rimborso ritentato',
    refund_handed_back: 'Somma restituita a mano',
    refund_restore: 'Rimborso lasciato cadere',
    refund_void: 'Biglietti annullati dopo il rimborso',
    refund_keep: 'Biglietti lasciati dopo il rimborso',
    seats_freed: 'Posti rimessi in vendita',
    dispute_created: 'Pagamento contestato',
    dispute_changed: 'Contestazione aggiornata',
    event_cancelled: 'Evento annullato',
    postponement_answered: 'Risposta a uno spostamento',
    cancellation_answered: 'Risposta a un annullamento',
    buyer_forgotten: 'Dati dell’acquirente cancellati',
    buyer_email_changed: 'E-mail dell’acquirente corretta',
    mail_resent: 'E-mail rimandata',
    link_replaced: 'Link dell’ordine sostituito',
    mail_bounced: 'E-mail tornata indietro',
    order_read_again: 'Ordine riletto da Stripe su richiesta',
    break_settled: 'Differenza sistemata',
    seats_reserved: 'Posti prenotati alla cassa',
    reservation_changed: 'Scadenza di una prenotazione cambiata',
    deposit_taken: 'Acconto incassato',
    deposit_kept: 'Acconto trattenuto',
    price_by_hand: 'Prezzo deciso alla cassa',
    group_sold: 'Gruppo venduto alla cassa',
    seat_rules_overridden: 'Posti fuori dalle regole della pianta',
    tickets_printed: 'Biglietti stampati',
    tickets_reissued: 'Biglietti rifatti',
    admitted: 'Entrata registrata in ufficio',
    let_out: 'Uscita registrata in ufficio',
    admission_undone: 'Lettura annullata',
    conflict_settled: 'Conflitto deciso',
    doubt_settled: 'Lettura in dubbio decisa',
    scans_imported: 'Letture importate',
    phone_scans_undone: 'Letture di un telefono annullate',
    heads_counted: 'Persone senza biglietto contate in ufficio',
    heads_undone: 'Conteggio senza biglietto annullato',
    rehearsal_made: 'Prova generale creata',
    rehearsal_turned: 'Prova generale avanzata',
    rehearsal_closed: 'Prova generale chiusa',
    phone_made: 'Telefono creato',
    phone_changed: 'Telefono modificato',
    phone_pairing_renewed: 'Nuovo abbinamento per un telefono',
    phone_paired: 'Telefono abbinato',
    phone_revoked: 'Telefono revocato',
    door_pin_set: 'PIN della porta impostato',
    door_pin_removed: 'PIN della porta tolto',
    phone_key_set: 'Chiave di un responsabile impostata',
    event_postponed: 'Evento rinviato',
    act_taken_back: 'Annullato prima delle e-mail',
    orders_transferred: 'Ordini portati su un’altra data',
    postponement_closed: 'Risposte a uno spostamento concluse',
    show_changed: 'Spettacolo modificato',
    dates_made: 'Date aggiunte',
    event_created: 'Evento creato',
    event_duplicated: 'Evento copiato',
    event_saved: 'Evento modificato',
    event_published: 'Evento pubblicato',
    event_unpublished: 'Evento riportato in bozza',
    queue_set: 'Sala d’attesa impostata',
    queue_paused: 'Sala d’attesa in pausa',
    queue_resumed: 'Sala d’attesa ripresa',
    queue_closed: 'Sala d’attesa chiusa',
    queue_told: 'Avviso nella sala d’attesa',
    unusual_reading: 'Ricerche o esportazioni insolite',
    network_crowd: 'Troppi posti presi da una sola rete',
    chart_imported: 'Pianta importata',
    chart_made: 'Pianta creata',
    chart_copied: 'Pianta duplicata',
    chart_renamed: 'Pianta rinominata',
    chart_archived: 'Pianta archiviata',
    chart_unarchived: 'Pianta tolta dall’archivio',
    chart_published: 'Pianta pubblicata',
    chart_restored: 'Versione della pianta ripristinata',
    chart_draft_discarded: 'Bozza della pianta scartata',
    places_added: 'Posti aggiunti',
    seats_blocked: 'Posti bloccati',
    seats_unblocked: 'Posti sbloccati',
    image_added: 'Immagine aggiunta',
    seals_imported: 'Sigilli fiscali importati',
    seals_import_undone: 'Importazione di sigilli annullata',
    invite_accepted: 'Invito accettato',
    person_invited: 'Persona invitata',
    invite_withdrawn: 'Invito ritirato',
    role_changed: 'Ruolo cambiato',
    person_suspended: 'Persona sospesa',
    person_restored: 'Persona riammessa',
    person_removed: 'Persona tolta',
    reset_link_made: 'Link per una nuova password',
    password_changed: 'Password cambiata',
    password_reset: 'Password reimpostata',
    sessions_ended: 'Sessioni chiuse',
    code_secret_changed: 'Segreto dei biglietti cambiato',
    code_secret_ended: 'Segreto di prima tolto',
    factor_added: 'Secondo fattore aggiunto',
    factor_removed: 'Secondo fattore tolto',
    factors_reset: 'Secondi fattori azzerati',
    recovery_codes_made: 'Codici di recupero rifatti',
    recovery_code_used: 'Codice di recupero usato',
    code_failed: 'Codice sbagliato',
    logged_in: 'Accesso',
    login_failed: 'Password sbagliata',
    site_changed: 'Impostazioni del sito cambiate',
    personal_exported: 'Dati di una persona esportati',
    person_erased: 'Dati di una persona cancellati',
    retention_changed: 'Tempi di conservazione cambiati',
    retention_kept: 'Dati scaduti cancellati',
    shift_opened: 'Turno aperto',
    shift_moved: 'Movimento di cassa',
    maintenance_begun: 'Manutenzione iniziata',
    maintenance_ended: 'Manutenzione finita',
    shift_counted: 'Cassetto contato, non torna',
    shift_closed: 'Turno chiuso',
    day_counted: 'Giornata contata',
    day_signed: 'Chiusura di giornata firmata',
    tills_changed: 'Casse e stampanti cambiate',
    backup_asked: 'Copia di sicurezza chiesta',
    clock_set_back: 'Orologio del server tornato indietro',
    job_hurried: 'Lavoro ritentato a mano',
    job_abandoned: 'Lavoro abbandonato',
    program_token_made: 'Chiave per un programma creata',
    program_token_revoked: 'Chiave di un programma revocata',
    program_address_made: 'Indirizzo per i webhook aggiunto',
    program_address_changed: 'Indirizzo per i webhook modificato',
    program_address_deleted: 'Indirizzo per i webhook tolto',
    program_secret_changed: 'Segreto di un webhook rinnovato',
  },
  newerWord,
);

export const auditActions = Object.keys(actionNames) as AuditAction[];

/** An action that is not in the list keeps its own name. */
export function actionName(action: string): string {
  return Object.entries(actionNames).find(([name]) => name === action)?.[1] ?? action;
}

const fieldNames: Record<string, string> = {
  orders: 'Ordini',
  waiting: 'Cancellazioni che aspettano',
  buyers: 'Acquirenti',
  letters: 'Testi di messaggi',
  loose_letters: 'Altri messaggi',
  readings: 'Codici estranei',
  devices: 'Browser riconosciuti',
  notices: 'Avvisi di Stripe',
  erasures: 'Cancellazioni ricordate',
  erased: 'Cancellazioni portate a termine',
  actor: 'Chi',
  amount_cents: 'Somma',
  answer: 'Risposta',
  answer_by: 'Rispondere entro',
  banked_cents: 'Contati per la banca',
  banner_image: eventFieldNames.banner_image,
  buyer_email: 'E-mail dell’acquirente',
  buyer_name: 'Acquirente',
  buyer_phone: 'Telefono dell’acquirente',
  buyer_search: eventFieldNames.buyer_search,
  by_minutes: 'Minuti indietro',
  capacity: 'Capienza',
  codes: 'Codici di nuovo usabili',
  copied_at: 'Copia delle',
  counted_cents: 'Contati',
  dates: 'Date',
  day: 'Giorno',
  decision: 'Decisione',
  description: eventFieldNames.description,
  device: 'Dispositivo',
  doors_at: eventFieldNames.doors_at,
  email: 'E-mail',
  ends_at: eventFieldNames.ends_at,
  event_ball_image: eventFieldNames.event_ball_image,
  expected_cents: 'Attesi',
  failure: 'Motivo',
  float_cents: 'Fondo cassa',
  gate: 'Varco',
  gifts_per_event: 'Omaggi per evento',
  handed_to: 'Consegnato a',
  holder: 'Intestatario',
  invoice_number: 'Fattura n.',
  kind: 'Tipo',
  left_cents: 'Restano in cassa',
  left_out: 'Righe escluse',
  legal_name: 'Ragione sociale',
  max_per_email: eventFieldNames.max_per_email,
  max_seats: eventFieldNames.max_seats,
  name: 'Nome',
  note: 'Nota',
  nth: 'Foglio n.',
  objects: 'Posti',
  override: 'Forzato',
  paid_by: 'Pagato con',
  pay_by: 'Da pagare entro',
  pay_minutes: eventFieldNames.pay_minutes,
  phone: 'Telefono',
  places: 'Posti',
  reason: 'Motivo',
  regime: eventFieldNames.regime,
  vat_percent: eventFieldNames.vat_percent,
  fee_vat_percent: eventFieldNames.fee_vat_percent,
  gift_terms: eventFieldNames.gift_terms,
  refund_days: eventFieldNames.refund_days,
  refund_stop_days: eventFieldNames.refund_stop_days,
  release_at: 'Di nuovo in vendita',
  remark: 'Nota',
  restored_at: 'Ripristinata alle',
  role: 'Ruolo',
  rule: 'Regola',
  sales_closes_at: eventFieldNames.sales_closes_at,
  sales_opens_at: eventFieldNames.sales_opens_at,
  seals: 'Sigilli',
  sessions: 'Sessioni',
  site_name: 'Nome del sito',
  starts_at: eventFieldNames.starts_at,
  status: 'Stato',
  terms: eventFieldNames.terms,
  till: 'Cassa',
  title: eventFieldNames.title,
  told: 'Acquirenti avvisati',
  vat_id: 'Partita IVA',
  venue_address: eventFieldNames.venue_address,
  venue_title: eventFieldNames.venue_title,
};

/** `from` is null where nothing was changed; then `to` is the value. */
export interface DetailLine {
  name: string;
  from: string | null;
  to: string;
}

/**
 * `lines` are for everybody; `technical` has ids and values without an Italian name, for the
 * person who runs the server.
 */
export function tellDetail(detail: unknown): { lines: DetailLine[]; technical: DetailLine[] } {
  const all = linesOf(detail);
  const wordOf = ({ name, to }: DetailLine) =>
    Object.hasOwn(fieldNames, name) && !isCode(to) ? fieldNames[name] : undefined;
  return {
    lines: all.flatMap((line) => {
      const name = wordOf(line);
      return name === undefined ? [] : { ...line, name };
    }),
    technical: all.filter((line) => wordOf(line) === undefined),
  };
}

/** Whether a text is a code word of the program or of Stripe that has no Italian translation. */
function isCode(text: string): boolean {
  return /^[a-z]+(?:_[a-z]+)+(?::.*)?$/.test(text);
}

function linesOf(detail: unknown): DetailLine[] {
  if (!isObject(detail)) return [];
  const { from, to, ...rest } = detail;
  // A change of several fields has all old values in one object and all new ones in another.
  const pairs =
    isObject(from) && isObject(to)
      ? Object.keys(to).map((name) => changeOf(name, from[name], to[name]))
      : [
          ...(from === undefined ? [] : [factOf('from', from)]),
          ...(to === undefined ? [] : [factOf('to', to)]),
        ];
  return [...pairs, ...Object.entries(rest).flatMap(([name, value]) => lineOf(name, value))];
}

function lineOf(name: string, value: unknown): DetailLine[] {
  if (value === null || value === undefined) return [];
  if (!isObject(value)) return [factOf(name, value)];
  if ('from' in value || 'to' in value) return [changeOf(name, value['from'], value['to'])];
  return linesOf(value);
}

function factOf(name: string, value: unknown): DetailLine {
  return { name, from: null, to: wordOf(name, value) };
}

function changeOf(name: string, from: unknown, to: unknown): DetailLine {
  return { name, from: wordOf(name, from), to: wordOf(name, to) };
}

/** A number from this one up is a time in milliseconds; a smaller one is a count. */
const earliestMs = Date.UTC(2000, 0, 1);

/** Italian names of values that are words of the program. */
const valueNames: Record<string, Record<string, string>> = {
  role: { ...roleNames, steward: 'Maschera', supervisor: 'Responsabile' },
  reason: endReasonNames,
  answer: { keep: 'tiene il biglietto', refund: 'rimborso' },
  paid_by: {
    stripe: 'Stripe',
    cash: 'Contanti',
    pos: 'POS',
    transfer: 'Bonifico',
    guest: 'Invito',
    manual: 'Incassato a mano',
    free: 'Gratis',
  },
  regime: regimeNames,
  buyer_search: buyerSearchNames,
  status: { draft: 'bozza', published: 'pubblicato', cancelled: 'annullato' },
};

function wordOf(name: string, value: unknown): string {
  const words = valueNames[name] ?? {};
  // A reason is a word of the program or what a person typed.
  if (typeof value === 'string' && Object.hasOwn(words, value)) return words[value] ?? value;
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return value ? 'sì' : 'no';
  if (typeof value === 'number' && name.endsWith('_cents')) return formatEuro(value);
  if (typeof value === 'number' && value > earliestMs && /_(?:at|by|from|until)$/.test(name))
    return formatListDate(value);
  if (Array.isArray(value)) return value.map((one) => wordOf('', one)).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
