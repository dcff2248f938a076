/** The guests of an evening: list, filters, file, and the list on paper. */
import { expect } from 'vitest';
import { admitTicket } from '#server/contract/door/admissions.ts';
import { listGuests, readGuestPaper } from '#server/contract/guests.ts';
import { testOnBoth as test, testOnSqlite as it } from '#tests/support/both.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { ask, callOk, demoEvent } from '#tests/support/make.ts';
import { copyOrder } from '#tests/support/many-orders.ts';
import { readPdf } from '#tests/support/pdf.ts';

const params = { eventId: demoEvent };
const events = `/api/admin/events/${demoEvent}`;

type Query = NonNullable<Parameters<typeof callOk<typeof listGuests>>[2]['query']>;

test('one row a ticket, found by name, seat or order, by state, by who is inside and by what was printed', async (server, admin) => {
  const { db } = server.house.ctx;
  const eva = await makePaidOrder(server, { email: 'eva@example.it', name: 'Eva Neri' });
  const ugo = await makePaidOrder(server, { email: 'ugo@example.it', name: 'Ugo D’Amico' });
  const [first, second] = await db('tickets').where({ order_id: eva.order_id }).orderBy('place');
  await db('tickets').where({ id: first.id }).update({ holder: 'Ida Verdi' });
  await db('tickets').where({ order_id: ugo.order_id }).limit(1).update({ state: 'refunded' });
  await callOk(server, admitTicket, { params: { ticketId: second.id }, body: {} }, admin);
  const ofEva = db('tickets').where({ order_id: eva.order_id });
  await ofEva.update({ printed_revision: db.ref('revision') });
  const found = async (query: Query) =>
    (await callOk(server, listGuests, { params, query }, admin)).items
      .map(({ holder, buyer_name }) => holder ?? buyer_name)
      .toSorted();
  expect(await found({})).toEqual(['Eva Neri', 'Ida Verdi', 'Ugo D’Amico', 'Ugo D’Amico']);
  expect(await found({ q: "d'amico" })).toHaveLength(2);
  expect(await found({ q: 'verdi' })).toEqual(['Ida Verdi']);
  expect(await found({ state: 'refunded' })).toHaveLength(2);
  expect(await found({ inside: 'true' })).toEqual(['Eva Neri']);
  expect(await found({ inside: 'false' })).toHaveLength(3);
  expect(await found({ printed: 'true' })).toEqual(['Eva Neri', 'Ida Verdi']);
  expect(await found({ printed: 'false' })).toHaveLength(2);
  const page = await callOk(server, listGuests, { params, query: { limit: '3' } }, admin);
  const rest = await found({ limit: '3', cursor: page.next_cursor! });
  expect([page.items.length, rest.length]).toEqual([3, 1]);
  const none = await ask(server, 'GET', '/api/admin/events/none/guests', { headers: admin });
  expect(none.status).toBe(404);
  expect(server.logged).toEqual([]);
});

it('the file holds what the filters find, and starts no formula', async (server, admin) => {
  const { db } = server.house.ctx;
  const { order_id } = await makePaidOrder(server, { email: 'eva@example.it' });
  await db('tickets').where({ order_id }).update({ holder: '=HYPERLINK("x")' });
  const path = `${events}/guests.csv?format=excel&state=valid`;
  const file = await ask(server, 'GET', path, { headers: admin });
  const lines = String(file.body).trim().split('\r\n');
  expect([file.status, lines.length]).toEqual([200, 3]);
  expect(lines[0]).toBe(
    'Posto;Settore;Tipo;Prezzo;Intestatario;Acquirente;E-mail;Ordine;Stato;Dentro;Stampato;Sigillo fiscale;Progressivo;Carta',
  );
  expect(lines[1]).toContain(`'=HYPERLINK`);
  const without = await ask(server, 'GET', `${path}&q=nessuno`, { headers: admin });
  expect(String(without.body).trim().split('\r\n')).toHaveLength(1);
});

it('the list on paper is alphabetical, says nothing but names and seats, and leaves nobody out over its pages', async (server, admin) => {
  const { db } = server.house.ctx;
  const { order_id } = await makePaidOrder(server, { email: 'eva@example.it' });
  await copyOrder(db, order_id, 120);
  await db('orders').where({ id: 'copy-7' }).update({ buyer_name: 'Zoe Zampa' });
  // Paper shows the order of a name that the fonts lack; the office's page shows the name.
  for (const [id, buyer_name] of [
    ['copy-8', '小明 王'],
    ['copy-9', 'सीता शर्मा'],
    ['copy-10', 'محمد علي'],
    ['copy-11', 'გიორგი მესხი'],
  ] as const)
    await db('orders').where({ id }).update({ buyer_name, number: id });
  const paper = await callOk(server, readGuestPaper, { params }, admin);
  expect(paper.tickets).toBe(122);
  expect(paper.letters.map(({ letter }) => letter)).toEqual(['N', 'O', 'Z', 'Მ', 'ع', 'श', '王']);
  expect(JSON.stringify(paper)).not.toContain('@');
  const file = await fetch(`${server.url}${events}/ospiti.pdf`, { headers: admin });
  const { pages, spoken } = readPdf(Buffer.from(await file.arrayBuffer()));
  expect(pages.length).toBeGreaterThan(2);
  const text = pages.flatMap(({ lines }) => lines).join('\n');
  expect(text).toContain(`1 di ${pages.length}`);
  expect(text).toContain(`${pages.length} di ${pages.length}`);
  expect(text).toContain('Stampato il ');
  expect(text).not.toContain('@');
  expect(text).not.toMatch(/[\0□…]/);
  const shown = ['Neri Eva', 'Zampa Zoe', 'Ospite 119', 'دمحم يلع'];
  for (const name of [...shown, '#\nOrdine n. copy-9\n', 'Ordine n. copy-8\n'])
    expect(text).toContain(name);
  expect(text.match(/^[^A-Z\d]$/gm)).toEqual(['მ', 'ع', '#']);
  expect(spoken).toEqual(expect.arrayContaining(['王 小明', 'शर्मा सीता', 'علي محمد']));
});
