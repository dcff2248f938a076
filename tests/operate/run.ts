/** `npm run operate -- --rounds N --seed S --scene WORDS`: each scene on both databases, a line per figure; its exit code is red if anything was lost. */
import { parseArgs } from 'node:util';
import { makeDatabase, startPostgres } from '#tests/support/postgres.ts';
import { operate, tell } from './operate.ts';
import { scenes } from './scenes.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    // A part of a scene's name; left out: all.
    scene: { type: 'string', default: '' },
  },
});
const [rounds, seed] = [Number(values.rounds), Number(values.seed)];
const server = await startPostgres({ durable: true });
console.log(`${rounds} rounds of each scene, seed ${seed}`);
for (const scene of scenes.filter(({ name }) => name.includes(values.scene)))
  for (const database of ['sqlite', 'postgres']) {
    const made = database === 'postgres' ? await makeDatabase(server.url) : null;
    const address = made?.address ?? null;
    const figures = await operate(scene, { address, rounds, seed, say: console.log });
    await made?.drop();
    console.log(tell(database, scene, figures));
    const isLate = figures.seconds.some((took) => took > scene.longestSeconds);
    if (isLate) console.log(`FAULT it took longer than ${scene.longestSeconds} s`);
    for (const fault of figures.faults) console.log(`FAULT ${fault}`);
    if (isLate || figures.faults.length > 0) process.exitCode = 1;
  }
await server.stop();
