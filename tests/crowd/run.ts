/**
 * `npm run crowd -- --people N --per-minute R --robots B --seed S [--postgres] [--mutant NAME]`:
 * a crowd before one opening in simulated time; prints its figures and the faults found.
 */
import { parseArgs } from 'node:util';
import { applyMutant } from '#tests/simulation/mutants.ts';
import { makeDatabase, startPostgres } from '#tests/support/postgres.ts';
import { crowdMutants } from './mutants.ts';

const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '3000' },
    'per-minute': { type: 'string' },
    robots: { type: 'string', default: '50' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    postgres: { type: 'boolean', default: false },
    mutant: { type: 'string' },
  },
});
const [people, seed] = [Number(values.people), Number(values.seed)];
const per_minute = Number(
  values['per-minute'] ?? Math.min(6_000, Math.max(300, Math.ceil(people / 3))),
);
// This must run before any module of the product is loaded.
applyMutant(values.mutant ?? null, crowdMutants);
const { playCrowd } = await import('./play.ts');
const { tell } = await import('./tell.ts');

const postgres = values.postgres ? await startPostgres() : null;
const database = postgres && (await makeDatabase(postgres.url));
const crowd = await playCrowd({
  address: database?.address ?? ':memory:',
  people,
  per_minute,
  robots: Number(values.robots),
  seed,
});
await database?.drop();
await postgres?.stop();
console.log(tell(crowd));
process.exitCode = crowd.problems.length > 0 ? 1 : 0;
