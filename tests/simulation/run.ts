/** npm run simulate: random histories with faults against the product's own services, until one breaks a rule; then the shortest of its kind, in words. */
import { parseArgs } from 'node:util';
import * as fc from 'fast-check';
import { makeDatabase, startPostgres } from '#tests/support/postgres.ts';
import type { History } from './history.ts';
import { applyMutant } from './mutants.ts';
import regressions from './regressions.json' with { type: 'json' };

const { values } = parseArgs({
  options: {
    histories: { type: 'string', default: '2000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    path: { type: 'string' },
    postgres: { type: 'boolean', default: false },
    mutant: { type: 'string' },
    // With a change of hall.
    rehouses: { type: 'boolean', default: false },
    figures: { type: 'boolean', default: false },
    // The first broken history will do; the shortest takes longer.
    quick: { type: 'boolean', default: false },
  },
});

const numRuns = Number(values.histories);
const seed = Number(values.seed);
// Before anything of the product is loaded.
applyMutant(values.mutant ?? null);
const { histories, inWords } = await import('./history.ts');
const { openPostgresStore, openSqliteStore } = await import('./store.ts');
const { steerIntervals } = await import('./scheduler.ts');
const { deedsOf } = await import('./deeds.ts');
const { furnish } = await import('./world.ts');
const { preparePlay } = await import('./play.ts');

const turns = {} as Parameters<typeof openSqliteStore>[0];
const postgres = values.postgres ? await startPostgres() : null;
const database = postgres && (await makeDatabase(postgres.url));
steerIntervals(() => turns.scheduler);
const store = database
  ? await openPostgresStore(database.address, turns)
  : await openSqliteStore(turns);
await furnish(store);
const play = await preparePlay(store, turns);

/** Histories that were broken once. */
const known = (values.mutant === undefined && values.path === undefined ? regressions : []) as {
  name: string;
  history: History;
}[];
let broken = 0;
for (const { name, history } of known) {
  const { problems } = await play(history);
  if (problems.length === 0) continue;
  broken += 1;
  console.log(`broken again: ${name}\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
}

class Broken extends Error {}

/** Histories from word to word of a long run, so that one that is ended early has told how far it came. */
const tellEvery = 1_000;
const began = performance.now();
const total = new Map<string, number>();
let played = 0;
let playedUntilFound = 0;
const result = await fc.check(
  fc.asyncProperty(histories(deedsOf({ rehouses: values.rehouses })), async (history: History) => {
    played += 1;
    const { problems, figures } = await play(history);
    for (const [what, n] of Object.entries(figures)) total.set(what, (total.get(what) ?? 0) + n);
    if (played % tellEvery === 0 && problems.length === 0) console.error(`${played} clean`);
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
  `${played} histories in ${seconds.toFixed(1)} s, ${Math.round(played / seconds)} a second, on ${store.kind}, seed ${seed}${values.mutant ? `, mutant ${values.mutant}` : ''}`,
);
if (values.figures)
  for (const [what, n] of [...total].toSorted()) console.log(`${String(n).padStart(8)} ${what}`);
if (result.failed) {
  const [history] = result.counterexample as [History];
  const again = await play(history, { tellsStory: true });
  console.log(
    `broken after ${playedUntilFound} histories; again with: --seed ${seed} --path ${result.counterexamplePath}\n${inWords(history)}`,
  );
  console.log(`what came to pass:\n${again.story.join('\n')}`);
  console.log(`what is wrong:\n${again.problems.map((problem) => `  ${problem}`).join('\n')}`);
  console.log(JSON.stringify(history));
}
await store.close();
await database?.drop();
await postgres?.stop();
process.exit(result.failed || broken > 0 ? 1 : 0);
