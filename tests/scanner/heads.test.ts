/** People without a ticket, counted by hand: on real phones apart from each other, at the desk, and what a phone was not allowed to count. */
import { randomBytes } from 'node:crypto';
import { IDBFactory } from 'fake-indexeddb';
import { expect, onTestFinished } from 'vitest';
import { importAdmissions } from '#server/contract/door/admissions.ts';
import { countHeads, listHeads, sendHeads, undoHeads } from '#server/contract/door/heads.ts';
import { heartbeat, revokePhone } from '#server/contract/door/phones.ts';
import { readPresence } from '#server/contract/door/presence.ts';
import { mostHeadsTold } from '#server/domain/door/heads.ts';
import type { PhoneRole } from '#server/domain/door/phone.ts';
import { pairingToken } from '#tests/shared/door-hall.ts';
import { openNodePhone } from '#tests/shared/node-phone.ts';
import { testOnBoth as it, testOnce as test } from '#tests/support/both.ts';
import { ask, callOk, demoEvent, makePairedPhone } from '#tests/support/make.ts';
import { type TestServer } from '#tests/support/server.ts';

const params = { eventId: demoEvent };
const newId = () => randomBytes(16).toString('base64url');

interface Opened {
  role?: PhoneRole;
  storage?: IDBFactory;
  isOnline?: () => boolean;
}

/** A phone of the evening; it ends with the test. */
async function openPhone(server: TestServer, name: string, { role, ...more }: Opened = {}) {
  const { ctx } = server.house;
  const about = { name, gate: 'Palco', event_ids: [demoEvent], ...(role && { role }) };
  const token = more.storage ? undefined : await pairingToken(ctx, about);
  const phone = await openNodePhone(server, { now: server.clock.now, ...more }, token);
  onTestFinished(() => phone[Symbol.dispose]());
  const { core } = phone;
  return {
    ...phone,
    inside: () => core.heads(demoEvent).inside,
    count: async (people: number, direction: 'in' | 'out' = 'in', words: string | null = null) => {
      const head_id = core.newId();
      const ask = { event_id: demoEvent, head_id, people, direction, words };
      await core.countHeads({ ...ask, reason: 'artists' });
      return head_id;
    },
    takeBack: (head_id: string) =>
      core.undoHeads({ event_id: demoEvent, head_id, undo_id: core.newId() }),
  };
}

const presenceOf = (server: TestServer, admin: { cookie: string }) =>
  callOk(server, readPresence, { params }, admin);

it('two phones apart count artists in and out, each sum is right when both are back, and words stay on the phone that wrote them and in the office', async (server, admin) => {
  const [luca, mara] = [await openPhone(server, 'Luca'), await openPhone(server, 'Mara')];
  for (const { core } of [luca, mara]) core.setNoNetwork(true);
  await luca.count(4, 'in', 'Quartetto Rossi');
  server.clock.advance(1_000);
  const slip = await mara.count(40);
  server.clock.advance(1_000);
  // They leave by the other door, whose phone has not heard of them.
  await mara.count(1, 'out');
  expect([luca.inside(), mara.inside()]).toEqual([4, 39]);
  expect(await mara.takeBack(slip)).toBe(true);
  expect(await mara.takeBack(slip)).toBe(false);
  for (const { core } of [mara, luca, mara]) {
    core.setNoNetwork(false);
    await core.syncOnce();
  }
  await luca.core.syncOnce();
  expect([luca.inside(), mara.inside()]).toEqual([3, 3]);
  const presence = await presenceOf(server, admin);
  expect(presence).toMatchObject({
    inside: 0,
    people: 3,
    most_people: 3,
    unsent_heads: 0,
    heads: { inside: 3, in: 4, out: 1 },
  });
  const { items } = await callOk(server, listHeads, { params }, admin);
  expect(items.map(({ by, people, undone, words }) => [by, people, undone, words])).toEqual([
    ['Mara', 1, false, null],
    ['Mara', 40, true, null],
    ['Luca', 4, false, 'Quartetto Rossi'],
  ]);
  const told = mara.core.heads(demoEvent).counts.map(({ by, words }) => [by, words]);
  expect(told).toContainEqual(['Luca', null]);
  const stored = JSON.stringify(await mara.core.db.events.toArray());
  expect(stored).not.toContain('Quartetto');
});

