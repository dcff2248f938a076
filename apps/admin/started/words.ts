/** Italian words for what persons have started: names, states, and the page of each. */
import { newerWord, withOther } from '#server/domain/text/newer-word.ts';
import type { StartedKind, StartedState, StartedTrouble } from '#server/domain/user/started.ts';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { listStarted } from '#server/contract/started.ts';
import { newerState, type StateWords } from '#apps/admin/kit/words.ts';

export type Started = ReplyOf<typeof listStarted>['items'][number];

/** `to`: the page where the work is shown or started; `{event}` stands for the event's page. */
interface KindWords {
  name: string;
  to: string;
}

export const kindWords = withOther<Record<StartedKind, KindWords>>(
  {
    message: { name: 'Messaggio agli acquirenti', to: '/messages/{id}' },
    refunds: { name: 'Rimborsi di un evento annullato', to: '{event}/cancel' },
    rehousing: { name: 'Cambio di sala', to: '{event}/seats/rehousing' },
    postponement: { name: 'E-mail agli acquirenti: evento spostato', to: '{event}/postpone' },
    transfer: { name: 'Ordini portati su un’altra data', to: '{event}/answers' },
    event_news: { name: 'E-mail agli acquirenti: data o luogo cambiati', to: '{event}' },
    orders_file: { name: 'File degli ordini', to: '/orders' },
    scans_file: { name: 'File delle letture alla porta', to: '/door/scans' },
    guests_file: { name: 'File degli ospiti', to: '{event}/guests' },
    answers_file: { name: 'File delle risposte', to: '{event}/answers' },
    registry_file: { name: 'File del Registro', to: '/settings/registry' },
    invoices_file: { name: 'File delle fatture', to: '/reports/invoices' },
    payout_file: { name: 'File di un accredito', to: '/reports/payouts' },
    evening_file: { name: 'Riepilogo della serata', to: '/reports/summaries' },
    summary_file: { name: 'Riepilogo per il commercialista', to: '/reports/summaries' },
    conventions_file: { name: 'Rendiconto delle convenzioni', to: '/reports/summaries' },
    report_file: { name: 'File di un rapporto', to: '/reports' },
    book_file: { name: 'Libro di un evento', to: '/reports/book' },
    person_file: { name: 'Copia dei dati di una persona', to: '/settings/personal' },
    codes_file: { name: 'File dei codici di una regola', to: '/settings/prices' },
    seals_import: { name: 'Importazione di sigilli fiscali', to: '{event}/seals' },
    scans_import: { name: 'Importazione di letture da un telefono', to: '/door/phones' },
    chart_import: { name: 'Importazione di una pianta', to: '/settings/charts' },
    new_dates: { name: 'Nuove date di uno spettacolo', to: '/shows' },
    backup: { name: 'Copia di sicurezza', to: '/settings/health' },
  },
  { name: newerWord, to: '/' },
);

export const startedWords = withOther<Record<StartedState, StateWords>>(
  {
    waiting: { word: 'Parte tra poco', tone: 'warn', icon: 'clock' },
    running: { word: 'In corso', tone: 'warn', icon: 'refresh' },
    stopped: { word: 'Fermato', tone: 'warn', icon: 'warning' },
    done: { word: 'Finito', tone: 'good', icon: 'check' },
    partly: { word: 'Finito, ma non tutto è riuscito', tone: 'bad', icon: 'warning' },
    failed: { word: 'Non riuscito', tone: 'bad', icon: 'warning' },
    cut: { word: 'Scaricato solo in parte', tone: 'warn', icon: 'warning' },
    called_off: { word: 'Annullato', tone: 'neutral', icon: 'cross' },
    broken: { word: 'Interrotto', tone: 'bad', icon: 'warning' },
  },
  newerState,
);

export const startedTroubleWords = withOther<Record<StartedTrouble, string>>(
  {
    mail_not_set_up:
      'Non è configurato nessun server di posta: le e-mail restano qui, nella Posta.',
    mail_waits: 'Il server di posta non accetta le e-mail o non risponde: si riprova da soli.',
    provider_silent: 'Il servizio esterno non risponde: si riprova da soli.',
  },
  newerWord,
);

export function isFile({ kind }: Started): boolean {
  return kind.endsWith('_file');
}

export function pageOf({ kind, work_id, event_id }: Started): string {
  const event = event_id === null ? '/events' : `/events/${encodeURIComponent(event_id)}`;
  return kindWords[kind].to.replace('{id}', encodeURIComponent(work_id)).replace('{event}', event);
}

/** What became of work that did not come to its end, and what to do; null: nothing to say. */
export function adviceOn(item: Started): string | null {
  const { state, resume } = item;
  if (state === 'broken')
    return isFile(item)
      ? 'Il programma si è fermato mentre lo preparava: il file non è completo. Scaricalo di nuovo.'
      : 'Il programma si è fermato prima della fine. Controlla che cosa è stato fatto e avvialo di nuovo.';
  if (state === 'cut') return 'Il browser ha smesso di scaricarlo: il file non è completo.';
  if (state === 'stopped' && !resume) return 'Il file scaricato non è completo.';
  if (state === 'stopped')
    return 'Quello che è già stato fatto resta; il resto aspetta che qualcuno riprenda.';
  return null;
}
