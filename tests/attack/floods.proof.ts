/** Attackers who send more than they read: neither memory nor descriptors nor anybody else's answer suffers. */
import { expect, inject, onTestFinished, test } from 'vitest';
import { makeData, startProduct } from '#tests/support/product.ts';
import { flood } from './floods.ts';
import { harmOf } from './victim.ts';

const paths = {
  http: ['/api/openapi.json', '/standins/seatsio/chart.js', '/'],
  https: ['/standins/seatsio/chart.js'],
};

for (const [scheme, flooded] of Object.entries(paths))
  test(`requests sent ahead and answers left lying harm nobody, over ${scheme}`, async () => {
    const data = await makeData('sqlite', inject('postgresUrl'));
    onTestFinished(() => data.clean());
    await using product = await startProduct(data, scheme === 'https' ? ['--https'] : []);
    const secure = `https://localhost:${Number(data.env['PORT']) + 443}`;
    const url = scheme === 'https' ? secure : product.url;
    for (const path of flooded)
      for (const reads of [true, false]) {
        const harm = await harmOf(product, () =>
          flood(url, { path, connections: 20, requests: 800, stays: 1_000, reads }),
        );
        // Without the guard it is out for half a minute, which counts as ten seconds; `npm run attack` prints what a quiet machine needs.
        expect(harm.health).toBeLessThan(8_000);
        expect(harm.memory).toBeLessThan(200);
        expect(harm.descriptors).toBeLessThan(200);
      }
  });