it('a steward takes back its own for ten minutes, a supervisor and the desk any; what a phone was not allowed to do counts nowhere', async (server, admin) => {
  const [luca, capo] = [
    await openPhone(server, 'Luca'),
    await openPhone(server, 'Capo', { role: 'supervisor' }),
  ];
  const [two, five] = [await luca.count(2), await luca.count(5)];
  await luca.core.syncOnce();
  await capo.core.syncOnce();
  server.clock.advance(10 * 60_000 + 1);
  expect([await luca.takeBack(two), await capo.takeBack(two)]).toEqual([false, true]);
  await capo.core.syncOnce();
  await luca.core.syncOnce();
  expect([luca.inside(), capo.inside()]).toEqual([5, 5]);
  const undo = { params: { ...params, headId: five } };
  expect(await callOk(server, undoHeads, undo, admin)).toMatchObject({ inside: 0 });
  const again = undoHeads.path.replace(':eventId', demoEvent).replace(':headId', five);
  expect((await ask(server, 'POST', again, { headers: admin, body: {} })).body).toMatchObject({
    code: 'undo_not_possible',
  });
  await luca.core.syncOnce();
  expect(luca.inside()).toBe(0);
  // A client that sends what its screen would refuse.
  const other = await makePairedPhone(server, admin, 'Ladro');
  const now = new Date(server.clock.now()).toISOString();
  const times = { scanned_at: now, corrected_at: now };
  const ids = [newId(), newId()];
  const about = { event_id: demoEvent, reason: 'staff', gate: null, ...times } as const;
  const eight = await capo.count(8);
  await capo.core.syncOnce();
  const items = [
    { ...about, head_id: ids[0], direction: 'in', people: 8, annuls: eight },
    { ...about, head_id: ids[1], direction: 'in', people: 3 },
    { ...about, head_id: newId(), direction: 'in', people: 0 },
    { ...about, head_id: newId(), direction: 'in', people: 1, event_id: 'concerto-di-natale' },
    'nonsense',
  ];
  const send = async (body: { items: unknown[] }) =>
    (await callOk(server, sendHeads, { body }, other.headers)).results.map(({ result }) => result);
  const results = ['doubted', 'stored', 'unreadable', 'unreadable', 'unreadable'];
  expect(await send({ items })).toEqual(results);
  // The same batch twice is one set of counts; the same id with other numbers is another count.
  expect(await send({ items })).toEqual(results);
  expect(
    await send({ items: [{ ...about, head_id: ids[1], direction: 'in', people: 4 }] }),
  ).toEqual(['unreadable']);
  expect((await presenceOf(server, admin)).heads).toEqual({ inside: 11, in: 11, out: 0 });
  await callOk(server, revokePhone, { params: { phoneId: other.phone_id } }, admin);
  server.clock.advance(60_000);
  const later = new Date(server.clock.now()).toISOString();
  const late = { ...about, direction: 'in', people: 9, scanned_at: later, corrected_at: later };
  const before = { ...about, head_id: newId(), direction: 'in', people: 2 };
  expect(await send({ items: [{ ...late, head_id: newId() }, before] })).toEqual([
    'doubted',
    'stored',
  ]);
  expect((await presenceOf(server, admin)).heads.inside).toBe(13);
});

it('the desk counts once by its id, and nobody leaves who is not inside', async (server, admin) => {
  const path = countHeads.path.replace(':eventId', demoEvent);
  const body = { head_id: newId(), direction: 'in', people: 6, reason: 'press' } as const;
  for (let at = 0; at < 2; at += 1)
    expect(await callOk(server, countHeads, { params, body }, admin)).toMatchObject({ inside: 6 });
  const codeOf = async (changed: object) =>
    (
      (await ask(server, 'POST', path, { headers: admin, body: { ...body, ...changed } })).body as {
        code?: string;
      }
    ).code;
  expect([
    await codeOf({ people: 7 }),
    await codeOf({ head_id: newId(), people: 7, direction: 'out' }),
    await codeOf({ head_id: newId(), people: 0 }),
    await codeOf({ head_id: newId(), reason: 'nobody' }),
  ]).toEqual(['head_taken', 'heads_not_inside', 'bad_request', 'bad_request']);
  const out = { ...body, head_id: newId(), direction: 'out', people: 6 } as const;
  expect(await callOk(server, countHeads, { params, body: out }, admin)).toMatchObject({
    inside: 0,
    in: 6,
    out: 6,
  });
});

