/** Phones of the door: what they are for, the supervisors' PIN, what a phone is told at each contact, and when it was heard. */
import { pbkdf2Sync } from 'node:crypto';
import { expect, test } from 'vitest';
import { sendAdmissions } from '#server/contract/door/admissions.ts';
import { readLook, writeLook } from '#server/contract/look.ts';
import {
  changePhone,
  heartbeat,
  listPhones,
  makePhone,
  pairAgain,
  pairPhone,
  readDoorPin,
  revokePhone,
  setDoorPin,
} from '#server/contract/door/phones.ts';
import { testOnBoth } from '#tests/support/both.ts';
import { fillHall } from '#tests/support/door/door-hall.ts';
import { phoneOf } from '#tests/support/door/door-phone.ts';
import { ask, callOk, demoEvent, makeAdmin } from '#tests/support/make.ts';
import { startServer } from '#tests/support/server.ts';

testOnBoth(
  'a phone is made for a role and events, changed in use, and hears of it at its next contact',
  async (server) => {
    const admin = await makeAdmin(server);
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
    await server.house.ctx
      .db('events')
      .where({ id: 'concerto-di-natale' })
      .update({ rehearsal: 1 });
    expect((await beat()).events.map(({ rehearsal }) => rehearsal)).toEqual([false, true]);
    expect((await callOk(server, listPhones, {}, admin)).items[0]).toMatchObject({
      name: 'Uscita',
      wire_version: 2,
      app_version: '1.1',
    });

    const status = async (body: object, id = phone.id) =>
      (await ask(server, 'PUT', `/api/admin/phones/${id}`, { body, headers: admin })).status;
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
  },
);

testOnBoth(
  'the PIN is set by an admin, told to nobody, and can be checked by a supervisor’s phone without signal',
  async (server) => {
    const { db } = server.house.ctx;
    const admin = await makeAdmin(server);
    const hall = await fillHall(db, { places: 1, phones: 1 });
    await db('phones').update({ role: 'supervisor' });
    const phone = phoneOf(server, hall);
    const pinOnPhone = async () =>
      (await callOk(server, heartbeat, { body: { queue_length: 0 } }, phone.headers))
        .supervisor_pin;
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
    for (const wrong of ['123', '123456789', '12a4', '١٢٣٤', '', 4701])
      expect([
        wrong,
        (await ask(server, 'PUT', setDoorPin.path, { body: { pin: wrong }, headers: admin }))
          .status,
      ]).toEqual([wrong, 400]);
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
    expect([
      (await ask(server, 'GET', readDoorPin.path, { headers: admin })).status,
      (await ask(server, 'PUT', setDoorPin.path, { body: { pin: null }, headers: admin })).status,
    ]).toEqual([403, 403]);
  },
);

testOnBoth(
  'a phone that lost its memory goes on with numbers that leave a hole for what was lost, and the office sees it',
  async (server) => {
    const admin = await makeAdmin(server);
    const hall = await fillHall(server.house.ctx.db, { places: 8, phones: 1 });
    const phone = phoneOf(server, hall);
    const pairAnew = async () => {
      const { pairing_url } = await callOk(
        server,
        pairAgain,
        { params: { phoneId: hall.phone_ids[0]! } },
        admin,
      );
      return callOk(server, pairPhone, {
        body: { token: new URL(pairing_url).hash.split('=')[1]! },
      });
    };
    expect((await pairAnew()).next_seq).toBe(0);
    const headers = { authorization: `Bearer ${(await pairAnew()).device_token}` };
    const send = (...items: unknown[]) =>
      callOk(server, sendAdmissions, { body: { items } }, headers);
    await send(
      phone.scan(hall.labels[0]!),
      phone.scan(hall.labels[1]!),
      phone.scan(hall.labels[2]!),
    );
    await callOk(server, heartbeat, { body: { queue_length: 4 } }, headers);
    const { next_seq, device_token } = await pairAnew();
    expect(next_seq).toBe(7);
    await callOk(
      server,
      sendAdmissions,
      { body: { items: [phone.scan(hall.labels[5]!, { seq: next_seq })] } },
      { authorization: `Bearer ${device_token}` },
    );
    expect((await callOk(server, listPhones, {}, admin)).items[0]!.missing_scans).toBe(4);
  },
);

testOnBoth(
  'scans that a heartbeat counted while they were on their way are no hole: a phone says with which number it goes on',
  async (server) => {
    const admin = await makeAdmin(server);
    const hall = await fillHall(server.house.ctx.db, { places: 3, phones: 1 });
    const phone = phoneOf(server, hall);
    const phoneId = hall.phone_ids[0]!;
    const pairAnew = async () => {
      const { pairing_url } = await callOk(server, pairAgain, { params: { phoneId } }, admin);
      const token = new URL(pairing_url).hash.split('=')[1]!;
      return callOk(server, pairPhone, { body: { token } });
    };
    const headers = { authorization: `Bearer ${(await pairAnew()).device_token}` };
    await callOk(
      server,
      sendAdmissions,
      { body: { items: [phone.scan(hall.labels[0]!)] } },
      headers,
    );
    await callOk(server, heartbeat, { body: { queue_length: 1, next_seq: 1 } }, headers);
    expect((await pairAnew()).next_seq).toBe(1);
  },
);

test('every contact is heard, and written no more often than each ten seconds', async () => {
  await using server = await startServer();
  const { db } = server.house.ctx;
  const admin = await makeAdmin(server);
  const hall = await fillHall(db, { places: 2, phones: 1 });
  const phone = phoneOf(server, hall);
  const seen = async () =>
    Date.parse(
      (await callOk(server, listPhones, {}, admin)).items.find(
        ({ id }) => id === hall.phone_ids[0],
      )!.last_seen_at!,
    );
  const began = await seen();
  const { cursor } = await phone.pull();
  expect(await seen()).toBe(began);
  server.clock.advance(60_000);
  await phone.pull(cursor);
  expect((await seen()) - began).toBeGreaterThanOrEqual(60_000);
  const written = await seen();
  for (let n = 0; n < 20; n += 1) await phone.pull(cursor);
  expect(await seen()).toBe(written);
  server.clock.advance(11_000);
  await phone.pull(cursor);
  // Also without anybody who looks: it is written within moments, and at the latest when the house closes.
  await expect
    .poll(
      async () =>
        Number(
          (await db('phones').where({ id: hall.phone_ids[0] }).first('last_seen_at')).last_seen_at,
        ),
      { timeout: 10_000 },
    )
    .toBeGreaterThanOrEqual(written + 10_000);
  server.clock.advance(11_000);
  await phone.pull(cursor);
  await using again = await server.restart();
  expect(
    Number(
      (await again.house.ctx.db('phones').where({ id: hall.phone_ids[0] }).first('last_seen_at'))
        .last_seen_at,
    ),
  ).toBeGreaterThanOrEqual(written + 21_000);
});
