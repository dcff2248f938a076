/** After a restore: no place gives a lost buyer's code to another, and a lost sale of the counter is written again from its paper. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test as sqlite } from 'vitest';
import { readAdmission } from '#server/contract/door/admissions.ts';
import { getOrder } from '#server/contract/order/orders.ts';
import { listLost, lookAtLost, rebuildSale } from '#server/contract/lost-sales.ts';
import { readShift, listShifts } from '#server/contract/shifts.ts';
import { maintenanceKey, putSetting } from '#db/settings.ts';
import { findEvent } from '#db/event/events.ts';
import { skipRevisions } from '#db/seat/lost-revisions.ts';
import { mostLost } from '#server/domain/door/lost-revisions.ts';
import { makeBackup } from '#server/services/backup/make.ts';
import { readRestored, writeRestored } from '#server/services/kit/restored.ts';
import { catchUp } from '#server/services/book/keep.ts';
import { askAdmin } from '#tests/support/admin-command.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { openDrawer, sellAtCounter, till, type Seller } from '#tests/support/counter.ts';
import { phoneOf, placesIn } from '#tests/support/door/door-phone.ts';
import { codeOfPlace } from '#tests/support/door/phone.ts';
import { emptyPlace, placeOf } from '#tests/support/house.ts';
import {
  aRefusal,
  ask,
  callOk,
  demoEvent,
  makeAdmin,
  makeOrder,
  makePairedPhone,
  payOrder,
} from '#tests/support/make.ts';
import { expectSoundBooks } from '#tests/support/refunds.ts';
import { openServer, type TestServer } from '#tests/support/server.ts';
import { bookStanding, standingArea } from '#tests/support/standing.ts';
import { startVendors } from '#tests/support/vendors.ts';

async function backupOf(server: TestServer): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'copie-'));
  const now = server.clock.now();
  return (await makeBackup({ house: placeOf(server), folder, kind: 'by_hand', seal: null, now }))
    .path;
}

/** The house that begins again from this copy, and sells. */
async function restored(settings: Record<string, string>, file: string): Promise<void> {
  expect(await askAdmin({ settings }, ['restore', file])).toMatchObject({ code: 0 });
}

async function placesSold(
  server: TestServer,
  admin: Seller,
  which: { nth?: number; seats?: string[] },
): Promise<string[]> {
  const { order_id } = await sellAtCounter(server, admin, which);
  return server.house.ctx.db('tickets').where({ order_id }).orderBy('place').pluck('place');
}

function rebuild(server: TestServer, admin: Seller, tickets: readonly string[]) {
  const price = { ticket_type: 'intero', amount_cents: 3_000 };
  const body = { tickets: tickets.map((ticket) => ({ ticket, ...price })), method: 'cash' };
  return ask(server, 'POST', rebuildSale.path, { body, headers: admin });
}

