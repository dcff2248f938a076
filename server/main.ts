/** Start; stop on signal; nothing else. */
import { once } from 'node:events';
import { ConfigError, readConfig } from './config.ts';
import { openHouse } from './open.ts';

try {
  const house = await openHouse(readConfig());
  console.log(`\n  Prenota un posto:  ${house.url}/`);
  console.log(`  La porta:          ${house.url}/scanner/`);
  console.log(house.invite === null ? `  L'ufficio:         ${house.url}/admin/\n` : `  Primo amministratore (il link vale una volta sola):  ${house.invite}\n`);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await house.close();
} catch (error) {
  const port = (error as NodeJS.ErrnoException).code === 'EADDRINUSE' ? (error as { port?: number }).port : undefined;
  if (error instanceof ConfigError) console.error(error.message);
  else if (port !== undefined) console.error(`La porta ${port} è già occupata: chiudi l’altro programma o scegli PORT=…`);
  else console.error(error);
  process.exitCode = 1;
}
