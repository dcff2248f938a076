/** Supervisors' consents on the server: whose keys a steward's phone gets, which consents count with a scan, and that no PIN reaches a steward. */
import { expect } from 'vitest';
import { listRecentAdmissions, type ScanSent } from '#server/contract/door/admissions.ts';
import {
  changePhone,
  heartbeat,
  pairAgain,
  pairPhone,
  readDoorPin,
  revokePhone,
  setDoorPin,
} from '#server/contract/door/phones.ts';
import { listDoubts } from '#server/contract/door/doubts.ts';
import { readPresence } from '#server/contract/door/presence.ts';
import type { Approval, Question } from '#server/domain/door/approval.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { makeConsentKey, questionOf } from '#tests/support/door/consent.ts';
import { fillHall } from '#tests/support/door/door-hall.ts';
import { proofOf } from '#tests/support/door/proof.ts';
import { pairAnew, phoneOf, statusOf, undoOf } from '#tests/support/door/door-phone.ts';
import { callOk, makeAdmin } from '#tests/support/make.ts';
import type { TestServer } from '#tests/support/server.ts';

/** The first phone is a steward's, the second a supervisor's, which has told its key. */
async function openDoor(server: TestServer) {
  const admin = await makeAdmin(server);
  const { db } = server.house.ctx;
  const hall = await fillHall(db, { places: 12, phones: 2 });
  const [steward_id, chief_id] = hall.phone_ids as [string, string];
  await db('phones').where({ id: chief_id }).update({ role: 'supervisor' });
  await callOk(server, setDoorPin, { body: { pin: '4711' } }, admin);
  const [steward, chief] = [phoneOf(server, hall, 0), phoneOf(server, hall, 1)];
  const key = makeConsentKey();
  const beat = (headers: { authorization: string }, signing_key?: string) =>
    callOk(
      server,
      heartbeat,
      { body: { queue_length: 0, ...(signing_key === undefined ? {} : { signing_key }) } },
      headers,
    );
  await beat(chief.headers, key.public_key);
  return { admin, db, hall, steward, steward_id, chief, chief_id, key, beat };
}

type Door = Awaited<ReturnType<typeof openDoor>>;

/** Let in against the rule, with a consent to just that unless told otherwise. */
function overruled(
  { steward, steward_id, chief_id, key, hall }: Door,
  nth: number,
  { asked = {}, approval = {} }: { asked?: Partial<Question>; approval?: Partial<Approval> } = {},
): ScanSent {
  const scan = steward.scan(hall.labels[nth]!, { override: 'Deciso dal responsabile' });
  const question = questionOf(scan, steward_id, asked);
  return { ...scan, approval: { ...key.consent(question, chief_id), ...approval } };
}

async function approvedBy({ db }: Door, scan: ScanSent): Promise<string | null> {
  const row = await db('admissions').where({ id: scan.admission_id }).first();
  return row.approved_by as string | null;
}

test('a steward’s phone hears the supervisors’ keys and no PIN; a supervisor’s gets the PIN sealed and nobody’s key', async (server) => {
  const door = await openDoor(server);
  const { steward, chief, chief_id, key, beat, hall, admin } = door;
  expect(await beat(steward.headers)).toMatchObject({
    role: 'steward',
    supervisor_pin: null,
    asks_supervisor: true,
    supervisors: [{ phone_id: chief_id, public_key: key.public_key, event_ids: [hall.event_id] }],
  });
  expect(await beat(chief.headers)).toMatchObject({
    supervisor_pin: { iterations: expect.any(Number) as number },
    asks_supervisor: false,
    supervisors: [],
  });
  expect(await callOk(server, readDoorPin, {}, admin)).toMatchObject({ supervisor_phones: 1 });
  await callOk(server, setDoorPin, { body: { pin: null } }, admin);
  expect(await beat(steward.headers)).toMatchObject({ asks_supervisor: false, supervisors: [] });
});

