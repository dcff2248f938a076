/** Phones of the door: what they are for, the supervisors' PIN, what a phone is told at each contact, and when it was heard. */
import { pbkdf2Sync } from 'node:crypto';
import { expect } from 'vitest';
import { readLook, writeLook } from '#server/contract/look.ts';
import {
  changePhone,
  heartbeat,
  listPhones,
  makePhone,
  pairPhone,
  readDoorPin,
  revokePhone,
  setDoorPin,
} from '#server/contract/door/phones.ts';
import { testOnBoth as it, testOnce as test } from '#tests/support/both.ts';
import { fillHall } from '#tests/support/door/door-hall.ts';
import { pairAnew, phoneOf, statusOf } from '#tests/support/door/door-phone.ts';
import { callOk, demoEvent } from '#tests/support/make.ts';
import { type TestServer } from '#tests/support/server.ts';

it('a phone is made for a role and events, changed in use, and hears of it at its next contact', async (server, admin) => {
  const { phone, pairing_url } = await callOk(
    server,
    makePhone,
    { body: { name: 'Ingresso', gate: 'Varco A', event_ids: [demoEvent], role: 'supervisor' } },
    admin,
  );
  expect(phone).toMatchObject({ role: 'supervisor', state: 'waiting', wire_version: null });
  const paired = await callOk(server, pairPhone, {
    body: { token: new URL(pairing_url).hash.split('=')[1]!, app_version: '1.0' },
  });
  expect(paired).toMatchObject({
    house: { name: 'Botteghino', logo: null, accent: null },
    name: 'Ingresso',
    gate: 'Varco A',
    role: 'supervisor',
    supervisor_pin: null,
    events: [{ id: demoEvent, rehearsal: false }],
  });
  const headers = { authorization: `Bearer ${paired.device_token}` };
  const beat = (more = {}) =>
    callOk(server, heartbeat, { body: { queue_length: 0, ...more } }, headers);
  expect(await beat({ wire_version: 2, app_version: '1.1' })).toMatchObject({
    role: 'supervisor',
    events: [{ id: demoEvent }],
  });
  const {
    mail_address: _,
    factor_required: __,
    ...look
  } = await callOk(server, readLook, {}, admin);
  const accent = { light: '#6b3fa0', dark: '#b794f0' };
  const violet = { accent_light: accent.light, accent_dark: accent.dark };
  await callOk(server, writeLook, { body: { ...look, ...violet } }, admin);
  expect((await beat()).house).toEqual({ name: 'Botteghino', logo: null, accent });
  const params = { phoneId: phone.id };
  const change = (body: object) => callOk(server, changePhone, { params, body }, admin);
  expect(await change({ role: 'steward' })).toMatchObject({
    role: 'steward',
    name: 'Ingresso',
    gate: 'Varco A',
    wire_version: 2,
    app_version: '1.1',
    events: [{ id: demoEvent }],
  });
  expect(
    await change({
      name: ' Uscita ',
      gate: null,
      event_ids: ['concerto-di-natale', demoEvent, demoEvent],
    }),
  ).toMatchObject({ name: 'Uscita', gate: null });
  expect(await beat()).toMatchObject({
    name: 'Uscita',
    gate: null,
    role: 'steward',
    events: [{ id: demoEvent }, { id: 'concerto-di-natale' }],
  });
  await server.house.ctx.db('events').where({ id: 'concerto-di-natale' }).update({ rehearsal: 1 });
  expect((await beat()).events.map(({ rehearsal }) => rehearsal)).toEqual([false, true]);
  expect((await callOk(server, listPhones, {}, admin)).items[0]).toMatchObject({
    name: 'Uscita',
    wire_version: 2,
    app_version: '1.1',
  });

  const status = (body: object, id = phone.id) =>
    statusOf(server, ['PUT', `/api/admin/phones/${id}`], admin, body);
  expect([
    await status({ event_ids: ['nothing'] }),
    await status({ event_ids: [] }),
    await status({ role: 'boss' }),
    await status({ name: '' }),
    await status({ name: 'x' }, 'nobody'),
  ]).toEqual([404, 400, 400, 400, 404]);
  expect((await callOk(server, listPhones, {}, admin)).items[0]!.events).toHaveLength(2);
  await callOk(server, revokePhone, { params }, admin);
  expect(await status({ name: 'x' })).toBe(401);
  const notes = await server.house.ctx
    .db('audit')
    .where({ subject: phone.id, action: 'phone_changed' });
  expect(notes).toHaveLength(2);
});

