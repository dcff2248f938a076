/** Every sentence that the chart shows or has read aloud, and how a page replaces some. */

import { wholeName } from '#server/domain/seat/seat-name.ts';
import { choiceFaults } from '#server/domain/seat/seating-words.ts';

const italian = {
  loading: 'Sto caricando la pianta…',
  renderingFailed: 'La pianta dei posti non si è caricata. Controlla la connessione e riprova.',
  retry: 'Riprova',
  noEvent:
    'Manca la chiave dell’evento o dello spazio di lavoro: la pianta non può essere mostrata.',
  managerNeedsKey:
    'Per mostrare la pianta serve la chiave pubblica dello spazio di lavoro (workspaceKey).',
  mapLabel:
    'Pianta dei posti. Frecce per spostarti, più e meno per ingrandire, zero per vedere tutto. Per scegliere con la tastiera apri l’elenco.',
  zoomIn: 'Ingrandisci',
  zoomOut: 'Riduci',
  home: 'Mostra tutta la sala',
  band: 'Scegli più posti con un rettangolo',
  minimap: 'Mappa d’insieme',
  tapToZoom: 'Tocca la zona che preferisci per ingrandirla',
  openList: 'Scegli da un elenco',
  closeList: 'Torna alla pianta',
  listTitle: 'Scegli da un elenco',
  legend: 'Legenda',
  keyMine: 'Scelto',
  keyTaken: 'Occupato',
  keyClosed: 'Non in vendita',
  wholeRoom: 'Sala',
  soldOut: 'Esaurito',
  chooseType: 'Scegli il tipo di biglietto',
  choosePlaces: 'Quanti posti?',
  cancel: 'Annulla',
  confirm: 'Conferma',
  remove: 'Togli',
  fewer: (what: string) => `Un posto in meno, ${what}`,
  more: (what: string) => `Un posto in più, ${what}`,
  total: (sum: string) => `Totale ${sum}`,
  taken: 'Questo posto è stato appena preso. Scegline un altro.',
  takenArea: 'Non ci sono più abbastanza posti liberi in questa zona.',
  lost: 'Un posto che avevi scelto non è più disponibile.',
  crowded:
    'Da questa rete si stanno già scegliendo moltissimi posti. Riprova fra qualche minuto, o da un’altra connessione.',
  offline: 'Connessione assente: il posto non è stato bloccato. Riprova.',
  releaseFailed: 'Non sono riuscito a liberare il posto. Riprova.',
  expired: 'Tempo scaduto: i posti sono tornati disponibili.',
  startAgain: 'Ricomincia',
  sessionFailed: 'Non riesco ad aprire una nuova sessione. Riprova.',
  selected: (name: string) => `${name}: scelto.`,
  held: (name: string) => `${name}: è tuo fino alla scadenza.`,
  released: (name: string) => `${name}: tolto.`,
  andOthers: (count: number) => (count === 1 ? 'E un altro posto.' : `E altri ${count} posti.`),
  orphan: choiceFaults.noOrphanSeats,
  notConsecutive: choiceFaults.consecutiveSeats,
  companion: choiceFaults.companionSeats,
  tooMany: (limit: number) =>
    limit === 1 ? 'Puoi scegliere un solo posto.' : `Puoi scegliere al massimo ${limit} posti.`,
  rowWord: 'Fila',
  seatWord: 'posto',
  tableWord: 'Tavolo',
  sectionWord: 'Settore',
  places: 'Posti',
  choose: 'Scegli',
  find: 'Trova i posti',
  close: 'Chiudi',
  unavailable: 'Non disponibile',
  fees: (sum: string) => `comprese commissioni ${sum}`,
  feesAdded: (sum: string) => `+ ${sum} di commissioni`,
  insteadOf: (price: string) => `anziché ${price}`,
  upTo: (count: number) => `Puoi prenderne ancora ${count}.`,
  noneLeft: 'Non puoi prenderne altri.',
  filter: 'Mostra solo',
  filterAll: 'Tutte le categorie',
  filtered: (names: string[]) =>
    names.length === 0
      ? 'Sono in evidenza tutte le categorie.'
      : `In evidenza: ${names.join(', ')}.`,
  floors: 'Piani',
  best: 'Scegli per me',
  bestTitle: 'Scegliamo noi i posti migliori',
  bestWhere: 'Categoria',
  bestHowMany: 'Quanti siete?',
  people: 'Persone',
  bestAccessible: 'Di cui in carrozzina',
  bestSearching: 'Cerco i posti migliori…',
  bestNone: (count: number, where: string) =>
    count === 1
      ? `Non c’è più un posto libero${where ? ` in ${where}` : ''}.`
      : `Non ci sono ${count} posti liberi da prendere insieme${where ? ` in ${where}` : ''}. Prova con meno persone o con un’altra categoria.`,
  bestOffline: 'Connessione assente: non ho potuto cercare i posti. Riprova.',
  bestFound: (names: string[]) => `Abbiamo scelto per te: ${names.join('; ')}.`,
  entrance: (name: string) => (/^ingresso/i.test(name) ? name : `Ingresso: ${name}`),
  leftAlone: 'Resterebbe isolato',
  aisle: 'corridoio',
  listEmpty: 'Non ci sono posti da scegliere.',
  listHelp: 'Frecce per muoverti, Invio per aprire o scegliere, Esc per tornare alla pianta.',
  onlyAccessible: 'Solo posti per carrozzina',
  showMore: (count: number) => `Mostra altri ${count}`,
  from: (price: string) => `da ${price}`,
  free: (count: number) => {
    if (count === 0) return 'nessun posto libero';
    return count === 1 ? '1 posto libero' : `${count} posti liberi`;
  },
  chosen: (count: number) => (count === 1 ? '1 scelto' : `${count} scelti`),
  wholeTable: (seats: number) =>
    seats === 1 ? 'tavolo intero, 1 posto' : `tavolo intero, ${seats} posti`,
  wholeArea: (places: number) =>
    places === 1 ? 'tutta la zona, 1 posto' : `tutta la zona, ${places} posti`,
  /** The drawing may have its own word for rows: `Palco 3`. */
  row: (label: string, type?: string): string => `${type || words.rowWord} ${label}`,
  table: (label: string): string => `${words.tableWord} ${label}`,
  booth: (label: string): string =>
    wholeName({ kind: 'booth', section: null, row: null, seat: label }),
  seat: (label: string): string => `${words.seatWord} ${label}`,
  exactly: (count: number) =>
    count === 1 ? 'Scegli esattamente un posto.' : `Scegli esattamente ${count} posti.`,
  notTogether: (count: number) => `Qui non ci sono ${count} posti liberi vicini.`,
  cannotSelect: (labels: string[]) => `Non si possono scegliere insieme: ${labels.join(', ')}`,
  openFullScreen: 'Schermo intero',
  closeFullScreen: 'Esci dallo schermo intero',
  unknownObject: (label: string) => `Oggetto sconosciuto: ${label}`,
};

