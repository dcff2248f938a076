/** Every model of the seat map with so many random histories: the test plays a few, the proof as many as a rare order of things needs. */
import { expect, test } from 'vitest';
import { databaseKinds } from '#tests/support/server.ts';
import { chooseAnywhere } from './best-available-model.ts';
import { sellChannels } from './channel-model.ts';
import { sellSeasons } from './season-model.ts';
import { sellSeats } from './seats-model.ts';
import { startStandin } from './start.ts';

type Runs = Record<(typeof databaseKinds)[number], number>;

const MODELS = {
  'whatever is asked in whatever order, seats and places are where a simple model says': sellSeats,
  'whatever channels are given and lose, only their keys sell what is theirs, and nothing is sold twice':
    sellChannels,
  "whatever a season, its parts and its evenings sell, nobody sits on anybody's lap": sellSeasons,
};

export function testModels(runs: Runs & { halls: number }): void {
  for (const [name, play] of Object.entries(MODELS))
    for (const database of databaseKinds)
      test(`${name} (${database})`, async () => {
        await using standin = await startStandin({ database });
        await play(standin, runs[database]);
      });
  test('in any small hall the answer is as good as the best of all possible ones, and the same again', async () => {
    const seen = await chooseAnywhere(runs.halls);
    // A run that never met a hall too full, too scattered or too tight would prove little.
    if (runs.halls >= 200) expect([null, 0, 2, 3].filter((kind) => !seen.has(kind))).toEqual([]);
  });
}
