/** What a phone of the door gets of people: never mail, telephone or price; names only where the event is nominative, and then sealed, or in the list of whoever searches (RULES A4). */
import { expect } from 'vitest';
import { setHolder } from '#server/contract/order/holders.ts';
import { getOrder } from '#server/contract/order/orders.ts';
import { phoneRoles, type PhoneRole } from '#server/domain/door/phone.ts';
import { testOnBoth as test } from '#tests/support/both.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { fetchList, pullDoor } from '#tests/support/door/door-phone.ts';
import { callOk, demoEvent, makePairedPhone } from '#tests/support/make.ts';
import { setPolicy } from '#tests/support/refunds.ts';
import type { TestServer } from '#tests/support/server.ts';

const names = ['Ermenegilda', 'Zanetti', 'Fulgenzio', 'Cardella'];
/** Nothing else is known of a ticket at the door. */
const fields = [
  'gates',
  'initials',
  'moved_from',
  'name',
  'note',
  'order_group',
  'order_number',
  'reentry',
  'revision',
  'sealed_name',
  'state',
  'type_label',
];
const never = ['gilda@', 'example.it', '347 000', '0001112', 'cents', 'price', 'mail', 'phone_'];

/** The names, and the words that must never be there, in all that a phone gets: the whole list, and the rows behind a cursor. */
async function knownTo(server: TestServer, headers: { authorization: string }) {
  const list = await pullDoor(server, demoEvent, headers);
  const raw = Buffer.from(await (await fetchList(server, demoEvent, headers)).arrayBuffer());
  const whole = list.cursor.replace(/^([\w-]+)\.\d+/, '$1.0');
  const changes = await pullDoor(server, demoEvent, headers, whole);
  const text = `${JSON.stringify(list)}\n${raw.toString('utf8')}\n${JSON.stringify(changes)}`;
  const tickets = changes.places.flatMap(({ ticket }) => (ticket === null ? [] : [ticket]));
  return {
    names: names.filter((name) => text.includes(name)),
    never: never.filter((word) => text.replaceAll('phone_id', '').includes(word)),
    initials: tickets.map(({ initials }) => initials).toSorted(),
    fields: Object.keys(tickets[0]!).toSorted(),
    sealed: tickets.filter(({ sealed_name }) => sealed_name !== null).length,
    numbers: tickets.filter(({ order_number }) => order_number !== null).length,
  };
}

test('a steward has initials only, a supervisor names and numbers where the event is nominative; nobody has mail, telephone or price', async (server, admin) => {
  const { order_id } = await makePaidOrder(server, {
    name: 'Ermenegilda Zanetti',
    email: 'gilda@example.it',
  });
  await server.house.ctx
    .db('orders')
    .where({ id: order_id })
    .update({ buyer_phone: '+39 347 0001112' });
  await setPolicy(server, { nominative: 1 }, demoEvent);
  const { tickets } = await callOk(server, getOrder, { params: { orderId: order_id } });
  await callOk(server, setHolder, {
    params: { orderId: order_id, ticketId: tickets[0]!.ticket_id },
    body: { first_name: 'Fulgenzio', last_name: 'Cardella', email: 'fulgenzio@example.it' },
  });
  const phones = new Map<PhoneRole, { authorization: string }>();
  for (const role of phoneRoles)
    phones.set(role, (await makePairedPhone(server, admin, `Varco ${role}`, role)).headers);
  const seen = async () =>
    Object.fromEntries(
      await Promise.all(
        [...phones].map(async ([role, headers]) => [role, await knownTo(server, headers)]),
      ),
    ) as Record<PhoneRole, Awaited<ReturnType<typeof knownTo>>>;

  const nominative = await seen();
  for (const role of phoneRoles) {
    const searches = role === 'supervisor';
    expect([role, nominative[role]]).toEqual([
      role,
      {
        // Of a ticket without a name yet whoever searches finds the buyer.
        names: searches ? names : [],
        never: [],
        fields,
        initials: ['F. C.', null],
        sealed: 1,
        numbers: searches ? 2 : 0,
      },
    ]);
  }

  await setPolicy(server, { nominative: 0 }, demoEvent);
  server.clock.advance(61_000);
  const other = await seen();
  for (const role of phoneRoles)
    expect([role, other[role]]).toEqual([
      role,
      {
        names: [],
        never: [],
        fields,
        initials: ['F. C.', null],
        sealed: 0,
        numbers: role === 'supervisor' ? 2 : 0,
      },
    ]);
});
