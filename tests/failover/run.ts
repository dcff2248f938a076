/** `npm run failover -- --minutes N --seed S`: three processes of the product on three nodes of PostgreSQL, whose leader loses its power again and again; what was lost and how long nobody could buy is told at the end. */
import { parseArgs } from 'node:util';
import { soak } from '#tests/soak/soak.ts';
import { tell } from '#tests/soak/tell.ts';
import { missingPackages, startCluster } from './cluster.ts';
import { secondsUntilSold } from '#tests/soak/sold-again.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    processes: { type: 'string', default: '3' },
    // Seconds between two deaths.
    kill: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
  },
});
/** Longer nobody waits to buy. */
const longestSeconds = 30;

const missing = missingPackages();
if (missing.length > 0) {
  console.error(`This needs what is not on this machine: apt-get install ${missing.join(' ')}`);
  process.exit(2);
}

await using cluster = await startCluster();
console.log(
  `Three nodes stand, one of them a synchronous replica; ${values.minutes} minutes, seed ${values.seed}`,
);
const seconds: number[] = [];
const report = await soak({
  minutes: Number(values.minutes),
  processes: Number(values.processes),
  address: cluster.address,
  disk: null,
  seed: Number(values.seed),
  killEveryMs: Number(values.kill) * 1_000,
  async kill(world) {
    const took = await secondsUntilSold(world, 'leaders killed', () => cluster.killLeader());
    console.log(`the leader was killed: sold again after ${took.toFixed(1)} s`);
    seconds.push(took);
    await cluster.reviveAll();
  },
  say: console.log,
});
const late = seconds.filter((took) => took > longestSeconds);
tell({
  ...report,
  faults: [...report.faults, ...late.map((took) => `nobody could buy for ${took.toFixed(1)} s`)],
});
console.log(
  `${seconds.length} leaders were killed; the longest pause was ${Math.max(0, ...seconds).toFixed(1)} s.`,
);
process.exitCode = report.faults.length + late.length > 0 || seconds.length === 0 ? 1 : 0;
