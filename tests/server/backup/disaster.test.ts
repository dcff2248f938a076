/** The rehearsed disaster: the disk is lost while tickets are sold and people come in, and the house goes on elsewhere from its last backup. */
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { makeBackup } from '#server/services/backup/make.ts';
import { runAdmin } from '#tests/support/admin-command.ts';
import { placeOf } from '#tests/support/house.ts';
import { startVendors } from '#tests/support/vendors.ts';
import { rehearse } from './disaster.ts';

test('lost at the height of a sale, it goes on from the last backup with two commands', () =>
  rehearse('sqlite'));

test('a seat map that does not answer is told in a sentence, and the comparison is left to the house', async () => {
  await using vendors = await startVendors();
  const house = await vendors.open(await vendors.emptyPlace('sqlite', inject('postgresUrl')));
  const { path } = await makeBackup({
    house: placeOf(house),
    folder: join(house.settings['DATA_DIR']!, '..', 'copie'),
    kind: 'automatic',
    seal: null,
    now: vendors.clock.now(),
  });
  const place = await vendors.emptyPlace('sqlite', inject('postgresUrl'));
  const away = { ...place, SEATSIO_URL: 'http://127.0.0.1:9' };
  const { code, out, err } = await runAdmin({ settings: away }, ['restore', path]);
  expect([code, err]).toEqual([0, '']);
  expect(out).toContain('Stripe o la pianta non rispondono più');
  // No line is meant for machines, and nothing is said of what was not compared.
  expect(out).not.toMatch(/^\{|Nessuna differenza/m);
  await house.close();
});
