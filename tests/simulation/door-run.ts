/** Random evenings with faults at every step against the phones' core and the real server, until one breaks a rule; then the shortest of its kind, in words. `--mutants` proves that each named fault of ours is found. */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import * as fc from 'fast-check';
import type { Evening } from './door-history.ts';
import { doorMutants } from './door-mutants.ts';
import { steerChance } from './door-chance.ts';
import { steerTime } from './door-time.ts';
import { applyMutant } from './mutants.ts';

const { values } = parseArgs({
  options: {
    evenings: { type: 'string', default: '500' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    path: { type: 'string' },
    mutant: { type: 'string' },
    mutants: { type: 'boolean', default: false },
    figures: { type: 'boolean', default: false },
    /** Tells every evening, not only a broken one. */ story: { type: 'boolean', default: false },
    /** The first broken evening will do; the shortest takes longer. */ quick: {
      type: 'boolean',
      default: false,
    },
  },
});

const numRuns = Number(values.evenings);
const seed = Number(values.seed);
if (values.mutants) process.exit(findMutants());
// Before anything of the product is loaded.
applyMutant(values.mutant ?? null, doorMutants);
steerChance();
steerTime();
const { evenings, inWords } = await import('./door-history.ts');
const { playBrowser } = await import('./door-world.ts');
const { play } = await import('./door-play.ts');

/** Whoever died in the middle of something leaves its promise behind. */
process.on('unhandledRejection', (error) => {
  if (!(error instanceof Error) || !/dead|aborted|closed/i.test(error.message)) throw error;
});

playBrowser();

class Broken extends Error {}

/** Evenings from word to word of a long run, so that one that is ended early has told how far it came. */
const tellEvery = 50;
const began = performance.now();
const total = new Map<string, number>();
let played = 0;
let playedUntilFound = 0;
const result = await fc.check(
  fc.asyncProperty(evenings(), async (evening: Evening) => {
    played += 1;
    const { problems, figures, story } = await play(evening, { tellsStory: values.story });
    if (values.story) console.log(story.join('\n'));
    if (played % tellEvery === 0 && problems.length === 0) console.error(`${played} clean`);
    for (const [what, n] of Object.entries(figures)) total.set(what, (total.get(what) ?? 0) + n);
    if (problems.length === 0) return;
    playedUntilFound ||= played;
    throw new Broken(problems.join('\n'));
  }),
  {
    numRuns,
    seed,
    endOnFailure: values.quick,
    ...(values.path === undefined ? {} : { path: values.path }),
  },
);
const seconds = (performance.now() - began) / 1000;

console.log(
  `${played} evenings in ${seconds.toFixed(1)} s, ${(played / seconds).toFixed(1)} a second, seed ${seed}${values.mutant ? `, mutant ${values.mutant}` : ''}`,
);
if (values.figures)
  for (const [what, n] of [...total].toSorted()) console.log(`${String(n).padStart(8)} ${what}`);
if (result.failed) {
  const [evening] = result.counterexample as [Evening];
  const again = await play(evening, { tellsStory: true });
  console.log(
    `broken after ${playedUntilFound} evenings; again with: --seed ${seed} --path ${result.counterexamplePath}\n${inWords(evening)}`,
  );
  console.log(`what came to pass:\n${again.story.join('\n')}`);
  console.log(`what is wrong:\n${again.problems.map((problem) => `  ${problem}`).join('\n')}`);
}
process.exit(result.failed ? 1 : 0);

/** Each in a process of its own: mutants are applied while the product is loaded. */
function findMutants(): number {
  const missed = [...new Set(doorMutants.map(({ name }) => name))].filter((name) => {
    const { status, stdout } = spawnSync(
      process.execPath,
      [
        import.meta.filename,
        '--mutant',
        name,
        '--quick',
        '--seed',
        String(seed),
        '--evenings',
        String(numRuns),
      ],
      { encoding: 'utf8' },
    );
    const after = /broken after (\d+) evenings/.exec(stdout);
    console.log(
      `${name}: ${status === 1 && after ? `caught after ${after[1]} evenings` : 'NOT CAUGHT'}`,
    );
    return status !== 1 || !after;
  });
  return missed.length === 0 ? 0 : 1;
}
