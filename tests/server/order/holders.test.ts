/** Names on tickets: the first one, the change that kills the old code, and whoever tries what is not offered. */
import { expect } from 'vitest';
import { readAdmission } from '#server/contract/door/admissions.ts';
import { downloadTickets } from '#server/contract/order/documents.ts';
import { addressOf } from '#server/contract/endpoint.ts';
import { setHolder } from '#server/contract/order/holders.ts';
import { nameHolders } from '#server/contract/order/order-desk.ts';
import { getOrder, readOrder } from '#server/contract/order/orders.ts';
import { openName } from '#apps/scanner/list/recognise.ts';
import { hashOf } from '#server/services/order/tickets.ts';
import type { EventRow } from '#db/rows.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { pullDoor } from '#tests/support/door/door-phone.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { mailsOf, testWithSmtp } from '#tests/support/mail-day.ts';
import {
  addressFor,
  ask,
  callOk,
  demoEvent,
  linkKeyOf,
  makeAdmin,
  makePairedPhone,
  type Answered,
} from '#tests/support/make.ts';
import { expectSoundBooks, setPolicy } from '#tests/support/refunds.ts';
import type { TestServer } from '#tests/support/server.ts';

const hour = 3_600_000;
const rules = (policy: Partial<EventRow>) => (server: TestServer) =>
  setPolicy(server, policy, demoEvent);
const nominative = rules({
  nominative: 1,
  holder_change: 1,
  holder_changes_max: 1,
  holder_change_until_hours: 24,
});

async function pageOf(server: TestServer, order_id: string) {
  return callOk(server, getOrder, { params: { orderId: order_id } });
}

function name(
  server: TestServer,
  order_id: string,
  ticket_id: string,
  body: object,
): Promise<Answered> {
  return ask(server, 'POST', addressOf(setHolder, { orderId: order_id, ticketId: ticket_id }), {
    body,
  });
}

const anna = { first_name: 'Anna', last_name: 'D’Amico' };
const bruno = { first_name: 'Bruno', last_name: 'Verdi' };

test('a nominative ticket has neither code nor paper until it has a name, and the first name is no change', async (server) => {
  await nominative(server);
  const { order_id } = await makePaidOrder(server);
  const before = await pageOf(server, order_id);
  expect(before.event).toMatchObject({
    nominative: true,
    holder_change_until: new Date(Date.parse(before.event.starts_at) - 24 * hour).toISOString(),
  });
  expect(
    before.tickets.map(({ code, code_for_people, holder, holder_step }) => [
      code,
      code_for_people,
      holder,
      holder_step,
    ]),
  ).toEqual([
    ['', '', null, 'name'],
    ['', '', null, 'name'],
  ]);
  const paper = () => ask(server, 'GET', addressOf(downloadTickets, { orderId: order_id }));
  expect([(await paper()).status, (await paper()).body]).toEqual([
    409,
    expect.objectContaining({ code: 'holder_missing' }),
  ]);
  // Somebody who follows the link reads a page, and finds back.
  const address = await addressFor(server, addressOf(downloadTickets, { orderId: order_id }));
  const page = await fetch(address, { headers: { accept: 'text/html,*/*;q=0.8' } });
  expect([page.status, page.headers.get('content-type')]).toEqual([
    409,
    'text/html; charset=utf-8',
  ]);
  const words = await page.text();
  expect(words).toContain('Indica prima nome e cognome di chi userà i biglietti.');
  expect(words).toContain(`href="/orders/${await linkKeyOf(server, order_id)}"`);

  const [first] = before.tickets;
  const named = await name(server, order_id, first!.ticket_id, {
    first_name: '  Anna ',
    last_name: 'De  Luca',
  });
  expect(named.body).toMatchObject({
    ticket: {
      holder: 'Anna De Luca',
      holder_step: 'change',
      code: expect.stringMatching(/^[0-9A-Z]{31}$/),
    },
  });
  expect((await pageOf(server, order_id)).tickets.map(({ code }) => code === '')).toEqual([
    false,
    true,
  ]);
  expect([
    (await paper()).status,
    (await server.house.ctx.db('tickets').where({ id: first!.ticket_id }).first()).revision,
  ]).toEqual([200, 1]);
  await expectSoundBooks(server);
});

