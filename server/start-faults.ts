/** Why the product cannot start: for each known error an Italian sentence with the remedy. */
import { isDatabaseAway } from '#db/engine/dialect.ts';
import { ProviderRefused, ProviderUnavailable } from './adapters/provider.ts';
import { ConfigError, type Config } from './config.ts';

/** The message is for the person at the terminal; the cause is shown with LOG_LEVEL=debug. */
export class StartError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'StartError';
  }
}

interface Known {
  code?: unknown;
  status?: unknown;
  syscall?: unknown;
  port?: unknown;
}

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as Known;
  return typeof code === 'string' ? code : '';
}

/** Runs a step of the start; turns an error that `tell` knows into a StartError. */
export async function starting<T>(
  tell: (error: unknown) => string | null,
  run: () => T | Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ConfigError || error instanceof StartError) throw error;
    const sentence = tell(error);
    throw sentence === null ? error : new StartError(sentence, error);
  }
}

export function folderInUse(folder: string): StartError {
  return new StartError(
    `La cartella ${folder} è già in uso: un altro Botteghino lavora lì. Chiudilo prima di avviarne un altro, oppure indica un’altra cartella con DATA_DIR=…`,
  );
}

/** Finds the sentence for errors of DATA_DIR and of the files that a start opens there. */
export function tellFile(file: string) {
  return (error: unknown): string | null => {
    const code = codeOf(error);
    if (/^(EACCES|EPERM|SQLITE_CANTOPEN)/.test(code))
      return `Non posso aprire ${file}: appartiene a un altro utente o non ho il permesso di scriverci. Dalla a chi avvia Botteghino oppure indica un’altra cartella con DATA_DIR=…`;
    if (/^(EROFS|SQLITE_READONLY)/.test(code))
      return `Non posso scrivere in ${file}: il file o il disco è in sola lettura. Togli la protezione oppure indica un’altra cartella con DATA_DIR=…`;
    if (/^(ENOTDIR|EEXIST|ENOENT)$/.test(code))
      return `${file} non può essere una cartella di dati: nel percorso c’è un file, o manca un disco. Indica un’altra cartella con DATA_DIR=…`;
    if (/^(ENOSPC|EDQUOT|SQLITE_FULL|SQLITE_IOERR_WRITE|SQLITE_IOERR_SHMSIZE)$/.test(code))
      return `Il disco di ${file} è pieno: fai spazio e riavvia. Niente è andato perso.`;
    if (/^(SQLITE_CORRUPT|SQLITE_NOTADB)/.test(code))
      return `Il file ${file} è rovinato e non si può leggere: mettilo da parte senza cancellarlo e rimetti al suo posto l’ultima copia di sicurezza.`;
    if (code.startsWith('SQLITE_BUSY'))
      return `Il file ${file} è tenuto occupato da un altro programma: chiudilo e riavvia.`;
    if (/^(EIO|SQLITE_IOERR)/.test(code))
      return `Il disco di ${file} dà errori: controllalo, e riparti da una copia di sicurezza se è guasto.`;
    return null;
  };
}

/** Finds the sentence for errors of PostgreSQL; it never contains the password in the address. */
export function tellPostgres(address: string) {
  const { host, pathname } = new URL(address);
  const name = pathname.slice(1);
  return (error: unknown): string | null => {
    const code = codeOf(error);
    if (code.startsWith('28'))
      return `PostgreSQL a ${host} rifiuta l’utente o la password di DATABASE_URL: correggili e riavvia.`;
    if (code === '3D000')
      return `A ${host} non c’è il database «${name}»: crealo o correggi DATABASE_URL.`;
    if (code === '42501')
      return `L’utente di DATABASE_URL non può creare le tabelle nel database «${name}»: rendilo proprietario del database.`;
    if (code === '53300')
      return `PostgreSQL a ${host} non accetta altre connessioni: chiudine qualcuna o alza max_connections.`;
    if (code === '53100') return `Il disco di PostgreSQL a ${host} è pieno: fai spazio e riavvia.`;
    if (isDatabaseAway(error))
      return `PostgreSQL a ${host} non risponde: controlla che sia acceso e che DATABASE_URL sia giusto, poi riavvia.`;
    return null;
  };
}

/** Finds the sentence for a vendor's answer that stops the start. */
export function tellVendors({ seatsio, stripe }: Pick<Config, 'seatsio' | 'stripe'>) {
  return (error: unknown): string | null => {
    const isUnknownKey =
      error instanceof ProviderRefused && (error.status === 401 || error.status === 403);
    const isKnown = error instanceof ProviderRefused || error instanceof ProviderUnavailable;
    if (!isKnown) return null;
    if (error.message.startsWith('Stripe')) {
      if (isUnknownKey)
        return 'Stripe rifiuta la chiave STRIPE_SECRET_KEY: copiala di nuovo dalla pagina delle chiavi di Stripe (Sviluppatori, Chiavi API) e riavvia.';
      return `Stripe${addressOf(stripe?.host ?? null)} non risponde come deve: controlla la rete${stripe?.host ? ' e STRIPE_URL' : ''}, poi riavvia.`;
    }
    if (isUnknownKey)
      return 'Il server delle piante rifiuta la chiave SEATSIO_SECRET_KEY: copiala di nuovo e riavvia.';
    return `Il server delle piante${seatsio?.url ? ` (${seatsio.url})` : ''} non risponde come deve: controlla che sia acceso e che SEATSIO_URL sia giusto, poi riavvia.`;
  };
}

function addressOf(host: { hostname: string; port: number } | null): string {
  return host === null ? '' : ` (http://${host.hostname}:${host.port})`;
}

/** Finds the sentence for errors of `listen`. */
export function tellPort({ port, httpsPort, host }: Pick<Config, 'port' | 'httpsPort' | 'host'>) {
  return (error: unknown): string | null => {
    const { syscall, port: asked } = (error ?? {}) as Known;
    if (syscall !== 'listen') return null;
    const code = codeOf(error);
    const number = typeof asked === 'number' ? asked : port;
    const setting = number === httpsPort ? 'HTTPS_PORT' : 'PORT';
    if (code === 'EADDRINUSE')
      return `La porta ${number} è già occupata: chiudi l’altro programma o scegli ${setting}=…`;
    if (code === 'EACCES')
      return `La porta ${number} è riservata al sistema: scegli ${setting}=3000 o un’altra da 1024 in su, e metti davanti un proxy per la ${number}.`;
    if (code === 'EADDRNOTAVAIL')
      return `HOST=${host} non è un indirizzo di questo computer: toglilo o scrivine uno suo, come 127.0.0.1.`;
    return null;
  };
}
