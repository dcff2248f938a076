/** One visitor, or one address, does not take a whole hall: places per token as the seller says, tokens and places per address and minute. */
import { expect, test } from 'vitest';
import { basic, startStandin, type PublicBody, type Standin } from './start.ts';

/** As a visitor behind somebody who says for whom he asks. */
function visitorAt({ url, workspaceKey }: Standin, address: string) {
  return async (path: string, body: object = {}) => {
    const answer = await fetch(`${url}/system/public/${workspaceKey}${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'X-Forwarded-For': address },
    });
    const told = (await answer.json()) as PublicBody;
    return { status: answer.status, token: told.holdToken, code: told.errors?.[0]?.code };
  };
}

const seats = (...labels: string[]) => labels.map((objectId) => ({ objectId }));

test('a token holds as many places of an event as its seller says, whatever is asked in how many calls', async () => {
  await using standin = await startStandin();
  const { events, holdTokens } = standin.client;
  const limit = async (places: unknown, key = standin.secretKey) => {
    const headers = { Authorization: basic(key) };
    return (await standin.ask('POST /events/ev/actions/limit-holds', { places }, headers)).status;
  };
  const ask = visitorAt(standin, '203.0.113.7');
  const { token: holdToken } = await ask('/hold-tokens');
  const hold = (...labels: string[]) =>
    ask('/events/ev/actions/hold', { holdToken, objects: seats(...labels) });
  expect(await limit(3)).toBe(204);
  expect([(await hold('A-1', 'A-2')).status, (await hold('A-3')).status]).toEqual([200, 200]);
  expect(await hold('A-4')).toMatchObject({ status: 400, code: 'TOO_MANY_OBJECTS' });
  expect((await ask('/events/ev/actions/hold-best-available', { holdToken, number: 1 })).code).toBe(
    'TOO_MANY_OBJECTS',
  );
  expect((await standin.info('A-4')).status).toBe('free');
  // A group at the counter is held with the secret key.
  const group = await holdTokens.create();
  await events.hold('ev', ['B-1', 'B-2', 'B-3', 'B-4', 'B-5'], group.holdToken);
  expect(await limit(null)).toBe(204);
  expect((await hold('A-4')).status).toBe(200);
  expect([await limit(0), await limit(101), await limit('3'), await limit(3, 'nobody')]).toEqual([
    400, 400, 400, 401,
  ]);
});

test('where the seller lets in, no other token holds anything, by whichever call', async () => {
  await using standin = await startStandin();
  const asSeller = async (path: string, body: object, key = standin.secretKey) => {
    const headers = { Authorization: basic(key) };
    return (await standin.ask(`POST /events/${path}`, body, headers)).status;
  };
  const ask = visitorAt(standin, '203.0.113.7');
  const { token } = await ask('/hold-tokens');
  const { holdToken: letIn } = await standin.client.holdTokens.create(10);
  const hold = (holdToken: string | undefined, label: string) =>
    ask('/events/ev/actions/hold', { holdToken, objects: seats(label) });
  expect((await hold(token, 'A-1')).status).toBe(200);
  expect(await asSeller('ev/actions/require-admission', { required: true })).toBe(204);
  for (const one of [token, letIn])
    expect(await hold(one, 'A-2')).toMatchObject({ status: 403, code: 'HOLD_TOKEN_NOT_ADMITTED' });
  expect(
    await ask('/events/ev/actions/hold-best-available', { holdToken: token, number: 1 }),
  ).toMatchObject({ status: 403 });
  // A visitor cannot let himself in, and what he has he may give back.
  expect(await asSeller('ev/actions/admit', { holdToken: token }, 'nobody')).toBe(401);
  expect(
    (await ask('/events/ev/actions/release', { holdToken: token, objects: seats('A-1') })).status,
  ).toBe(200);
  expect(await asSeller('ev/actions/admit', { holdToken: letIn })).toBe(204);
  expect((await hold(letIn, 'A-2')).status).toBe(200);
  expect(await asSeller('ev/actions/admit', { holdToken: 'unknown' })).toBe(400);
  expect(await asSeller('ev/actions/require-admission', { required: false })).toBe(204);
  expect((await hold(token, 'A-3')).status).toBe(200);
});

test('an address takes a hundred tokens a minute, an IPv6 network as one, and a program on this computer as many as it likes', async () => {
  await using standin = await startStandin();
  const ask = visitorAt(standin, '2001:db8:1:2::1');
  for (let n = 0; n < 100; n += 1) expect((await ask('/hold-tokens')).status).toBe(200);
  expect(await ask('/hold-tokens')).toMatchObject({ status: 429, code: 'RATE_LIMIT_EXCEEDED' });
  const statusAt = async (address: string) =>
    (await visitorAt(standin, address)('/hold-tokens')).status;
  expect([
    await statusAt('2001:db8:1:2:ffff::9'),
    await statusAt('2001:db8:1:3::1'),
    // Whoever writes a longer list names only himself: the last is who stands before the door.
    await statusAt('198.51.100.1, 2001:db8:1:2::1'),
    (await standin.visit('POST', '/hold-tokens', {})).status,
  ]).toEqual([429, 200, 429, 200]);
  standin.clock.now += 60_000;
  expect((await ask('/hold-tokens')).status).toBe(200);
});

test('an address takes two hundred places a minute, by whatever tokens, and what is refused is not counted', async () => {
  await using standin = await startStandin();
  const ask = visitorAt(standin, '203.0.113.7');
  const other = visitorAt(standin, '203.0.113.8');
  const take = async (by: typeof ask, quantity: number) => {
    const { token: holdToken } = await by('/hold-tokens');
    return by('/events/ev/actions/hold', {
      holdToken,
      objects: [{ objectId: 'GA1', quantity }],
    });
  };
  // Given back, and taken again: what counts is how much was taken.
  const { token: holdToken } = await ask('/hold-tokens');
  const objects = [{ objectId: 'GA1', quantity: 90 }];
  for (const action of ['hold', 'release', 'hold', 'release'])
    expect((await ask(`/events/ev/actions/${action}`, { holdToken, objects })).status).toBe(200);
  expect(await take(ask, 21)).toMatchObject({ status: 429, code: 'RATE_LIMIT_EXCEEDED' });
  expect((await take(ask, 20)).status).toBe(200);
  expect((await take(ask, 1)).status).toBe(429);
  expect((await take(other, 1)).status).toBe(200);
});
