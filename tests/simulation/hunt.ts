/**
 * Plays random cases until one breaks a rule, and describes it in words: the frame of both
 * simulations.
 */
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import * as fc from 'fast-check';

/** The command-line options that both simulations have. */
export const frame = {
  seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
  path: { type: 'string' },
  mutant: { type: 'string' },
  figures: { type: 'boolean', default: false },
  /** Stops at the first broken case; finding the shortest takes longer. */
  quick: { type: 'boolean', default: false },
  /** `2/3`: plays only every third case, from the second, so that three processes share a run. */
  part: { type: 'string', default: '1/1' },
} as const satisfies ParseArgsOptionsConfig;

export function read<const O extends ParseArgsOptionsConfig>(options: O) {
  return parseArgs({ options: { ...frame, ...options } }).values;
}

/** `figures` counts what happened, because a case in which nothing happens proves nothing. */
export interface Played {
  problems: readonly string[];
  figures: Record<string, number>;
  story: readonly string[];
}

/** An error with the top of its stack. */
export function inShort(error: unknown): string {
  return error instanceof Error ? error.stack!.split('\n').slice(0, 4).join(' ') : String(error);
}

interface Hunt<T> {
  /** `histories` or `evenings`. */
  things: string;
  many: number;
  asked: {
    seed: string;
    part: string;
    path?: string | undefined;
    mutant?: string | undefined;
  } & Record<'figures' | 'quick', boolean>;
  made: fc.Arbitrary<T>;
  play: (one: T, wish?: { tellsStory: boolean }) => Promise<Played>;
  inWords: (one: T) => string;
  /** The number of cases between two progress lines of a long run. */
  tellEvery: number;
  /** The name of the database. */
  on?: string;
}

class Broken extends Error {}

/** Returns the shortest case found that breaks a rule, or null. */
export async function hunt<T>(wish: Hunt<T>): Promise<T | null> {
  const { things, many, asked, made, play, inWords, tellEvery, on = '' } = wish;
  const seed = Number(asked.seed);
  const [part, parts] = asked.part.split('/').map(Number) as [number, number];
  let met = 0;
  const began = performance.now();
  const total = new Map<string, number>();
  let played = 0;
  let playedUntilFound = 0;
  const property = fc.asyncProperty(made, async (one: T) => {
    met += 1;
    // Cases that fast-check makes while it shrinks do not count as cases of the run.
    if (playedUntilFound === 0 && (met - part) % parts !== 0) return;
    played += 1;
    const { problems, figures } = await play(one);
    for (const [what, n] of Object.entries(figures)) total.set(what, (total.get(what) ?? 0) + n);
    if (played % tellEvery === 0 && problems.length === 0) console.error(`${played} clean`);
    if (problems.length === 0) return;
    playedUntilFound ||= played;
    throw new Broken(problems.join('\n'));
  });
  const { quick: endOnFailure, path, mutant } = asked;
  const settings = { numRuns: many, seed, endOnFailure, ...(path === undefined ? {} : { path }) };
  const result = await fc.check(property, settings);
  const seconds = (performance.now() - began) / 1_000;
  console.log(
    `${played} ${things} in ${seconds.toFixed(1)} s, ${(played / seconds).toFixed(1)} a second${on}, seed ${seed}${mutant ? `, mutant ${mutant}` : ''}`,
  );
  if (asked.figures)
    for (const [what, n] of [...total].toSorted()) console.log(`${String(n).padStart(8)} ${what}`);
  if (!result.failed) return null;
  const [one] = result.counterexample as [T];
  console.log(
    `broken after ${playedUntilFound} ${things}; again with: --seed ${seed} --path ${result.counterexamplePath}\n${inWords(one)}`,
  );
  const again = await play(one, { tellsStory: true });
  console.log(`what came to pass:\n${again.story.join('\n')}`);
  console.log(`what is wrong:\n${again.problems.map((problem) => `  ${problem}`).join('\n')}`);
  return one;
}
