/** Deleting drafts and empty shows: nothing that was ever on sale goes, and the seat map forgets the draft too. */
import { expect } from 'vitest';
import { deleteEvent, unpublishEvent } from '#server/contract/event-desk.ts';
import { deleteShow, readShow } from '#server/contract/shows.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { makeDraft, makePublished } from '#tests/support/event-desk.ts';
import { ask, callOk, demoEvent, aRefusal } from '#tests/support/make.ts';
import { passTime } from '#tests/support/refunds.ts';

const minute = 60_000;

test('a draft goes with its places and its event at the seat map, its address is free again, and its show when it is empty', async (server, admin) => {
  const { ctx } = server.house;
  const draft = await makeDraft(server, admin);
  const remove = (version: number) => ({
    params: { eventId: 'recital' },
    query: { version: String(version) },
  });
  const show = { showId: 'recital' };
  const { version } = await callOk(server, readShow, { params: show }, admin);
  const removeShow = { params: show, query: { version: String(version) } };
  const early = await ask(server, 'DELETE', `/api/admin/shows/recital?version=${version}`, {
    headers: admin,
  });
  expect(early).toMatchObject(aRefusal(409, 'show_has_dates'));
  const old = await ask(server, 'DELETE', '/api/admin/events/recital?version=77', {
    headers: admin,
  });
  expect(old).toMatchObject(aRefusal(409, 'event_changed'));
  await callOk(server, deleteEvent, remove(draft.version), admin);
  expect(await ctx.db('events').where({ id: 'recital' })).toEqual([]);
  expect(await ctx.db('places').where({ event_id: 'recital' }).first()).toBeUndefined();
  // Made anew at once, it gets a key of its own, and keeps it when the old one goes.
  const again = await makeDraft(server, admin);
  expect(again.seatsio_event_key).toBe('recital-2');
  await passTime(server, 2 * minute);
  await expect(ctx.seats.event('recital')).rejects.toThrow();
  expect((await ctx.seats.event('recital-2')).chart_key).toBe('teatro-goldoni');
  await callOk(server, deleteShow, removeShow, admin);
  expect(await ctx.db('shows').where({ id: 'recital' })).toEqual([]);
  const actions = await ctx.db('audit').whereIn('action', ['event_deleted', 'show_deleted']);
  expect(actions.map(({ action }) => action).toSorted()).toEqual(['event_deleted', 'show_deleted']);
});

it('what is or was on sale is not deleted', async (server, admin) => {
  const published = await makePublished(server, admin);
  const remove = async (id: string, version: number) =>
    ask(server, 'DELETE', `/api/admin/events/${id}?version=${version}`, { headers: admin });
  expect(await remove('recital', published.version)).toMatchObject(
    aRefusal(409, 'event_not_draft'),
  );
  const { version } = await callOk(
    server,
    unpublishEvent,
    { params: { eventId: 'recital' }, body: { version: published.version } },
    admin,
  );
  expect(await remove('recital', version)).toMatchObject({ body: { code: 'event_not_draft' } });
  expect(await remove(demoEvent, 1)).toMatchObject({ body: { code: 'event_not_draft' } });
  expect(await remove('nessuno', 1)).toMatchObject({ body: { code: 'event_not_found' } });
  expect((await server.house.ctx.db('events').where({ id: 'recital' })).length).toBe(1);
});
