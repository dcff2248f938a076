/** One visitor, or one address, does not take a whole hall: places per token as the seller says, tokens and places per address and minute, places of an address at once. */
import { expect, test } from 'vitest';
import { databaseKinds } from '#tests/support/server.ts';
import {
  basic,
  eventParams,
  smallDrawing,
  startStandin,
  uploadDrawing,
  type PublicBody,
  type Standin,
} from './start.ts';

/** As a visitor behind somebody who says for whom he asks. */
function visitorAt({ url, workspaceKey }: Standin, address: string, headers: object = {}) {
  return async (path: string, body: object = {}) => {
    const answer = await fetch(`${url}/system/public/${workspaceKey}${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'X-Forwarded-For': address, ...headers },
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

/** One area of so many places, in an event of that name. */
async function openArea(standin: Standin, event: string, capacity: number): Promise<void> {
  const [area] = smallDrawing.subChart.generalAdmissionAreas;
  const subChart = {
    ...smallDrawing.subChart,
    rows: [],
    tables: [],
    sections: [],
    generalAdmissionAreas: [{ ...area, capacity }],
  };
  await uploadDrawing(standin, { key: event, drawing: { ...smallDrawing, subChart } });
  await standin.client.events.create(event, eventParams({ key: event }));
}

/** Holds with a new token, a minute after what was held before. */
async function holdPlaces(
  standin: Standin,
  event: string,
  { address, quantity, unpaid = 0 }: { address: string; quantity: number; unpaid?: number },
) {
  standin.clock.now += 60_000;
  const ask = visitorAt(standin, address, { 'x-unpaid-places': String(unpaid) });
  const { token: holdToken } = await ask('/hold-tokens');
  const objects = [{ objectId: 'GA1', quantity }];
  return { ...(await ask(`/events/${event}/actions/hold`, { holdToken, objects })), holdToken };
}

const refused = { status: 429, code: 'TOO_MANY_HELD_AT_ONCE' };

test.each(databaseKinds)(
  'an address holds two hundred places at once, or a tenth of the sale if that is more; what it has booked and not paid counts, and nothing is taken away (%s)',
  async (database) => {
    await using standin = await startStandin({ database });
    const held = async (event: string) =>
      (await standin.client.events.retrieveObjectInfo(event, 'GA1')).numHeld;
    for (const [event, capacity, most] of [
      ['hall', 1_000, 200],
      ['stadium', 3_000, 300],
    ] as const) {
      await openArea(standin, event, capacity);
      const hold = (quantity: number, unpaid = 0, address = '203.0.113.7') =>
        holdPlaces(standin, event, { address, quantity, unpaid });
      for (let left: number = most; left > 0; left -= 100)
        expect((await hold(Math.min(left, 100))).status).toBe(200);
      expect(await hold(1)).toMatchObject(refused);
      expect(await held(event)).toBe(most);
      expect((await hold(10, 0, '203.0.113.8')).status).toBe(200);
      expect(await hold(1, most - 10, '203.0.113.8')).toMatchObject(refused);
      expect((await hold(1, most - 11, '203.0.113.8')).status).toBe(200);
    }
    // The holds of another event do not count, and an hour later all have ended.
    standin.clock.now += 3_600_000;
    const address = '203.0.113.7';
    expect((await holdPlaces(standin, 'hall', { address, quantity: 100 })).status).toBe(200);
  },
);

test('a /48 of IPv6 holds as one visitor; a token counts where it held first, and the seller’s own for nobody', async () => {
  await using standin = await startStandin();
  await openArea(standin, 'hall', 1_000);
  const hold = (address: string, quantity: number) =>
    holdPlaces(standin, 'hall', { address, quantity });
  const first = await hold('2001:db8:1:1::1', 50);
  expect((await hold('2001:db8:1:2::1', 90)).status).toBe(200);
  expect((await hold('2001:db8:1:ffff::1', 60)).status).toBe(200);
  expect(await hold('2001:db8:1:3::1', 1)).toMatchObject(refused);
  expect((await hold('2001:db8:2:3::1', 1)).status).toBe(200);
  const travelled = visitorAt(standin, '198.51.100.1');
  const more = { holdToken: first.holdToken, objects: [{ objectId: 'GA1', quantity: 1 }] };
  expect(await travelled('/events/hall/actions/hold', more)).toMatchObject(refused);
  // A till behind the same line: its token may hold more, because the seller has said so.
  const { holdToken } = await standin.client.holdTokens.create();
  await standin.ask(`POST /hold-tokens/${holdToken}/actions/limit-holds`, { places: 100 });
  expect(await travelled('/events/hall/actions/hold', { ...more, holdToken })).toMatchObject({
    status: 200,
  });
});

test('a /48 takes in a minute ten times what one of its networks may take', async () => {
  await using standin = await startStandin();
  const take = async (network: number, quantity = 100) => {
    const ask = visitorAt(standin, `2001:db8:1:${network}::1`);
    const { token: holdToken } = await ask('/hold-tokens');
    const body = { holdToken, objects: [{ objectId: 'GA1', quantity }] };
    const held = await ask('/events/ev/actions/hold', body);
    await ask('/events/ev/actions/release', body);
    return held;
  };
  for (let network = 1; network <= 10; network += 1)
    expect([(await take(network)).status, (await take(network)).status]).toEqual([200, 200]);
  expect(await take(11, 1)).toMatchObject({ status: 429, code: 'RATE_LIMIT_EXCEEDED' });
});

test('the best places are looked for only as many as a token may hold', async () => {
  await using standin = await startStandin();
  await standin.ask('POST /events/ev/actions/limit-holds', { places: 3 });
  const ask = visitorAt(standin, '203.0.113.7');
  const find = async (number: number) =>
    (await ask('/events/ev/actions/find-best-available', { number })).status;
  expect([await find(3), await find(4)]).toEqual([200, 400]);
});
