/** One address, or one rented block of addresses, that holds as much of the demonstration's hall as it is given. */
import { ask, demoEvent } from '#tests/support/make.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const addresses = {
  'one IPv4 address': () => '203.0.113.7',
  'the /64 of one IPv6 /48': (nth: number) => `2001:db8:1:${nth.toString(16)}::1`,
};

/** For so many minutes of the server's clock, ten places a token; gives nothing back. */
async function holdHall(server: TestServer, minutes: number, addressOf: (nth: number) => string) {
  const root = `/standins/seatsio/system/public/${server.house.ctx.seats.workspaceKey}`;
  let tokens = 0;
  for (let minute = 0; minute < minutes; minute += 1, server.clock.advance(60_000))
    for (let refusals = 0; refusals < 3;) {
      const headers = { 'x-forwarded-for': addressOf(tokens) };
      const post = (path: string, body: object) =>
        ask(server, 'POST', root + path, { body, headers });
      const { holdToken } = (await post('/hold-tokens', {})).body as { holdToken?: string };
      const hold = `/events/${demoEvent}/actions/hold-best-available`;
      const { status } = await post(hold, { holdToken, number: 10 });
      if (status === 200) tokens += 1;
      else refusals += 1;
    }
  const objects = await server.house.ctx.seats.objects(demoEvent);
  const places = objects.map((object) =>
    object.kind === 'area'
      ? Object.values(object.held).reduce((sum, held) => sum + held, 0)
      : Number(object.hold_token !== null),
  );
  return { tokens, places: places.reduce((sum, held) => sum + held, 0) };
}

export async function attackHall(minutes: number): Promise<void> {
  for (const [name, addressOf] of Object.entries(addresses)) {
    await using server = await startServer({ env: { TRUST_PROXY: '1' } });
    const { tokens, places } = await holdHall(server, minutes, addressOf);
    console.log(
      `${name} for ${minutes} minutes: ${tokens} tokens hold ${places} places (63 and 630 at 794fcc32, all there were)`,
    );
  }
}
