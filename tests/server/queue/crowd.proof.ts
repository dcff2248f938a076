/** Three processes, one waiting room: one draw, one counter, the set rate, and nothing lost with one of them. */
import { expect, inject, test } from 'vitest';
import { until } from '#tests/support/make.ts';
import { Entrant, entrants, room } from '#tests/support/queue.ts';
import { expectRate, playCrowd, startProcesses } from './crowd.ts';

test('three processes draw once, count together and keep the rate; one of them ends, and nobody notices', async () => {
  const servers = await startProcesses(inject('postgresUrl'), 3);
  try {
    const per_minute = 1_200;
    await playCrowd(servers, { count: 120, late: 12, per_minute });
    const [first, second, third] = servers as [
      (typeof servers)[0],
      (typeof servers)[0],
      (typeof servers)[0],
    ];
    const [last] = await entrants(second, 1);
    await second.close();
    const moved = new Entrant(third);
    moved.cookie = last!.cookie;
    await until(async () => (await moved.place()).number === 133);
    await until(async () => (await room(third)).serving === 133);
    expect(await moved.pass()).toBe('ok');
    await expectRate(first, per_minute);
    expect([...first.logged, ...third.logged]).toEqual([]);
  } finally {
    for (const server of servers.toReversed()) await server.close();
  }
});