it('nothing at all that a steward’s phone receives holds the PIN’s hash or salt', async (server) => {
  const { db, hall, steward, steward_id, admin } = await openDoor(server);
  const again = { params: { phoneId: steward_id } };
  const { pairing_url } = await callOk(server, pairAgain, again, admin);
  const call = (path: string, body?: object, headers = {}) =>
    fetch(server.url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const token = new URL(pairing_url).hash.split('=')[1]!;
  const paired = await call(pairPhone.path, { token });
  const { device_token } = (await paired.clone().json()) as { device_token: string };
  const headers = { authorization: `Bearer ${device_token}` };
  const event = `/api/scanner/events/${hall.event_id}`;
  const scan = steward.scan(hall.labels[0]!);
  const list = await call(`${event}/list?wire=4`, undefined, headers);
  const [, cursor] = /"cursor":"([^"]+)"/.exec(await list.clone().text())!;
  const answers = [
    paired,
    list,
    await call(heartbeat.path, { queue_length: 0 }, headers),
    await call('/api/scanner/admissions', { items: [scan] }, headers),
    await call(`${event}/changes?wire=4&since=${cursor}`, undefined, headers),
  ];
  const { value } = (await db('settings').where({ key: 'door_pin' }).first()) as {
    value: string;
  };
  const { hash, salt } = (JSON.parse(value) as { pin: { hash: string; salt: string } }).pin;
  for (const answer of answers) {
    expect([answer.url, answer.status]).toEqual([answer.url, 200]);
    const bytes = Buffer.from(await answer.arrayBuffer());
    for (const secret of [hash, salt]) {
      expect(bytes.includes(secret)).toBe(false);
      expect(bytes.includes(Buffer.from(secret, 'base64url'))).toBe(false);
    }
  }
});

test('a consent counts once, for the scan that was asked about, and the office reads whose it was', async (server) => {
  const door = await openDoor(server);
  const { steward, admin, chief_id } = door;
  const good = overruled(door, 0);
  const again = { ...overruled(door, 0), approval: good.approval! };
  const both = overruled(door, 1);
  const twin = { ...overruled(door, 1), approval: both.approval! };
  await steward.send(good);
  // Which of two that came in the same moment is the conflict is nothing to the consent.
  for (const { result } of await steward.send(again, both, twin))
    expect(result).not.toBe('unreadable');
  expect(
    await Promise.all([good, again, both, twin].map((scan) => approvedBy(door, scan))),
  ).toEqual([chief_id, null, chief_id, null]);
  // The same batch again changes nothing.
  await steward.send(good);
  expect(await approvedBy(door, good)).toBe(chief_id);
  const { items } = await callOk(server, listRecentAdmissions, {}, admin);
  const told = new Map(items.map((row) => [row.admission_id, row]));
  expect(told.get(good.admission_id)).toMatchObject({
    approved_by: expect.stringMatching(/./) as string,
    approval_failed: false,
  });
  expect(told.get(again.admission_id)).toMatchObject({
    approved_by: null,
    approval_failed: true,
  });
});

it('a consent to another phone, ticket, event, act or time, or by another’s key, is none: the scan is kept, the consent does not count', async (server) => {
  const door = await openDoor(server);
  const { steward, chief_id, steward_id, hall } = door;
  const minute = 60_000;
  const stranger = makeConsentKey();
  const late = Date.now() - 5 * minute;
  const bare = steward.scan(hall.labels[9]!, { override: 'Deciso dal responsabile' });
  const wrong: ScanSent[] = [
    overruled(door, 0, { asked: { phone_id: chief_id } }),
    overruled(door, 1, { asked: { place: hall.labels[2]! } }),
    overruled(door, 2, { asked: { revision: 2 } }),
    overruled(door, 3, { asked: { event_id: 'la-locandiera' } }),
    overruled(door, 4, { asked: { act: 'by_hand' } }),
    overruled(door, 5, { asked: { expires_at: late } }),
    overruled(door, 6, { asked: { expires_at: late + 60 * minute } }),
    overruled(door, 7, { approval: { supervisor_id: steward_id } }),
    overruled(door, 8, { approval: { question: 'BTG.ASK|nonsense' } }),
    { ...bare, approval: stranger.consent(questionOf(bare, steward_id), chief_id) },
    overruled(door, 10, { approval: { signature: '0'.repeat(128) } }),
  ];
  for (const { result } of await steward.send(...wrong)) expect(result).toBe('stored');
  for (const [nth, scan] of wrong.entries())
    expect([nth, await approvedBy(door, scan)]).toEqual([nth, null]);
  const spoiled = overruled(door, 11, { approval: { signature: 'no signature' } });
  expect(await steward.send(spoiled)).toMatchObject([{ result: 'unreadable' }]);
});