it('the PIN is set by an admin, told to nobody, and can be checked by a supervisor’s phone without signal', async (server, admin) => {
  const { db } = server.house.ctx;
  const hall = await fillHall(db, { places: 1, phones: 1 });
  await db('phones').update({ role: 'supervisor' });
  const phone = phoneOf(server, hall);
  const pinOnPhone = async () =>
    (await callOk(server, heartbeat, { body: { queue_length: 0 } }, phone.headers)).supervisor_pin;
  expect([await callOk(server, readDoorPin, {}, admin), await pinOnPhone()]).toEqual([
    { set: false, set_at: null, set_by: null, supervisor_phones: 0 },
    null,
  ]);
  const set = await callOk(server, setDoorPin, { body: { pin: '470193' } }, admin);
  expect(set).toMatchObject({ set: true, set_by: 'Ada' });
  expect(await callOk(server, readDoorPin, {}, admin)).toEqual(set);
  const pin = (await pinOnPhone())!;
  const hashOf = (digits: string) =>
    pbkdf2Sync(digits, Buffer.from(pin.salt, 'base64url'), pin.iterations, 32, 'sha256').toString(
      'base64url',
    );
  expect([
    hashOf('470193'),
    hashOf('470194') === pin.hash,
    Buffer.from(pin.salt, 'base64url').length,
  ]).toEqual([pin.hash, false, 16]);
  await callOk(server, setDoorPin, { body: { pin: '470193' } }, admin);
  expect((await pinOnPhone())!.salt).not.toBe(pin.salt);
  const setTo = (digits: unknown) =>
    statusOf(server, ['PUT', setDoorPin.path], admin, { pin: digits });
  for (const wrong of ['123', '123456789', '12a4', '١٢٣٤', '', 4701])
    expect([wrong, await setTo(wrong)]).toEqual([wrong, 400]);
  expect(await callOk(server, setDoorPin, { body: { pin: null } }, admin)).toEqual({
    set: false,
    set_at: null,
    set_by: null,
    supervisor_phones: 0,
  });
  expect(await pinOnPhone()).toBeNull();
  const audit = await db('audit').where({ subject: 'door' }).orderBy('at');
  expect([audit.map(({ action }) => action), JSON.stringify(audit).includes('4701')]).toEqual([
    ['door_pin_set', 'door_pin_set', 'door_pin_removed'],
    false,
  ]);
  expect(JSON.stringify(await db('settings')).includes('470193')).toBe(false);
  await db('users').update({ role: 'office' });
  expect(await statusOf(server, ['GET', readDoorPin.path], admin)).toBe(403);
  expect(await setTo(null)).toBe(403);
});

it('a phone that lost its memory goes on with numbers that leave a hole for what was lost, and the office sees it; what was on its way is no hole', async (server, admin) => {
  const hall = await fillHall(server.house.ctx.db, { places: 8, phones: 1 });
  const phoneId = hall.phone_ids[0]!;
  const again = async () => {
    const { next_seq, device_token } = await pairAnew(server, admin, phoneId);
    return { next_seq, phone: phoneOf(server, hall, 0, device_token) };
  };
  expect((await again()).next_seq).toBe(0);
  const { phone } = await again();
  await phone.send(...hall.labels.slice(0, 3).map((place) => phone.scan(place)));
  await callOk(server, heartbeat, { body: { queue_length: 4 } }, phone.headers);
  const later = await again();
  expect(later.next_seq).toBe(7);
  await later.phone.send(later.phone.scan(hall.labels[5]!, { seq: 7 }));
  expect((await callOk(server, listPhones, {}, admin)).items[0]!.missing_scans).toBe(4);
  // Scans that a heartbeat counted while they were on their way are no hole: a phone says with which number it goes on.
  const known = { queue_length: 1, next_seq: 8 };
  await callOk(server, heartbeat, { body: known }, later.phone.headers);
  expect((await again()).next_seq).toBe(8);
});

