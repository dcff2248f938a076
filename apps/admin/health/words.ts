/** Italian words of the health screen: differences, their remedies, process checks. */
import { newerWord, withOther } from '#server/domain/text/newer-word.ts';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { SealFault } from '#server/domain/audit/audit.ts';
import type { listBreaks } from '#server/contract/breaks.ts';
import type { BreakAction, BreakKind } from '#server/domain/office/break.ts';
import { faultsOf, type Readiness, type ReadinessFault } from '#server/domain/door/readiness.ts';
import {
  failureName,
  tellDifference,
  type LineDifference,
} from '#server/domain/payment/payout-words.ts';
import { formatCount, formatEuro } from '#apps/shared/format.ts';

export type Break = ReplyOf<typeof listBreaks>['items'][number];

export const breakTitles = withOther<Record<BreakKind, string>>(
  {
    paid_not_settled: 'Incassato da Stripe, ma senza biglietti né rimborso',
    session_unknown: 'Pagamento aperto su Stripe che qui non risulta',
    session_left_open: 'Un ordine finito si può ancora pagare',
    amount_differs: 'Importo diverso tra Stripe e l’ordine',
    money_differs: 'Incassi o rimborsi diversi tra Stripe e l’ordine',
    seat_without_order: 'Posto occupato sulla pianta senza un ordine',
    seat_not_booked: 'Posto venduto qui, ma libero sulla pianta',
    seat_of_another: 'Posto venduto qui, ma occupato da altri sulla pianta',
    area_places_left: 'Posti in piedi occupati sulla pianta oltre a quelli venduti',
    area_places_missing: 'Posti in piedi venduti qui, ma liberi sulla pianta',
    area_differs: 'Posti in piedi: sulla pianta ne risultano meno di quelli venduti',
    channel_differs: 'Un contingente sulla pianta tiene altri posti, o nessuno',
    channel_unknown: 'Posti riservati sulla pianta che qui non risultano',
    payout_differs: 'Un accredito di Stripe non quadra',
    payout_failed: 'La banca ha respinto un accredito di Stripe',
    payment_not_paid_out: 'Un incasso manca nei movimenti di Stripe',
    seat_event_unknown: 'La pianta non conosce più questo evento',
    price_not_sellable: 'Un prezzo in vendita non è più attivo su Stripe',
  },
  newerWord,
);

/** `effect` says what the button will do. */
export const actionWords: Record<BreakAction, { label: string; effect: string }> = {
  settle_order: {
    label: 'Riesamina l’ordine',
    effect:
      'L’ordine viene riletto da Stripe e sistemato: biglietti se i posti ci sono, altrimenti rimborso.',
  },
  end_session: {
    label: 'Chiudi il pagamento',
    effect: 'Il pagamento viene chiuso su Stripe: nessuno potrà più completarlo.',
  },
  read_payment: {
    label: 'Rileggi il pagamento',
    effect: 'Incassi e rimborsi vengono riletti da Stripe e registrati.',
  },
  release_seat: { label: 'Libera sulla pianta', effect: 'Il posto torna in vendita per tutti.' },
  book_seat: {
    label: 'Occupa sulla pianta',
    effect: 'Il posto viene occupato per l’ordine che lo ha comprato.',
  },
  tell_channel: {
    label: 'Rimetti sulla pianta',
    effect: 'La pianta riserva di nuovo tutti e soli i posti del contingente.',
  },
  drop_channel: { label: 'Libera sulla pianta', effect: 'I posti tornano in vendita per tutti.' },
  read_payout: {
    label: 'Rileggi da Stripe',
    effect: 'Accredito e movimenti vengono riletti da Stripe e confrontati di nuovo.',
  },
  take_note: {
    label: 'Prendi nota',
    effect: 'La differenza resta com’è e non viene più segnalata finché non cambia.',
  },
};

