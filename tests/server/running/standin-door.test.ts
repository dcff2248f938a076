/** What a visitor's chart needs of the seats.io stand-in goes through our public door, packed as it was, and nothing more. */
import { expect, test } from 'vitest';
import { demoEvent } from '#tests/support/make.ts';
import { startServer } from '#tests/support/server.ts';

test('the chart finds and holds its places through the public door', async () => {
  await using server = await startServer();
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
  expect(
    (await fetch(`${server.url}/standins/seatsio/charts/${chart.key}/designer-preview`)).status,
  ).toBe(404);
});
