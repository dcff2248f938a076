/**
 * `npm run attack`: starts the product and attacks it; prints what each attack did to its memory, its descriptors and its health. Figures, no verdict.
 */
import { parseArgs } from 'node:util';
import { makeData, startProduct } from '#tests/support/product.ts';
import { attackLoop } from './blocks.ts';
import { bodyFloods, floodBodies } from './bodies.ts';
import { flood } from './floods.ts';
import { attackPassword } from './guesses.ts';
import { attackHall } from './hold-hall.ts';
import { attackDoor } from './invented-scans.ts';
import { attackObjects } from './objects.ts';
import { attackBooks } from './shop-beside.ts';
import { attackTill } from './till.ts';
import { harmOf } from './victim.ts';
import { attackCharts } from './whole-charts.ts';

const attacks = [
  { path: '/api/openapi.json', connections: 1, requests: 800, stays: 5_000, reads: false },
  { path: '/api/openapi.json', connections: 10, requests: 800, stays: 5_000, reads: false },
  {
    path: '/standins/seatsio/chart.js',
    connections: 32,
    requests: 625,
    stays: 5_000,
    reads: false,
  },
  { path: '/', connections: 500, requests: 1, stays: 40_000, reads: false },
  { path: '/api/openapi.json', connections: 500, requests: 50, stays: 40_000, reads: false },
  { path: '/', connections: 200, requests: 100, stays: 10_000, reads: true },
];

const { values } = parseArgs({
  options: {
    // A twentieth of some attacks, over http, to see that it still runs.
    quick: { type: 'boolean', default: false },
  },
});
await attackDoor();
// Tests make these two attacks as they are (`running/blocks`, `user/objects`).
if (!values.quick) {
  await attackLoop();
  await attackObjects();
}
await attackTill();
await attackPassword();
await attackHall(4);
await attackBooks();
await attackCharts(values.quick ? 1_000 : 20_000);
const few = (usual: number) => Math.ceil(values.quick ? usual / 20 : usual);
// The heaviest of each kind are proofs of their own.
const some = <Attack>(all: readonly Attack[]) => (values.quick ? all.slice(0, 1) : all);
for (const [name, attacks] of some(Object.entries(bodyFloods))) {
  const data = await makeData('sqlite', '');
  await using product = await startProduct(data);
  const answers: object[] = [];
  const { memory, health } = await harmOf(product, async () => {
    const floods = attacks.map((usual) =>
      floodBodies(product.url, { ...usual, connections: few(usual.connections) }),
    );
    answers.push(...(await Promise.all(floods)));
  });
  console.log(
    `${name}: memory +${memory.toFixed(0)} MB, /healthz at most ${health.toFixed(0)} ms, answers ${JSON.stringify(answers)}`,
  );
  await data.clean();
}
for (const scheme of values.quick ? ['http'] : ['http', 'https']) {
  const data = await makeData('sqlite', '');
  await using product = await startProduct(data, scheme === 'https' ? ['--https'] : []);
  const url =
    scheme === 'https' ? `https://localhost:${Number(data.env['PORT']) + 443}` : product.url;
  console.log(`over ${scheme}`);
  for (const usual of some(attacks)) {
    const attack = {
      ...usual,
      connections: few(usual.connections),
      requests: few(usual.requests),
      stays: few(usual.stays),
    };
    const { memory, descriptors, left, health } = await harmOf(product, () => flood(url, attack));
    const { path, connections, requests, reads, stays } = attack;
    console.log(
      `  ${path}: ${connections} connections × ${requests} requests, ${reads ? 'read' : 'left lying'}, ${stays / 1000} s: memory +${memory.toFixed(0)} MB, ${descriptors} descriptors, /healthz at most ${health.toFixed(0)} ms (goal 500), ${left} descriptors left`,
    );
  }
  await data.clean();
}
