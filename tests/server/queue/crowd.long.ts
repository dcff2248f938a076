/** Five thousand visitors over HTTP at three processes; crowd.proof.ts plays a hundred and twenty. */
import { inject, test } from 'vitest';
import { expectRate, playCrowd, startProcesses, untilServing } from './crowd.ts';

test('five thousand visitors are drawn once, by three processes, and called at the set rate', async () => {
  const servers = await startProcesses(inject('postgresUrl'), 3);
  try {
    const per_minute = 6_000;
    await playCrowd(servers, { count: 5_000, late: 100, per_minute });
    await untilServing(servers[0]!, 5_100);
    await expectRate(servers[0]!, per_minute);
  } finally {
    for (const server of servers.toReversed()) await server.close();
  }
});
