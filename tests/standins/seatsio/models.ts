/** Every model of the seat map with so many random histories: the test plays a few, the proof as many as a rare order of things needs. */
import { expect, test } from 'vitest';
import { databaseKinds } from '#tests/support/server.ts';
import { chooseAnywhere } from './best-available-model.ts';
import { sellChannels } from './channel-model.ts';
import { sellSeasons } from './season-model.ts';
import { sellSeats } from './seats-model.ts';
import { startStandin } from './start.ts';

type Runs = Record<(typeof databaseKinds)[number], number>;

export function testModels(runs: Runs & { halls: number }): void {
  for (const database of databaseKinds)
    test(`whatever is asked in whatever order, seats, channels, and seasons with their evenings are where simple models say (${database})`, async () => {
      await using standin = await startStandin({ database });
      for (const play of [sellSeats, sellChannels, sellSeasons])
        await play(standin, runs[database]);
    });
  test('in any small hall the answer is as good as the best of all possible ones, and the same again', async () => {
    const seen = await chooseAnywhere(runs.halls);
    // A run that never met a hall too full, too scattered or too tight would prove little.
    if (runs.halls >= 200) expect([null, 0, 2, 3].filter((kind) => !seen.has(kind))).toEqual([]);
  });
}