it('what a steward’s phone lets in against the rule or by hand without a consent is in doubt, and lets nobody in before the office says so', async (server) => {
  const door = await openDoor(server);
  const { steward, chief, hall, admin, db, key, steward_id, chief_id } = door;
  const inside = async () =>
    (await callOk(server, readPresence, { params: { eventId: hall.event_id } }, admin)).inside;
  const waiting = async () =>
    (await callOk(server, listDoubts, { query: { open: '1' } }, admin)).items.map(
      ({ place, doubt }) => [place, doubt],
    );
  const against = { override: 'Deciso dal responsabile' };
  const overruled_alone = steward.scan(hall.labels[0]!, against);
  const by_hand = steward.scan(hall.labels[1]!, { means: 'search' });
  const plain = steward.scan(hall.labels[2]!);
  const group = steward.scan(hall.labels[3]!, { means: 'group' });
  group.code_read = proofOf(hall.codes, group, { place: hall.labels[6]!, revision: 1 });
  const later = new Date(Date.parse(plain.corrected_at) + 1_000).toISOString();
  const out = steward.scan(hall.labels[2]!, {
    direction: 'out',
    means: 'search',
    corrected_at: later,
  });
  const denied = steward.scan(hall.labels[4]!, {
    means: 'search',
    verdict: 'unpaid',
    counts: false,
  });
  const boss = chief.scan(hall.labels[5]!, { ...against, means: 'search' });
  await steward.send(overruled_alone, by_hand, plain, group, out, denied);
  await chief.send(boss);
  expect(await waiting()).toEqual(
    expect.arrayContaining([
      [hall.labels[0], 'no_consent'],
      [hall.labels[1], 'no_consent'],
      [hall.labels[2], 'no_consent'],
    ]),
  );
  expect(await waiting()).toHaveLength(3);
  // The guest with the code, whose exit by hand is in doubt, the group's, and the supervisor's.
  expect(await inside()).toBe(3);

  const say = ['POST', `/api/admin/doubts/${overruled_alone.admission_id}`] as const;
  expect(await statusOf(server, say, admin, { as: 'counts' })).toBe(200);
  expect(await inside()).toBe(4);

  // What was done before there was a PIN, and what is done when there is none, the doorman decides alone.
  const { asked_since } = JSON.parse(
    (await db('settings').where({ key: 'door_pin' }).first()).value as string,
  ) as { asked_since: number };
  const earlier = new Date(asked_since - 1_000).toISOString();
  await steward.send(
    steward.scan(hall.labels[6]!, { ...against, corrected_at: earlier, scanned_at: earlier }),
  );
  // Another PIN is a PIN all the same.
  server.clock.advance(60_000);
  await callOk(server, setDoorPin, { body: { pin: '0815' } }, admin);
  await steward.send(steward.scan(hall.labels[7]!, against));
  expect(await waiting()).toHaveLength(3);
  await callOk(server, setDoorPin, { body: { pin: null } }, admin);
  await steward.send(steward.scan(hall.labels[8]!, against));
  expect(await waiting()).toHaveLength(3);
  expect(await inside()).toBe(6);

  await callOk(server, setDoorPin, { body: { pin: '4711' } }, admin);
  const bare = steward.scan(hall.labels[9]!, { means: 'search' });
  const asked = questionOf(bare, steward_id, { act: 'by_hand' });
  await steward.send({ ...bare, approval: key.consent(asked, chief_id) });
  expect(await inside()).toBe(7);

  // By hand a steward's phone needs a supervisor also where no PIN is set.
  await callOk(server, setDoorPin, { body: { pin: null } }, admin);
  await steward.send(steward.scan(hall.labels[10]!, { means: 'search' }));
  expect(await waiting()).toContainEqual([hall.labels[10], 'no_consent']);
  expect(await inside()).toBe(7);
});

it('what was consented to counts also when the phone is paired anew, as another one and twice, before it hands it in', async (server) => {
  const door = await openDoor(server);
  const { hall, admin, db, steward_id, steward, chief_id } = door;
  const scans = [overruled(door, 0), overruled(door, 1)];
  const pairAs = async (previous_token?: string) => {
    const event_ids = [hall.event_id];
    const more = { event_ids, ...(previous_token && { previous_token }) };
    const paired = await pairAnew(server, admin, null, more);
    return { ...paired, phone: phoneOf(server, hall, 0, paired.device_token) };
  };
  const stranger = await pairAs();
  const foreign = { ...scans[1]!, admission_id: 'a'.repeat(22), seq: stranger.next_seq };
  await stranger.phone.send(foreign);
  expect(await approvedBy(door, foreign)).toBeNull();

  const own_token = steward.headers.authorization.split(' ')[1]!;
  await callOk(server, revokePhone, { params: { phoneId: steward_id } }, admin);
  const second = await pairAs(own_token);
  const third = await pairAs(second.device_token);
  for (const [nth, scan] of scans.entries()) {
    await third.phone.send({ ...scan, seq: third.next_seq + nth });
    expect(await approvedBy(door, scan)).toBe(chief_id);
  }
  const ids = scans.map(({ admission_id }) => admission_id);
  const counting = db('admissions').whereIn('id', ids).where({ counts: 1 });
  expect(await counting.pluck('doubt')).toEqual([null, null]);
});

