/** Shows and their dates: one speaks for all, a date may say otherwise, series are made by a rule. */
import { expect } from 'vitest';
import {
  createEvent,
  duplicateEvent,
  publishEvent,
  readEvent,
} from '#server/contract/event-desk.ts';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { getEvent, listPublished } from '#server/contract/events.ts';
import {
  changeShow,
  listShows,
  makeDates,
  previewDates,
  previewShow,
  readShow,
} from '#server/contract/shows.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { addDays, lastSundayOf } from '#tests/support/calendar.ts';
import {
  inDays,
  makeDraft,
  makeForm,
  makePublished,
  save,
  type Desk,
  type Office,
} from '#tests/support/event-desk.ts';
import { ask, callOk, makeAdmin, makeOrder, aRefusal } from '#tests/support/make.ts';
import { makePaid, setPolicy } from '#tests/support/refunds.ts';
import { statementsOf } from '#tests/support/statements.ts';
import type { TestServer } from '#tests/support/server.ts';
import { eventPage } from '#server/services/event/events.ts';

type Show = ReplyOf<typeof readShow>;

const ofShow = { showId: 'recital' };
const firstDate = { eventId: 'recital' };

const showOf = (server: TestServer, admin: Office): Promise<Show> =>
  callOk(server, readShow, { params: ofShow }, admin);

const eventOf = (server: TestServer, admin: Office, eventId: string): Promise<Desk> =>
  callOk(server, readEvent, { params: { eventId } }, admin);

/** The first date is "recital"; this one is another. */
async function addDate(
  server: TestServer,
  admin: Office,
  changes: { id: string; starts_at: string },
): Promise<Desk> {
  const copy = await callOk(
    server,
    duplicateEvent,
    { params: firstDate, body: { as: 'date', ...changes } },
    admin,
  );
  return callOk(
    server,
    publishEvent,
    { params: { eventId: copy.id }, body: { version: copy.version } },
    admin,
  );
}

/** That evening is over. */
const yesterday = (server: TestServer, id: string) =>
  setPolicy(server, { starts_at: server.clock.now() - 24 * 3_600_000 }, id);

/** Looks at the preview, and says yes to it. */
async function change(
  server: TestServer,
  admin: Office,
  changes: Partial<Show['form']>,
): Promise<Show> {
  const { version, form } = await showOf(server, admin);
  const changed = { ...form, ...changes };
  const seen = await callOk(server, previewShow, { params: ofShow, body: changed }, admin);
  return callOk(
    server,
    changeShow,
    {
      params: ofShow,
      body: {
        version,
        form: changed,
        tell_buyers: seen.buyers,
        dates: seen.dates.map((date) => ({ id: date.id, version: date.version })),
      },
    },
    admin,
  );
}

test('an event that names no show begins its own, and speaks for it while it is its only date', async (server, admin) => {
  const draft = await makeDraft(server, admin);
  expect(draft.show_id).toBe('recital');
  await save(server, admin, draft, { title: 'Gran recital', max_seats: 4 });
  const show = await showOf(server, admin);
  expect([
    show.title,
    show.form.max_seats,
    show.dates.map((date) => [date.id, date.own_fields]),
  ]).toEqual(['Gran recital', 4, [['recital', []]]]);
  // The demonstration's events have shows, too.
  const { items } = await callOk(server, listShows, {}, admin);
  expect(items.map((item) => [item.id, item.dates.length, item.coming])).toEqual([
    ['la-locandiera', 1, 1],
    ['concerto-di-natale', 1, 1],
    ['recital', 1, 1],
  ]);
  const page = await callOk(server, getEvent, { params: { eventId: 'la-locandiera' } });
  expect(page.other_dates).toEqual([]);
});

