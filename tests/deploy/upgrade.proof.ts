/**
 * Two processes of the oldest release that this clone has, behind a real proxy, are replaced one
 * after the other by today's program while people buy: they notice nothing.
 */
import { expect, inject, test } from 'vitest';
import { connect } from '#db/engine/connect.ts';
import { invariants } from '#db/reconcile/invariants.ts';
import { startHouses } from '#tests/support/deploy/houses.ts';
import { proxyKinds, startProxy } from '#tests/support/deploy/proxy.ts';
import { checkOut, oldestRelease } from '#tests/released/check-out.ts';
import { until } from '#tests/support/make.ts';
import { pairsOf, sendTraffic, type Traffic } from '#tests/support/deploy/traffic.ts';

const released = oldestRelease();

for (const kind of proxyKinds)
  test(`each process is replaced under way behind ${kind}: no request fails, no seat is sold twice`, async () => {
    await using houses = await startHouses(inject('postgresUrl'), {
      env: { DRAIN_SECONDS: '4' },
      // A clone without history has only today's program.
      ...(released === null ? {} : { root: checkOut(released.commit) }),
    });
    await using proxy = await startProxy(kind, houses);
    const traffic: Traffic = { requests: 0, failures: [], orders: [] };
    const pairs = await pairsOf(houses);
    let isOver = false;
    const buyers = Array.from({ length: 3 }, () =>
      sendTraffic(proxy.url, houses, { pairs, isOver: () => isOver, traffic }),
    );
    const before: number[] = [];
    for (const nth of [0, 1]) {
      before.push(traffic.orders.length);
      await houses.replace(nth);
    }
    const sold = traffic.orders.length;
    await until(async () => traffic.orders.length > sold);
    isOver = true;
    await Promise.all(buyers);
    expect(traffic.failures).toEqual([]);
    expect(traffic.orders.length).toBeGreaterThan(before[1]!);

    const db = connect(houses.database);
    try {
      const places = await db('tickets').where({ state: 'valid' }).select('event_id', 'place');
      const names = places.map(({ event_id, place }) => `${event_id} ${place}`);
      expect(names).toHaveLength(traffic.orders.length * 2);
      expect(new Set(names).size).toBe(names.length);
      for (const { name, find } of invariants)
        expect([name, await find(db, Date.now())]).toEqual([name, []]);
    } finally {
      await db.destroy();
    }
  });