it('a phone of a nominative event has the names, but reads one only with its ticket’s code; other events send none', async (server) => {
  await nominative(server);
  const admin = await makeAdmin(server);
  const phone = await makePairedPhone(server, admin);
  const { order_id } = await makePaidOrder(server);
  const [first, second] = (await pageOf(server, order_id)).tickets;
  const { cursor } = await pullDoor(server, demoEvent, phone.headers);
  const beginning = cursor.replace(/\.\d+/, '.0');
  const pull = () => pullDoor(server, demoEvent, phone.headers, beginning);
  const sold = async () => (await pull()).places.flatMap(({ ticket }) => ticket ?? []);
  const places = new Map(
    (await server.house.ctx.db('tickets').select('id', 'place')).map(
      ({ id, place }): [string, string] => [id, place],
    ),
  );
  await name(server, order_id, first!.ticket_id, anna);
  await name(server, order_id, second!.ticket_id, {
    first_name: 'Maximilian Ferdinando',
    last_name: 'della Rovere Montefeltro',
  });
  const page = await pull();
  expect(JSON.stringify(page)).not.toMatch(/Amico|Rovere/);
  const read = async (ticket_id: string, code: string) =>
    openName(
      page.event.salt,
      code,
      (await pull()).places.find(({ place }) => place === places.get(ticket_id))!.ticket!
        .sealed_name!,
    );
  const [one, two] = (await pageOf(server, order_id)).tickets;
  expect([await read(one!.ticket_id, one!.code), await read(two!.ticket_id, two!.code)]).toEqual([
    'Anna D’Amico',
    'Maximilian Ferdinando della Rovere Montefeltro',
  ]);
  expect([
    await read(one!.ticket_id, two!.code),
    await openName(page.event.salt, one!.code, 'nonsense'),
    await openName('other', one!.code, (await sold())[0]!.sealed_name!),
  ]).toEqual([null, null, null]);
  // A name more or less long is told by no length; the same name is the same text each time.
  expect(
    (await sold()).map(({ sealed_name }) => Buffer.from(sealed_name!, 'base64url').length % 32),
  ).toEqual([28, 28]);
  expect(await sold()).toEqual(page.places.flatMap(({ ticket }) => ticket ?? []));
  await name(server, order_id, one!.ticket_id, bruno);
  const [changed] = (await pageOf(server, order_id)).tickets;
  expect([
    await read(one!.ticket_id, changed!.code),
    await read(one!.ticket_id, one!.code),
  ]).toEqual(['Bruno Verdi', null]);
  await rules({ nominative: 0 })(server);
  expect((await sold()).map(({ sealed_name, initials }) => [sealed_name, initials])).toEqual([
    [null, expect.any(String)],
    [null, expect.any(String)],
  ]);
});

