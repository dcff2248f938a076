/** The whole evening moves to another hall. */
import { proposeRehousing, startRehousing } from '#server/contract/rehousings.ts';
import { callOffMs } from '#server/domain/seat/rehousing.ts';
import { callOk, demoEvent } from '#tests/support/make.ts';
import type { Office } from '#tests/support/move.ts';
import type { TestServer } from '#tests/support/server.ts';

const params = { eventId: demoEvent };

export async function moveHouse(server: TestServer, office: Office): Promise<void> {
  const body = { chart_key: 'sala-nera' };
  const { version, counts } = await callOk(server, proposeRehousing, { params, body }, office);
  const started = { version, refunds: false, mails: counts.mails, lost: counts.lost_without };
  await callOk(server, startRehousing, { params, body: started }, office);
  await server.runDue();
  server.clock.advance(callOffMs + 1_000);
  for (let at = 0; at < 3; at += 1) await server.runDue();
}