it('what another phone has read is taken back with a consent to just that', async (server) => {
  const door = await openDoor(server);
  const { steward, chief, steward_id, chief_id, key, hall } = door;
  const entry = chief.scan(hall.labels[0]!);
  await chief.send(entry);
  const undo = undoOf(steward, entry);
  const asked = questionOf(undo, steward_id, { act: 'undo' });
  const sent = { ...undo, approval: key.consent(asked, chief_id) };
  // Alone the steward's phone may not: the server doubts it.
  const alone = undoOf(steward, entry);
  await steward.send(alone);
  const rowOf = ({ admission_id }: ScanSent) =>
    door.db('admissions').where({ id: admission_id }).first();
  expect((await rowOf(alone)).doubt).toBe('not_its_scan');
  expect((await rowOf(entry)).annulled_by).toBeNull();
  expect(await steward.send(sent)).toMatchObject([{ result: 'stored' }]);
  expect(await approvedBy(door, sent)).toBe(chief_id);
  expect((await rowOf(entry)).annulled_by).toBe(sent.admission_id);
  // What arrives before the scan that it takes back is judged when that comes.
  const late = chief.scan(hall.labels[1]!);
  const early = undoOf(steward, late);
  const question = questionOf(early, steward_id, { act: 'undo' });
  await steward.send({ ...early, approval: key.consent(question, chief_id) });
  await chief.send(late);
  expect((await rowOf(late)).annulled_by).toBe(early.admission_id);
});

it('a key ends with its phone, its role and its pairing; what it signed before still counts, what it signs later does not', async (server) => {
  const door = await openDoor(server);
  const { steward, steward_id, chief, chief_id, key, beat, admin, hall } = door;
  const params = { phoneId: chief_id };
  const known = async () =>
    (await beat(steward.headers)).supervisors.map(({ public_key }) => public_key);
  const before = overruled(door, 0);
  // Another key of the same phone replaces the first.
  const second = makeConsentKey();
  await beat(chief.headers, second.public_key);
  expect(await known()).toEqual([second.public_key]);
  await callOk(server, changePhone, { params, body: { role: 'steward' } }, admin);
  expect(await known()).toEqual([]);
  await beat(chief.headers, second.public_key);
  expect(await known()).toEqual([]);
  await callOk(server, changePhone, { params, body: { role: 'supervisor' } }, admin);
  await beat(chief.headers, key.public_key);
  expect(await known()).toEqual([key.public_key]);
  await callOk(server, pairAgain, { params }, admin);
  expect(await known()).toEqual([]);
  await callOk(server, revokePhone, { params }, admin);
  expect(await known()).toEqual([]);
  const later = new Date(Date.now() + 10 * 60_000).toISOString();
  const scan = { ...steward.scan(hall.labels[1]!, { override: 'Sì' }), corrected_at: later };
  const after = { ...scan, approval: key.consent(questionOf(scan, steward_id), chief_id) };
  await steward.send(before, after);
  expect([await approvedBy(door, before), await approvedBy(door, after)]).toEqual([chief_id, null]);
});

it('what is no key of the curve is refused, and changes nothing', async (server) => {
  const { steward, chief, key, beat } = await openDoor(server);
  const tell = (signing_key: unknown) =>
    statusOf(server, ['POST', heartbeat.path], chief.headers, { queue_length: 0, signing_key });
  const noPoint = `B${'A'.repeat(86)}`;
  for (const wrong of ['', 'short', noPoint, 7, null]) expect(await tell(wrong)).toBe(400);
  expect((await beat(steward.headers)).supervisors).toMatchObject([{ public_key: key.public_key }]);
  // A steward's phone that says it has a key has none.
  await beat(steward.headers, makeConsentKey().public_key);
  expect((await beat(steward.headers)).supervisors).toHaveLength(1);
});
