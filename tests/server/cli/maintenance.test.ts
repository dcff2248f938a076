/** Maintenance from the command line: the site rests, nothing is sold, and the office and the door go on. */
import { expect } from 'vitest';
import { makeSale } from '#server/contract/counter.ts';
import { bookSeats } from '#server/contract/order/orders.ts';
import { heartbeat } from '#server/contract/door/phones.ts';
import { readHouse } from '#server/contract/site.ts';
import { runAdmin } from '#tests/support/admin-command.ts';
import { openDrawer, saleBody } from '#tests/support/counter.ts';
import { testOnSqlite as test } from '#tests/support/both.ts';
import {
  ask,
  callOk,
  demoEvent,
  makeAdmin,
  makeOrder,
  makePairedPhone,
  payOrder,
  until,
} from '#tests/support/make.ts';

test('the public site rests with a kind page, nothing is sold, the office and the door go on; a restart forgets nothing', async (first) => {
  const admin = await makeAdmin(first);
  const phone = await makePairedPhone(first, admin);
  const order = await makeOrder(first);
  // Kept in memory, compressed: it must go at once.
  for (const path of ['/', `/event/${demoEvent}`, `/api/event/${demoEvent}/`])
    expect((await ask(first, 'GET', path)).status).toBe(200);
  await openDrawer(first, admin);
  const sale = await saleBody(first, { nth: 1 });
  expect((await runAdmin(first, ['maintenance', 'on'])).out).toContain('In manutenzione da');
  await until(async () => (await ask(first, 'GET', '/')).status === 503, 3_000);
  await using server = await first.restart();
  const page = await fetch(`${server.url}/event/${demoEvent}`, {
    headers: { accept: 'text/html' },
  });
  expect([page.status, page.headers.get('retry-after')]).toEqual([503, '300']);
  expect(await page.text()).toContain('Torniamo tra poco');
  const booked = await ask(server, 'POST', bookSeats.path.replace(':eventId', demoEvent), {
    body: { hold_token: order.hold_token, selected_objects: order.selected_objects },
  });
  expect(booked).toMatchObject({ status: 503, body: { code: 'maintenance' } });
  expect(booked.headers.get('retry-after')).toBe('300');
  const sold = await ask(server, 'POST', makeSale.path, { body: sale, headers: admin });
  expect(sold.body).toMatchObject({ code: 'maintenance' });
  // Who was paying may finish, and finds the order.
  expect((await payOrder(server, order.checkout_url)).status).toBe(200);
  expect((await ask(server, 'GET', `/orders/${order.order_id}`)).status).toBe(200);
  expect((await callOk(server, readHouse, {}, admin)).maintenance_since).not.toBeNull();
  const beat = await ask(server, 'POST', heartbeat.path, {
    headers: phone.headers,
    body: { queue_length: 0 },
  });
  expect(beat.status).toBe(200);
  for (const path of ['/scanner/', '/admin/', '/healthz', '/api/site/'])
    expect([path, (await ask(server, 'GET', path)).status]).toEqual([path, 200]);
  expect((await runAdmin(server, ['maintenance', 'off'])).code).toBe(0);
  await until(async () => (await ask(server, 'GET', '/')).status === 200, 3_000);
  const actors = await server.house.ctx
    .db('audit')
    .whereIn('action', ['maintenance_begun', 'maintenance_ended'])
    .pluck('actor');
  expect(actors).toEqual(['cli', 'cli']);
});
