/** Many buyers at once want the last uses of a code: exactly so many get them as there are. */
import { Region, SeatsioClient } from 'seatsio';
import { expect, inject, test } from 'vitest';
import { cancelCheckout } from '#server/contract/order/orders.ts';
import { countRows } from '#db/engine/statements.ts';
import type { CodeUseRow, OrderRow } from '#db/rows.ts';
import {
  callOk,
  demoEvent,
  holdObjects,
  makeAdmin,
  payOrder,
  until,
  type Held,
} from '#tests/support/make.ts';
import { freePort } from '#tests/support/port.ts';
import { bookWith, counts, countsOf, makeCode } from '#tests/support/price-codes.ts';
import { expectSoundBooks } from '#tests/support/refunds.ts';
import { databaseKinds, type TestServer } from '#tests/support/server.ts';
import { startVendors } from '#tests/support/vendors.ts';

const uses = 10;
const buyers = 64;

/** Carts of one seat each, far enough apart for the seat rules. */
async function fillCarts(server: TestServer, house: SeatsioClient): Promise<Held[]> {
  const seats = (await server.house.ctx.seats.objects(demoEvent)).filter(
    ({ kind, status, for_sale, category }) =>
      kind === 'seat' && status === 'free' && for_sale && category === 'Platea',
  );
  return Promise.all(
    seats.slice(0, buyers).map(async ({ label }) => {
      const hold_token = (await house.holdTokens.create()).holdToken;
      const selected_objects = [{ object_id: label, ticket_type: 'intero' }];
      const held = await holdObjects(server, hold_token, selected_objects);
      if (held.status !== 200) throw new Error(JSON.stringify(held.body));
      return { hold_token, selected_objects };
    }),
  );
}

for (const database of databaseKinds)
  test(`64 buyers at two servers and a code of ten uses: ten orders have it, and in the end exactly those that were paid (${database})`, async () => {
    await using vendors = await startVendors();
    const place = await vendors.emptyPlace(database, inject('postgresUrl'));
    await using server = await vendors.open(place);
    const admin = await makeAdmin(server);
    const { code_id } = await makeCode(server, admin, { most_orders: uses });
    const { url, secretKey } = vendors.standins.seatsio!;
    const carts = await fillCarts(server, new SeatsioClient(new Region(url), secretKey));
    expect(carts).toHaveLength(buyers);
    // SQLite has one writer; PostgreSQL decides between servers.
    await using other =
      database === 'postgres'
        ? await vendors.open({ ...place, PORT: String(await freePort()) })
        : null;
    const doors = [server, other ?? server];
    const answers = await Promise.all(
      carts.map((held, nth) => bookWith(doors[nth % 2]!, held, { codes: ['META26'] })),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    expect(new Set(refused.map(({ body }) => (body as { code: string }).code))).toEqual(
      new Set(['code_used_up']),
    );
    expect(refused).toHaveLength(buyers - uses);
    expect(await countsOf(server, code_id)).toEqual(counts(uses, uses));

    const booked = answers
      .filter(({ status }) => status === 200)
      .map(({ body }) => body as { order_id: string; checkout_url: string });
    const { db } = server.house.ctx;
    const idOf = async ({ order_id: link_key }: { order_id: string }) =>
      (await db<OrderRow>('orders').where({ link_key }).first('id'))!.id;
    const paid: string[] = [];
    for (const [nth, order] of booked.entries())
      if (nth % 3 > 0)
        await callOk(server, cancelCheckout, { params: { orderId: order.order_id } });
      else {
        await payOrder(server, order.checkout_url);
        paid.push(await idOf(order));
      }
    await until(async () => {
      await server.runDue();
      return (await countRows(db('orders').where({ state: 'confirmed' }))) === paid.length;
    });
    const holding = db<CodeUseRow>('code_uses').where({ code_id }).whereNull('given_back_at');
    expect((await holding.pluck('order_id')).toSorted()).toEqual(paid.toSorted());
    expect(await countsOf(server, code_id)).toEqual(counts(paid.length, paid.length));
    await expectSoundBooks(server);
  });