type Words = typeof italian;

/** The sentences in use; speak() sets them. */
export const words: Words = { ...italian };

const italianStatus = {
  free: 'libero',
  mine: 'scelto',
  taken: 'occupato',
  closed: 'non in vendita',
};

/** The status as the last word of a place's name. */
export const statusWords = { ...italianStatus };

const italianFlags = [
  'posto per carrozzina',
  'posto per chi accompagna',
  'visibilità limitata',
  'bracciolo sollevabile',
  'ausili per l’udito',
  'accesso facilitato',
  'interprete della lingua dei segni',
  'posto ampio',
];

/** The names of a seat's flags, in the bit order of the wire. */
export const flagWords: string[] = [...italianFlags];

/** The built-in sentences that a page may replace, by seats.io's names for them. */
const vendorNames: Record<string, keyof Words> = {
  cancel: 'cancel',
  close: 'close',
  confirm: 'confirm',
  select: 'choose',
  deselect: 'remove',
  selected: 'keyMine',
  notAvailable: 'unavailable',
  unavailablePlace: 'keyTaken',
  row: 'rowWord',
  seat: 'seatWord',
  table: 'tableWord',
  section: 'sectionWord',
  seats: 'places',
  choosePriceLevel: 'chooseType',
  choosePriceLevels: 'chooseType',
  chooseTickets: 'chooseType',
  selectQuantity: 'choosePlaces',
  noOrphanSeats: 'orphan',
  noLongerAvailable: 'lost',
  notEnoughPlacesAvailable: 'takenArea',
  renderingFailed: 'renderingFailed',
  holdFailedModalBodyBecauseBadRequest: 'taken',
  holdFailedModalBodyBecauseNetworkIssue: 'offline',
  holdReleaseFailedModalBodyBecauseNetworkIssue: 'releaseFailed',
  sessionExpiredAllPlacesReleased: 'expired',
  sessionExpiredStartOver: 'startAgain',
  'sectionAvailability.none': 'soldOut',
  clickToFilterCategories: 'filter',
  tapToFilterCategories: 'filter',
};
const vendorFlags: Record<string, number> = { accessible: 0, companionSeat: 1, restrictedView: 2 };

let translations: Record<string, string> = {};

/**
 * Applies a page's `messages`: replacements for a built-in sentence (by our name or seats.io's)
 * or for any text of the drawing. There is only one language, so every `language` starts from
 * Italian. All charts of a page share the words of the one that was rendered last.
 */
export function speak(messages?: Record<string, string> | null): void {
  translations = messages ?? {};
  Object.assign(words, italian);
  Object.assign(statusWords, italianStatus);
  flagWords.splice(0, flagWords.length, ...italianFlags);
  for (const [name, text] of Object.entries(translations)) {
    if (typeof text !== 'string') continue;
    const flag = Object.hasOwn(vendorFlags, name) ? vendorFlags[name] : undefined;
    if (flag !== undefined) flagWords[flag] = text;
    const key = (Object.hasOwn(vendorNames, name) ? vendorNames[name] : undefined) ?? name;
    // Only fixed sentences can be replaced; the others are made from counts and names.
    if (typeof (words as Record<string, unknown>)[key] === 'string')
      Object.assign(words, { [key]: text });
  }
}

/** The text with a capital, for the beginning of a sentence. */
export function upper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A text of the drawing, or the page's replacement for it. */
export function translate(text: string): string {
  const own = Object.hasOwn(translations, text) ? translations[text] : undefined;
  return typeof own === 'string' ? own : text;
}
