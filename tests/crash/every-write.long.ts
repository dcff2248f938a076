/**
 * Kills the real process at every single write of a move, a refund run, an exchange and a change of
 * hall, on both databases.
 */
import { expect, inject, test } from 'vitest';
import { makeDatabase } from '#tests/support/postgres.ts';
import { databaseKinds } from '#tests/support/server.ts';
import { expectPeace } from './evening.ts';
import { deeds, killAtWrites, startEvening } from './every-write.ts';

for (const database of databaseKinds)
  for (const [name, deed] of Object.entries(deeds))
    test(`killed at every write while ${name} (${database})`, async () => {
      const made = database === 'postgres' ? await makeDatabase(inject('postgresUrl')!) : null;
      await using evening = await startEvening(made?.address ?? null);
      await killAtWrites(evening.patron, deed, { every: 1 });
      await expectPeace(evening.patron);
      const writes = evening.writes();
      console.log(
        [`${name} (${database}): killed at each of ${writes.length} writes`, ...writes].join(
          '\n  ',
        ),
      );
      expect(writes.length).toBeGreaterThan(10);
    });