/** The facts of both sides in one line. */
export function tellFacts({ kind, detail, place }: Break): string {
  const cents = (name: string) => formatEuro(Number(detail[name] ?? 0));
  switch (kind) {
    case 'paid_not_settled':
    case 'session_unknown':
    case 'session_left_open':
    case 'amount_differs':
      return `Su Stripe: ${cents('amount_cents')}, ${statusWords[String(detail['session_status'])] ?? 'stato sconosciuto'}${detail['total_cents'] === null ? '' : ` · Ordine: ${cents('total_cents')}`}`;
    case 'money_differs':
      return `Su Stripe: ${cents('amount_cents')} · Qui: ${detail['booked_cents'] === null ? 'nessun incasso' : cents('booked_cents')}`;
    case 'area_places_left':
    case 'area_places_missing':
    case 'area_differs':
      return `${place}: ${String(detail['booked'])} occupati sulla pianta, ${String(detail['sold'])} venduti`;
    case 'channel_differs':
      return tellContingent(detail);
    case 'channel_unknown':
      return `${String(detail['channel'])}: ${formatCount(Number(detail['places']), 'posto', 'posti')} che nessuno può comprare`;
    case 'payout_differs':
      return tellPayout(detail);
    case 'payout_failed':
      return `${cents('amount_cents')}: ${typeof detail['failure'] === 'string' ? failureName(detail['failure']) : 'la banca non dice perché'}. Il denaro è di nuovo sul saldo di Stripe: controlla l’IBAN su Stripe`;
    case 'payment_not_paid_out':
      return `${cents('amount_cents')} incassati, ma nessun accredito e nessun movimento in arrivo ne parla`;
    case 'seat_event_unknown':
      return `Chiave dell’evento: ${place}`;
    case 'price_not_sellable':
      return `${String(detail['product'] ?? 'Prezzo')} (${place}): ${tellPriceFault(detail)}`;
    case 'seat_without_order':
    case 'seat_of_another':
      return `${place} · sulla pianta ${typeof detail['booked_for'] === 'string' ? `per l’ordine ${detail['booked_for']}` : 'senza un ordine'}`;
    case 'seat_not_booked':
      return place;
  }
}

function tellPayout({ amount_cents, sum_cents, lines }: Break['detail']): string {
  const told = lines as LineDifference[];
  const sums =
    amount_cents === sum_cents
      ? []
      : [
          `accreditati ${formatEuro(Number(amount_cents))}, le righe fanno ${formatEuro(Number(sum_cents))}`,
        ];
  return [...sums, ...told.slice(0, 3).map(tellDifference)].join(' · ');
}

function tellContingent({ contingent, lost, missing, foreign, areas }: Break['detail']): string {
  const name = String(contingent);
  if (lost === true) return `${name}: la pianta non lo conosce più`;
  const standing = areas as string[];
  const parts = [
    Number(missing) > 0 && `${formatCount(Number(missing), 'posto manca', 'posti mancano')}`,
    Number(foreign) > 0 && `${formatCount(Number(foreign), 'posto', 'posti')} in più`,
    standing.length > 0 && `altri numeri per ${standing.join(', ')}`,
  ].filter((part) => part !== false);
  return `${name}: sulla pianta ${parts.join(', ')}`;
}

function tellPriceFault({ unknown, product_active }: Break['detail']): string {
  if (unknown === true) return 'non esiste';
  return product_active === false ? 'prodotto archiviato' : 'non attivo, o non in euro';
}

const statusWords: Record<string, string> = {
  open: 'da pagare',
  complete: 'completato',
  expired: 'scaduto',
};

/** `subject` is stored as `settle_order <id>`. */
export function tellTask(subject: string): string {
  const [task = '', id = ''] = subject.split(' ');
  return `${taskName(task)} ${id}`;
}

export function taskName(task: string): string {
  return wordsOfTask(task)?.name ?? 'Lavoro di una versione più nuova';
}

/** What goes wrong while the task is not done. */
export function taskStakes(task: string): string {
  return wordsOfTask(task)?.stakes ?? 'aspetta un botteghino aggiornato.';
}

function wordsOfTask(task: string) {
  return Object.hasOwn(taskWords, task) ? taskWords[task] : undefined;
}

