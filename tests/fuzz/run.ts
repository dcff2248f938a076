/** `npm run fuzz -- --requests N --seed S`: starts the product, asks every endpoint as everybody, and prints what it did wrong. */
import { parseArgs } from 'node:util';
import { startServer } from '#tests/support/server.ts';
import { fuzz } from './fuzz.ts';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    // What kept those out that nobody came through.
    why: { type: 'boolean', default: false },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
  },
});
const requests = Number(values.requests);
const seed = Number(values.seed);

await using server = await startServer();
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
process.exitCode = faults.length > 0 ? 1 : 0;
