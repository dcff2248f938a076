/** A short `npm run soak` in three houses: processes die, mail is down, webhooks are lost, clocks move and the disk is full. */
import { expect, inject, test } from 'vitest';
import { startPgbouncer } from '#tests/support/pgbouncer.ts';
import { makeDatabase } from '#tests/support/postgres.ts';
import { faultsAmong } from './ledger.ts';
import { soak } from './soak.ts';

const houses = [
  { name: 'one process on SQLite', processes: 1, seed: 22 },
  { name: 'three processes on PostgreSQL', processes: 3, seed: 22 },
  { name: 'two processes behind Debian’s pgbouncer in transaction mode', processes: 2, seed: 18 },
];

for (const { name, processes, seed } of houses)
  test(`${name} sell, refund, let in and die again and again: nothing acknowledged is lost, every rule holds at any time`, async () => {
    const made = processes === 1 ? null : await makeDatabase(inject('postgresUrl'));
    await using bouncer = name.includes('pgbouncer') ? await startPgbouncer(made!.address) : null;
    const { counts, faults } = await soak({
      minutes: 0.5,
      processes,
      address: bouncer?.url ?? made?.address ?? null,
      env: bouncer === null ? {} : { DATABASE_STATEMENTS: 'off' },
      disk: null,
      seed,
      killEveryMs: 6_000,
      say: () => {},
    });
    await made?.drop();
    expect(faultsAmong(faults).join('\n')).toBe('');
    const done = ['bookings', 'payments', 'scans handed in', 'processes killed'];
    expect(done.filter((what) => !counts.has(what))).toEqual([]);
  });
