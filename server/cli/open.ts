/** Opens the house for a command, beside a server that may be running. */
import { existsSync } from 'node:fs';
import { belowFloorWords } from '#server/domain/office/version.ts';
import { refuseSchema } from '#server/domain/backup.ts';
import { schemaFaultOf } from '#server/services/backup/schema-fault.ts';
import { tellMoved } from '#server/services/backup/moved.ts';
import { floorAbove } from '#server/services/kit/processes.ts';
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
  const moved = await tellMoved(config.database);
  if (moved !== null) throw new Refused(moved);
  const built = await createContext(config, { beside: true });
  const fault = await faultOf(built).catch(() => notPrepared);
  if (fault === null) return built;
  await built.close();
  throw new Refused(fault);
}

const notPrepared =
  'Il database è vuoto o di un’altra versione: avvia prima il programma, che lo prepara.';

async function faultOf({ ctx }: BuiltContext): Promise<string | null> {
  const fault = await schemaFaultOf(ctx);
  if (fault?.kind === 'trial') return refuseSchema(fault).message;
  if (!(await isMigrated(ctx.db))) return notPrepared;
  const floor = await floorAbove(ctx);
  return floor === null ? null : belowFloorWords(floor);
}