const taskWords: Record<string, { name: string; stakes: string }> = {
  settle_order: {
    name: 'Ordine da concludere',
    stakes: 'l’ordine resta in sospeso e i suoi posti occupati.',
  },
  read_payment: {
    name: 'Pagamento da rileggere',
    stakes: 'ricevute, commissioni e rimborsi fatti su Stripe non compaiono qui.',
  },
  read_payout: {
    name: 'Accredito da leggere',
    stakes: 'un accredito di Stripe non è ancora confrontato riga per riga.',
  },
  run_refund: { name: 'Rimborso da eseguire', stakes: 'l’acquirente non riceve il suo denaro.' },
  send_mail: { name: 'E-mail da spedire', stakes: 'chi la aspetta non la riceve.' },
  cancel_event: {
    name: 'Annullamento da portare a termine',
    stakes: 'qualche acquirente non è ancora avvisato o rimborsato.',
  },
  tell_buyers: {
    name: 'Avviso di una modifica',
    stakes: 'gli acquirenti non sanno che l’evento è cambiato.',
  },
  let_go: {
    name: 'Posti gratuiti da liberare',
    stakes: 'i posti di chi non è venuto non tornano in vendita.',
  },
  print: { name: 'Stampa', stakes: 'i biglietti non escono dalla stampante.' },
  tell_postponed: {
    name: 'Avviso di spostamento',
    stakes: 'gli acquirenti non sanno della nuova data o del nuovo luogo e non possono rispondere.',
  },
  close_postponement: {
    name: 'Fine di uno spostamento',
    stakes: 'chi non ha risposto resta senza una decisione.',
  },
  ask_names: {
    name: 'Richiesta dei nomi',
    stakes: 'gli acquirenti non sanno che devono dire i nomi.',
  },
  transfer_orders: {
    name: 'Ordini da portare su un’altra data',
    stakes: 'qualche acquirente non ha ancora i biglietti della nuova data.',
  },
  tell_reminders: {
    name: 'Avviso di vendita aperta',
    stakes: 'chi ha chiesto di essere avvisato non sa che la vendita è aperta.',
  },
  settle_block: {
    name: 'Blocco di posti',
    stakes: 'i posti non vengono bloccati, o non tornano in vendita.',
  },
  settle_contingent: {
    name: 'Contingente di posti',
    stakes: 'i posti non vengono riservati, o non tornano in vendita per tutti.',
  },
  settle_move: {
    name: 'Spostamento di biglietti',
    stakes: 'i posti lasciati non tornano in vendita.',
  },
  send_message: {
    name: 'Invio a più acquirenti',
    stakes: 'qualche acquirente non riceve il messaggio.',
  },
  settle_price: {
    name: 'Prezzo su Stripe',
    stakes: 'un prezzo scritto non c’è ancora, o uno vecchio non è archiviato.',
  },
  name_price: {
    name: 'Nome di un prezzo su Stripe',
    stakes: 'chi paga legge ancora il nome di prima.',
  },
  watch_prices: {
    name: 'Prezzi da ricontrollare',
    stakes: 'un prezzo archiviato su Stripe non compare tra le cose da sistemare.',
  },
  follow_chart: {
    name: 'Pianta pubblicata di nuovo',
    stakes: 'gli eventi sulla pianta tengono i nomi e le categorie di prima.',
  },
  make_demo: {
    name: 'Dimostrazione nuova',
    stakes: 'la casa resta senza dimostrazione.',
  },
  run_rehousing: {
    name: 'Cambio di sala',
    stakes: 'la vendita resta sospesa e i biglietti restano nella sala di prima.',
  },
  drop_hall: {
    name: 'Pianta che non serve più',
    stakes: 'la pianta di prima resta su seats.io.',
  },
};

export function sealFaultWords(fault: string): string {
  const words: Record<SealFault, string> = {
    changed: 'una voce o il sigillo stesso è stato cambiato',
    missing: 'manca una voce',
    added: 'c’è una voce in più',
    cut: 'non segue più il sigillo di prima',
    gone: 'il sigillo non c’è più',
    late: 'ha voci arrivate molto dopo le altre: non è la prova di una modifica',
  };
  return Object.entries(words).find(([name]) => name === fault)?.[1] ?? fault;
}

/** `subject` is stored as `12 changed`: the seal's number and its fault. */
export function tellSeal(subject: string): string {
  const [n = '', fault = ''] = subject.split(' ');
  return `Sigillo ${n}: ${sealFaultWords(fault)}`;
}

export function tellReadiness(found: Readiness): string[] {
  const words: Record<ReadinessFault, string> = {
    leaving: 'si sta spegnendo',
    database: 'il database non scrive',
    migrated: 'il database è di un’altra versione',
    disk: 'il disco è quasi pieno',
    loop: `il server è sovraccarico (${found.loop_p99_ms} ms)`,
    backlog: 'il lavoro si accumula',
  };
  return faultsOf(found).map((fault) => words[fault]);
}

export const providerNames = {
  stripe: 'Stripe (pagamenti)',
  seatsio: 'Pianta dei posti',
  mail: 'Posta in uscita',
} as const;