test('a change of holder kills the code in circulation: the desk says so, and so does every phone', async (server) => {
  await nominative(server);
  const admin = await makeAdmin(server);
  const phone = await makePairedPhone(server, admin);
  const { order_id } = await makePaidOrder(server);
  const ticket_id = (await pageOf(server, order_id)).tickets[0]!.ticket_id;
  await name(server, order_id, ticket_id, anna);
  const old = (await pageOf(server, order_id)).tickets[0]!;
  const pull = (since?: string) => pullDoor(server, demoEvent, phone.headers, since);
  const { cursor, event } = await pull();

  const changed = (await name(server, order_id, ticket_id, bruno)).body as { ticket: typeof old };
  expect(changed.ticket).toMatchObject({
    holder: 'Bruno Verdi',
    holder_step: null,
    holder_obstacle: 'no_more',
  });
  expect(changed.ticket.code).not.toBe(old.code);
  expect(
    await callOk(server, readAdmission, { params: { ticketId: old.code } }, admin),
  ).toMatchObject({ ticket_id, verdict: 'replaced' });
  expect(
    await callOk(server, readAdmission, { params: { ticketId: changed.ticket.code } }, admin),
  ).toMatchObject({ verdict: 'admit', holder: 'Bruno Verdi' });
  const entered = await ask(server, 'POST', `/api/admin/admissions/${old.code}`, {
    body: {},
    headers: admin,
  });
  expect(entered.body).toMatchObject({ verdict: 'replaced', counts: false });
  const news = await pull(cursor);
  expect(
    news.places.map(({ issued, hashes, ticket }) => [
      issued,
      hashes[1] === hashOf({ code_salt: event.salt }, changed.ticket.code),
      ticket,
    ]),
  ).toEqual([
    [2, true, expect.objectContaining({ revision: 2, state: 'valid', initials: 'B. V.' })],
  ]);
  await expectSoundBooks(server);
});

it('nobody changes a holder who may not: not offered, too late, too often, already in, refunded, cancelled', async (server, admin) => {
  const { order_id } = await makePaidOrder(server);
  const {
    tickets: [first, second],
    event,
  } = await pageOf(server, order_id);
  const refusal = async (ticket_id = first!.ticket_id, body: object = bruno) => {
    const { status, body: answer } = await name(server, order_id, ticket_id, body);
    return [status, (answer as { detail?: { reason?: string } }).detail?.reason];
  };
  expect(await refusal()).toEqual([409, 'not_offered']);
  await rules({ holder_change: 1, holder_changes_max: 1, holder_change_until_hours: 48 })(server);
  expect(await refusal()).toEqual([200, undefined]);
  expect(await refusal(first!.ticket_id, anna)).toEqual([409, 'no_more']);
  // Whoever lost the answer asks again, and nothing happens twice.
  expect(await refusal()).toEqual([200, undefined]);
  expect(
    await server.house.ctx.db('tickets').where({ id: first!.ticket_id }).first(),
  ).toMatchObject({ revision: 2, holder_changes: 1 });

  await ask(server, 'POST', `/api/admin/admissions/${second!.ticket_id}`, {
    body: {},
    headers: admin,
  });
  expect(await refusal(second!.ticket_id)).toEqual([409, 'ticket_used']);
  server.clock.advance(Date.parse(event.starts_at) - 48 * hour - server.clock.now() + 1_000);
  await rules({ holder_changes_max: 9 })(server);
  expect(await refusal(first!.ticket_id, anna)).toEqual([409, 'too_late']);
  await rules({ status: 'cancelled' })(server);
  expect(await refusal(first!.ticket_id, anna)).toEqual([409, 'event_cancelled']);
  await server.house.ctx
    .db('tickets')
    .where({ id: first!.ticket_id })
    .update({ state: 'refunded' });
  expect(await refusal(first!.ticket_id, anna)).toEqual([409, 'ticket_gone']);
});