test('a lost sale is written again from its tickets, which stay valid; a place sold again has another code', async (server, admin) => {
  await openDrawer(server, admin);
  const paired = await makePairedPhone(server, admin);
  const copied_at = server.clock.now();
  const file = await backupOf(server);
  server.clock.advance(60_000);
  const [first, second] = await placesSold(server, admin, { nth: 0 });
  const pair = await placesSold(server, admin, { nth: 4 });
  const [third] = pair;
  const codeOf = (place: string, revision = 1) => codeOfPlace(server, place, revision);
  const code = await codeOf(first!);
  server.clock.advance(60_000);

  const settings = await emptyPlace(server);
  await restored(settings, file);
  await using other = await openServer(settings, {}, server.clock, async () => {});
  const { db } = other.house.ctx;
  await putSetting(db, maintenanceKey, '');
  // Sold again, at the same place.
  expect(await placesSold(other, admin, { seats: pair })).toContain(third);
  const again = await db('tickets').where({ event_id: demoEvent, place: third }).first();
  expect(again.revision).toBe(mostLost + 1);

  const phone = phoneOf(other, {
    event_id: demoEvent,
    tokens: [paired.device_token],
    codes: (await findEvent(db, demoEvent))!,
  });
  const list = placesIn(await phone.pull());
  expect(list.get(third!)).toMatchObject({ issued: mostLost + 1, lost: [[1, mostLost]] });
  expect(list.get(first!)).toMatchObject({ issued: 0, lost: [] });
  expect(list.get(first!)!.hashes).toHaveLength(mostLost + 2);
  // The phone had the list of the lost house, and let in.
  const scan = phone.scan(second!);
  expect((await phone.send(scan))[0]).toMatchObject({ result: 'stored' });
  expect(await db('admissions').where({ id: scan.admission_id }).first()).toMatchObject({
    doubt: null,
    ticket_id: null,
    counts: 1,
  });
  // Let in by a supervisor before the place was sold again: no doubt, and the second guest a conflict.
  const early = new Date(copied_at + 5_000).toISOString();
  const knowingly = { verdict: 'admit', override: 'due sedie' } as const;
  const guest = phone.scan(third!, { ...knowingly, scanned_at: early, corrected_at: early });
  const late = new Date(server.clock.now()).toISOString();
  const buyer = phone.scan(third!, {
    revision: mostLost + 1,
    scanned_at: late,
    corrected_at: late,
  });
  expect((await phone.send(guest, buyer)).map(({ result }) => result)).toEqual([
    'stored',
    'conflict',
  ]);
  const guestRow = await db('admissions').where({ id: guest.admission_id }).first();
  expect(guestRow).toMatchObject({ doubt: null, counts: 1 });
  const { scans } = await callOk(other, listLost, {}, admin);
  expect(scans.map(({ admission_id }) => admission_id).toSorted()).toEqual(
    [scan.admission_id, guest.admission_id].toSorted(),
  );

  const desk = { params: { ticketId: code } };
  expect(
    await ask(other, 'GET', `/api/admin/admissions/${code}`, { headers: admin }),
  ).toMatchObject(aRefusal(409, 'ticket_lost'));
  const look = (ticket: string) => ({ body: { ticket } });
  expect(await callOk(other, lookAtLost, look(code), admin)).toMatchObject({
    place: first,
    obstacle: null,
    types: [{ ticket_type: 'intero', amount_cents: 3_200 }, { ticket_type: 'ridotto' }],
  });
  const sold = await callOk(other, lookAtLost, look(await codeOf(third!)), admin);
  expect(sold.obstacle).toMatchObject({ kind: 'sold', order_id: again.order_id });
  expect(await rebuild(other, admin, [await codeOf(third!)])).toMatchObject(
    aRefusal(409, 'lost_place_taken'),
  );
  expect(await rebuild(other, admin, ['8001120905420'])).toMatchObject(
    aRefusal(404, 'lost_code_unknown'),
  );
  expect(await rebuild(other, admin, [code, code])).toMatchObject(aRefusal(400, 'bad_request'));

  const [made, same] = await Promise.all([
    rebuild(other, admin, [code, scan.admission_id]),
    rebuild(other, admin, [code, scan.admission_id]),
  ]);
  expect([made.status, same.status]).toEqual([200, 200]);
  const { order_id } = made.body as { order_id: string };
  expect(same.body).toMatchObject({ order_id });
  expect(made.body).toMatchObject({
    state: 'confirmed',
    total_cents: 6_000,
    tickets: [{ same_code: true }, { same_code: true }],
  });
  expect(await rebuild(other, admin, [scan.admission_id, code])).toMatchObject({
    status: 200,
    body: { order_id, replayed: true },
  });
  expect(await rebuild(other, admin, [code])).toMatchObject(aRefusal(409, 'ticket_known'));
  const tickets = await db('tickets').where({ order_id });
  expect(tickets.map(({ revision, issued_at }) => [revision, issued_at])).toEqual([
    [1, expect.closeTo(copied_at, -4)],
    [1, expect.closeTo(copied_at, -4)],
  ]);
  // The paper opens the door; the guest who came in before is in.
  expect(await callOk(other, readAdmission, desk, admin)).toMatchObject({ verdict: 'admit' });
  expect(
    await callOk(other, readAdmission, { params: { ticketId: await codeOf(second!) } }, admin),
  ).toMatchObject({ verdict: 'already_in' });
  const given = await db('admissions').where({ id: scan.admission_id }).first();
  expect(tickets.map(({ id }) => id)).toContain(given.ticket_id);
  const still = await callOk(other, listLost, {}, admin);
  expect(still.scans.map(({ admission_id }) => admission_id)).toEqual([guest.admission_id]);
  // The money lies in no open drawer.
  const { items } = await callOk(other, listShifts, { query: {} }, admin);
  const reportOf = async (till_id: string) => {
    const { shift_id: shiftId } = items.find((shift) => shift.till_id === till_id)!;
    return (await callOk(other, readShift, { params: { shiftId } }, admin)).report;
  };
  expect(await reportOf(till)).toMatchObject({ cash_sales_cents: 6_400 });
  expect(await reportOf('.rebuilt')).toMatchObject({ cash_sales_cents: 6_000 });
  const acts = await db('audit').where({ subject: order_id }).pluck('action');
  expect(acts).toEqual(expect.arrayContaining(['order_confirmed', 'sale_rebuilt']));
  // In the book a ticket that is older than its order stands after it.
  await catchUp(other.house.ctx, demoEvent);
  const { number } = made.body as { number: string };
  const texts: string[] = await db('book_rows')
    .where({ event_id: demoEvent })
    .orderBy('n')
    .pluck('text');
  const rows = texts.map((text) => JSON.parse(text) as { kind: string; order?: string });
  expect(rows.flatMap(({ kind, order }) => (order === number ? kind : [])).slice(0, 2)).toEqual([
    'order',
    'ticket',
  ]);
  await expectSoundBooks(other);

  // The next house from this very copy does not repeat what this one has sold.
  const third_house = await emptyPlace(server);
  await restored(third_house, file);
  await using next = await openServer(third_house, {}, server.clock, async () => {});
  const place = await next.house.ctx.db('places').where({ place: third }).first();
  expect(place).toMatchObject({ issued: 0, skipped_to: 2 * mostLost });
});

