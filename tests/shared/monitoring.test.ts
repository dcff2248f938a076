/** What the pages tell the services that watch, and what they never tell. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { scrub, throttle } from '#apps/shared/error-reports.ts';
import { mayCount } from '#apps/shared/monitoring.ts';
import { listenTo, track, type UsageEvent } from '#apps/shared/track.ts';
import {
  countedAs,
  eventName,
  pageKind,
  productEvents,
  summariseVital,
  vitals,
  withoutOrderIds,
} from '#server/domain/site/visit.ts';

const id = 'Zk3_x-9AbCdEfGhIjKlMnOp';

test('RULES W8: one error event a second gets through', () => {
  let now = 5;
  const pass = throttle(1_000, () => now);
  const event = { message: 'x' };
  expect([pass(event), pass(event)]).toEqual([event, null]);
  now = 1_004;
  expect(pass(event)).toBe(null);
  now = 1_005;
  expect([pass(event), pass(event)]).toEqual([event, null]);
});

test('the id of an order opens its tickets: it leaves in no address, crumb or name', () => {
  const event = {
    request: { url: `https://teatro.it/orders/${id}/from_stripe_cs/complete?x=1` },
    breadcrumbs: [{ data: { url: `/api/orders/${id}/status`, to: `/orders/${id}#a` } }],
    urls: [`https://teatro.it/orders/${id}`],
    message: `GET "/orders/${id}" failed`,
    extra: { deep: [[{ link: `https://checkout.example/c/pay/cs_live_a1B2${id}` }]] },
    n: 1,
    none: null,
  };
  const scrubbed = scrub(event);
  expect(JSON.stringify(scrubbed)).not.toContain(id);
  expect(scrubbed).toMatchObject({
    request: { url: 'https://teatro.it/orders/:orderId/from_stripe_cs/complete?x=1' },
    message: 'GET "/orders/:orderId" failed',
    n: 1,
    none: null,
  });
  fc.assert(
    fc.property(
      fc.stringMatching(/^[\w-]{8,40}$/),
      fc.constantFrom('', '/', '?a=b', '#x', '/status', '"', ' '),
      (some, after) => !withoutOrderIds(`https://x/orders/${some}${after}`).includes(`/${some}`),
    ),
  );
});

test('analytics stay away from localhost and from whoever asks not to be followed', () => {
  for (const hostname of ['localhost', '127.0.0.1', '[::1]'])
    expect([hostname, mayCount({ hostname }, null)]).toEqual([hostname, false]);
  expect([
    mayCount({ hostname: 'teatro.it' }, '1'),
    mayCount({ hostname: 'teatro.it' }, '0'),
    mayCount({ hostname: 'teatro.it' }, null),
    mayCount({ hostname: 'localhost.teatro.it' }, null),
  ]).toEqual([false, true, true, true]);
});

test('RULES W7: names are a letter and up to 63 letters, digits, _, - or .', () => {
  for (const name of ['a', 'Z9', 'a_b-c.d', 'a'.repeat(64), ...productEvents, ...vitals])
    expect([name, eventName.test(name)]).toEqual([name, true]);
  for (const name of ['', '9a', '_a', '-a', '.a', 'a b', 'à', 'a'.repeat(65), 'a\n', 'a/b'])
    expect([name, eventName.test(name)]).toEqual([name, false]);
});

test('what happens before anybody listens is kept for a while, and forgotten when nobody does', () => {
  const heard: UsageEvent[] = [];
  for (let n = 0; n < 60; n += 1) track('pageview', n);
  track('non è un nome');
  listenTo((told) => heard.push(told));
  expect(heard.map(({ value }) => value)).toEqual(Array.from({ length: 50 }, (_, n) => n));
  track('LCP', 7);
  expect(heard.at(-1)).toEqual({ name: 'LCP', value: 7, page_url: '' });
  listenTo(null);
  track('error');
  listenTo((told) => heard.push(told));
  expect(heard).toHaveLength(51);
});

test('pages have kinds, vitals have steps, and everything else is not counted', () => {
  const kinds = {
    'https://x.it/': 'home',
    'https://x.it': 'home',
    '/event/a-b?x': 'event',
    '/orders/a/from_stripe_cs/complete': 'order',
    '/privacy/': 'legal',
    '/condizioni': 'legal',
    '/admin/': 'other',
    x: 'other',
    '': 'home',
  };
  for (const [address, kind] of Object.entries(kinds))
    expect([address, pageKind(address)]).toEqual([address, kind]);
  expect([
    countedAs('LCP', 2_500),
    countedAs('LCP', 2_501),
    countedAs('LCP', 8_001),
    countedAs('CLS', 0),
  ]).toEqual([
    { name: 'LCP', step: '2500' },
    { name: 'LCP', step: '4000' },
    { name: 'LCP', step: 'more' },
    { name: 'CLS', step: '0.01' },
  ]);
  expect([
    countedAs('LCP', undefined),
    countedAs('LCP', Number.NaN),
    countedAs('TTFB', 3),
    countedAs('toString', 1),
    countedAs('pageview', 3),
  ]).toEqual([null, null, null, null, { name: 'pageview', step: '' }]);
  const counts = [
    { name: 'INP', step: '50', n: 74 },
    { name: 'INP', step: '300', n: 1 },
    { name: 'INP', step: 'more', n: 25 },
    { name: 'LCP', step: '500', n: 9 },
  ];
  expect(summariseVital('INP', counts)).toEqual({
    name: 'INP',
    n: 100,
    p75: 300,
    good: 74,
    poor: 25,
  });
  expect(summariseVital('INP', [{ name: 'INP', step: 'more', n: 3 }])).toEqual({
    name: 'INP',
    n: 3,
    p75: null,
    good: 0,
    poor: 3,
  });
  expect(summariseVital('CLS', counts)).toEqual({ name: 'CLS', n: 0, p75: null, good: 0, poor: 0 });
});
