/** Scripts for pages of browser tests, built once for all tests of a worker, into memory. */
import path from 'node:path';
import { build } from 'vite';

const built = new Map<string, Promise<string>>();

/** @param file the script’s absolute path */
export function bundle(file: string): Promise<string> {
  const script = built.get(file) ?? buildScript(file);
  built.set(file, script);
  return script;
}

async function buildScript(input: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    root: path.dirname(input),
    build: { write: false, minify: false, rollupOptions: { input } },
  });
  const [first] = Array.isArray(result) ? result : [result];
  if (!first || !('output' in first)) throw new Error('Vite built nothing');
  return first.output[0].code;
}