test('a count survives the phone’s death at every step, an answer that is lost counts once, and a server of before waits without stopping scans', async (server, admin) => {
  const storage = new IDBFactory();
  const { ctx } = server.house;
  const about = { name: 'Luca', gate: null, event_ids: [demoEvent] };
  using first = await openNodePhone(
    server,
    { now: server.clock.now, storage },
    await pairingToken(ctx, about),
  );
  first.core.setNoNetwork(true);
  const head_id = first.core.newId();
  const count = { event_id: demoEvent, head_id, direction: 'in', people: 3 } as const;
  await first.core.countHeads({ ...count, reason: 'fire', words: null });
  await first.core.countHeads({ ...count, reason: 'fire', words: null });
  first.core.stop();
  // Dies after the count was written, and again after the server has stored it.
  const step = { old: false };
  const dying = await openPhone(server, 'Luca', { storage });
  expect(dying.inside()).toBe(3);
  dying.core.stop();
  using second = await openNodePhone(server, {
    now: server.clock.now,
    storage,
    onTheWay: (address) =>
      step.old && address.startsWith(sendHeads.path) ? '/api/scanner/nothing' : address,
  });
  step.old = true;
  await second.core.syncOnce();
  expect(await second.core.db.heads.where('fate').equals('queued').count()).toBe(1);
  expect(await ctx.db('heads')).toHaveLength(0);
  const { unsent_heads, most_people, people } = await presenceOf(server, admin);
  expect([unsent_heads, people, most_people]).toEqual([3, 0, 3]);
  step.old = false;
  await second.core.syncOnce();
  await second.core.db.heads.toCollection().modify({ fate: 'queued' });
  await second.core.syncOnce();
  expect(await ctx.db('heads').pluck('people')).toEqual([3]);
  expect(await presenceOf(server, admin)).toMatchObject({ unsent_heads: 0, people: 3 });
  expect(second.core.heads(demoEvent).inside).toBe(3);
});

test('a house that comes back from a copy gets the counts again, and a file brings them once', async (server, admin) => {
  const { ctx } = server.house;
  const luca = await openPhone(server, 'Luca');
  await luca.count(7);
  await luca.core.syncOnce();
  expect(await ctx.db('heads')).toHaveLength(1);
  await ctx.db('heads').delete();
  await ctx.db('events').where({ id: demoEvent }).update({ feed_epoch: 'restored' });
  await luca.core.syncOnce();
  expect([luca.inside(), await ctx.db('heads')]).toMatchObject([7, []]);
  await luca.core.syncOnce();
  expect(await ctx.db('heads').pluck('people')).toEqual([7]);
  luca.core.setNoNetwork(true);
  await luca.count(2);
  const { blob } = await luca.core.exportQueue();
  const body = JSON.parse(await blob.text()) as { phone_id: string; wire: number; items: [] };
  for (let at = 0; at < 2; at += 1)
    expect(await callOk(server, importAdmissions, { body }, admin)).toMatchObject({
      heads: 1,
      unreadable_heads: 0,
    });
  expect((await presenceOf(server, admin)).heads.inside).toBe(9);
});

test('no phone says that it has counted in more people than any hall has, and one that has is still heard', async (server, admin) => {
  const luca = await openPhone(server, 'Luca');
  luca.core.setNoNetwork(true);
  await luca.count(1);
  await luca.core.db.heads.toCollection().modify({ people: mostHeadsTold + 1 });
  server.clock.advance(60_000);
  luca.core.setNoNetwork(false);
  await luca.core.syncOnce();
  expect(await presenceOf(server, admin)).toMatchObject({ unsent_heads: mostHeadsTold });
  const { headers } = await makePairedPhone(server, admin);
  const answerTo = async (heads_told: number) => {
    const events = [{ event_id: demoEvent, unsent_entries: 0, heads_told }];
    const asked = { headers, body: { queue_length: 0, events } };
    return (await ask(server, 'POST', heartbeat.path, asked)).status;
  };
  expect([await answerTo(mostHeadsTold), await answerTo(mostHeadsTold + 1)]).toEqual([200, 400]);
});