sqlite(
  'where the seat map stands elsewhere it gives the seats of a lost sale to the new one; standing places and a web order keep their codes',
  async () => {
    await using vendors = await startVendors();
    const first = await vendors.emptyPlace('sqlite', '');
    const house = await vendors.open(first);
    const admin = await makeAdmin(house);
    await openDrawer(house, admin);
    // This house came from a copy itself, and its next copy has an order that is not paid yet.
    await skipRevisions(house.house.ctx.db, mostLost);
    const early = await makeOrder(house, { nth: 6 });
    const file = await backupOf(house);
    vendors.clock.advance(60_000);
    const seats = await placesSold(house, admin, { nth: 0 });
    const standing = [{ object_id: standingArea, ticket_type: 'intero', quantity: 2 }];
    const sale = { selected_objects: standing, expected_cents: 3_600 };
    const cash = [{ method: 'cash' as const, amount_cents: 3_600 }];
    await sellAtCounter(house, admin, { ...sale, payments: cash });
    const web = await bookStanding(house, 1);
    await payOrder(house, web.checkout_url);
    await payOrder(house, early.checkout_url);
    vendors.clock.advance(3_000);
    const codesOf = async (server: TestServer, orderId: string) =>
      (await callOk(server, getOrder, { params: { orderId } })).tickets.map(({ code }) => code);
    const mailed = await codesOf(house, web.order_id);
    const mailedEarly = await codesOf(house, early.order_id);
    expect(mailedEarly).toHaveLength(2);
    const codeOf = (place: string) => codeOfPlace(house, place, mostLost + 1);
    const codes = await Promise.all([...seats, 'Loggione#1', 'Loggione#2'].map(codeOf));
    await house.close();

    const second = await vendors.emptyPlace('sqlite', '');
    await restored(second, file);
    await using again = await vendors.open(second);
    expect(await codesOf(again, web.order_id)).toEqual(mailed);
    // Until Stripe has said what it was paid for, a web ticket would be sold a second time.
    const known = (await readRestored(again.house.ctx.db))!;
    await writeRestored(again.house.ctx.db, { ...known, recovered_at: null });
    expect(await rebuild(again, admin, codes)).toMatchObject(aRefusal(503, 'provider_silent'));
    await writeRestored(again.house.ctx.db, known);
    await again.runDue();
    expect(await codesOf(again, early.order_id)).toEqual(mailedEarly);
    const { body } = await rebuild(again, admin, codes);
    expect(body).toMatchObject({
      state: 'confirmed',
      tickets: codes.map(() => ({ same_code: true })),
    });
    const { order_id } = body as { order_id: string };
    const objects = await again.house.ctx.seats.read(demoEvent, seats);
    expect([...objects.values()].map((object) => object.order_id)).toEqual([order_id, order_id]);
    await expectSoundBooks(again);
  },
);
