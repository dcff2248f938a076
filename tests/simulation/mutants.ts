/** Named faults of our own: source patches that are applied when a module is loaded. The simulation must find each of them. */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

export interface Mutant { name: string; file: string; find: string; replace: string }

export const mutants: readonly Mutant[] = [];

const root = join(import.meta.dirname, '../..');

/** What is not under trial: a printed ticket takes longer than all the rest of a history. */
const paper = { file: 'server/adapters/documents.ts', source: `export async function makeTicketsPdf() { return Buffer.from('%PDF'); }` };

/** Null: the product as it is. */
export function applyMutant(name: string | null): void {
  const chosen = mutants.filter((mutant) => mutant.name === name);
  if (name !== null && chosen.length === 0) throw new Error(`no mutant is called ${name}; there are: ${[...new Set(mutants.map((mutant) => mutant.name))].join(', ')}`);
  const sources = new Map([[urlOf(paper.file), paper.source]]);
  for (const { file, find, replace } of chosen) {
    const source = sources.get(urlOf(file)) ?? readFileSync(join(root, file), 'utf8');
    if (source.split(find).length !== 2) throw new Error(`the mutant ${name} no longer fits ${file}: its text must stand there once`);
    sources.set(urlOf(file), source.replace(find, () => replace));
  }
  registerHooks({
    load(url, context, next) {
      const source = sources.get(url);
      return source === undefined ? next(url, context) : { format: 'module-typescript', source, shortCircuit: true };
    },
  });
}

function urlOf(file: string): string {
  return pathToFileURL(join(root, file)).href;
}
