/** Another secret for an event's codes: what was issued goes on, what comes has the new one, and in the end nothing of the earlier one is left (RULES C4). */
import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { Core } from '#apps/scanner/scan/core.ts';
import { findEvent } from '#db/event/events.ts';
import type { EventRow } from '#db/rows.ts';
import { readAdmission } from '#server/contract/door/admissions.ts';
import { codeOf } from '#server/services/order/tickets.ts';
import {
  beginSecretChange,
  endSecretChange,
  reissueEarlier,
  sealSecrets,
} from '#server/services/event/secrets.ts';
import { isSealedWith, useSealingKey } from '#server/services/kit/sealing.ts';
import { askAdmin } from '#tests/support/admin-command.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { ask, demoEvent } from '#tests/support/make.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { mailsOf } from '#tests/support/mail-day.ts';
import { makeSold, soldOf } from '#tests/support/move.ts';
import { expectSoundBooks } from '#tests/support/refunds.ts';
import type { TestServer } from '#tests/support/server.ts';
import { pairingToken } from '#tests/shared/door-hall.ts';
import { openNodePhone } from '#tests/shared/node-phone.ts';

const eventOf = async (server: TestServer): Promise<EventRow> =>
  (await findEvent(server.house.ctx.db, demoEvent))!;

/** What whoever has stolen a secret can make. */
const madeWith = (event: EventRow, place: string, revision: number): string =>
  codeOf(event, { place, revision, earlier_codes: 0 });

const openPhone = async (server: TestServer, name: string, line = { up: true }) => {
  const { ctx } = server.house;
  const token = await pairingToken(ctx, { name, gate: null, event_ids: [demoEvent] });
  return openNodePhone(server, { now: () => ctx.now(), isOnline: () => line.up }, token);
};

/** What a phone says of a code, without letting in. */
const told = async (core: Core, code: string): Promise<string> =>
  (await core.lookUp(demoEvent, await core.recognise(demoEvent, code))).verdict;

/** What the desk says of it; null: nobody's. */
async function atDesk(server: TestServer, code: string, admin: { cookie: string }) {
  const { body } = await ask(server, 'GET', readAdmission.path.replace(':ticketId', code), {
    headers: admin,
  });
  return (body as { verdict?: string }).verdict ?? null;
}

const rotate = (server: TestServer, ...words: string[]) =>
  askAdmin(server, ['rotate', 'tickets', demoEvent, ...words]);

test('codes of before a change of secret let in, at the desk and at a phone; a stolen secret makes none that comes; new sales are known to who has heard', async (server, admin) => {
  const sold = await makeSold(server, { count: 2 });
  const stolen = await eventOf(server);
  using near = await openPhone(server, 'Luca');
  const line = { up: true };
  using far = await openPhone(server, 'Sara', line);
  line.up = false;

  expect(await rotate(server)).toEqual({
    code: 0,
    body: { ok: true, event_id: demoEvent, step: 'begun', tickets: 2, unreachable: [] },
  });
  const next = await makeSold(server, { count: 1, nth: 2, email: 'bea@example.it' });
  await near.core.syncOnce();

  const [place, other] = [sold.seats[0]!, next.seats[0]!];
  expect((await soldOf(server, sold.order_id)).codes).toEqual(sold.codes);
  expect([
    await told(near.core, sold.codes[0]!),
    await atDesk(server, sold.codes[0]!, admin),
    await told(near.core, next.codes[0]!),
    await atDesk(server, next.codes[0]!, admin),
  ]).toEqual(['admit', 'admit', 'admit', 'admit']);
  const foreseen = [
    madeWith(stolen, place, 2),
    madeWith(stolen, place, 3),
    madeWith(stolen, other, 1),
  ];
  for (const code of foreseen)
    expect([await told(near.core, code), await atDesk(server, code, admin)]).toEqual([
      'invalid',
      null,
    ]);
  // Of the new secret the next two are known, as ever.
  expect(await told(near.core, madeWith(await eventOf(server), place, 3))).toBe('verify');

  // Without a line since before, a phone knows what it knew.
  expect([await told(far.core, sold.codes[0]!), await told(far.core, next.codes[0]!)]).toEqual([
    'admit',
    'invalid',
  ]);
  line.up = true;
  await far.core.syncOnce();
  expect(await told(far.core, next.codes[0]!)).toBe('admit');

  // There is never a third.
  expect(await beginSecretChange(server.house.ctx, demoEvent, 'cli')).toBe(false);
  expect(await eventOf(server)).toMatchObject({ earlier_secret: stolen.code_secret });
  await expectSoundBooks(server);
});

