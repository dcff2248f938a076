/** `npm run fuzz -- --requests N --seed S [--database postgres]`: starts the product, asks every endpoint as everybody, and prints what it did wrong. */
import { parseArgs } from 'node:util';
import { startPostgres } from '#tests/support/postgres.ts';
import { startServer } from '#tests/support/server.ts';
import { prepareSurroundings } from '#tests/support/surroundings.ts';
import { fuzz } from './fuzz.ts';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    database: { type: 'string', default: 'sqlite' },
    // What kept those out that nobody came through.
    why: { type: 'boolean', default: false },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
  },
});
const requests = Number(values.requests);
const seed = Number(values.seed);

prepareSurroundings();
const postgres = values.database === 'postgres' ? await startPostgres() : null;
const server = await startServer(
  postgres ? { database: 'postgres', postgresUrl: postgres.url } : {},
);
const began = performance.now();
const { faults, statuses, never } = await fuzz(server, { requests, seed });
const seconds = (performance.now() - began) / 1000;
for (const fault of faults)
  console.log(
    `${fault.times} × ${fault.operation} as ${fault.caller}: ${fault.what}\n    ${fault.method} ${fault.target}\n    ${fault.body}\n    → ${fault.answer}`,
  );
for (const { name, refusals } of never) {
  console.log(`never let through: ${name}`);
  if (values.why)
    for (const [why, times] of refusals.toSorted(([, a], [, b]) => b - a).slice(0, 6))
      console.log(`    ${times} × ${why.slice(0, 300)}`);
}
console.log(
  [...statuses]
    .toSorted(([a], [b]) => a - b)
    .map(([status, times]) => `${status}: ${times}`)
    .join(', '),
);
console.log(
  `${requests} requests in ${seconds.toFixed(0)} s, seed ${seed}: ${faults.length} kinds of faults`,
);
await server.close();
await postgres?.stop();
process.exitCode = faults.length > 0 ? 1 : 0;
