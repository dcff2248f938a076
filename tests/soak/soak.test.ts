/** The short form of `npm run soak`: a theatre in which processes die, mail is down, webhooks are lost, clocks move and the disk is full. */
import { expect, inject, test } from 'vitest';
import { makeDatabase } from '#tests/support/postgres.ts';
import { soak } from './soak.ts';

/** What a machine that is busy with other tests may answer. */
const busy = /Another process holds the database|"code":"(?:try_again|provider_silent)"/;

const houses = { 'one process on SQLite': 1, 'three processes on PostgreSQL': 3 };

for (const [name, processes] of Object.entries(houses))
  test(
    `${name} dies again and again: nothing acknowledged is lost, every rule holds at any time`,
    { timeout: 300_000 },
    async () => {
      const made = processes === 1 ? null : await makeDatabase(inject('postgresUrl'));
      const { counts, faults } = await soak({
        minutes: 0.5,
        processes,
        address: made?.address ?? null,
        disk: null,
        seed: 22,
        killEveryMs: 6_000,
        say: () => {},
      });
      await made?.drop();
      expect(faults.filter((fault) => !busy.test(fault))).toEqual([]);
      const done = ['bookings', 'payments', 'scans handed in', 'processes killed'];
      expect(done.filter((what) => !counts.has(what))).toEqual([]);
    },
  );
