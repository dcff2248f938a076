/** Tests that begin with something of their own, which ends with them: a stand-in, a browser. */
import { test } from 'vitest';

/** Makes a `test` whose every run gets what `start` returns. */
export function testWith<T extends AsyncDisposable>(start: () => Promise<T>) {
  return (name: string, run: (started: T) => Promise<void>, timeout?: number): void => {
    test(
      name,
      async () => {
        await using started = await start();
        await run(started);
      },
      timeout,
    );
  };
}
