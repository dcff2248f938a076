/** What is remembered for an owner: how long, how much, and who shares a question. */
import { expect, test } from 'vitest';
import { memo } from '#server/services/kit/memo.ts';

const owner = {};

/** Questions that are answered by hand, by a clock that is set by hand. */
function makeDesk(terms: Parameters<typeof memo>[0]) {
  const known = memo<string>(terms);
  const asked: PromiseWithResolvers<string>[] = [];
  const clock = { now: 1_000_000 };
  const get = (key?: string, of: object = owner) =>
    known.get(of, {
      ...(key === undefined ? {} : { key }),
      now: () => clock.now,
      ask() {
        const question = Promise.withResolvers<string>();
        asked.push(question);
        return question.promise;
      },
    });
  const answer = async (value: string) => {
    asked.at(-1)?.resolve(value);
    await Promise.resolve();
  };
  const fail = async (reason: string) => {
    asked.at(-1)?.reject(new Error(reason));
    await Promise.resolve();
  };
  return { known, asked, clock, get, answer, fail };
}

test('all who ask within its time share one answer, also while it is under way; after it the question is asked anew', async () => {
  const { asked, clock, get, answer } = makeDesk({ freshMs: 1_000 });
  const first = get();
  const second = get();
  expect(asked).toHaveLength(1);
  await answer('one');
  expect(await Promise.all([first, second, get()])).toEqual(['one', 'one', 'one']);
  clock.now += 999;
  expect(await get()).toBe('one');
  clock.now += 1;
  const third = get();
  expect(asked).toHaveLength(2);
  await answer('two');
  expect(await third).toBe('two');
  // A clock that is set back makes nothing last.
  clock.now -= 5_000;
  void get();
  expect(asked).toHaveLength(3);
});

test('a failure is told to those who share the question and is not kept', async () => {
  const { asked, get, answer, fail } = makeDesk({ freshMs: 1_000 });
  const both = [get(), get()];
  await fail('away');
  for (const one of both) await expect(one).rejects.toThrow('away');
  const again = get();
  expect(asked).toHaveLength(2);
  await answer('here');
  expect(await again).toBe('here');
});

test('each owner and each key has answers of its own, and no owner has more than the bound', async () => {
  const { asked, get, answer } = makeDesk({ freshMs: 1_000, most: 2 });
  const ask = async (key: string, of?: object) => {
    const before = asked.length;
    const said = get(key, of);
    if (asked.length > before) await answer(`${key} ${asked.length}`);
    return said;
  };
  expect([await ask('a'), await ask('b'), await ask('a', {}), await ask('a')]).toEqual([
    'a 1',
    'b 2',
    'a 3',
    'a 1',
  ]);
  expect([await ask('c'), await ask('b'), await ask('a')]).toEqual(['c 4', 'b 2', 'a 5']);
});

test('what is forgotten is asked anew, also when the answer to the earlier question comes later', async () => {
  const { known, asked, get, answer } = makeDesk({ freshMs: 1_000 });
  const early = get();
  known.forget(owner);
  const late = get();
  expect(asked).toHaveLength(2);
  await answer('new');
  asked[0]?.resolve('old');
  expect([await early, await late, await get()]).toEqual(['old', 'new', 'new']);
  expect(known.last(owner)?.value).toBe('new');
});

test('the last answer is known for as long as it is kept: after it is outdated, and while the question fails', async () => {
  const { known, asked, clock, get, answer, fail } = makeDesk({ freshMs: 1_000, keptMs: 10_000 });
  void get();
  await answer('first');
  known.outdate(owner);
  const again = get();
  expect(asked).toHaveLength(2);
  await fail('away');
  await expect(again).rejects.toThrow('away');
  expect(known.last(owner)).toEqual({ at: 1_000_000, value: 'first' });
  clock.now += 10_001;
  void get().catch(() => {});
  await fail('away');
  expect(known.last(owner)).toBeUndefined();
});

test('after a failure an owner is quiet for a while, and asks again when its answers are outdated', async () => {
  const { known, asked, clock, get, answer, fail } = makeDesk({ freshMs: 1_000, quietMs: 500 });
  const waits = get('a');
  clock.now += 20_000;
  await fail('silent');
  await expect(waits).rejects.toThrow('silent');
  await expect(get('b')).rejects.toThrow('silent');
  expect(asked).toHaveLength(1);
  known.outdate(owner);
  const now = get('b');
  await answer('here');
  expect(await now).toBe('here');
  clock.now += 1_000;
  void get('b').catch(() => {});
  await fail('silent');
  clock.now += 500;
  void get('b');
  expect(asked).toHaveLength(4);
});

const served = { freshMs: 1_000, keptMs: 90_000, servedMs: 5_000 };

test('where it may, what is known serves at once to all who ask while it is asked anew, up to its bound', async () => {
  const { asked, clock, get, answer } = makeDesk(served);
  void get();
  await answer('old');
  clock.now += 4_000;
  expect([await get(), await get()]).toEqual(['old', 'old']);
  expect(asked).toHaveLength(2);
  await answer('new');
  expect(await get()).toBe('new');
  clock.now += 5_000;
  const waits = [get(), get()];
  await answer('newest');
  expect(await Promise.all(waits)).toEqual(['newest', 'newest']);
});

test('who may wait a moment gets the new answer if it comes, else the known one', async () => {
  const { known, clock, get, answer } = makeDesk(served);
  void get();
  await answer('old');
  const patient = (waitMs: number) =>
    known.get(owner, { now: () => clock.now, waitMs, ask: () => Promise.reject(new Error('no')) });
  clock.now += 2_000;
  void get();
  const waits = patient(60_000);
  await answer('new');
  expect(await waits).toBe('new');
  clock.now += 2_000;
  void get();
  expect(await patient(1)).toBe('new');
});

test('an answer that turned out wrong serves only if the new question fails; while it fails, one of any kept age serves all but the one who asks', async () => {
  const { known, asked, clock, get, answer, fail } = makeDesk({ ...served, quietMs: 500 });
  void get();
  await answer('wrong');
  known.outdate(owner);
  const told = [get(), get()];
  await answer('right');
  expect(await Promise.all(told)).toEqual(['right', 'right']);
  clock.now += 60_000;
  const waits = get();
  await fail('silent');
  expect([await waits, await get()]).toEqual(['right', 'right']);
  clock.now += 600;
  // The next question hangs, and a name that was never asked for is refused at once.
  expect([await get(), await get()]).toEqual(['right', 'right']);
  void get('b').catch(() => {});
  await expect(get('b')).rejects.toThrow('silent');
  expect(asked).toHaveLength(5);
});

test('an answer that took long serves longer', async () => {
  const known = memo<number>({ freshMs: 1, restFactor: 1_000 });
  let asked = 0;
  const ask = async () => {
    const began = performance.now();
    while (performance.now() - began < 5);
    asked += 1;
    return asked;
  };
  await known.get(owner, { now: () => 0, ask });
  expect(await known.get(owner, { now: () => 4_000, ask })).toBe(1);
  expect(await known.get(owner, { now: () => 4_000_000, ask })).toBe(2);
});