test('with new codes for all the old ones are SOSTITUITO, buyers are told, and at the end the earlier secret is in no row', async (server, admin) => {
  const { db } = server.house.ctx;
  const sold = await makeSold(server, { count: 2 });
  const { order_id } = await makePaidOrder(server, { email: null }, { nth: 3 });
  const { number } = await db('orders').where({ id: order_id }).first('number');
  const [place] = sold.seats;
  using phone = await openPhone(server, 'Luca');
  const { code_secret: before } = await eventOf(server);
  await beginSecretChange(server.house.ctx, demoEvent, 'cli');
  expect(await rotate(server, '--end')).toMatchObject({ code: 1, body: { code: 'refused' } });

  const step = { ok: true, event_id: demoEvent, step: 'reissued' };
  expect((await rotate(server, '--reissue')).body).toEqual({
    ...step,
    tickets: 4,
    mails: 1,
    unreachable: [number],
    left: 0,
  });
  // Begun again it finds nothing more to do.
  const nothing = { tickets: 0, mails: 0, unreachable: [] };
  expect(await reissueEarlier(server.house.ctx, demoEvent, 'cli')).toEqual(nothing);
  const { codes } = await soldOf(server, sold.order_id);
  await phone.core.syncOnce();
  expect([
    await told(phone.core, sold.codes[0]!),
    await atDesk(server, sold.codes[0]!, admin),
    await told(phone.core, codes[0]!),
    await atDesk(server, codes[0]!, admin),
  ]).toEqual(['replaced', 'replaced', 'admit', 'admit']);
  const ends: string[] = await db('tickets').where({ order_id: sold.order_id }).pluck('code_end');
  expect(ends.toSorted()).toEqual(codes.map((code) => code.slice(-4)).toSorted());
  await server.runDue();
  const letter = (await mailsOf(server, sold.order_id)).find(({ key }) => key !== '');
  expect([letter!.kind, letter!.state, letter!.subject]).toEqual([
    'tickets',
    'sent',
    expect.stringContaining('Codici nuovi'),
  ]);
  expect(letter!.text).toContain('non fanno più entrare');
  await expectSoundBooks(server);

  expect((await rotate(server, '--end')).body).toEqual({
    ok: true,
    event_id: demoEvent,
    step: 'ended',
  });
  expect(JSON.stringify(await db('events'))).not.toContain(before);
  expect(await db('places').where('earlier_codes', '>', 0)).toEqual([]);
  await phone.core.syncOnce();
  expect([
    await told(phone.core, sold.codes[0]!),
    await atDesk(server, sold.codes[0]!, admin),
    await told(phone.core, codes[0]!),
    (await soldOf(server, sold.order_id)).codes[0],
    await told(phone.core, madeWith(await eventOf(server), place!, 2)),
  ]).toEqual(['invalid', null, 'admit', codes[0], 'admit']);
  await expectSoundBooks(server);
});

test('whoever was let in keeps their code until the evening is over, and both secrets are sealed with a new key', async (server, admin) => {
  const { ctx } = server.house;
  const sold = await makeSold(server, { count: 2 });
  const entered = await ask(server, 'POST', `/api/admin/admissions/${sold.codes[0]!}`, {
    body: {},
    headers: admin,
  });
  expect(entered.body).toMatchObject({ verdict: 'admit' });
  expect(await beginSecretChange(ctx, demoEvent, 'cli')).toBe(true);
  expect(await beginSecretChange(ctx, demoEvent, 'cli')).toBe(false);

  const key = randomBytes(32);
  useSealingKey(key);
  expect(await sealSecrets({ ...ctx, secretsKey: key })).toBe(0);
  const { code_secret, earlier_secret } = await eventOf(server);
  expect([code_secret, earlier_secret!].map((text) => isSealedWith(text, key))).toEqual([
    true,
    true,
  ]);
  expect((await soldOf(server, sold.order_id)).codes).toEqual(sold.codes);

  expect(await reissueEarlier(ctx, demoEvent, 'cli')).toMatchObject({ tickets: 1 });
  const { codes } = await soldOf(server, sold.order_id);
  expect([codes[0] === sold.codes[0], codes[1] === sold.codes[1]]).toEqual([true, false]);
  expect(await atDesk(server, codes[0]!, admin)).toBe('already_in');
  expect(await endSecretChange(ctx, demoEvent, 'cli')).toBe(false);
  await ctx
    .db('events')
    .where({ id: demoEvent })
    .update({ starts_at: ctx.now() - 49 * 3_600_000 });
  expect(await endSecretChange(ctx, demoEvent, 'cli')).toBe(true);
  expect(await beginSecretChange(ctx, demoEvent, 'cli')).toBe(true);
});
