/**
 * All checks of `doctor` in order: first the configuration, then what it names. A check that
 * cannot run says so.
 */
import type { BuiltContext } from '#server/context.ts';
import { faultsOf } from './settings-told.ts';
import { Refused, type CommandIo } from './command.ts';
import { houseChecks } from './diagnosis-house.ts';
import { machineChecks } from './diagnosis-machine.ts';
import type { Diagnosis, Found } from './found.ts';

export async function diagnose(io: CommandIo): Promise<Diagnosis[]> {
  const faults = faultsOf(io);
  if (faults.length > 0)
    return faults.map((words) => ({
      state: 'bad',
      about: 'Configurazione',
      words,
      mend: 'Correggi il valore nell’ambiente del programma e riavvialo.',
    }));
  const { config } = io;
  const lines = [{ state: 'ok' as const, about: 'Configurazione', words: 'senza errori' }];
  const machine = await lookAll(machineChecks, config);
  const house = await io.open().catch((error: unknown) => error as Error);
  if (house instanceof Error) return [...lines, ...machine, notOpened(house)];
  return [...lines, ...machine, ...(await lookAll(houseChecks, (house as BuiltContext).ctx))];
}

function notOpened(error: Error): Diagnosis {
  const words = `non si apre: ${error.message}`;
  // A refusal says itself what to do.
  if (error instanceof Refused) return { state: 'bad', about: 'Database', words };
  const mend =
    'Controlla che il database sia acceso e l’indirizzo giusto; un file rovinato si ripristina da un backup.';
  return { state: 'bad', about: 'Database', words, mend };
}

async function lookAll<T>(
  checks: Record<string, (about: T) => Promise<Found>>,
  about: T,
): Promise<Diagnosis[]> {
  const lines: Diagnosis[] = [];
  for (const [name, look] of Object.entries(checks)) {
    const found = await look(about).catch((error: unknown): Found => ({
      state: 'warn',
      words: `non si è potuto controllare: ${(error as Error).message}`,
      mend: 'Riprova; se resta così, guarda il registro del programma.',
    }));
    if (found !== null) lines.push({ about: name, ...found });
  }
  return lines;
}
