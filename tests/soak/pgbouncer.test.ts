/** The house behind Debian’s pgbouncer in transaction mode: its schema is made, its seat map and its jobs work, and its processes may die there, too. */
import { expect, inject, test } from 'vitest';
import { startPgbouncer } from '#tests/support/pgbouncer.ts';
import { makeDatabase } from '#tests/support/postgres.ts';
import { soak } from './soak.ts';

test(
  'two processes start, sell, refund, let in and die behind pgbouncer in transaction mode',
  { timeout: 240_000 },
  async () => {
    const made = await makeDatabase(inject('postgresUrl'));
    await using bouncer = await startPgbouncer(made.address);
    const { counts, faults } = await soak({
      minutes: 0.3,
      processes: 2,
      address: bouncer.url,
      env: { DATABASE_STATEMENTS: 'off' },
      disk: null,
      seed: 18,
      killEveryMs: 5_000,
      say: () => {},
    });
    expect(faults).toEqual([]);
    const done = ['bookings', 'payments', 'scans handed in', 'processes killed'];
    expect(done.filter((what) => !counts.has(what))).toEqual([]);
    await made.drop();
  },
);
