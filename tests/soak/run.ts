/** `npm run soak -- --minutes N --processes P --database sqlite|postgres --seed S`: hours of a theatre while everything breaks; what was lost is told at the end, and its exit code is red. */
import { parseArgs } from 'node:util';
import { makeSoakDatabase } from './database.ts';
import { soak } from './soak.ts';
import { tell } from './tell.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    processes: { type: 'string' },
    database: { type: 'string', default: 'sqlite' },
    // Seconds between two deaths: 60, of several processes 20.
    kill: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
  },
});
const isPostgres = values.database === 'postgres';
const processes = Number(values.processes ?? (isPostgres ? 3 : 1));
const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
if (!isPostgres && (values.database !== 'sqlite' || processes !== 1)) {
  console.error('--database is sqlite, for one process, or postgres, for any number of them.');
  process.exit(2);
}

await using database = isPostgres ? await makeSoakDatabase() : null;
if (database?.disk === null) console.log('The disk cannot be made full: only root may mount one.');
console.log(
  `${minutes} minutes, ${processes} of the product’s processes on ${values.database}, seed ${seed}`,
);
const report = await soak({
  minutes,
  processes,
  address: database?.address ?? null,
  disk: database?.disk ?? null,
  seed,
  killEveryMs: Number(values.kill ?? (processes > 1 ? 20 : 60)) * 1_000,
  say: console.log,
});
tell(report);
process.exitCode = report.faults.length > 0 ? 1 : 0;
