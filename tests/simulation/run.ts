/**
 * npm run simulate: random histories with faults against the product's own services, until one
 * breaks a rule; then prints the shortest such history in words.
 */
import { makeDatabase, startPostgres } from '#tests/support/postgres.ts';
import type { History } from './history.ts';
import { hunt, read } from './hunt.ts';
import { applyMutant } from './mutants.ts';
import regressions from './regressions.json' with { type: 'json' };

const values = read({
  histories: { type: 'string', default: '2000' },
  postgres: { type: 'boolean', default: false },
  // Plays exchanges for another date.
  exchanges: { type: 'boolean', default: false },
  // Plays swaps of seats, and changes of type.
  swaps: { type: 'boolean', default: false },
  // Plays reservations that are paid in parts.
  deposits: { type: 'boolean', default: false },
  // Plays changes of hall.
  rehouses: { type: 'boolean', default: false },
  // People also buy tables that are sold whole.
  tables: { type: 'boolean', default: false },
});
// This must run before any module of the product is loaded.
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

/** Histories that once broke a rule. */
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

const found = await hunt({
  things: 'histories',
  many: Number(values.histories),
  asked: values,
  made: histories(deedsOf(values), values),
  play,
  inWords,
  tellEvery: 1_000,
  on: `, on ${store.kind}`,
});
if (found !== null) console.log(JSON.stringify(found));
await store.close();
await database?.drop();
await postgres?.stop();
process.exit(found !== null || broken > 0 ? 1 : 0);