test('a date keeps for itself what it says otherwise; the rest follows the show, in all dates to come at once', async (server, admin) => {
  await makePublished(server, admin);
  await addDate(server, admin, { id: 'recital-2', starts_at: inDays(server, 41) });
  const third = await addDate(server, admin, { id: 'recital-3', starts_at: inDays(server, 42) });
  await save(server, admin, third, { title: 'Recital di gala', max_seats: 6 });
  const past = await addDate(server, admin, { id: 'recital-0', starts_at: inDays(server, 1) });
  await makePaid(server, { event: 'recital-2' });
  await yesterday(server, 'recital-0');
  const before = await showOf(server, admin);
  expect(before.dates.map((date) => [date.id, date.own_fields])).toEqual([
    ['recital-0', []],
    ['recital', []],
    ['recital-2', []],
    ['recital-3', ['title', 'max_seats']],
  ]);

  const form = { ...before.form, title: 'Recital d’inverno', nominative: true };
  const seen = await callOk(server, previewShow, { params: ofShow, body: form }, admin);
  expect([seen.fields, seen.untouched, seen.buyers]).toEqual([['title', 'nominative'], 1, 0]);
  expect(seen.dates.map((date) => [date.id, date.sold, date.changes, date.keeps])).toEqual([
    ['recital', 0, ['title', 'nominative'], []],
    ['recital-2', 2, ['title', 'nominative'], []],
    ['recital-3', 0, ['nominative'], ['title']],
  ]);
  // Looking stores nothing.
  expect((await showOf(server, admin)).version).toBe(before.version);

  await change(server, admin, { title: 'Recital d’inverno', nominative: true });
  const titles = await Promise.all(
    ['recital-0', 'recital', 'recital-2', 'recital-3'].map(async (id) => {
      const { event } = await callOk(server, getEvent, { params: { eventId: id } });
      return [event.title, event.nominative];
    }),
  );
  expect(titles).toEqual([
    [past.form.title, false],
    ['Recital d’inverno', true],
    ['Recital d’inverno', true],
    ['Recital di gala', true],
  ]);
  // A server of a later release has made a field of its own.
  const row = server.house.ctx.db('events').where({ id: 'recital-3' });
  await row.clone().update({ own_fields: '["title","later","max_seats"]' });
  // To say the same as the show is to have nothing of one's own.
  await save(server, admin, await eventOf(server, admin, 'recital-3'), {
    title: 'Recital d’inverno',
  });
  expect((await showOf(server, admin)).dates.at(-1)!.own_fields).toEqual(['max_seats']);
  expect(await row.first('own_fields')).toEqual({ own_fields: '["max_seats","later"]' });
});

it('what was sold keeps its price when the show gets another, and the next buyer pays the new one', async (server, admin) => {
  const first = await makePublished(server, admin);
  await addDate(server, admin, { id: 'recital-2', starts_at: inDays(server, 41) });
  const bought = await makePaid(server, { event: 'recital-2' });
  const price_id = await server.house.ctx.payments.ensurePrice({
    lookup_key: 'recital-platea-nuovo',
    product: 'Recital – Platea',
    unit_amount: 3_000,
  });
  const [platea] = first.form.seat_pricing;
  const dearer = [{ ...platea!, ticketTypes: [{ ...platea!.ticketTypes[0]!, price_id }] }];
  await change(server, admin, { seat_pricing: dearer });
  const sold = await ask(server, 'GET', `/api/orders/${bought.order_id}`);
  expect(sold.body).toMatchObject({
    paid_cents: 4_000,
    lines: [{ price_cents: 2_000 }, { price_cents: 2_000 }],
  });
  server.clock.advance(120_000);
  const next = await makeOrder(server, { event: 'recital-2', nth: 1 });
  expect((await ask(server, 'GET', `/api/orders/${next.order_id}`)).body).toMatchObject({
    total_cents: 6_000,
  });
});

