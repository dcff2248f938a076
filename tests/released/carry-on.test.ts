/** A house of each released version, from a backup of each database: today's program goes on with it. */
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, inject, test } from 'vitest';
import { readOrder } from '#server/contract/order/orders.ts';
import { makeBackup } from '#server/services/backup/make.ts';
import { setMaintenance } from '#server/services/site/maintenance.ts';
import { verifyBackup } from '#server/services/backup/verify.ts';
import { askAdmin } from '#tests/support/admin-command.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { callOk, makeAdmin } from '#tests/support/make.ts';
import { placeOf } from '#tests/support/house.ts';
import { makeData } from '#tests/support/product.ts';
import { databaseKinds, makeClock, openServer } from '#tests/support/server.ts';
import { expectSoundBooks } from '#tests/support/refunds.ts';

interface Told {
  made_at: string;
  orders: { name: string; id: string; state: string }[];
}

const versions = readdirSync(import.meta.dirname).filter((name) => /^\d/.test(name));
const isOver = ({ state }: Told['orders'][number]) => !/^(?:booking|awaiting_payment)$/.test(state);

for (const version of versions)
  for (const database of databaseKinds)
    test(`a house of ${version} is restored, sells on and is copied (${database})`, async () => {
      const file = join(import.meta.dirname, version, database);
      const { made_at, orders } = JSON.parse(readFileSync(`${file}.json`, 'utf8')) as Told;
      const { env, clean } = await makeData(database, inject('postgresUrl'));
      const settings = { ...env, BACKUP_FOLDER: join(env['DATA_DIR']!, 'copie') };
      await mkdir(settings.BACKUP_FOLDER);
      const copy = join(settings.BACKUP_FOLDER, 'house.copia');
      await writeFile(copy, gunzipSync(readFileSync(`${file}.copia.gz`)));
      expect(await askAdmin({ settings }, ['restore', copy])).toMatchObject({
        code: 0,
        body: { broken: [] },
      });
      const clock = makeClock();
      // Its evenings are still to come.
      clock.advance(Date.parse(made_at) + 60_000 - Date.now());
      await using server = await openServer(settings, {}, clock, clean);
      const admin = await makeAdmin(server);
      for (const { name, id, state } of orders.filter(isOver)) {
        const found = await callOk(server, readOrder, { params: { orderId: id } }, admin);
        expect([name, found.state]).toEqual([name, state]);
      }
      await setMaintenance(server.house.ctx, false, 'cli');
      await makePaidOrder(server);
      await server.runDue();
      await expectSoundBooks(server);
      // At the house's time: the command would take the present one, when its orders are overdue.
      const { path } = await makeBackup({
        house: placeOf(server),
        folder: settings.BACKUP_FOLDER,
        kind: 'by_hand',
        seal: null,
        now: clock.now(),
      });
      const opening = { passphrase: null, identities: [] };
      expect((await verifyBackup(path, { scratch: env['DATA_DIR']!, opening })).broken).toEqual([]);
    });