it('somebody else’s ticket, an unknown order and names that are none are refused', async (server) => {
  await nominative(server);
  const mine = await makePaidOrder(server);
  const other = await makePaidOrder(server, {}, { nth: 0 });
  const theirs = (await pageOf(server, other.order_id)).tickets[0]!.ticket_id;
  const own = (await pageOf(server, mine.order_id)).tickets[0]!.ticket_id;
  expect([
    (await name(server, mine.order_id, theirs, anna)).status,
    (await name(server, 'nobody', own, anna)).status,
    (await name(server, mine.order_id, 'nothing', anna)).status,
  ]).toEqual([404, 404, 404]);
  for (const first_name of [
    '',
    ' ',
    '1',
    'www.vinci.it',
    'Anna http://x.it',
    '<b>Anna</b>',
    'a'.repeat(61),
    'Anna\u0000',
    null,
    7,
    ['Anna'],
    'Anna\nRossi: clicca',
  ]) {
    const answer = await name(server, mine.order_id, own, { first_name, last_name: 'Rossi' });
    // A line break is a space in a name, and the colon is none.
    expect([first_name, answer.status]).toEqual([first_name, 400]);
  }
  for (const email of ['nobody', 'a@b', 'a@b.it\nBcc: c@d.it', 7])
    expect([email, (await name(server, mine.order_id, own, { ...anna, email })).status]).toEqual([
      email,
      400,
    ]);
  expect((await pageOf(server, mine.order_id)).tickets.map(({ holder }) => holder)).toEqual([
    null,
    null,
  ]);
});