it('the person at the door chooses among the gates of the phone’s events, unless the office has changed the gate since or allows no choice', async (server, admin) => {
  const db = server.house.ctx.db;
  const { seat_pricing } = await db('events').where({ id: demoEvent }).first();
  const pricing = (JSON.parse(seat_pricing) as object[]).map((one, n) => ({
    ...one,
    gate: n === 0 ? 'Varco A' : 'Varco B',
  }));
  await db('events')
    .where({ id: demoEvent })
    .update({ seat_pricing: JSON.stringify(pricing) });
  const { phone, pairing_url } = await callOk(
    server,
    makePhone,
    { body: { name: 'Ingresso', event_ids: [demoEvent] } },
    admin,
  );
  const { device_token, ...paired } = await callOk(server, pairPhone, {
    body: { token: new URL(pairing_url).hash.split('=')[1]! },
  });
  expect(paired).toMatchObject({
    gate: null,
    chooses_gate: true,
    events: [{ gates: ['Varco A', 'Varco B'] }],
  });
  const headers = { authorization: `Bearer ${device_token}` };
  const gateAfter = async (gate: string | null, over: string | null) => {
    const body = { queue_length: 0, gate_choice: { gate, over } };
    const heard = (await callOk(server, heartbeat, { body }, headers)).gate;
    expect((await callOk(server, listPhones, {}, admin)).items[0]!.gate).toBe(heard);
    return heard;
  };
  const change = (body: object) =>
    callOk(server, changePhone, { params: { phoneId: phone.id }, body }, admin);
  expect(await gateAfter('Varco B', null)).toBe('Varco B');
  // Told again, because the answer was lost.
  expect(await gateAfter('Varco B', null)).toBe('Varco B');
  expect(await gateAfter('Palco reale', 'Varco B')).toBe('Varco B');
  expect(await gateAfter(null, 'Varco B')).toBe(null);
  await change({ gate: 'Varco C' });
  expect(await gateAfter('Varco A', null)).toBe('Varco C');
  expect(await gateAfter('Varco A', 'Varco C')).toBe('Varco A');
  expect(await change({ chooses_gate: false })).toMatchObject({
    gate: 'Varco A',
    chooses_gate: false,
  });
  expect(await gateAfter('Varco B', 'Varco A')).toBe('Varco A');
  const chosen = await db('audit').where({ actor: `phone:${phone.id}`, action: 'phone_changed' });
  expect(chosen.map(({ detail }) => JSON.parse(detail).to.gate)).toEqual([
    'Varco B',
    null,
    'Varco A',
  ]);
});

test('every contact is heard, and written no more often than each ten seconds', async (server, admin) => {
  const { db } = server.house.ctx;
  const hall = await fillHall(db, { places: 2, phones: 1 });
  const phone = phoneOf(server, hall);
  const id = hall.phone_ids[0]!;
  const seen = async () => {
    const { items } = await callOk(server, listPhones, {}, admin);
    return Date.parse(items.find((one) => one.id === id)!.last_seen_at!);
  };
  const written = async ({ house }: TestServer) =>
    Number((await house.ctx.db('phones').where({ id }).first('last_seen_at')).last_seen_at);
  const began = await seen();
  const { cursor } = await phone.pull();
  expect(await seen()).toBe(began);
  server.clock.advance(60_000);
  await phone.pull(cursor);
  const heard = await seen();
  expect(heard - began).toBeGreaterThanOrEqual(60_000);
  for (let n = 0; n < 20; n += 1) await phone.pull(cursor);
  expect(await seen()).toBe(heard);
  server.clock.advance(11_000);
  await phone.pull(cursor);
  // Also without anybody who looks: it is written within moments, and at the latest when the house closes.
  await expect.poll(() => written(server)).toBeGreaterThanOrEqual(heard + 10_000);
  server.clock.advance(11_000);
  await phone.pull(cursor);
  await using again = await server.restart();
  expect(await written(again)).toBeGreaterThanOrEqual(heard + 21_000);
});
