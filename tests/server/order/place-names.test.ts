/** One function names a place: cart, order, mail, PDF, CSV, office and door say the same of every kind of object. */
import { expect } from 'vitest';
import { seatsOf } from '#apps/admin/seats/seats.ts';
import { importDrawing } from '#server/contract/charts.ts';
import { makePhone, pairPhone } from '#server/contract/door/phones.ts';
import { publishEvent } from '#server/contract/event-desk.ts';
import { namePlaces } from '#server/contract/events.ts';
import { bookSeats, getOrder } from '#server/contract/order/orders.ts';
import { readHall } from '#server/contract/seats.ts';
import { compareNames } from '#server/domain/seat/seat-name.ts';
import { drawSalaDelleFeste } from '#server/standins/seatsio/draw/sala-delle-feste.ts';
import { testOnSqlite as test } from '#tests/support/both.ts';
import { comeBack, payAs } from '#tests/support/buyer.ts';
import { fetchList, listIn } from '#tests/support/door/door-phone.ts';
import { makeDraft, makeForm, nameSeller } from '#tests/support/event-desk.ts';
import { mailsOf } from '#tests/support/mail-day.ts';
import {
  addressFor,
  callOk,
  demoEvent,
  holdObjects,
  makeHoldToken,
  recordOf,
  type Chosen,
} from '#tests/support/make.ts';
import { readPdf } from '#tests/support/pdf.ts';
import type { TestServer } from '#tests/support/server.ts';

/** Each object or seats of one row: what is chosen, its name in cart and lists, and its tickets'. */
const kinds: readonly {
  event?: string;
  chosen: readonly string[];
  quantity?: number;
  cart: readonly string[];
  together?: string;
  tickets: readonly string[];
}[] = [
  {
    event: demoEvent,
    chosen: ['Palchi I ordine-3-1', 'Palchi I ordine-3-2'],
    cart: ['Palchi I ordine, Palco 3, posto 1', 'Palchi I ordine, Palco 3, posto 2'],
    tickets: ['Palchi I ordine, Palco 3, posto 1', 'Palchi I ordine, Palco 3, posto 2'],
  },
  {
    chosen: ['T1-1', 'T1-2'],
    cart: ['Tavolo T1, posto 1', 'Tavolo T1, posto 2'],
    tickets: ['Tavolo T1, posto 1', 'Tavolo T1, posto 2'],
  },
  {
    chosen: ['Bar-1', 'Bar-2'],
    cart: ['Bancone Bar, posto 1', 'Bancone Bar, posto 2'],
    tickets: ['Bancone Bar, posto 1', 'Bancone Bar, posto 2'],
  },
  {
    chosen: ['O1'],
    cart: ['Tavolo O1'],
    together: 'Tavolo O1, intero: 10 posti',
    tickets: Array.from({ length: 10 }, (_, at) => `Tavolo O1, posto ${at + 1} di 10`),
  },
  {
    chosen: ['S1'],
    quantity: 3,
    cart: ['Séparé S1'],
    together: 'Séparé S1, intero: 3 di 4 posti',
    tickets: [1, 2, 3].map((nth) => `Séparé S1, posto ${nth} di 4`),
  },
  {
    chosen: ['Pista'],
    quantity: 2,
    cart: ['Pista, posto unico'],
    tickets: ['Pista, posto unico', 'Pista, posto unico'],
  },
  {
    chosen: ['Pedana'],
    cart: ['Pedana'],
    together: 'Pedana, tutta la zona: 6 posti',
    tickets: Array.from({ length: 6 }, (_, at) => `Pedana, posto ${at + 1} di 6`),
  },
];

const platform = {
  uuid: 'pedana',
  label: 'Pedana',
  capacity: 6,
  bookAsAWhole: true,
  type: 'circle',
  center: { x: 500, y: 1_100 },
  radius1: 20,
  radius2: 20,
};

/** The ballroom with a platform that is drawn to be sold whole. */
async function makeGala(server: TestServer, admin: { cookie: string }): Promise<string> {
  const drawing = drawSalaDelleFeste() as unknown as {
    subChart: { generalAdmissionAreas: { label: string }[] };
  };
  const [floor] = drawing.subChart.generalAdmissionAreas;
  drawing.subChart.generalAdmissionAreas.push({
    ...floor!,
    ...platform,
  });
  const { key } = await callOk(server, importDrawing, { body: { drawing, key: 'gala' } }, admin);
  const [stalls] = (await makeForm(server)).seat_pricing;
  await nameSeller(server, admin);
  const { id, version } = await makeDraft(server, admin, {
    id: 'gala',
    chart_key: key,
    seat_pricing: ['1', '2', '3', '4', '5'].map((category) => ({
      category,
      ticketTypes: stalls!.ticketTypes,
    })),
    whole_terms: { tables: { mode: 'INHERIT' }, categories: { 3: { places: 4, minimum: 2 } } },
  });
  await callOk(server, publishEvent, { params: { eventId: id }, body: { version } }, admin);
  return id;
}

