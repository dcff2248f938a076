/** What a booking may make the seat map read: names for anybody, the whole chart only for held seats and once for all. */
import { expect } from 'vitest';
import { testOnSqlite as test } from '#tests/support/both.ts';
import { redraw, addRow } from '#tests/support/door/redraw.ts';
import { aRefusal, findSeats, holdSeats, tryBook } from '#tests/support/make.ts';
import type { TestServer } from '#tests/support/server.ts';

/** Counts from now on what the product asks of the seat map: named objects, and whole charts. */
function countReads({ house: { ctx } }: TestServer) {
  const { seats: map } = ctx;
  const reads = { named: 0, charts: 0 };
  ctx.seats = {
    ...map,
    around: (...args) => ((reads.named += 1), map.around(...args)),
    read: (...args) => ((reads.named += 1), map.read(...args)),
    objects: (...args) => ((reads.charts += 1), map.objects(...args)),
  };
  return reads;
}

const chosen = (labels: readonly string[]) =>
  labels.map((object_id) => ({ object_id, ticket_type: 'intero' }));

test('seats that nobody knows are asked by name and named in the refusal; more than an order may have are not asked at all', async (server) => {
  const seats = await findSeats(server, { count: 5 });
  const reads = countReads(server);
  const book = (...labels: string[]) =>
    tryBook(server, { hold_token: 'nobody', selected_objects: chosen(labels) });
  expect(await book('Platea-Z-1')).toMatchObject(
    aRefusal(422, 'object_unknown', { objects: ['Platea-Z-1'] }),
  );
  expect(reads).toEqual({ named: 2, charts: 0 });
  expect(await book(...seats, 'Platea-Z-1')).toMatchObject(
    aRefusal(422, 'object_unknown', { objects: ['Platea-Z-1'] }),
  );
  expect(reads).toEqual({ named: 4, charts: 0 });
  const many = Array.from({ length: 11 }, (_, at) => `Platea-Z-${at}`);
  expect(await book(...many)).toMatchObject(aRefusal(422, 'too_many_seats', { max_seats: 10 }));
  expect(reads).toEqual({ named: 4, charts: 0 });
});

test('the whole chart is not read for seats that the token does not hold, and once for all bookings of a second', async (server) => {
  const [, second] = (await findSeats(server)) as [string, string];
  const reads = countReads(server);
  const lonely = chosen([second]);
  expect(await tryBook(server, { hold_token: 'nobody', selected_objects: lonely })).toMatchObject(
    aRefusal(409, 'hold_expired'),
  );
  expect(reads.charts).toBe(0);
  const held = await holdSeats(server, { selected_objects: lonely });
  for (const answer of await Promise.all(Array.from({ length: 10 }, () => tryBook(server, held))))
    expect(answer).toMatchObject(aRefusal(422, 'orphan_seats'));
  expect(reads.charts).toBe(1);
});

test('a row that was drawn a moment ago is booked, though bookings share an older chart', async (server) => {
  const [, second] = (await findSeats(server)) as [string, string];
  const reads = countReads(server);
  const lonely = await holdSeats(server, { selected_objects: chosen([second]) });
  expect(await tryBook(server, lonely)).toMatchObject(aRefusal(422, 'orphan_seats'));
  await redraw(server, (drawing) => addRow(drawing));
  const held = await holdSeats(server, { seats: ['Platea-Z-1', 'Platea-Z-2'] });
  expect((await tryBook(server, held)).status).toBe(200);
  expect(reads.charts).toBe(1);
});

test('a seat whose neighbour is no longer drawn is booked without it', async (server) => {
  const seats = await findSeats(server);
  const held = await holdSeats(server, { seats });
  await redraw(server, ({ subChart }) => {
    const stalls = subChart.sections.find(({ label }) => label === 'Platea')!;
    stalls.subChart.rows.find(({ label }) => label === 'A')!.seats.pop();
  });
  const reads = countReads(server);
  expect((await tryBook(server, held)).status).toBe(200);
  expect(reads).toEqual({ named: 3, charts: 1 });
});
