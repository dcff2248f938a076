/** What `doctor` checks on the machine: versions, files, address, certificate, mail server. */
import { constants } from 'node:fs';
import { access, readdir, stat, statfs } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { lookup } from 'node:dns/promises';
import { certificateEnd } from '#server/adapters/certificate-end.ts';
import { checkMailServer } from '#server/adapters/mail.ts';
import { isLiveKey } from '#server/adapters/stripe.ts';
import type { Config } from '#server/config.ts';
import { certificateState, diskState } from '#server/domain/door/readiness.ts';
import { isOurs } from '#server/services/backup/house-files.ts';
import type { Found } from './found.ts';

const patienceMs = 5_000;
const dayMs = 24 * 3_600_000;
const leastNode = 24;

export const machineChecks: Record<string, (config: Config) => Promise<Found>> = {
  'Versione di Node': async () => {
    const isOld = Number.parseInt(process.versions.node, 10) < leastNode;
    if (!isOld) return ok(process.versions.node);
    return bad(process.versions.node, `Serve Node ${leastNode}: avvia il programma con npm.`);
  },
  'Pagine costruite': async ({ dist }) => {
    if (await exists(dist)) return ok('ci sono');
    return bad('mancano', 'Costruiscile con npm run build, o avvia con npm start.');
  },
  Caratteri: async () => {
    const font = 'dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf';
    if (await exists(createRequire(import.meta.url).resolve(font))) return ok('ci sono');
    return bad('mancano quelli dei biglietti', 'Rifai npm ci.');
  },
  'Cartella dei dati': dataFolder,
  Disco: disk,
  Indirizzo: address,
  Certificato: certificate,
  Proxy: proxy,
  Chiavi: keys,
  'Server di posta': mailServer,
};

function ok(words: string): Found {
  return { state: 'ok', words };
}

function warn(words: string, mend: string): Found {
  return { state: 'warn', words, mend };
}

function bad(words: string, mend: string): Found {
  return { state: 'bad', words, mend };
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

async function dataFolder({ dataDir }: Config): Promise<Found> {
  const found = await stat(dataDir).catch(() => null);
  if (found === null)
    return warn(`${dataDir} non c’è ancora`, 'Avvia il programma una volta, o indica DATA_DIR.');
  const isWritable = await access(dataDir, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (!isWritable)
    return bad(`${dataDir} non si può scrivere`, 'Dalla all’utente del programma: chown -R.');
  if ((found.mode & 0o077) !== 0)
    return warn(`${dataDir} è aperta ad altri utenti`, `Chiudila: chmod 700 ${dataDir}`);
  for (const name of (await readdir(dataDir)).filter(isOurs)) {
    const { mode, uid } = await stat(join(dataDir, name));
    if (uid !== found.uid)
      return bad(
        `${name} è di un altro utente`,
        `Restituiscilo all’utente del programma: chown -R … ${dataDir}`,
      );
    // Other users cannot open the folder, so they cannot read its files.
    if ((mode & 0o200) === 0)
      return bad(`${name} non si può scrivere`, `Riaprilo: chmod u+w ${join(dataDir, name)}`);
  }
  return ok(`${dataDir}, solo del suo proprietario`);
}

async function disk({ dataDir }: Config): Promise<Found> {
  const { bavail, blocks, bsize } = await statfs(dataDir);
  const state = diskState({ free: bavail * bsize, share: bavail / blocks });
  const free = `${Math.floor((bavail * bsize) / 1e6)} MB liberi`;
  if (state === 'red') return bad(free, 'Fai spazio adesso: a disco pieno non si vende.');
  return state === 'amber' ? warn(free, 'Fai spazio: resta meno di un decimo.') : ok(free);
}

function isHere({ publicUrl }: Config): boolean {
  return /^(?:localhost|127\.|\[::1\])/.test(new URL(publicUrl).hostname);
}

async function address(config: Config): Promise<Found> {
  const { publicUrl } = config;
  const { hostname } = new URL(publicUrl);
  const isKnown = await lookup(hostname.replace(/^\[|\]$/g, '')).then(
    () => true,
    () => false,
  );
  if (!isKnown)
    return bad(`${hostname} non si trova`, 'Controlla PUBLIC_URL e il record DNS del nome.');
  const answer = await fetch(`${publicUrl}/healthz`, { signal: AbortSignal.timeout(patienceMs) })
    .then((reply) => reply.json() as Promise<{ status?: unknown }>)
    .catch(() => null);
  if (answer?.status === 'ok') return ok(`${publicUrl} risponde`);
  return bad(
    `${publicUrl} non risponde`,
    'Se il programma è acceso, controlla il proxy e la porta; se è spento, avvialo.',
  );
}

async function certificate(config: Config): Promise<Found> {
  if (!config.publicUrl.startsWith('https:'))
    return isHere(config)
      ? null
      : warn('nessun HTTPS', 'I telefoni della porta ne hanno bisogno: metti un proxy con HTTPS.');
  const end = await certificateEnd(config.publicUrl);
  if (end === null) return bad('non si può leggere', 'Controlla che il proxy risponda in HTTPS.');
  const days = Math.floor((end - Date.now()) / dayMs);
  const mend = 'Controlla il proxy che lo rinnova.';
  const state = certificateState(days);
  if (state === 'red') return bad(`scade fra ${days} giorni`, mend);
  return state === 'amber'
    ? warn(`scade fra ${days} giorni`, mend)
    : ok(`vale ancora ${days} giorni`);
}

async function proxy(config: Config): Promise<Found> {
  const isNone = 'hops' in config.proxies && config.proxies.hops === 0;
  if (!isNone) return ok('TRUST_PROXY è impostato');
  if (isHere(config) || config.httpsPort !== null) return null;
  return warn(
    'TRUST_PROXY non nomina nessuno',
    'Se davanti c’è un proxy scrivi TRUST_PROXY=1, o per i limiti tutti contano come un visitatore.',
  );
}

async function keys({ stripe, secretsKey, demonstration, publicUrl }: Config): Promise<Found> {
  const isLive = stripe !== null && isLiveKey(stripe.secretKey);
  if (isLive && publicUrl.startsWith('http:'))
    return bad('chiave vera di Stripe senza HTTPS', 'Metti un proxy con HTTPS davanti.');
  if (isLive && secretsKey === null)
    return warn('Stripe vero, segreti dei biglietti in chiaro', 'Imposta SECRETS_KEY.');
  if (stripe === null) return ok('Stripe di prova: nessun pagamento è vero');
  if (isLive) return ok('chiave vera di Stripe');
  return ok(`chiave di prova di Stripe${demonstration ? ', dimostrazione' : ''}`);
}

async function mailServer({ mail }: Config): Promise<Found> {
  if (mail.url === null)
    return warn('nessuno: le e-mail restano in ufficio', 'Imposta SMTP_URL e MAIL_FROM.');
  const { hostname } = new URL(mail.url);
  const found = await checkMailServer(mail.url);
  if (found === 'ready') return ok(`${hostname} accetta la posta di qui`);
  return found === 'refused'
    ? bad(`${hostname} rifiuta l’utente o la password`, 'Correggili in SMTP_URL.')
    : bad(`${hostname} non risponde`, 'Controlla SMTP_URL e che la rete lasci uscire la posta.');
}
