/** A text that the browser keeps, or the page where it does not. */
import { afterEach, expect, test } from 'vitest';
import { keptText } from '#apps/booking/shell/kept-text.ts';

afterEach(() => {
  Reflect.deleteProperty(globalThis, 'sessionStorage');
});

/** A browser's storage, which refuses to write while `full`. */
function giveStorage(state: { full: boolean }): Map<string, string> {
  const entries = new Map<string, string>();
  const write = (change: () => void) => {
    if (state.full) throw new DOMException('full', 'QuotaExceededError');
    change();
  };
  const storage = {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, text: string) => write(() => entries.set(key, text)),
    removeItem: (key: string) => write(() => entries.delete(key)),
  };
  Object.defineProperty(globalThis, 'sessionStorage', { configurable: true, value: storage });
  return entries;
}

test('a text stands in the storage under its key, and another page reads it there', () => {
  const entries = giveStorage({ full: false });
  const kept = keptText('sessionStorage', 'a');
  expect(kept.read()).toBe(null);
  kept.write('uno');
  expect([
    [...entries],
    kept.read(),
    keptText('sessionStorage', 'a').read(),
    keptText('sessionStorage', 'b').read(),
  ]).toEqual([[['a', 'uno']], 'uno', 'uno', null]);
  entries.set('a', 'due');
  expect(kept.read()).toBe('due');
  kept.write(null);
  expect([entries.size, kept.read()]).toEqual([0, null]);
});

test('where the storage takes nothing the page remembers the last word, and gives it back as soon as it can be kept', () => {
  const state = { full: false };
  const entries = giveStorage(state);
  const kept = keptText('sessionStorage', 'a');
  kept.write('vecchio');
  state.full = true;
  kept.write('nuovo');
  expect([kept.read(), entries.get('a')]).toEqual(['nuovo', 'vecchio']);
  kept.write(null);
  expect(kept.read()).toBe(null);
  state.full = false;
  kept.write('ultimo');
  expect([kept.read(), entries.get('a')]).toEqual(['ultimo', 'ultimo']);
});

test('a browser that refuses even to be asked has the page’s memory alone', () => {
  Object.defineProperty(globalThis, 'sessionStorage', {
    configurable: true,
    get: () => {
      throw new DOMException('no', 'SecurityError');
    },
  });
  const kept = keptText('sessionStorage', 'a');
  expect(kept.read()).toBe(null);
  kept.write('uno');
  expect([kept.read(), keptText('sessionStorage', 'a').read()]).toEqual(['uno', null]);
});