it('what the preview did not show is not done, and one bad value changes no date', async (server, admin) => {
  await makePublished(server, admin);
  const second = await addDate(server, admin, { id: 'recital-2', starts_at: inDays(server, 41) });
  await makePaid(server, { event: 'recital-2' });
  const { version, form, dates } = await showOf(server, admin);
  const put = (changes: object) =>
    ask(server, 'PUT', '/api/admin/shows/recital', {
      headers: admin,
      body: {
        version,
        dates: dates.map((date) => ({ id: date.id, version: date.version })),
        form: { ...form, title: 'Altro' },
        ...changes,
      },
    });
  const moon = [{ category: 'Luna', ticketTypes: [] }];
  for (const [changes, status, code] of [
    [{ version: version + 1 }, 409, 'show_changed'],
    [{ dates: [] }, 409, 'show_changed'],
    [{ form: { ...form, venue_title: 'Altrove' } }, 409, 'buyers_to_tell'],
    [{ form: { ...form, title: '' } }, 422, 'event_incomplete'],
    [{ form: { ...form, seat_pricing: moon } }, 422, 'category_unknown'],
    [{ form: { ...form, fee_price_id: 'price_nobody' } }, 422, 'price_not_sellable'],
    [{ form: { ...form, banner_image: '/media/nobody-has-it' } }, 422, 'image_unknown'],
    [{ form: { ...form, max_seats: 0 } }, 400, 'bad_request'],
  ] as const)
    expect([code, await put(changes)]).toMatchObject([code, { status, body: { code } }]);
  expect(await showOf(server, admin)).toMatchObject({ version, form });
  expect(await eventOf(server, admin, 'recital-2')).toMatchObject({ version: second.version });
  // With the number of those who will be written to it is done, and they are.
  const elsewhere = { form: { ...form, venue_title: 'Altrove' }, tell_buyers: 1 };
  expect((await put(elsewhere)).status).toBe(200);
  const told = server.house.ctx.db('outbox').where({ task: 'tell_buyers' });
  expect(await told.pluck('subject')).toEqual([`recital-2#${second.version + 1}`]);
});

it('a copy needs a day of its own before it can be published; copied with one, its evening goes along', async (server, admin) => {
  const first = await makePublished(server, admin, { doors_at: inDays(server, 39.95) });
  const copy = await callOk(
    server,
    duplicateEvent,
    { params: firstDate, body: { id: 'recital-bis', as: 'date' } },
    admin,
  );
  expect([copy.show_id, copy.missing]).toEqual(['recital', ['starts_at']]);
  const publish = (version: number) =>
    ask(server, 'POST', '/api/admin/events/recital-bis/publish', {
      body: { version },
      headers: admin,
    });
  expect(await publish(copy.version)).toMatchObject(
    aRefusal(422, 'event_incomplete', { missing: ['starts_at'] }),
  );
  const same = await save(server, admin, copy, { title: 'Bis' });
  expect(same.missing).toEqual(['starts_at']);
  const moved = await save(server, admin, same, { starts_at: inDays(server, 50) });
  expect([moved.missing, (await publish(moved.version)).status]).toEqual([[], 200]);

  const dated = await callOk(
    server,
    duplicateEvent,
    { params: firstDate, body: { id: 'altro', starts_at: inDays(server, 60) } },
    admin,
  );
  const ahead = ({ starts_at, doors_at }: Desk['form']) =>
    Date.parse(starts_at) - Date.parse(doors_at!);
  // Left out, `as` makes a show of its own, as before there were shows.
  expect(dated).toMatchObject({ show_id: 'altro', missing: [] });
  expect(ahead(dated.form)).toBe(ahead(first.form));
});

