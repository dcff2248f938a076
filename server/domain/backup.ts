/**
 * The rules of backups: their file names, which files are kept, and when the last one is too old
 * (RULES B1).
 */

/** `before_change`: the program makes it by itself before a newer version changes the tables. */
const backupKinds = ['automatic', 'by_hand', 'before_change'] as const;
export type BackupKind = (typeof backupKinds)[number];

const kindWords: Record<BackupKind, string> = {
  automatic: 'automatica',
  by_hand: 'a-mano',
  before_change: 'prima-di-aggiornare',
};

/** A backup file in the folder; `at` in milliseconds, exact to the second. */
interface BackupName {
  name: string;
  at: number;
}

/** `size` in bytes. */
interface SizedBackup extends BackupName {
  size: number;
}

/** For how many hours, days and weeks the newest backup is kept. */
export interface Keeping {
  hours: number;
  days: number;
  weeks: number;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const weekMs = 7 * dayMs;

/** A house is copied at least this often, and never more often than the second. */
export const backupEveryMs = hourMs;
const leastEveryMs = 5 * minuteMs;
/** The cost of a backup: the elapsed time, and the processor time of the thread that made it. */
export interface BackupCost {
  took_ms: number;
  processor_ms: number;
}

/** At most this share of the time goes into backups. */
const mostOf = { processor_ms: 0.01, took_ms: 0.1 };

/**
 * The interval of automatic backups, from the cost of the last one; null: it is not known yet. A
 * slow disk, or a database on another machine, costs time on the clock alone.
 */
export function backupInterval(cost: BackupCost | null): number {
  if (cost === null) return backupEveryMs;
  const { processor_ms, took_ms } = cost;
  const wanted = Math.max(processor_ms / mostOf.processor_ms, took_ms / mostOf.took_ms);
  return Math.min(backupEveryMs, Math.max(leastEveryMs, Math.ceil(wanted)));
}

/**
 * A backup must be verified this often: a little less than a day, so that Salute never turns red
 * between two.
 */
export const verifyEveryMs = 22 * hourMs;
export const backupTooOldMs = dayMs;

export function backupFileName(at: number, kind: BackupKind, sealed: boolean): string {
  const digits = new Date(at).toISOString().replace(/[-:]/g, '').replace(/\..*$/, 'Z');
  return `botteghino-${digits}-${kindWords[kind]}.tar${sealed ? '.age' : ''}`;
}

/** Null: the file is not a backup of ours. */
export function readBackupName(name: string): BackupName | null {
  const [, y, m, d, hh, mm, ss] =
    /^botteghino-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-(?:automatica|a-mano|prima-di-aggiornare)\.tar(?:\.age)?$/.exec(
      name,
    ) ?? [];
  if (y === undefined) return null;
  return { name, at: Date.parse(`${y}-${m}-${d}T${hh}:${mm}:${ss}Z`) };
}

/** All copies of the newest hours stay, as far as there is room for them. */
const thickMs = 2 * hourMs;
const mostThick = thickMs / leastEveryMs;

interface Thinning {
  now: number;
  keep: Keeping;
  verified: string | null;
  room: number;
}

/**
 * The files to delete: the newest of each of the last hours, days and weeks stays, and those of the
 * last two hours while together they have at most `room` bytes. `verified` always stays, because
 * only that one is known to be readable. A file dated after `now` stays, because a wrong clock made
 * it.
 */
export function backupsToDrop(
  files: readonly SizedBackup[],
  { now, keep, verified, room }: Thinning,
): string[] {
  const newestFirst = files.filter(({ at }) => at <= now).toSorted((a, b) => b.at - a.at);
  const kept = new Set<string>(verified === null ? [] : [verified]);
  let left = room;
  for (const { name, at, size } of newestFirst.slice(0, mostThick)) {
    left -= size;
    if (left < 0 || at <= newestFirst[0]!.at - thickMs) break;
    kept.add(name);
  }
  const steps = [
    { lengthMs: hourMs, most: keep.hours },
    { lengthMs: dayMs, most: keep.days },
    { lengthMs: weekMs, most: keep.weeks },
  ];
  for (const { lengthMs, most } of steps) {
    const slots = new Set<number>();
    for (const { name, at } of newestFirst) {
      const slot = Math.floor(at / lengthMs);
      if (slots.has(slot)) continue;
      if (slots.size === most) break;
      slots.add(slot);
      kept.add(name);
    }
  }
  return newestFirst.filter(({ name }) => !kept.has(name)).map(({ name }) => name);
}

/** Why a backup was not made, read or restored. */
const backupFaults = [
  'no_room',
  'disk_failed',
  'no_folder',
  'unreadable',
  'not_a_backup',
  'damaged',
  'sealed',
  'wrong_key',
  'newer',
  'trial',
  'other_tables',
  'other_secrets_key',
  'broken_books',
  'running',
  'not_empty',
  'no_house',
  'postgres_over',
  'unlike',
  'moved',
] as const;
export type BackupFaultCode = (typeof backupFaults)[number];

/** The sentence that the screen shows for each fault. */
const backupFaultWords: Record<BackupFaultCode, string> = {
  no_room:
    'Non c’è abbastanza spazio sul disco per la copia: libera spazio o indica con BACKUP_FOLDER un’altra cartella.',
  disk_failed: 'Il disco non ha accettato la copia: è pieno o rovinato. Controllalo e riprova.',
  no_folder:
    'Nella cartella delle copie non si può scrivere: controlla BACKUP_FOLDER, che la cartella ci sia e i permessi.',
  unreadable: 'Il file non si può leggere: controlla il nome e i permessi.',
  not_a_backup: 'Il file non è una copia di Botteghino.',
  damaged:
    'La copia è rovinata o incompleta: non è stato cambiato niente. Prova con un’altra copia.',
  sealed:
    'La copia è cifrata: serve la parola d’ordine (BACKUP_PASSPHRASE) o il file con la chiave segreta (--identity FILE).',
  wrong_key: 'La copia è cifrata con un’altra parola d’ordine o per un’altra chiave.',
  newer:
    'La copia viene da una versione più nuova di Botteghino: installa quella versione e riprova.',
  trial:
    'Questi dati li ha fatti una versione di prova di Botteghino, precedente alla 1.0.0, che questo programma non sa leggere: riaprili con quella versione, o comincia da capo con una DATA_DIR o un database nuovi.',
  other_tables:
    'Le tabelle non sono come Botteghino le ha fatte: non è stato cambiato niente. Serve una copia buona, da ripristinare con npm run admin -- restore FILE.',
  other_secrets_key:
    'La copia è di un botteghino con un’altra SECRETS_KEY: indica quella, altrimenti i biglietti venduti non si possono leggere.',
  broken_books:
    'La copia si legge, ma i suoi conti non tornano: guarda «Conti in ordine» nella pagina Salute.',
  running: 'Il botteghino è ancora in funzione su questi dati: fermalo e riprova.',
  not_empty:
    'Qui c’è già un botteghino: indica una DATA_DIR o un database vuoti, oppure aggiungi --over per metterlo da parte.',
  no_house: 'Qui non c’è un botteghino: prima rimetti il database, poi ripeti.',
  postgres_over:
    'Su PostgreSQL si ripristina in un database nuovo e vuoto: crealo, indicalo in DATABASE_URL e riprova. Quello di prima resta com’è.',
  moved: 'Questo botteghino è stato portato altrove.',
  unlike: 'Dopo il trasferimento i conti non sono gli stessi: non è stato trasferito niente.',
};

/** A failed backup or restore, with its Italian sentence; `about` is the file or folder. */
export class BackupFault extends Error {
  readonly code: BackupFaultCode;

