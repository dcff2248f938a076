/** Two ways in with one ticket: told with both sides, settled by a person, gone when one of them is taken back. */
import { expect } from 'vitest';
import {
  admitTicket,
  listRecentAdmissions,
  readAdmission,
  undoAdmission,
} from '#server/contract/door/admissions.ts';
import { listConflicts, settleConflict } from '#server/contract/door/conflicts.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { fillHall } from '#tests/support/door/door-hall.ts';
import { admissionsIn, phoneOf, statusOf } from '#tests/support/door/door-phone.ts';
import { callOk, makeAdmin } from '#tests/support/make.ts';

// Tonight, whenever the test runs: a hall of another day is gone from the phones after two.
const starts_at = Math.floor(Date.now() / 60_000) * 60_000;
const after = (minutes: number) => new Date(starts_at + minutes * 60_000).toISOString();

test('a conflict names seat, gates, phones and minutes; a person says what it was, and may say it anew', async (server, admin) => {
  const { db } = server.house.ctx;
  const hall = await fillHall(db, { places: 6, phones: 2, event: { starts_at } });
  // A supervisor's phone lets in by hand.
  await db('phones').where({ id: hall.phone_ids[1] }).update({ role: 'supervisor' });
  const [a, b] = [phoneOf(server, hall), phoneOf(server, hall, 1)];
  const [place, quiet] = hall.labels as [string, string];
  const first = a.scan(place, { corrected_at: after(1), offline: true });
  const second = b.scan(place, {
    corrected_at: after(3),
    means: 'search',
    override: 'Gruppo',
  });
  await b.send(second, b.scan(quiet));
  const list = (query: { open?: '1'; event_id?: string } = {}) =>
    callOk(server, listConflicts, { query }, admin);
  expect(await list()).toEqual({ items: [], next_cursor: null, open: 0 });
  await a.send(first);
  expect((await b.send(second))[0]).toMatchObject({
    result: 'conflict',
    verdict: 'already_in',
    conflict_with: first.admission_id,
  });
  const { items, open } = await list({ open: '1', event_id: 'hall' });
  expect([open, items]).toEqual([
    1,
    [
      expect.objectContaining({
        admission_id: second.admission_id,
        event_id: 'hall',
        event_title: 'La prova',
        place,
        seat: 'Platea, fila 1, posto 1',
        category: 'Platea',
        type_label: 'Ridotto',
        minutes_apart: 2,
        settled: null,
        first: expect.objectContaining({
          admission_id: first.admission_id,
          at: first.corrected_at,
          gate: 'Varco 1',
          by: 'Varco 1',
          offline: true,
          means: 'code',
          override: null,
        }),
        second: expect.objectContaining({
          admission_id: second.admission_id,
          at: second.corrected_at,
          gate: 'Varco 2',
          by: 'Varco 2',
          offline: false,
          means: 'search',
          override: 'Gruppo',
        }),
      }),
    ],
  ]);
  expect(await list({ event_id: 'concerto-di-natale' })).toEqual({
    items: [],
    next_cursor: null,
    open: 0,
  });

  const params = { admissionId: second.admission_id };
  const settled = await callOk(
    server,
    settleConflict,
    { params, body: { as: 'copy', note: 'Era un QR fotografato' } },
    admin,
  );
  expect(settled.settled).toMatchObject({ as: 'copy', by: 'Ada', note: 'Era un QR fotografato' });
  expect(await list({ open: '1' })).toEqual({ items: [], next_cursor: null, open: 0 });
  expect(
    (await callOk(server, settleConflict, { params, body: { as: 'same_person' } }, admin)).settled,
  ).toMatchObject({ as: 'same_person', note: null });
  expect((await list()).items[0]!.settled!.as).toBe('same_person');
  expect(
    (await db('audit').where({ action: 'conflict_settled', subject: second.admission_id })).length,
  ).toBe(2);
  expect(
    (await callOk(server, listRecentAdmissions, { query: {} }, admin)).items.find(
      ({ admission_id }) => admission_id === second.admission_id,
    ),
  ).toMatchObject({
    settled_as: 'same_person',
    settled_by: 'Ada',
    means: 'search',
    conflict_with: first.admission_id,
  });

  const settle = (id: string) =>
    statusOf(server, ['POST', `/api/admin/conflicts/${id}`], admin, { as: 'mistake' });
  expect([await settle('nothing-of-ours'), await settle(first.admission_id)]).toEqual([404, 409]);
  await db('users').update({ role: 'door' });
  expect([
    await settle(second.admission_id),
    await statusOf(server, ['GET', '/api/admin/conflicts'], admin),
  ]).toEqual([403, 200]);
});

