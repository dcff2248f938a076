/** Random requests by the thousand. */
import { expect, test } from 'vitest';
import { askAtRandom, sendBytes } from './fuzz.ts';

test('no request breaks it, whatever its parameters; its objects are always whole', async () => {
  // Random calls that all fail early would prove nothing.
  expect([...(await askAtRandom(2500))]).toEqual(
    expect.arrayContaining(['GET 200', 'POST 200', 'POST 400', 'GET 404']),
  );
});

test('no bytes break it, whatever they are', () => sendBytes(1500));
