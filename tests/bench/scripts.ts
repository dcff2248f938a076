/** What pages of the benches load: scripts built as they are measured, our chart's among them. */
import { join } from 'node:path';
import { build } from 'vite';

export const root = join(import.meta.dirname, '..', '..');

/** The first file that Vite makes of it. */
export async function buildScript(options: Parameters<typeof build>[0]): Promise<string> {
  const built = await build({ ...options, logLevel: 'error' });
  const [result] = Array.isArray(built) ? built : [built];
  if (!result || !('output' in result)) throw new Error('Vite built nothing');
  return result.output[0].code;
}

export function buildChart(): Promise<string> {
  const configFile = join(root, 'apps/chart/vite.config.ts');
  return buildScript({ configFile, build: { write: false } });
}
