/** Hunspell with its Italian dictionary, which lists the words that it does not know. */
import { execFileSync } from 'node:child_process';
import { bring } from './bring.ts';

/** The unknown words as they were written, each once; one process checks all of them. */
export function unknownWords(words: Iterable<string>): Set<string> {
  const said = execFileSync('hunspell', ['-i', 'UTF-8', '-d', 'it_IT', '-l'], {
    input: [...new Set(words)].join('\n'),
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: 20_000,
  });
  return new Set(said.split('\n').filter((word) => word !== ''));
}

/** Null: Hunspell or its dictionary is missing. */
function findHunspell(): string | null {
  try {
    return unknownWords(['biglietto', 'bilgietto']).size === 1 ? 'hunspell -d it_IT' : null;
  } catch {
    return null;
  }
}

/** Installs both if necessary. */
export function ensureHunspell(): string {
  return bring({
    name: 'Hunspell',
    find: findHunspell,
    packages: ['hunspell', 'hunspell-it'],
  });
}
