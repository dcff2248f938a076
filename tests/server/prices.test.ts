/** Prices as the office looks them up at Stripe: what they are, and why one cannot be sold. */
import { expect } from 'vitest';
import { readPrice, readPrices } from '#server/contract/prices.ts';
import { Stripe } from 'stripe';
import { testOnBoth } from '#tests/support/both.ts';
import { ask, callOk, makeAdmin } from '#tests/support/make.ts';
import { asRole } from '#tests/support/roles.ts';
import type { TestServer } from '#tests/support/server.ts';

function shopOf(server: TestServer): Stripe {
  const { port, secretKey } = server.house.standins!.stripe!;
  return new Stripe(secretKey, { host: '127.0.0.1', port, protocol: 'http', telemetry: false });
}

testOnBoth('a price is told with its product and whether it can be sold, and why not', async (server) => {
  const admin = await makeAdmin(server);
  const shop = shopOf(server);
  const product = await shop.products.create({ name: 'Platea, intero' });
  const gone = await shop.products.create({ name: 'Stagione passata' });
  const make = (params: Partial<Stripe.PriceCreateParams> = {}) => shop.prices.create({ product: product.id, currency: 'eur', unit_amount: 2_500, ...params });
  const good = await make({ nickname: 'Intero' });
  const archived = await make();
  await shop.prices.update(archived.id, { active: false });
  const orphan = await make({ product: gone.id });
  await shop.products.update(gone.id, { active: false });
  const dollars = await make({ currency: 'usd' });
  const read = async (priceId: string) => callOk(server, readPrice, { params: { priceId } }, admin);
  expect(await read(good.id)).toMatchObject({ id: good.id, unit_amount: 2_500, currency: 'eur', active: true, type: 'one_time', nickname: 'Intero', product: { id: product.id, name: 'Platea, intero', active: true }, sellable: true, why_not: null });
  for (const [price, why_not] of [[archived, 'inactive'], [orphan, 'product_inactive'], [dollars, 'not_eur']] as const) {
    expect([why_not, await read(price.id)]).toEqual([why_not, expect.objectContaining({ sellable: false, why_not })]);
  }
  const missing = await ask(server, 'GET', '/api/admin/stripe/price/price_nessuno', { headers: admin });
  expect([missing.status, missing.body]).toEqual([404, expect.objectContaining({ code: 'price_not_found', message: 'Stripe non conosce questo prezzo.' })]);
  for (const strange of ['..', '%2e%2e', 'a%20b', 'price_x%3Fexpand', 'é']) expect([strange, (await ask(server, 'GET', `/api/admin/stripe/price/${strange}`, { headers: admin })).status]).toEqual([strange, 404]);

  const several = await callOk(server, readPrices, { params: { priceIds: ` ${dollars.id},price_nessuno,,${good.id},${dollars.id}` } }, admin);
  expect([several.items.map((price) => price.id), several.unknown]).toEqual([[dollars.id, good.id], ['price_nessuno']]);
  const many = (count: number) => Array.from({ length: count }, (_, index) => `price_${index}`).join(',');
  expect((await callOk(server, readPrices, { params: { priceIds: many(50) } }, admin)).unknown).toHaveLength(50);
  for (const list of [many(51), ',', '%20,%20']) expect([list.slice(0, 10), (await ask(server, 'GET', `/api/admin/stripe/prices/${list}/`, { headers: admin })).status]).toEqual([list.slice(0, 10), 400]);
  const door = await asRole(server, 'door');
  for (const path of [`price/${good.id}`, `prices/${good.id}`]) expect((await ask(server, 'GET', `/api/admin/stripe/${path}`, { headers: door })).status).toBe(403);
});

testOnBoth('while Stripe is silent a price is not told as missing', async (server) => {
  const admin = await makeAdmin(server);
  await server.house.standins!.stripe!.close();
  const answer = await ask(server, 'GET', '/api/admin/stripe/price/price_x', { headers: admin });
  expect([answer.status, answer.body]).toEqual([503, expect.objectContaining({ code: 'provider_silent' })]);
});
