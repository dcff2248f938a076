/** Hold tokens and their end. */
import { expect, test } from 'vitest';
import { newFile } from '#tests/standins/new-file.ts';
import { makeCompany } from './company.ts';
import { refuses, startStandin, START, things, testStandin as it } from './start.ts';

const MINUTE = 60_000;

it('a token lives 15 minutes unless told otherwise', async (standin) => {
  const { clock, workspaceKey } = standin;
  const { holdTokens } = standin.client;
  const token = await holdTokens.create();
  expect(token).toMatchObject({
    expiresInSeconds: 900,
    expiresAt: new Date(START + 15 * MINUTE),
    workspaceKey,
  });
  expect((await holdTokens.create(30)).expiresInSeconds).toBe(1800);
  clock.now += 5 * MINUTE;
  expect((await holdTokens.retrieve(token.holdToken)).expiresInSeconds).toBe(600);
});

it('a token may be prolonged up to two hours after its making', async (standin) => {
  const { clock } = standin;
  const { holdTokens } = standin.client;
  const { holdToken } = await holdTokens.create();
  clock.now += 10 * MINUTE;
  expect((await holdTokens.expiresInMinutes(holdToken, 110)).expiresInSeconds).toBe(6600);
  await refuses(
    { status: 400, code: 'GENERAL_ERROR' },
    holdTokens.expiresInMinutes(holdToken, 111),
  );
  await refuses('GENERAL_ERROR', holdTokens.create(121), holdTokens.create(-1));
  await refuses({ status: 404, code: 'HOLD_TOKEN_NOT_FOUND' }, holdTokens.retrieve('nobody'));
});

test("a company's own hold period is how long its tokens live, for the API and for browsers", async () => {
  await using standin = await startStandin();
  const { client: company, workspace } = await makeCompany(standin);
  await company.accounts.changeHoldPeriod(8);
  expect((await company.holdTokens.create()).expiresInSeconds).toBe(480);
  const { body } = await standin.ask(`POST /system/public/${workspace.key}/hold-tokens`, {});
  expect(body['expiresInSeconds']).toBe(480);
  expect((await standin.client.holdTokens.create()).expiresInSeconds).toBe(900);
});

it('when a token is over its objects are free again and the log says why', async (standin) => {
  const { clock } = standin;
  const { events, holdTokens } = standin.client;
  const { holdToken } = await holdTokens.create();
  const other = await holdTokens.create(60);
  await events.hold('ev', things('A-1', { objectId: 'GA1', quantity: 4 }), holdToken);
  await events.hold('ev', things('A-2', { objectId: 'GA1', quantity: 3 }), other.holdToken);
  clock.now += 15 * MINUTE - 1;
  expect((await standin.info('A-1')).status).toBe('reservedByToken');
  clock.now += 1;
  const infos = await events.retrieveObjectInfos('ev', ['A-1', 'A-2', 'GA1']);
  expect(infos['A-1']).toMatchObject({ status: 'free', holdToken: undefined });
  expect(infos['A-2']!.status).toBe('reservedByToken');
  expect(infos.GA1).toMatchObject({
    numHeld: 3,
    numFree: 97,
    holds: { [other.holdToken]: { NO_TICKET_TYPE: 3 } },
  });
  const [last] = (await events.statusChangesForObject('ev', 'GA1').firstPage()).items;
  expect(last).toMatchObject({
    status: 'free',
    quantity: 4,
    holdToken,
    origin: { type: 'HOLD_EXPIRED' },
  });
  await refuses({ status: 400, code: 'HOLD_TOKEN_EXPIRED' }, events.hold('ev', 'A-3', holdToken));
  await refuses({ status: 400, code: 'HOLD_TOKEN_EXPIRED' }, events.book('ev', 'A-1', holdToken));
  expect((await holdTokens.retrieve(holdToken)).expiresInSeconds).toBe(0);
});

it('zero minutes end a token at once', async (standin) => {
  const { events, holdTokens } = standin.client;
  const { holdToken } = await holdTokens.create();
  await events.hold('ev', 'A-1', holdToken);
  expect((await holdTokens.expiresInMinutes(holdToken, 0)).expiresInSeconds).toBe(0);
  expect((await standin.info('A-1')).status).toBe('free');
  await refuses(
    { status: 404, code: 'HOLD_TOKEN_EXPIRED' },
    holdTokens.expiresInMinutes(holdToken, 15),
  );
});

test('a restart keeps keys, holds, bookings and configuration, and ends what ran out meanwhile', async () => {
  using place = newFile();
  const { file } = place;
  const first = await startStandin({ file });
  const { secretKey, workspaceKey } = first;
  const short = await first.client.holdTokens.create();
  const long = await first.client.holdTokens.create(120);
  await first.client.events.hold('ev', 'A-1', short.holdToken);
  await first.client.events.hold(
    'ev',
    things('A-2', { objectId: 'GA1', quantity: 7 }),
    long.holdToken,
  );
  await first.client.events.book('ev', 'A-3', null, 'order1');
  await first.client.events.markAsNotForSale('ev', ['B']);
  await first.close();
  await using second = await startStandin({ file, clock: { now: START + 20 * MINUTE } });
  expect(second).toMatchObject({ secretKey, workspaceKey });
  const infos = await second.client.events.retrieveObjectInfos('ev', [
    'A-1',
    'A-2',
    'A-3',
    'B-1',
    'GA1',
  ]);
  expect(infos['A-1']!.status).toBe('free');
  expect(infos['A-2']).toMatchObject({ status: 'reservedByToken', holdToken: long.holdToken });
  expect(infos['A-3']).toMatchObject({ status: 'booked', orderId: 'order1' });
  expect(infos['B-1']!.forSale).toBe(false);
  expect(infos.GA1!.numHeld).toBe(7);
  expect(
    (await second.client.events.statusChanges('ev').firstPage()).items.map(
      ({ objectLabel, status }) => `${objectLabel} ${status}`,
    ),
  ).toEqual([
    'A-1 free',
    'A-3 booked',
    'GA1 reservedByToken',
    'A-2 reservedByToken',
    'A-1 reservedByToken',
  ]);
});

test('calls that arrive together stand or fall alone, and what was answered is there after a restart', async () => {
  using place = newFile();
  const { file } = place;
  const first = await startStandin({ file });
  const { events } = first.client;
  const seats = ['A', 'B'].flatMap((row) =>
    Array.from({ length: 8 }, (_, index) => `${row}-${index + 1}`),
  );
  const asked = seats.flatMap((label) => [[label], [label, 'T1', 'nowhere'], [label, 'A-1']]);
  const results = await Promise.allSettled(
    asked.map((labels, index) => events.book('ev', labels, null, `order${index}`)),
  );
  const booked = asked.flatMap(([label], index) =>
    results[index]!.status === 'fulfilled' ? [[label!, `order${index}`]] : [],
  );
  expect(booked).toHaveLength(16);
  await first.close();
  await using second = await startStandin({ file });
  const infos = await second.client.events.retrieveObjectInfos('ev', [...seats, 'T1']);
  expect(
    Object.entries(infos)
      .flatMap(([label, { status, orderId }]) => (status === 'booked' ? [[label, orderId]] : []))
      .toSorted(),
  ).toEqual(booked.toSorted());
});
