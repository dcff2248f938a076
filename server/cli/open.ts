/** Opens the house for a command, beside a server that may be running. */
import { existsSync } from 'node:fs';
import { isMigrated } from '#db/migrations/migrate.ts';
import type { Config } from '#server/config.ts';
import { createContext, type BuiltContext } from '#server/context.ts';
import { Refused } from './command.ts';

/** @throws Refused if there is no house yet, or one of another version */
export async function openBeside(config: Config): Promise<BuiltContext> {
  const isFile = !config.database.startsWith('postgres');
  if (isFile && !existsSync(config.database))
    throw new Refused(
      `In ${config.dataDir} non c’è ancora un botteghino: avvia il programma una volta, o indica DATA_DIR.`,
    );
  const built = await createContext(config, { beside: true });
  if (await isMigrated(built.ctx.db).catch(() => false)) return built;
  await built.close();
  throw new Refused(
    'Il database è vuoto o di un’altra versione: avvia prima il programma, che lo prepara.',
  );
}
