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

/** For how many hours, days and weeks the newest backup is kept. */
export interface Keeping {
  hours: number;
  days: number;
  weeks: number;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const weekMs = 7 * dayMs;

/** The interval of automatic backups. */
export const backupEveryMs = hourMs;
/**
 * A backup must be verified this often: a little less than a day, so that Salute never turns red
 * between two.
 */
export const verifyEveryMs = 22 * hourMs;
/** A verified backup that is older than this is too old. */
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

/**
 * The files to delete: the newest of each of the last hours, days and weeks stays. `verified`
 * always stays, because only that one is known to be readable.
 */
export function backupsToDrop(
  files: readonly BackupName[],
  { keep, verified }: { keep: Keeping; verified: string | null },
): string[] {
  const newestFirst = files.toSorted((a, b) => b.at - a.at);
  const kept = new Set<string>(verified === null ? [] : [verified]);
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
  'other_secrets_key',
  'broken_books',
  'running',
  'not_empty',
  'postgres_over',
  'unlike',
] as const;
export type BackupFaultCode = (typeof backupFaults)[number];

/** The sentence that the screen shows for each fault. */
const backupFaultWords: Record<BackupFaultCode, string> = {
  no_room:
    'Non c’è abbastanza spazio sul disco per la copia: libera spazio o indica un’altra cartella.',
  disk_failed: 'Il disco non ha accettato la copia: è pieno o rovinato. Controllalo e riprova.',
  no_folder: 'Nella cartella delle copie non si può scrivere: controlla che ci sia e i permessi.',
  unreadable: 'Il file non si può leggere: controlla il nome e i permessi.',
  not_a_backup: 'Il file non è una copia di Botteghino.',
  damaged:
    'La copia è rovinata o incompleta: non è stato cambiato niente. Prova con un’altra copia.',
  sealed:
    'La copia è cifrata: serve la parola d’ordine (BACKUP_PASSPHRASE) o il file con la chiave segreta (--identity FILE).',
  wrong_key: 'La copia è cifrata con un’altra parola d’ordine o per un’altra chiave.',
  newer:
    'La copia viene da una versione più nuova di Botteghino: installa quella versione e riprova.',
  other_secrets_key:
    'La copia è di un botteghino con un’altra SECRETS_KEY: indica quella, altrimenti i biglietti venduti non si possono leggere.',
  broken_books:
    'La copia si legge, ma i suoi conti non tornano: guarda «Conti in ordine» nella pagina Salute.',
  running: 'Il botteghino è ancora in funzione su questi dati: fermalo e riprova.',
  not_empty:
    'Qui c’è già un botteghino: indica una DATA_DIR o un database vuoti, oppure aggiungi --over per metterlo da parte.',
  postgres_over:
    'Su PostgreSQL si ripristina in un database nuovo e vuoto: crealo, indicalo in DATABASE_URL e riprova. Quello di prima resta com’è.',
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
