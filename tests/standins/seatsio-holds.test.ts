/** Hold tokens and their end. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { refusalOf, startStandin, START, things } from './seatsio-start.ts';

const MINUTE = 60_000;

test('a token lives 15 minutes unless told otherwise', async () => {
  await using standin = await startStandin();
  const { client, clock, workspaceKey } = standin;
  const token = await client.holdTokens.create();
  expect(token).toMatchObject({ expiresInSeconds: 900, expiresAt: new Date(START + 15 * MINUTE), workspaceKey });
  expect((await client.holdTokens.create(30)).expiresInSeconds).toBe(1800);
  clock.now += 5 * MINUTE;
  expect((await client.holdTokens.retrieve(token.holdToken)).expiresInSeconds).toBe(600);
});

test('a token may be prolonged up to two hours after its making', async () => {
  await using standin = await startStandin();
  const { client, clock } = standin;
  const { holdToken } = await client.holdTokens.create();
  clock.now += 10 * MINUTE;
  expect((await client.holdTokens.expiresInMinutes(holdToken, 110)).expiresInSeconds).toBe(6600);
  expect(await refusalOf(client.holdTokens.expiresInMinutes(holdToken, 111))).toMatchObject({ status: 400, code: 'GENERAL_ERROR' });
  expect(await refusalOf(client.holdTokens.create(121))).toMatchObject({ status: 400, code: 'GENERAL_ERROR' });
  expect(await refusalOf(client.holdTokens.create(-1))).toMatchObject({ status: 400, code: 'GENERAL_ERROR' });
});

test('an unknown token is not found', async () => {
  await using standin = await startStandin();
  expect(await refusalOf(standin.client.holdTokens.retrieve('nobody'))).toMatchObject({ status: 404, code: 'HOLD_TOKEN_NOT_FOUND' });
});

test('when a token is over its objects are free again and the log says why', async () => {
  await using standin = await startStandin();
  const { client, clock } = standin;
  const { holdToken } = await client.holdTokens.create();
  const other = await client.holdTokens.create(60);
  await client.events.hold('ev', things('A-1', { objectId: 'GA1', quantity: 4 }), holdToken);
  await client.events.hold('ev', things('A-2', { objectId: 'GA1', quantity: 3 }), other.holdToken);
  clock.now += 15 * MINUTE - 1;
  expect((await client.events.retrieveObjectInfo('ev', 'A-1')).status).toBe('reservedByToken');
  clock.now += 1;
  const infos = await client.events.retrieveObjectInfos('ev', ['A-1', 'A-2', 'GA1']);
  expect(infos['A-1']).toMatchObject({ status: 'free', holdToken: undefined });
  expect(infos['A-2']!.status).toBe('reservedByToken');
  expect(infos.GA1).toMatchObject({ numHeld: 3, numFree: 97, holds: { [other.holdToken]: { NO_TICKET_TYPE: 3 } } });
  const [last] = (await client.events.statusChangesForObject('ev', 'GA1').firstPage()).items;
  expect(last).toMatchObject({ status: 'free', quantity: 4, holdToken, origin: { type: 'HOLD_EXPIRED' } });
  expect(await refusalOf(client.events.hold('ev', 'A-3', holdToken))).toMatchObject({ status: 400, code: 'HOLD_TOKEN_EXPIRED' });
  expect(await refusalOf(client.events.book('ev', 'A-1', holdToken))).toMatchObject({ status: 400, code: 'HOLD_TOKEN_EXPIRED' });
  expect((await client.holdTokens.retrieve(holdToken)).expiresInSeconds).toBe(0);
});

test('zero minutes end a token at once', async () => {
  await using standin = await startStandin();
  const { client } = standin;
  const { holdToken } = await client.holdTokens.create();
  await client.events.hold('ev', 'A-1', holdToken);
  expect((await client.holdTokens.expiresInMinutes(holdToken, 0)).expiresInSeconds).toBe(0);
  expect((await client.events.retrieveObjectInfo('ev', 'A-1')).status).toBe('free');
  expect(await refusalOf(client.holdTokens.expiresInMinutes(holdToken, 15))).toMatchObject({ status: 404, code: 'HOLD_TOKEN_EXPIRED' });
});

test('a restart keeps keys, holds, bookings and configuration, and ends what ran out meanwhile', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'seatsio-'));
  const file = join(folder, 'standins.sqlite');
  try {
    const first = await startStandin({ file });
    const { secretKey, workspaceKey } = first;
    const short = await first.client.holdTokens.create();
    const long = await first.client.holdTokens.create(120);
    await first.client.events.hold('ev', 'A-1', short.holdToken);
    await first.client.events.hold('ev', things('A-2', { objectId: 'GA1', quantity: 7 }), long.holdToken);
    await first.client.events.book('ev', 'A-3', null, 'order1');
    await first.client.events.markAsNotForSale('ev', ['B']);
    await first.close();
    await using second = await startStandin({ file, clock: { now: START + 20 * MINUTE } });
    expect(second).toMatchObject({ secretKey, workspaceKey });
    const infos = await second.client.events.retrieveObjectInfos('ev', ['A-1', 'A-2', 'A-3', 'B-1', 'GA1']);
    expect(infos['A-1']!.status).toBe('free');
    expect(infos['A-2']).toMatchObject({ status: 'reservedByToken', holdToken: long.holdToken });
    expect(infos['A-3']).toMatchObject({ status: 'booked', orderId: 'order1' });
    expect(infos['B-1']!.forSale).toBe(false);
    expect(infos.GA1!.numHeld).toBe(7);
    expect((await second.client.events.statusChanges('ev').firstPage()).items.map(({ objectLabel, status }) => `${objectLabel} ${status}`)).toEqual([
      'A-1 free', 'A-3 booked', 'GA1 reservedByToken', 'A-2 reservedByToken', 'A-1 reservedByToken',
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
