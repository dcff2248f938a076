/** The house behind a real nginx and a real Caddy, with the files that we ship: everything that a proxy could spoil. */
import { expect, inject, test } from 'vitest';
import { addressOf, type EndpointShape } from '#server/contract/endpoint.ts';
import { listenDoor } from '#server/contract/door/admissions.ts';
import { readHealth } from '#server/contract/health.ts';
import { filterImage } from '#server/contract/images.ts';
import { makePhone, pairPhone } from '#server/contract/door/phones.ts';
import { acceptInvite } from '#server/contract/users.ts';
import { askSafely, firstOfStream } from '#tests/support/deploy/ask.ts';
import { startHouses } from '#tests/support/deploy/houses.ts';
import { proxyKinds, startProxy } from '#tests/support/deploy/proxy.ts';
import { pairsOf, sendTraffic, type Traffic } from '#tests/support/deploy/traffic.ts';
import { event } from '#tests/support/patron.ts';

/** A picture's upload as a browser sends it. */
function upload(bytes: number) {
  const begin = `--grenze\r\nContent-Disposition: form-data; name="shape"\r\n\r\nball\r\n--grenze\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`;
  return Buffer.concat([
    Buffer.from(begin),
    Buffer.alloc(bytes, 1),
    Buffer.from('\r\n--grenze--\r\n'),
  ]);
}

for (const kind of proxyKinds)
  test(`behind ${kind}: a ticket is bought, streams come at once, headers and addresses are right, large bodies are refused in Italian, and so is a visitor while nothing runs`, async () => {
    await using houses = await startHouses(inject('postgresUrl'), { count: 1 });
    await using proxy = await startProxy(kind, houses);
    const { url } = proxy;

    const pairs = (await pairsOf(houses)).slice(0, 1);
    const traffic: Traffic = { requests: 0, failures: [], orders: [] };
    await sendTraffic(url, houses, { pairs, isOver: () => false, traffic });
    expect([traffic.failures, traffic.orders.length]).toEqual([[], 1]);

    const welcomed = await askSafely(url, acceptInvite.path, {
      method: 'POST',
      body: {
        token: houses.invite.split('#')[1],
        email: 'ada@teatro.it',
        name: 'Ada',
        password: 'una-platea-piena-di-luce',
      },
    });
    const [session = ''] = welcomed.headers['set-cookie'] ?? [];
    expect(session).toContain('; secure');
    const admin = { cookie: session.split(';')[0]!, origin: url };
    const call = async (endpoint: EndpointShape, asking: object = {}) =>
      (await askSafely(url, addressOf(endpoint), { method: endpoint.method, ...asking })).body;

    const made = (await call(makePhone, {
      headers: admin,
      body: { name: 'Varco A', gate: 'Varco A', event_ids: [event] },
    })) as { pairing_url: string };
    const token = new URL(made.pairing_url).hash.replace('#pair=', '');
    const { device_token } = (await call(pairPhone, { body: { token } })) as {
      device_token: string;
    };
    const door = await firstOfStream(url, listenDoor.path, {
      authorization: `Bearer ${device_token}`,
    });
    expect([door.status, door.text.slice(0, 6), door.ms < 1_000]).toEqual([200, 'data: ', true]);

    const scanner = await askSafely(url, '/scanner/');
    expect(scanner.headers['content-security-policy']).toContain("default-src 'self'");
    expect(scanner.headers['permissions-policy']).toContain('camera=(self)');
    expect(scanner.headers['strict-transport-security']).toContain('max-age=');

    // Whoever pretends to come from elsewhere is still the one whom the proxy sees, and the proxy is believed.
    await askSafely(url, '/', { headers: { 'x-forwarded-for': '203.0.113.9' } });
    expect(await call(readHealth, { headers: admin })).toMatchObject({ unbelieved_proxy: null });

    for (const megabytes of [8, 14]) {
      const refused = await askSafely(url, filterImage.path, {
        method: 'POST',
        raw: upload(megabytes * 1_000_000),
        headers: {
          ...admin,
          'x-requested-with': 'fetch',
          'content-type': 'multipart/form-data; boundary=grenze',
        },
      });
      expect([megabytes, refused.status, refused.body]).toEqual([
        megabytes,
        expect.toSatisfy((status: number) => status >= 400 && status < 500),
        expect.objectContaining({ message: expect.stringMatching(/immagine|file|grand/) }),
      ]);
    }

    await houses.kill(0);
    const gone = await askSafely(url, '/orders/nessuno/from_stripe_cs/complete');
    expect([gone.status, gone.headers['content-type'], gone.headers['retry-after']]).toEqual([
      503,
      'text/html; charset=utf-8',
      '5',
    ]);
    expect(gone.text).toContain('Se hai appena pagato non pagare di nuovo');
  });
