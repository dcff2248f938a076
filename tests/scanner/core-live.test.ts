/** Two phones with signal and the real server between them: what one lets in the other knows at once. */
import { expect } from 'vitest';
import { addressOf } from '#server/contract/endpoint.ts';
import { testOnce as test } from '#tests/support/both.ts';
import { demoEvent, findSeats, until } from '#tests/support/make.ts';
import { codeOfPlace } from '#tests/support/door/phone.ts';
import { scanText } from '#tests/support/scripted-line.ts';
import { type TestServer } from '#tests/support/server.ts';
import { pairingToken } from '#tests/shared/door-hall.ts';
import { openNodePhone, type NodePhone } from '#tests/shared/node-phone.ts';

/** A phone at work, on its stream. */
async function openLive(server: TestServer, name: string): Promise<NodePhone> {
  const { ctx } = server.house;
  const token = await pairingToken(ctx, { name, gate: null, event_ids: [demoEvent] });
  const phone = await openNodePhone(
    server,
    {
      now: () => ctx.now(),
      more: {
        async fetchStream(endpoint, options) {
          const { body } = await fetch(server.url + addressOf(endpoint), {
            headers: { authorization: `Bearer ${options.token}` },
            signal: options.signal!,
          });
          return body!;
        },
      },
    },
    token,
  );
  phone.core.start();
  await until(() => Promise.resolve(phone.core.status.read().live));
  return phone;
}

test('another phone’s admission is known here within two seconds, and so is that it was taken back', async (server) => {
  const { db } = server.house.ctx;
  await db('events').where({ id: demoEvent }).update({ verify_policy: 'admit' });
  using phones = new DisposableStack();
  const [luca, sara] = [
    phones.use(await openLive(server, 'Luca')).core,
    phones.use(await openLive(server, 'Sara')).core,
  ];
  const [place] = await findSeats(server, { count: 1 });
  const code = await codeOfPlace(server, place!, 1);
  const shown = await scanText(luca, code, { event_id: demoEvent });
  expect(shown).toMatchObject({ verdict: 'verify', counts: true });
  const began = performance.now();
  luca.syncSoon();
  await until(
    async () =>
      (await sara.lookUp(demoEvent, await sara.recognise(demoEvent, code))).verdict ===
      'already_in',
  );
  // The promise is two seconds; a machine that is busy with ten other things gets thrice that.
  expect(performance.now() - began).toBeLessThan(6_000);
  expect(sara.presence(demoEvent).inside).toBe(1);
  const { admission_id } = shown;
  const undo = { event_id: demoEvent, admission_id, reason: 'Non è entrato' };
  expect((await luca.undo(undo)).undone).toBe(true);
  luca.syncSoon();
  await until(() => Promise.resolve(sara.presence(demoEvent).inside === 0));
});
