/** What a visitor's chart needs of the seats.io stand-in goes through our public door, packed as it was, and nothing more. */
import { expect, test } from 'vitest';
import { readEvent, updateEvent } from '#server/contract/event-desk.ts';
import { testOnce as it } from '#tests/support/both.ts';
import { callOk, demoEvent, until } from '#tests/support/make.ts';
import { startServer } from '#tests/support/server.ts';

it('the chart finds and holds its places through the public door', async (server) => {
  const page = (await (await fetch(`${server.url}/api/event/${demoEvent}/`)).json()) as {
    event: { seatsio_event_key: string; seatsio_workspace_key: string };
  };
  const { seatsio_event_key: event, seatsio_workspace_key: workspace } = page.event;
  const root = `${server.url}/standins/seatsio/system/public/${workspace}`;
  const drawing = await fetch(`${root}/rendering-info?event_key=${event}`, {
    headers: { 'Accept-Encoding': 'gzip' },
  });
  expect([drawing.status, drawing.headers.get('content-encoding')]).toEqual([200, 'gzip']);
  const { chart } = (await drawing.json()) as { chart: { key: string } };
  const post = async (path: string, body: object = {}) => {
    const answer = await fetch(`${root}/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    return {
      status: answer.status,
      body: (await answer.json()) as { holdToken: string; chosen: { objectId: string }[] },
    };
  };
  const { holdToken } = (await post('hold-tokens')).body;
  const found = await post(`events/${event}/actions/find-best-available`, { number: 2 });
  const held = await post(`events/${event}/actions/hold-best-available`, { number: 2, holdToken });
  expect([found.status, held.status]).toEqual([200, 200]);
  expect(held.body.chosen).toEqual(found.body.chosen);
  expect((await fetch(`${server.url}/standins/seatsio/charts/${chart.key}/designer`)).status).toBe(
    401,
  );
  expect((await fetch(`${server.url}/standins/seatsio/charts/${chart.key}`)).status).toBe(404);
});

it('a visitor’s token holds as many places as one order may have, also after the office has changed the number', async (server, admin) => {
  const { workspaceKey } = server.house.ctx.seats;
  const hold = async (number: number) => {
    const post = async (path: string, body: object) => {
      const answer = await fetch(
        `${server.url}/standins/seatsio/system/public/${workspaceKey}/${path}`,
        { method: 'POST', body: JSON.stringify(body) },
      );
      return { status: answer.status, body: (await answer.json()) as { holdToken: string } };
    };
    const { holdToken } = (await post('hold-tokens', {})).body;
    return (await post(`events/${demoEvent}/actions/hold-best-available`, { number, holdToken }))
      .status;
  };
  expect([await hold(10), await hold(11)]).toEqual([200, 400]);
  const params = { eventId: demoEvent };
  const { form, version } = await callOk(server, readEvent, { params }, admin);
  await callOk(server, updateEvent, { params, body: { ...form, version, max_seats: 12 } }, admin);
  expect([await hold(12), await hold(13)]).toEqual([200, 400]);
});

test('two hundred live lines of one address stay open; whoever comes beyond hears what there is and asks again', async () => {
  await using server = await startServer({ env: { TRUST_PROXY: '1' } });
  const { seats } = server.house.ctx;
  const listen = async (address: string, query = '') => {
    const ending = new AbortController();
    const answer = await fetch(
      `${server.url}/standins/seatsio/system/public/${seats.workspaceKey}/events/${demoEvent}/stream${query}`,
      { headers: { 'X-Forwarded-For': address }, signal: ending.signal },
    );
    expect(answer.status).toBe(200);
    return { answer, end: () => ending.abort() };
  };
  const open = await Promise.all(
    Array.from({ length: 200 }, (_, nth) => listen(`2001:db8:1:2::${nth + 1}`)),
  );
  const beyond = await listen('2001:db8:1:2:3::1', '?since=0');
  const told = await beyond.answer.text();
  expect(told).toContain('"poll_ms":5000');
  // It goes on from the number that it knows, and nothing is missed.
  const { sequence } = (await (
    await fetch(
      `${server.url}/standins/seatsio/system/public/${seats.workspaceKey}/rendering-info?event_key=${demoEvent}`,
    )
  ).json()) as { sequence: number };
  const [free] = (await seats.objects(demoEvent)).filter(({ status }) => status === 'free');
  await seats.book(demoEvent, [{ label: free!.label, quantity: null, ticket_type: 'intero' }], {
    orderId: 'an-order',
    holdToken: null,
  });
  const again = await listen('2001:db8:1:2:3::1', `?since=${sequence}`);
  expect(await again.answer.text()).toContain(free!.label);
  // Another network has a line of its own; and so has this one when another has gone.
  const stays = await listen('2001:db8:1:3::1');
  open[0]!.end();
  await until(async () => {
    const next = await listen('2001:db8:1:2::1');
    const first = await next.answer.body!.getReader().read();
    const line = Buffer.from(first.value!).toString();
    next.end();
    return !line.includes('poll_ms');
  });
  for (const { end } of [...open, stays]) end();
});
