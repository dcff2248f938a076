/** Tests that each start something, such as a stand-in or a browser, which ends with the test. */
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
