/** People without a ticket in the office's own figures, beside what the drawing of the hall allows. */
import { expect } from 'vitest';
import { countHeads, undoHeads } from '#server/contract/door/heads.ts';
import { readEvent } from '#server/contract/event-desk.ts';
import { readPresence } from '#server/contract/door/presence.ts';
import { readReport } from '#server/contract/reports.ts';
import { testOnBoth as it, testOnSqlite as test } from '#tests/support/both.ts';
import { makeDraft, save } from '#tests/support/event-desk.ts';
import { callOk, demoEvent } from '#tests/support/make.ts';
import { redraw } from '#tests/support/door/redraw.ts';

it('the door’s report sums people without a ticket by reason and by way, and leaves out what was taken back', async (server, admin) => {
  const params = { eventId: demoEvent };
  const report = async (event_id = demoEvent) => {
    const ask = { params: { report: 'door' }, query: { event_id } };
    const { figures } = await callOk(server, readReport, ask, admin);
    return figures.find(({ id }) => id === 'without_ticket');
  };
  const { db } = server.house.ctx;
  await db('events').update({ doors_at: server.clock.now() });
  expect(await report()).toBeUndefined();
  const count = async (
    direction: 'in' | 'out',
    people: number,
    reason: 'artists' | 'fire' = 'artists',
  ) => {
    const head_id = crypto.randomUUID();
    await callOk(
      server,
      countHeads,
      { params, body: { head_id, direction, people, reason } },
      admin,
    );
    return head_id;
  };
  await count('in', 12);
  await count('in', 3);
  await count('in', 2, 'fire');
  await count('out', 5);
  const slip = { params: { ...params, headId: await count('in', 40, 'fire') } };
  await callOk(server, undoHeads, slip, admin);
  expect(await report()).toMatchObject({
    title: 'Persone senza biglietto',
    columns: [{ label: 'Motivo' }, { label: 'Entrate' }, { label: 'Uscite' }],
    rows: [
      ['Artisti', 15, 5],
      ['Vigili del fuoco', 2, 0],
    ],
    total: ['Totale', 17, 5],
  });
  expect(await report('concerto-di-natale')).toBeUndefined();
});

test('how many people a hall may hold comes from its drawing, and a drawing that says nothing takes it away', async (server, admin) => {
  const draw = (capacity: number | undefined) =>
    redraw(server, (drawing) => {
      drawing.x_licensedCapacity = capacity;
    });
  await draw(50);
  const event = await makeDraft(server, admin);
  const ask = { params: { eventId: event.id } };
  const read = async () => (await callOk(server, readPresence, ask, admin)).licensed;
  const { db } = server.house.ctx;
  expect(await db('events').where({ id: event.id }).first('licensed')).toEqual({ licensed: 50 });
  await db('events').where({ id: event.id }).update({ status: 'published' });
  for (const [drawn, known] of [
    [99, 99],
    [undefined, null],
    [120.5, null],
    [240, 240],
  ] as const) {
    await draw(drawn);
    const desk = await callOk(server, readEvent, ask, admin);
    await save(server, admin, desk, { title: `Recital ${drawn}` });
    expect([drawn, await read()]).toEqual([drawn, known]);
  }
});
