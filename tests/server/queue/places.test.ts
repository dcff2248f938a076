/** How many places in a waiting room a network gets; crowd.proof.ts plays a crowd at three processes. */
import type { Context } from 'koa';
import { expect, test } from 'vitest';
import { enterQueue } from '#server/contract/queue.ts';
import { makeLimits } from '#server/http/limits.ts';
import { ask, makeAdmin } from '#tests/support/make.ts';
import { openRoom, params } from '#tests/support/queue.ts';
import { startServer } from '#tests/support/server.ts';

test('however often a robot asks, its network gets two hundred places in ten minutes, and everybody else theirs', async () => {
  await using server = await startServer({ env: { TRUST_PROXY: '1' } });
  await openRoom(server, await makeAdmin(server));
  const enter = (address: string) =>
    ask(server, 'POST', enterQueue.path.replace(':eventId', params.eventId), {
      body: { nonce: 'n'.repeat(22) },
      headers: { 'x-forwarded-for': address },
    });
  let got = 0;
  for (let n = 0; n < 300; n += 1)
    if ((await enter(`2001:db8:1:2::${n.toString(16)}`)).status === 200) got += 1;
  expect(got).toBe(200);
  const refused = await enter('2001:db8:1:2::1');
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  for (const address of ['2001:db8:1:3::1', '203.0.113.7'])
    expect((await enter(address)).status).toBe(200);
});

test('a rented block of addresses gets two thousand places an hour, whoever lives beside it theirs, and one address cannot use a block up', async () => {
  const limits = makeLimits();
  const mayEnter = (ip: string) =>
    limits.count({ ip, state: {}, set() {} } as unknown as Context, 'queue').then(
      () => true,
      () => false,
    );
  const letIn = async (addresses: readonly string[]) => {
    let got = 0;
    for (const ip of addresses) if (await mayEnter(ip)) got += 1;
    return got;
  };
  const blocks: [own: (n: number) => string, beside: string][] = [
    [(n) => `198.51.100.${n % 256}`, '198.51.101.1'],
    [(n) => `2001:db8:7:${(n % 4_096).toString(16)}::1`, '2001:db8:8::1'],
  ];
  for (const [own, beside] of blocks) {
    const one = Array.from({ length: 1_000 }, () => own(1));
    expect(await letIn(one)).toBe(200);
    expect(await letIn(Array.from({ length: 5_000 }, (_, n) => own(n)))).toBe(1_800);
    expect(await mayEnter(beside)).toBe(true);
  }
});