test('where no one comes back any more, a ticket that was sold with re-entry does', async (server) => {
  const { db } = server.house.ctx;
  const hall = await fillHall(db, { places: 2, phones: 1, event: { reentry: 0, starts_at } });
  const [free, bound] = hall.labels as [string, string];
  await db('tickets').where({ event_id: 'hall', place: bound }).update({ reentry: 0 });
  await db('tickets').where({ event_id: 'hall', place: free }).update({ reentry: 1 });
  const phone = phoneOf(server, hall);
  const scans = [free, bound].flatMap((place) => [
    phone.scan(place, { corrected_at: after(1) }),
    phone.scan(place, { corrected_at: after(2), direction: 'out' }),
    phone.scan(place, { corrected_at: after(3) }),
  ]);
  await phone.send(...scans);
  const conflicts = await db('admissions').whereNotNull('conflict_with').pluck('place');
  expect(conflicts).toEqual([bound]);
  const admin = await makeAdmin(server);
  const verdictOf = async (place: string) => {
    const { id } = await db('tickets').where({ event_id: 'hall', place }).first('id');
    return (await callOk(server, readAdmission, { params: { ticketId: id } }, admin)).verdict;
  };
  await phone.send(phone.scan(free, { corrected_at: after(4), direction: 'out' }));
  await phone.send(phone.scan(bound, { corrected_at: after(4), direction: 'out' }));
  expect([await verdictOf(free), await verdictOf(bound)]).toEqual(['admit', 'already_in']);
});

it('the desk takes a scan back with a reason: the door hears it, and the ticket is good again', async (server, admin) => {
  const { db } = server.house.ctx;
  const hall = await fillHall(db, { places: 6, phones: 2, event: { reentry: 0, starts_at } });
  const [a, b] = [phoneOf(server, hall), phoneOf(server, hall, 1)];
  const { cursor } = await b.pull();
  const [first, second] = [
    a.scan(hall.labels[0]!, { corrected_at: after(1) }),
    b.scan(hall.labels[0]!, { corrected_at: after(3) }),
  ];
  await a.send(first);
  await b.send(second);
  const { id: ticketId } = await db('tickets')
    .where({ event_id: 'hall', place: hall.labels[0] })
    .first();
  const params = { ticketId };
  const address = ['POST', `/api/admin/admissions/${ticketId}/undo`] as const;
  const undo = (admission_id: string, reason = 'Persona sbagliata') =>
    statusOf(server, address, admin, { admission_id, reason });
  expect((await callOk(server, readAdmission, { params }, admin)).verdict).toBe('already_in');

  const done = await callOk(
    server,
    undoAdmission,
    { params, body: { admission_id: first.admission_id, reason: '  Persona sbagliata ' } },
    admin,
  );
  expect(done).toMatchObject({
    annuls: first.admission_id,
    ticket_id: ticketId,
    seat: 'Platea, fila 1, posto 1',
    verdict: 'already_in',
  });
  // The second way in is the admission now, and no conflict.
  expect((await callOk(server, listConflicts, { query: {} }, admin)).items).toEqual([]);
  const told = admissionsIn(await b.pull(cursor));
  expect([
    told.get(first.admission_id)!.undone,
    told.get(second.admission_id)!.conflict_with,
  ]).toEqual([true, null]);
  expect([
    await undo(first.admission_id),
    await undo('nothing-of-ours'),
    await undo(second.admission_id, '   '),
    await undo(done.admission_id),
  ]).toEqual([409, 404, 400, 409]);
  const body = { admission_id: second.admission_id, reason: 'x' };
  const both = await callOk(server, undoAdmission, { params, body }, admin);
  expect(both.verdict).toBe('admit');
  expect((await callOk(server, admitTicket, { params, body: {} }, admin)).verdict).toBe('admit');
  const { history } = await callOk(server, readAdmission, { params }, admin);
  expect(
    history.map((row) => [row.verdict, row.counts, row.note, row.annuls, row.annulled_by !== null]),
  ).toEqual(
    expect.arrayContaining([
      ['admit', true, null, null, true],
      ['admit', true, null, null, false],
      ['undone', false, 'Persona sbagliata', first.admission_id, false],
      ['undone', false, 'x', second.admission_id, false],
    ]),
  );
  expect(
    (await db('audit').where({ action: 'admission_undone' }))
      .map(({ detail }) => (JSON.parse(detail) as { reason: string }).reason)
      .toSorted(),
  ).toEqual(['Persona sbagliata', 'x']);
  // Another ticket's scan is not taken back under this one's name.
  const other = a.scan(hall.labels[1]!);
  await a.send(other);
  expect(await undo(other.admission_id)).toBe(404);
  expect(server.logged).toEqual([]);
});
