/** Starts the server and stops it on a signal. */
import { once } from 'node:events';
import { inspect } from 'node:util';
import { ConfigError, hideSecrets, readConfig, type Config } from './config.ts';
import { openProduct, type OpenProduct } from './open.ts';
import { overtakenWords } from './domain/office/version.ts';
import { product } from './services/kit/version.ts';
import { StartError } from './start-faults.ts';

// Other users of the machine must not read the files that this process writes.
process.umask(0o077);

if (process.argv.includes('--version')) {
  console.log(product.version);
  process.exit();
}

/** The longest time for a stop; a service manager would kill the process soon after it. */
const longestStopMs = 13_000;

/**
 * The exit code while a person must change the configuration (EX_CONFIG of sysexits.h); systemd
 * does not start it again (`RestartPreventExitStatus`).
 */
const configFault = 78;

let config: Config | undefined;
try {
  config = readConfig();
  const server = await openProduct(config);
  console.log(`\n  Prenota un posto:  ${server.url}/`);
  console.log(`  La porta:          ${server.url}/scanner/`);
  console.log(
    server.invite === null
      ? `  L'ufficio:         ${server.url}/admin/\n`
      : `  Primo amministratore (il link vale una volta sola):  ${server.invite}\n`,
  );
  if (server.warning !== null) console.error(`  ${server.warning}`);
  // A warning, because most machines are in more networks than their owner knows of.
  if (config.host === null)
    console.error('  In ascolto su tutte le reti di questo computer (HOST=127.0.0.1: solo qui).');
  if (server.certificate) tellPhones(server.certificate, server.url);
  await Promise.race([
    ...['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => once(process, signal)),
    once(server.overtaken, 'abort'),
  ]);
  // The process ends even if a part of it hangs; interrupted work continues after the next start.
  setTimeout(() => {
    console.error('Lo spegnimento è durato troppo: chiudo comunque.');
    process.exit(1);
  }, longestStopMs).unref();
  await server.close();
  if (server.overtaken.aborted) throw new StartError(overtakenWords);
} catch (error) {
  console.error(hideSecrets(tellFault(error)));
  process.exitCode = error instanceof ConfigError ? configFault : 1;
}

/** What to print of an error: a known one as its sentence; the stack if LOG_LEVEL=debug. */
function tellFault(error: unknown): string {
  const isKnown = error instanceof ConfigError || error instanceof StartError;
  const wantsMore = /^(debug|trace)$/.test(config?.logLevel ?? '');
  if (!isKnown || wantsMore) return inspect(error);
  return error.message;
}

/** Prints what to do on a phone, step by step. */
function tellPhones(
  { addresses, authority }: NonNullable<OpenProduct['certificate']>,
  publicUrl: string,
): void {
  const { http, https } = addresses();
  console.log('  I telefoni, nella stessa rete Wi-Fi di questo computer:');
  console.log(
    `    1. una volta sola, apri  ${http[0]}/certificato  e segui i passi: il telefono impara a fidarsi di questo computer`,
  );
  console.log(
    `    2. apri  ${https[0]}/scanner/  oppure inquadra il codice di abbinamento dell’ufficio`,
  );
  console.log(
    `  Impronta del certificato «${authority().name}» (SHA-256), da confrontare sul telefono:\n    ${authority().fingerprint}`,
  );
  if (https.length > 1)
    console.log(`  Questo computer risponde anche a:  ${https.slice(1).join('  ')}`);
  console.log(
    `  I link, come quelli per abbinare i telefoni e per pagare, portano a ${publicUrl}: lo decide PUBLIC_URL=https://…\n`,
  );
}
