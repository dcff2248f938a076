/**
 * The kinds of data about a person: the name of each, where it is, and what an erasure does with
 * it.
 */

export const heldKinds = [
  'orders',
  'holders',
  'admissions',
  'payments',
  'declines',
  'refunds',
  'disputes',
  'invoices',
  'notes',
  'mails',
  'messages',
  'reminders',
  'audit',
  'account',
] as const;
export type HeldKind = (typeof heldKinds)[number];

/** Fields beside an order in which the office may have typed a name. */
export const typedPlaces = {
  orders: 'Motivo di un omaggio',
  payments: 'Nota di un pagamento',
  refunds: 'Motivo di un rimborso',
  breaks: 'Differenza sistemata',
  moves: 'Spostamento di posti',
  blocks: 'Motivo di un blocco',
  contingents: 'Nome di un contingente',
  price_codes: 'Intestatario di un codice',
  admissions: 'Nota della porta',
  heads: 'Persone senza biglietto',
  messages: 'Messaggio a più persone',
  shift_moves: 'Movimento di cassa',
  shifts: 'Differenza di cassa',
  day_sheets: 'Differenza di una giornata',
  mails: 'Messaggio',
  outbox: 'Lavoro in attesa',
} as const;
export type TypedPlace = keyof typeof typedPlaces;

interface HeldWords {
  label: string;
  where: string;
  /** What is erased, and what stays and why. */
  erasure: string;
}

export const heldWords: Record<HeldKind, HeldWords> = {
  orders: {
    label: 'Ordini',
    where: 'Ordini, ricerca dell’ufficio, clienti della cassa',
    erasure:
      'Nome, e-mail, telefono, secondo contatto e lingua si cancellano, anche dalla ricerca. Numero, posti e somme restano: 10 anni per legge (art. 2220 c.c.).',
  },
  holders: {
    label: 'Biglietti con il suo nome o indirizzo',
    where: 'Ordini, elenco degli ospiti, telefoni della porta',
    erasure:
      'Nome e indirizzo dell’intestatario si cancellano; i telefoni ricevono un elenco nuovo.',
  },
  admissions: {
    label: 'Entrate e uscite dei suoi biglietti',
    where: 'Porta, Letture',
    erasure: 'Restano come numeri: posto e ora, senza nome.',
  },
  payments: {
    label: 'Pagamenti',
    where: 'Ordini, Rapporti',
    erasure:
      'Restano: somma, data e numeri di Stripe (art. 2220 c.c.). Una nota che la nomina perde il nome.',
  },
  declines: {
    label: 'Pagamenti rifiutati dalla banca',
    where: 'Ordini',
    erasure: 'L’indirizzo si cancella; resta il tentativo.',
  },
  refunds: {
    label: 'Rimborsi e richieste di rimborso',
    where: 'Ordini, Da sistemare',
    erasure:
      'Le sue parole si cancellano. Somme ed esito restano; il motivo scritto dall’ufficio perde il nome.',
  },
  disputes: {
    label: 'Contestazioni della banca',
    where: 'Ordini, Da sistemare',
    erasure: 'Restano come numeri (art. 17, par. 3, lett. e, GDPR).',
  },
  invoices: {
    label: 'Fatture chieste',
    where: 'Rapporti, Fatture',
    erasure:
      'Restano con nome e codici: la legge le vuole 10 anni (art. 39 DPR 633/1972, art. 2220 c.c.).',
  },
  notes: { label: 'Note dell’ufficio', where: 'Ordini', erasure: 'Si cancellano.' },
  mails: {
    label: 'Messaggi inviati o in partenza',
    where: 'Posta',
    erasure:
      'Destinatario, testo e allegati si cancellano; quelli in partenza non partono. Resta che ce n’era uno.',
  },
  messages: {
    label: 'Messaggi a molti che l’hanno raggiunta',
    where: 'Messaggi',
    erasure: 'La sua copia si cancella. Il testo comune resta, senza il suo nome.',
  },
  reminders: {
    label: 'Avvisi chiesti',
    where: 'Avvisami, sala d’attesa',
    erasure: 'Si cancellano: non riceverà l’avviso.',
  },
  audit: {
    label: 'Voci del Registro che la nominano',
    where: 'Registro',
    erasure:
      'La parte personale si cancella con il suo sale: il sigillo resta valido. Resta chi ha fatto che cosa, e quando.',
  },
  account: {
    label: 'Accesso all’ufficio con questo indirizzo',
    where: 'Persone e ruoli',
    erasure: 'Non si tocca da qui: si toglie in Persone e ruoli.',
  },
};

/** What an erasure cannot reach; every preview says so. */
export const beyondErasure: readonly { title: string; words: string }[] = [
  {
    title: 'Stripe',
    words:
      'I dati presso Stripe non sono nostri da cancellare: Stripe è titolare autonomo e li conserva per le sue norme. La persona può chiederlo a Stripe indicando i pagamenti elencati qui.',
  },
  {
    title: 'Posta già consegnata',
    words:
      'Un messaggio già arrivato è nella casella di chi l’ha ricevuto e presso il suo fornitore.',
  },
  {
    title: 'File già scaricati',
    words:
      'Esportazioni, stampe ed elenchi degli ospiti già scaricati vanno cercati e distrutti a mano.',
  },
];