test('a series is shown before it is made, and made once', async (server) => {
  /** From a Friday in winter. */
  const day = (nth: number) => addDays(lastSundayOf(11), 5 + nth);
  const admin = await makeAdmin(server);
  await makePublished(server, admin, {
    starts_at: `${day(0)}T20:00:00.000Z`,
    doors_at: `${day(0)}T19:00:00.000Z`,
  });
  const rule = {
    rules: [
      { weekdays: [5, 6], time: '21:00' },
      { weekdays: [7], time: '16:30' },
    ],
    from: day(0),
    until: day(9),
    except: [day(8)],
  };
  const plan = await callOk(server, previewDates, { params: ofShow, body: rule }, admin);
  expect(plan.items.map(({ starts_at, obstacle }) => [starts_at, obstacle])).toEqual([
    [`${day(0)}T20:00:00.000Z`, 'exists'],
    [`${day(1)}T20:00:00.000Z`, null],
    [`${day(2)}T15:30:00.000Z`, null],
    [`${day(7)}T20:00:00.000Z`, null],
    [`${day(9)}T15:30:00.000Z`, null],
  ]);
  const starts = plan.items.map((item) => item.starts_at);
  const make = () =>
    callOk(server, makeDates, { params: ofShow, body: { like: 'recital', starts } }, admin);
  expect((await make()).made).toEqual([1, 2, 7, 9].map((nth) => `recital-${day(nth)}`));
  const sunday = await eventOf(server, admin, `recital-${day(2)}`);
  expect(sunday).toMatchObject({
    status: 'draft',
    show_id: 'recital',
    counts: { places: 639 },
    missing: [],
    form: { title: 'Recital', doors_at: `${day(2)}T14:30:00.000Z` },
  });
  expect((await make()).made).toEqual([]);
  const tooMany = await ask(server, 'POST', '/api/admin/shows/recital/series', {
    headers: admin,
    body: { ...rule, until: day(392) },
  });
  expect(tooMany).toMatchObject(aRefusal(422, 'too_many_dates'));
});

it('the public page of one date offers the others, with those that are sold out; drafts, past ones and other shows stay away', async (server, admin) => {
  await makePublished(server, admin);
  await addDate(server, admin, { id: 'recital-2', starts_at: inDays(server, 41) });
  await addDate(server, admin, { id: 'recital-0', starts_at: inDays(server, 1) });
  await callOk(
    server,
    createEvent,
    { body: { id: 'recital-bozza', show_id: 'recital', ...(await makeForm(server)) } },
    admin,
  );
  await yesterday(server, 'recital-0');
  const others = async (id: string) =>
    (await callOk(server, getEvent, { params: { eventId: id } })).other_dates.map((date) => [
      date.id,
      date.availability,
    ]);
  expect(await others('recital')).toEqual([['recital-2', 'many']]);
  expect(await others('recital-2')).toEqual([['recital', 'many']]);
  await setPolicy(server, { status: 'cancelled' }, 'recital');
  await server.house.ctx.db('places').where({ event_id: 'recital' }).delete();
  server.clock.advance(10_000);
  expect(await others('recital-2')).toEqual([['recital', 'none']]);
  // However many dates there are, they are read and counted together, and one date alone counts none.
  const readings = async (id: string) => {
    server.clock.advance(10_000);
    const asked = await statementsOf(server.house.ctx.db, () => eventPage(server.house.ctx, id));
    return asked.filter((name) => /places|events/.test(name)).length;
  };
  const two = await readings('recital-2');
  expect(await readings('la-locandiera')).toBeLessThan(two);
  await addDate(server, admin, { id: 'recital-3', starts_at: inDays(server, 42) });
  const third = await addDate(server, admin, { id: 'recital-4', starts_at: inDays(server, 43) });
  expect(await readings('recital-2')).toBe(two);
  const before = server.clock.now();
  await setPolicy(server, { postponed_from: before }, third.id);
  server.clock.advance(10_000);
  const { other_dates } = await callOk(server, getEvent, { params: { eventId: 'recital-2' } });
  expect(other_dates.map((date) => [date.id, date.from_price, date.postponed_from])).toEqual([
    ['recital', 2000, null],
    ['recital-3', 2000, null],
    ['recital-4', 2000, new Date(before).toISOString()],
  ]);
  const { items } = await callOk(server, listPublished, {});
  expect(items.filter((item) => item.show_id === 'recital').map((item) => item.id)).toEqual([
    'recital',
    'recital-2',
    'recital-3',
    'recital-4',
    'recital-0',
  ]);
  const unknown = await ask(server, 'POST', '/api/admin/events/', {
    headers: admin,
    body: { id: 'x', show_id: 'nessuno', ...(await makeForm(server)) },
  });
  expect(unknown).toMatchObject(aRefusal(404, 'show_not_found'));
});
