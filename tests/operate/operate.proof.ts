/** The short form of `npm run operate`: each scene once on each database, both at the same time. */
import { expect, inject, test } from 'vitest';
import { databaseKinds } from '#tests/support/server.ts';
import { makeDatabase } from '#tests/support/postgres.ts';
import { operate, tell } from './operate.ts';
import { scenes } from './scenes.ts';

test.each(scenes)(
  '$name: nothing is lost, nothing is sold twice, and soon one can buy again',
  async (scene) => {
    await Promise.all(
      databaseKinds.map(async (database) => {
        const made = database === 'postgres' ? await makeDatabase(inject('postgresUrl')) : null;
        const address = made?.address ?? null;
        const figures = await operate(scene, { address, rounds: 1, seed: 22, say() {} });
        await made?.drop();
        console.log(tell(database, scene, figures));
        const { lost, double, faults, seconds } = figures;
        expect([database, faults]).toEqual([database, []]);
        expect([lost, double]).toEqual([0, 0]);
        expect(Math.max(...seconds)).toBeLessThan(scene.longestSeconds);
      }),
    );
  },
);
