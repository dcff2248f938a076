/** The orders that a tab remembers (RULES O12). */
import { expect, test } from 'vitest';
import {
  lastOrderOf,
  parseRecentOrders,
  withOrder,
  withoutOrder,
} from '#apps/booking/order/open/last-order.ts';

test('the last order is the most recent one that was not discarded', () => {
  const orders = withOrder(withOrder(withOrder([], 'a'), 'b'), 'c');
  expect(lastOrderOf(orders)).toBe('c');
  expect(lastOrderOf(withoutOrder(orders, 'c'))).toBe('b');
  expect(lastOrderOf(withoutOrder(withoutOrder(withoutOrder(orders, 'c'), 'a'), 'b'))).toBeNull();
});

test('discarding keeps the id, with its flag', () => {
  expect(withoutOrder([{ id: 'a' }, { id: 'b' }], 'a')).toEqual([
    { id: 'a', discarded: true },
    { id: 'b' },
  ]);
});

test('an order remembered twice stands once, at the end, and is live again', () => {
  expect(withOrder([{ id: 'a', discarded: true }, { id: 'b' }], 'a')).toEqual([
    { id: 'b' },
    { id: 'a' },
  ]);
});

test('only the most recent twenty are kept', () => {
  const orders = Array.from({ length: 30 }, (_, n) => `o${n}`).reduce(
    withOrder,
    parseRecentOrders(null),
  );
  expect(orders).toHaveLength(20);
  expect(orders[0]).toEqual({ id: 'o10' });
  expect(lastOrderOf(orders)).toBe('o29');
});

test.each([
  null,
  '',
  'not json',
  '{"id":"a"}',
  '[1]',
  '[{"id":5}]',
  '[{"id":"a","discarded":"yes"}]',
  'null',
])('storage that says %j counts as no orders', (text) => {
  expect(parseRecentOrders(text)).toEqual([]);
});

test('what was written is read back', () => {
  const orders = withoutOrder(withOrder(withOrder([], 'a'), 'b'), 'a');
  expect(parseRecentOrders(JSON.stringify(orders))).toEqual(orders);
});
