/** The line in front of a vendor: never more calls than it takes, each in its turn, and nobody waits for ever. */
import { expect, test } from 'vitest';
import { openLine } from '#server/adapters/line.ts';
import { ProviderUnavailable } from '#server/adapters/provider.ts';

/** A vendor that answers when it is told to. */
function slowVendor() {
  const going: PromiseWithResolvers<void>[] = [];
  const asked: number[] = [];
  return {
    asked,
    ask: (name: number) => () => {
      asked.push(name);
      going.push(Promise.withResolvers());
      return going.at(-1)!.promise;
    },
    answer: () => going.shift()!.resolve(),
    fail: () => going.shift()!.reject(new Error('no')),
  };
}

test('so many calls go out at one time, the next one with the end of one before, whatever end it was', async () => {
  const vendor = slowVendor();
  const inLine = openLine('x', { mostAtOnce: 2, longestWaitMs: 60_000 });
  const calls = [1, 2, 3, 4, 5].map((name) => inLine(vendor.ask(name)));
  expect(vendor.asked).toEqual([1, 2]);
  vendor.fail();
  await expect(calls[0]).rejects.toThrow('no');
  await expect.poll(() => vendor.asked).toEqual([1, 2, 3]);
  for (const call of calls.slice(1)) {
    vendor.answer();
    await call;
  }
  expect(vendor.asked).toEqual([1, 2, 3, 4, 5]);
  const later = [6, 7, 8].map((name) => inLine(vendor.ask(name)));
  expect(vendor.asked).toEqual([1, 2, 3, 4, 5, 6, 7]);
  for (const call of later) {
    vendor.answer();
    await call;
  }
});

test('whoever waits too long behind calls that hang is told so, and nothing was asked for them', async () => {
  const vendor = slowVendor();
  const inLine = openLine('x', { mostAtOnce: 1, longestWaitMs: 20 });
  const hanging = inLine(vendor.ask(1));
  await expect(inLine(vendor.ask(2))).rejects.toBeInstanceOf(ProviderUnavailable);
  vendor.answer();
  await hanging;
  expect(vendor.asked).toEqual([1]);
  const next = inLine(vendor.ask(3));
  vendor.answer();
  await next;
});
