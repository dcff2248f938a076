/** Where a guest comes in: named once with the prices, and said alike by page, paper, mail, calendar and door. */
import { expect } from 'vitest';
import { readEvent } from '#server/contract/event-desk.ts';
import { getEvent, listEvents } from '#server/contract/events.ts';
import { getOrder, listOrderTickets } from '#server/contract/order/orders.ts';
import { decideAdmission } from '#server/domain/door/admission.ts';
import { pullDoor } from '#tests/support/door/door-phone.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { save, trySave, type Office } from '#tests/support/event-desk.ts';
import { mailsOf, testWithSmtp } from '#tests/support/mail-day.ts';
import {
  addressFor,
  ask,
  callOk,
  demoEvent,
  makeAdmin,
  makePairedPhone,
} from '#tests/support/make.ts';
import { readPdf } from '#tests/support/pdf.ts';
import type { TestServer } from '#tests/support/server.ts';

/** Each category gets the gate that is named for it, the others none. */
async function setGates(server: TestServer, admin: Office, gates: Record<string, string>) {
  const desk = await callOk(server, readEvent, { params: { eventId: demoEvent } }, admin);
  const seat_pricing = desk.form.seat_pricing.map(({ category, ticketTypes }) => ({
    category,
    ticketTypes,
    ...(gates[category] === undefined ? {} : { gate: gates[category] }),
  }));
  return save(server, admin, desk, { seat_pricing });
}

it('page, paper and calendar name the gate of each ticket; without one they say nothing', async (server, admin) => {
  const { order_id } = await makePaidOrder(server);
  const read = async () => {
    const { tickets } = await callOk(server, getOrder, { params: { orderId: order_id } });
    const file = async (name: string) =>
      Buffer.from(
        await (
          await fetch(await addressFor(server, `/api/orders/${order_id}/${name}`))
        ).arrayBuffer(),
      );
    const paper = readPdf(await file('tickets.pdf')).pages.map(({ lines }) => lines.join(' '));
    const page = await (await fetch(await addressFor(server, `/orders/${order_id}`))).text();
    return {
      gates: tickets.map(({ gate }) => gate),
      paper: paper.map((text) => text.includes('Ingresso: Varco B')),
      calendar:
        (await file('calendar.ics'))
          .toString()
          .replace(/\r?\n /g, '')
          .split('ingresso: Varco B').length - 1,
      page: page.includes('<strong>Ingresso: Varco B'),
    };
  };
  expect(await read()).toEqual({
    gates: [null, null],
    paper: [false, false],
    calendar: 0,
    page: false,
  });
  const desk = await setGates(server, admin, { Platea: 'Varco B', Galleria: 'Varco C' });
  expect(await read()).toEqual({
    gates: ['Varco B', 'Varco B'],
    paper: [true, true],
    calendar: 2,
    page: true,
  });

  expect([
    desk.gates,
    (await callOk(server, listEvents, {}, admin)).items.find(({ id }) => id === demoEvent)!.gates,
  ]).toEqual([
    ['Varco B', 'Varco C'],
    ['Varco B', 'Varco C'],
  ]);
  expect(
    (await callOk(server, listOrderTickets, { params: { orderId: order_id } }, admin)).items.map(
      ({ gate }) => gate,
    ),
  ).toEqual(['Varco B', 'Varco B']);
  // The public page of the event needs none of it.
  expect(
    JSON.stringify(await callOk(server, getEvent, { params: { eventId: demoEvent } })),
  ).not.toContain('Varco');
});

testWithSmtp('the mail with the tickets names the gate', async (server, smtp) => {
  await setGates(server, await makeAdmin(server), { Platea: 'Varco B' });
  const { order_id } = await makePaidOrder(server, { email: 'eva@example.it' });
  await server.runDue();
  expect((await mailsOf(server, order_id)).map(({ state }) => state)).toEqual(['sent']);
  expect(smtp.received[0]!.email.text).toMatch(/Platea, fila \S+, posto \S+ – ingresso: Varco B/);
});

test('the door hears of gates and of each change of them, and sends whoever comes to another one there', async (server, admin) => {
  const phone = await makePairedPhone(server, admin, 'Varco A');
  await makePaidOrder(server);
  const feed = (since: string) =>
    ask(server, 'GET', `/api/scanner/events/${demoEvent}/changes?wire=4&since=${since}`, {
      headers: phone.headers,
    });
  const first = await pullDoor(server, demoEvent, phone.headers);
  expect(first.places.flatMap(({ ticket }) => ticket ?? []).map(({ gates }) => gates)).toEqual([
    [],
    [],
  ]);

  await setGates(server, admin, { Platea: 'Varco B' });
  expect((await feed(first.cursor)).body).toMatchObject({ code: 'resync_required' });
  const next = await pullDoor(server, demoEvent, phone.headers);
  const [ticket] = next.places.flatMap(({ place, ticket: sold }) =>
    sold === null ? [] : [{ ...sold, place }],
  );
  expect(ticket!.gates).toEqual(['Varco B']);
  const verdictAt = (gate: string | null) =>
    decideAdmission(
      {
        reading: { kind: 'place', place: ticket!.place, revision: ticket!.revision },
        event: {
          cancelled: false,
          starts_at: 0,
          admits_from: null,
          admits_until: null,
          verify_policy: 'ask',
          moved_policy: 'ask',
          reentry: true,
        },
        ticket: ticket!,
        moved: false,
        newest: ticket!.revision,
        lost: false,
        last: null,
      },
      {
        now: server.clock.now(),
        direction: 'in',
        phone_id: phone.phone_id,
        gate,
        override: null,
      },
    ).verdict;
  expect([phone.gate, 'Varco B', 'VARCO  b', null].map(verdictAt)).toEqual([
    'wrong_gate',
    'admit',
    'admit',
    'admit',
  ]);

  // A save that touches no gate leaves the phones alone.
  const desk = await callOk(server, readEvent, { params: { eventId: demoEvent } }, admin);
  await save(server, admin, desk, { title: 'La locandiera, replica' });
  expect((await feed(next.cursor)).status).toBe(200);
});

it('a gate has a name of its own, no longer than a line', async (server, admin) => {
  const desk = await callOk(server, readEvent, { params: { eventId: demoEvent } }, admin);
  for (const gate of ['', '   ', 'x'.repeat(61), 7]) {
    const seat_pricing = desk.form.seat_pricing.map((entry) => ({
      ...entry,
      gate: gate as string,
    }));
    expect([gate, (await trySave(server, admin, desk, { seat_pricing })).status]).toEqual([
      gate,
      400,
    ]);
  }
});

it('the hour at which the doors close is kept with the form, and the phones hear of it and of its end', async (server, admin) => {
  const phone = await makePairedPhone(server, admin);
  const closing = async () => (await pullDoor(server, demoEvent, phone.headers)).event.admits_until;
  expect(await closing()).toBeNull();
  const desk = await callOk(server, readEvent, { params: { eventId: demoEvent } }, admin);
  const admits_until = new Date(Date.parse(desk.form.starts_at) + 15 * 60_000).toISOString();
  const saved = await save(server, admin, desk, { admits_until });
  expect([saved.form.admits_until, await closing()]).toEqual([admits_until, admits_until]);
  // A form that does not name it: such an evening never closes its doors.
  await save(server, admin, saved, { admits_until: undefined });
  expect(await closing()).toBeNull();
});