  constructor(code: BackupFaultCode, about = '', cause?: unknown) {
    super(about === '' ? backupFaultWords[code] : `${backupFaultWords[code]} (${about})`, {
      cause,
    });
    this.name = 'BackupFault';
    this.code = code;
  }
}

/** The sentence that says why a newer program does not start. */
export function copyComesFirst({ message }: BackupFault): string {
  return `Prima di aggiornare il database va fatta una copia. ${message}`;
}

/**
 * What is wrong with the tables of a house. `trial`: a version before 1.0.0 made them; `thing`: a
 * kind and a name, `column orders.number`.
 */
export type SchemaFault = { kind: 'trial' } | { kind: 'missing' | 'different'; thing: string };

const thingWords: Record<string, string> = {
  table: 'la tabella',
  column: 'la colonna',
  key: 'il vincolo',
  index: 'l’indice',
  trigger: 'l’automatismo',
};

/** `manca la colonna orders.number`. */
export function tellSchemaFault(fault: SchemaFault): string {
  if (fault.kind === 'trial') return 'dati di una versione di prova';
  const [kind = '', name] = fault.thing.split(/ (.*)/s);
  const thing = `${thingWords[kind] ?? kind} ${name}`;
  return fault.kind === 'missing' ? `manca ${thing}` : `${thing} non è come deve essere`;
}

/** Why neither a house nor a copy with such tables is opened. */
export function refuseSchema(fault: SchemaFault): BackupFault {
  return fault.kind === 'trial'
    ? new BackupFault('trial')
    : new BackupFault('other_tables', tellSchemaFault(fault));
}
