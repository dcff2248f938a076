/**
 * `npm run seed`: fills an empty DATA_DIR with the demo events; `-- --states` adds an order in every state, for whoever works on a screen.
 * It serves nothing: start the product afterwards, on the same PORT and DATA_DIR.
 */
import { parseArgs } from 'node:util';
import { seedStates } from './support/seed-states.ts';
import { makeClock, openServer } from './support/server.ts';

const { values } = parseArgs({ options: { states: { type: 'boolean', default: false } } });
const settings = process.env as Record<string, string>;
// The states take some hours to come about: they end before now.
const clock = makeClock();
clock.advance(-24 * 3_600_000);
await using server = await openServer(settings, {}, clock, async () => {});
const ids = values.states ? await seedStates(server) : {};
for (const [state, id] of Object.entries(ids)) {
  console.log(`${server.url}/admin/orders/${id}  ${state}`);
}
