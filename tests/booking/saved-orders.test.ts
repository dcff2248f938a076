/** Orders kept for an evening without signal: what is kept, for how long, and what a spoilt storage does. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OrderReply } from '#apps/booking/shell/replies.ts';
import {
  forgetAllOrders,
  keepOrder,
  parseSaved,
  savedOrder,
} from '#apps/booking/order/saved-orders.ts';

const hour = 3_600_000;
const now = Date.UTC(2026, 10, 21, 20);

/** As a browser has it: a plain object whose keys are the entries. */
function makeStorage(): Storage {
  const storage = Object.create({
    getItem(key: string) {
      return (this as Record<string, string>)[key] ?? null;
    },
    setItem(key: string, text: string) {
      (this as Record<string, string>)[key] = text;
    },
    removeItem(key: string) {
      delete (this as Record<string, string>)[key];
    },
  }) as Storage;
  return storage;
}

beforeEach(() => {
  globalThis.localStorage = makeStorage();
});
afterEach(() => {
  Reflect.deleteProperty(globalThis, 'localStorage');
});

function orderOf(
  order_id: string,
  changes: { state?: OrderReply['state']; starts_at?: number } = {},
): OrderReply {
  const { state = 'confirmed', starts_at = now + hour } = changes;
  return {
    order_id,
    state,
    tickets: [],
    event: { starts_at: new Date(starts_at).toISOString() },
  } as unknown as OrderReply;
}

test('a confirmed order is kept with its time, and forgotten as soon as it is none', () => {
  keepOrder(orderOf('a'), now);
  expect(savedOrder('a')).toEqual({ at: now, order: orderOf('a') });
  expect(savedOrder('b')).toBe(null);
  keepOrder(orderOf('a', { state: 'deleted' }), now);
  expect(savedOrder('a')).toBe(null);
});

test('two days after the evening an order is gone, and of many the newest twenty stay', () => {
  keepOrder(orderOf('past', { starts_at: now - 49 * hour }), now - 50 * hour);
  keepOrder(orderOf('last-night', { starts_at: now - 20 * hour }), now - hour);
  expect([savedOrder('past') !== null, savedOrder('last-night') !== null]).toEqual([true, true]);
  for (let nth = 0; nth < 25; nth += 1) keepOrder(orderOf(`o${nth}`), now + nth);
  expect([
    savedOrder('past'),
    savedOrder('last-night'),
    savedOrder('o4'),
    Object.keys(localStorage).length,
  ]).toEqual([null, null, null, 20]);
  expect([savedOrder('o5')?.at, savedOrder('o24')?.at]).toEqual([now + 5, now + 24]);
});

test('spoilt entries count as nothing and go at the next save; other keys are left alone', () => {
  localStorage.setItem('botteghino.order.2.x', '{"at":');
  localStorage.setItem('botteghino.order.0.y', '{"at":1,"order":{}}');
  localStorage.setItem('botteghino.theme', 'dark');
  for (const text of [
    null,
    '',
    'null',
    '7',
    '[]',
    '{"at":"1"}',
    '{"at":1,"order":null}',
    '{"at":1,"order":{"order_id":"x","tickets":{},"event":{"starts_at":"z"}}}',
  ])
    expect([text, parseSaved(text)]).toEqual([text, null]);
  keepOrder(orderOf('a'), now);
  expect(Object.keys(localStorage).toSorted()).toEqual([
    'botteghino.order.2.a',
    'botteghino.theme',
  ]);
  forgetAllOrders();
  expect(Object.keys(localStorage)).toEqual(['botteghino.theme']);
});

test('a browser that keeps nothing does not mind', () => {
  const refuse = () => {
    throw new DOMException('no', 'SecurityError');
  };
  Object.defineProperty(globalThis, 'localStorage', { configurable: true, get: refuse });
  expect(() => keepOrder(orderOf('a'), now)).not.toThrow();
  expect([savedOrder('a'), forgetAllOrders()]).toEqual([null, undefined]);
});
