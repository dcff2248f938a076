/** Many visitors book in the same moment: all of them are served, and neither vendor gets more calls at one time than it takes. */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { Region, SeatsioClient } from 'seatsio';
import { expect, test } from 'vitest';
import { ask, demoEvent, holdObjects } from '#tests/support/make.ts';
import { expectSoundBooks } from '#tests/support/refunds.ts';
import { startVendors } from '#tests/support/vendors.ts';

/** Stands before a vendor, takes its time for each answer, and counts how many wait for theirs at one time. */
async function startDoor(vendor: string, answersAfterMs: number) {
  let going = 0;
  let most = 0;
  const door = createServer((incoming, outgoing) => {
    going += 1;
    most = Math.max(most, going);
    const { method, headers, url } = incoming;
    const onward = request(vendor + url!, { method: method!, headers }, async (answer) => {
      await setTimeout(answersAfterMs);
      going -= 1;
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(onward);
  }).listen(0, '127.0.0.1');
  await once(door, 'listening');
  return {
    url: `http://127.0.0.1:${(door.address() as AddressInfo).port}`,
    most: () => most,
    countAnew: () => void (most = 0),
    async [Symbol.asyncDispose]() {
      door.closeAllConnections();
      door.close();
      await once(door, 'close');
    },
  };
}

test('sixty visitors book in the same moment: nobody is turned away, and each vendor never gets more than twenty calls at a time', async () => {
  await using vendors = await startVendors();
  await using seatsio = await startDoor(vendors.standins.seatsio!.url, 100);
  await using stripe = await startDoor(vendors.standins.stripe!.url, 200);
  const place = await vendors.emptyPlace('sqlite', '');
  await using server = await vendors.open({
    ...place,
    SEATSIO_URL: seatsio.url,
    STRIPE_URL: stripe.url,
  });
  const { url, secretKey } = vendors.standins.seatsio!;
  const house = new SeatsioClient(new Region(url), secretKey);
  const seats = (await server.house.ctx.seats.objects(demoEvent)).filter(
    ({ kind, status, for_sale }) => kind === 'seat' && status === 'free' && for_sale,
  );
  const visitors = await Promise.all(
    seats.slice(0, 60).map(async ({ label }) => {
      // All of them from one address: a browser gets only some an hour there.
      const hold_token = (await house.holdTokens.create()).holdToken;
      const selected_objects = [{ object_id: label, ticket_type: 'intero' }];
      const held = await holdObjects(server, hold_token, selected_objects);
      if (held.status !== 200) throw new Error(JSON.stringify(held.body));
      return { hold_token, selected_objects };
    }),
  );
  // Visitors' own browsers have held their seats through the same doors.
  seatsio.countAnew();
  stripe.countAnew();
  const answers = await Promise.all(
    visitors.map((body) => ask(server, 'POST', `/api/event/${demoEvent}/book`, { body })),
  );
  expect(
    answers.filter(({ status }) => status !== 200).map(({ status, body }) => [status, body]),
  ).toEqual([]);
  expect(seatsio.most()).toBeLessThanOrEqual(20);
  expect(stripe.most()).toBeLessThanOrEqual(20);
  await expectSoundBooks(server);
});
