/** The short form of `npm run failover`: the PostgreSQL that writes dies under load, its synchronous standby takes over, and every acknowledged booking and scan is there. */
import { expect, test } from 'vitest';
import { faultsAmong } from '#tests/soak/ledger.ts';
import { soak } from '#tests/soak/soak.ts';
import { startBalancer } from '#tests/support/balancer.ts';
import { isWritable, startPair } from './pair.ts';
import { secondsUntilSold } from '#tests/soak/sold-again.ts';

test('the database dies and its standby takes over: nothing acknowledged is lost, and the sale is back within thirty seconds', async () => {
  await using pair = await startPair();
  // As HAProxy would: to whoever takes writes, and no line stays with anybody else.
  await using line = await startBalancer({
    targets: pair.ports,
    isWell: isWritable,
    cutsLines: true,
  });
  const seconds: number[] = [];
  const { counts, faults } = await soak({
    minutes: 0.5,
    processes: 2,
    address: `postgres://postgres@127.0.0.1:${line.port}/postgres`,
    disk: null,
    seed: 22,
    killEveryMs: 8_000,
    async kill(world) {
      if (seconds.length > 0) return;
      const took = await secondsUntilSold(world, 'leaders killed', async () => {
        await pair.killPrimary();
        await pair.promote();
      });
      seconds.push(took);
    },
    say: () => {},
  });
  expect(faultsAmong(faults).join('\n')).toBe('');
  expect(seconds).toHaveLength(1);
  expect(seconds[0]).toBeLessThan(30);
  const done = ['bookings', 'payments', 'scans handed in', 'leaders killed'];
  expect(done.filter((what) => !counts.has(what))).toEqual([]);
});