test('of many changes at once exactly as many happen as the event allows', async (server) => {
  await rules({ holder_change: 1, holder_changes_max: 3 })(server);
  const { order_id } = await makePaidOrder(server);
  const { ticket_id } = (await pageOf(server, order_id)).tickets[0]!;
  const answers = await Promise.all(
    ['Ada', 'Bea', 'Caio', 'Dora', 'Ezio', 'Fio', 'Gea', 'Ugo'].map((first_name) =>
      name(server, order_id, ticket_id, { first_name, last_name: 'Neri' }),
    ),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([
    200, 200, 200, 409, 409, 409, 409, 409,
  ]);
  expect(await server.house.ctx.db('tickets').where({ id: ticket_id }).first()).toMatchObject({
    revision: 4,
    holder_changes: 3,
  });
  await expectSoundBooks(server);
});

testWithSmtp(
  'buyer, new and former holder each hear what is theirs',
  async (server, smtp) => {
    await rules({ holder_change: 1, holder_changes_max: 5 })(server);
    const { order_id } = await makePaidOrder(server, { email: 'eva@example.it' });
    await server.runDue();
    const { ticket_id, seat } = (await pageOf(server, order_id)).tickets[0]!;
    await name(server, order_id, ticket_id, { ...anna, email: 'anna@example.it' });
    await server.runDue();
    await name(server, order_id, ticket_id, { ...bruno, email: 'bruno@example.it' });
    await server.runDue();
    const letters = smtp.received.slice(1).map(({ email }) => ({
      to: email.to![0]!.address,
      subject: email.subject!,
      text: email.text!,
      files: email.attachments.map((file) => file.mimeType),
    }));
    expect(letters.map(({ to, files }) => [to, files]).toSorted()).toEqual([
      ['anna@example.it', []],
      ['anna@example.it', ['application/pdf']],
      ['bruno@example.it', ['application/pdf']],
      ['eva@example.it', ['application/pdf']],
      ['eva@example.it', ['application/pdf']],
    ]);
    expect(letters.every(({ text }) => text.includes(seat))).toBe(true);
    const dead = letters.find(({ to, files }) => to === 'anna@example.it' && files.length === 0)!;
    expect([
      dead.subject,
      dead.text.includes('non vale più per l’ingresso'),
      /Bruno|Verdi|orders/.test(dead.text),
    ]).toEqual(['Il tuo biglietto ha un nuovo intestatario', true, false]);
    const fresh = letters.find(({ to }) => to === 'bruno@example.it')!;
    expect([
      fresh.text.startsWith('Ciao Bruno Verdi,'),
      fresh.text.includes(order_id),
      fresh.text.includes('64,00'),
    ]).toEqual([true, false, false]);
    expect(letters.filter(({ to }) => to === 'eva@example.it').at(-1)!.text).toContain(
      'ha un nuovo intestatario: Bruno Verdi',
    );
    // The same mailbox gets the new ticket, and no word that it lost one.
    await name(server, order_id, ticket_id, { ...anna, email: 'BRUNO@example.it' });
    await server.runDue();
    expect(
      smtp.received
        .slice(1 + letters.length)
        .flatMap(({ to }) => to)
        .toSorted(),
    ).toEqual(['BRUNO@example.it', 'eva@example.it']);
  },
  { databases: ['sqlite'] },
);

testWithSmtp(
  'the tickets of a nominative order come by mail once all have their name',
  async (server, smtp) => {
    await nominative(server);
    const { order_id } = await makePaidOrder(server, { email: 'eva@example.it' });
    await server.runDue();
    const { tickets } = await pageOf(server, order_id);
    await name(server, order_id, tickets[0]!.ticket_id, anna);
    await server.runDue();
    await name(server, order_id, tickets[1]!.ticket_id, bruno);
    await server.runDue();
    expect((await mailsOf(server, order_id)).map(({ kind, state }) => [kind, state])).toEqual([
      ['tickets', 'sent'],
      ['tickets', 'sent'],
    ]);
    expect(
      smtp.received.map(({ email }) => [
        email.text!.includes('mancano 2 nomi'),
        email.attachments.map((file) => file.mimeType),
      ]),
    ).toEqual([
      [true, ['text/calendar']],
      [false, ['application/pdf', 'text/calendar']],
    ]);
  },
  { databases: ['sqlite'] },
);

async function officeNames(
  server: TestServer,
  admin: { cookie: string },
  order_id: string,
  holders: object[],
) {
  const { status, body } = await ask(server, 'PUT', addressOf(nameHolders, { orderId: order_id }), {
    body: { holders },
    headers: admin,
  });
  return { status, ...(body as { code?: string; named?: number; detail?: unknown }) };
}

testWithSmtp(
  'the office names all tickets at once and corrects a name whatever buyers may; the old code dies, and one letter tells it',
  async (server) => {
    await rules({ nominative: 1, holder_change: 0 })(server);
    const admin = await makeAdmin(server);
    const { order_id } = await makePaidOrder(server);
    const missing = async () => {
      const params = { orderId: order_id };
      const { lines } = await callOk(server, readOrder, { params }, admin);
      return lines.map(({ name_missing, holder }) => [name_missing, holder]);
    };
    expect(await missing()).toEqual([
      [true, null],
      [true, null],
    ]);
    const [one, two] = (await pageOf(server, order_id)).tickets.map(({ ticket_id }) => ticket_id);
    const wrong = [
      { ticket_id: one, name: 'Anna D’Amico' },
      { ticket_id: two, name: 'Bruno' },
    ];
    expect(await officeNames(server, admin, order_id, wrong)).toMatchObject({
      status: 422,
      code: 'holder_name_wrong',
      detail: { tickets: [two] },
    });
    expect((await missing()).flat()).toContain(true);
    const right = [wrong[0]!, { ticket_id: two, name: ' Bruno  De Verdi ' }];
    expect(await officeNames(server, admin, order_id, right)).toMatchObject({ named: 2 });
    expect(await missing()).toEqual([
      [false, 'Anna D’Amico'],
      [false, 'Bruno De Verdi'],
    ]);
    const codesOf = async () =>
      new Map((await pageOf(server, order_id)).tickets.map((t) => [t.ticket_id, t.code]));
    const before = await codesOf();
    const letters = (await mailsOf(server, order_id)).length;
    const changed = [right[0]!, { ticket_id: two, name: 'Bruna De Verdi' }];
    expect(await officeNames(server, admin, order_id, changed)).toMatchObject({ named: 1 });
    const after = await codesOf();
    expect([after.get(one!) === before.get(one!), after.get(two!) === before.get(two!)]).toEqual([
      true,
      false,
    ]);
    expect((await mailsOf(server, order_id)).slice(letters).map(({ kind }) => kind)).toEqual([
      'tickets',
    ]);
    await expectSoundBooks(server);
  },
);
