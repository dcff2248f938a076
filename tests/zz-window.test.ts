import { expect, test } from 'vitest';
import { expectPeace } from './crash/evening.ts';
import { depositDeeds } from './crash/deposit-deeds.ts';
import { killAtWrites, startEvening } from './crash/every-write.ts';
test('x', async () => {
  await using evening = await startEvening(null);
  for (const deed of Object.values(depositDeeds))
    await killAtWrites(evening.patron, deed, { every: 3, rounds: 2 });
  console.log(evening.patron.house.deaths());
  await expectPeace(evening.patron);
}, 300_000);
