/** Writes as fast as it can and tells its parent each place that was acknowledged, until it is killed. */
import { connect } from '#db/engine/connect.ts';
import { transact } from '#db/engine/transact.ts';

const db = connect(process.argv[2]!);
let next = 0;
await Promise.all(
  Array.from({ length: 32 }, async () => {
    while (process.connected) {
      const place = `A-${next++}`;
      await transact(db, async (trx) => {
        await trx('seats').insert({ place, owner: 1 });
        await trx('notes').insert({ id: place, place });
      });
      process.send!(place);
    }
  }),
);