/** A phone for both events. */
async function pairFor(server: TestServer, admin: { cookie: string }, event_ids: string[]) {
  const body = { name: 'Varco A', gate: '', role: 'steward' as const, event_ids };
  const { pairing_url } = await callOk(server, makePhone, { body }, admin);
  const token = new URL(pairing_url).hash.replace('#pair=', '');
  const { device_token } = await callOk(server, pairPhone, { body: { token } });
  return { authorization: `Bearer ${device_token}` };
}

async function buy(
  server: TestServer,
  event: string,
  { held, selected_objects }: Record<'held' | 'selected_objects', Chosen[]>,
): Promise<string> {
  const hold_token = await makeHoldToken(server);
  expect(await holdObjects(server, hold_token, held, event)).toMatchObject({ status: 200 });
  const body = { hold_token, selected_objects };
  const booked = await callOk(server, bookSeats, { params: { eventId: event }, body });
  const order_id = await recordOf(server, booked);
  await payAs(server, booked);
  expect(await comeBack(server, { order_id })).toEqual({ confirmed: true });
  return order_id;
}

const plain = (text: string) => text.replaceAll(/[\u00a0\s]+/g, ' ');

test('a place has one name in cart, order, mail, PDF, CSV, office and at the door, whatever kind of object it is', async (server, admin) => {
  const gala = await makeGala(server, admin);
  const phone = await pairFor(server, admin, [gala, demoEvent]);
  for (const { event = gala, chosen, quantity, cart, together, tickets } of kinds) {
    const said: Record<string, unknown> = {};
    const params = { eventId: event };
    const named = await callOk(server, namePlaces, { params, body: { objects: [...chosen] } });
    const selected_objects = chosen.map((object_id) => ({
      object_id,
      ticket_type: 'intero',
      ...(quantity === undefined ? {} : { quantity }),
    }));
    const order_id = await buy(server, event, {
      selected_objects,
      // At the seat map an object that is sold whole is one.
      held: together === undefined ? selected_objects : chosen.map((object_id) => ({ object_id })),
    });
    const order = await callOk(server, getOrder, { params: { orderId: order_id } });
    said['cart'] = named.items.map(({ name }) => name).toSorted();
    said['lines'] = order.lines.map(({ seat }) => seat).toSorted();
    said['tickets'] = order.tickets.map(({ seat }) => seat);
    const pdf = await fetch(await addressFor(server, `/api/orders/${order_id}/tickets.pdf`));
    const { pages } = readPdf(Buffer.from(await pdf.arrayBuffer()));
    said['pdf'] = pages.map(({ lines }, at) => plain(lines.join(' ')).includes(tickets[at]!));
    await server.runDue();
    const [mail] = await mailsOf(server, order_id);
    said['mail'] = (together === undefined ? tickets : [together]).filter(
      (name) => !plain(mail!.text!).includes(name),
    );
    const csv = await fetch(`${server.url}/api/admin/events/${event}/guests.csv`, {
      headers: admin,
    }).then((answer) => answer.text());
    said['csv'] = tickets.filter((name) => !csv.includes(name));
    const hall = seatsOf(await callOk(server, readHall, { params }, admin), []);
    const answer = await fetchList(server, event, phone);
    const list = listIn(await answer.arrayBuffer());
    const places = (await server.house.ctx.db('tickets').where({ order_id })).map(
      ({ place }) => place,
    );
    const at = (all: readonly { place: string }[]) =>
      all.filter(({ place }) => places.includes(place)) as unknown as Record<string, string>[];
    said['office'] = at(hall).map(({ name }) => name);
    said['door'] = at(list.places)
      .map(({ seat }) => seat!)
      .toSorted(compareNames);
    expect({ chosen, ...said }).toEqual({
      chosen,
      cart,
      lines: together === undefined ? tickets : [together],
      tickets,
      pdf: tickets.map(() => true),
      mail: [],
      csv: [],
      office: tickets,
      door: tickets,
    });
  }
});
