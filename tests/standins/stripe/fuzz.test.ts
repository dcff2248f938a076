/** Random requests by the hundred; thousands are in fuzz.proof.ts. */
import { expect, test } from 'vitest';
import { askAtRandom, sendBytes } from './fuzz.ts';

test('no request breaks it, whatever its parameters; its objects are always whole', async () => {
  // Random calls that all fail early would prove nothing.
  expect([...(await askAtRandom(150))]).toEqual(
    expect.arrayContaining(['GET 200', 'POST 200', 'POST 400', 'GET 404']),
  );
});

test('no bytes break it, whatever they are', () => sendBytes(60));
