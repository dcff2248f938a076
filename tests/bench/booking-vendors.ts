/** Part of the booking bench: the product as it starts without keys, both stand-ins over HTTP in the loop: `node booking-vendors.ts <data folder> <port> <bookings>`; sends the requests of visitors who hold their seats. */
import { openProduct } from '#server/open.ts';
import { readConfig } from '#server/config.ts';
import type { SeatObject } from '#server/adapters/seatsio.ts';
import { addEvent } from '#server/services/event/events.ts';
import { askSafely } from '#tests/support/deploy/ask.ts';
import { benchEvent } from './booking-hall.ts';
import type { LoadRequest } from './booking-load.ts';

const [dataDir, port, bookings] = process.argv.slice(2) as [string, string, string];
const house = await openProduct(
  readConfig({ PORT: port, DATA_DIR: dataDir, LOG_LEVEL: 'fatal' }, []),
);
const { ctx } = house;

await ctx.seats.ensureEvent('bench', { chartKey: 'arena', name: 'La prova' });
const objects = await ctx.seats.objects('bench');
const price_id = await ctx.payments.ensurePrice({
  lookup_key: 'bench',
  product: 'La prova',
  unit_amount: 3_200,
});
await addEvent(ctx, benchEvent([...new Set(objects.map((object) => object.category))], price_id));

/** Rows of an even number of seats, in pairs from one end: nobody is left alone. */
function pairsOf(seats: readonly SeatObject[]): [string, string][] {
  const known = new Map(
    seats
      .filter(
        (seat) =>
          seat.kind === 'seat' && seat.at_table === null && !seat.accessible && !seat.companion,
      )
      .map((seat) => [seat.label, seat]),
  );
  return [...known.values()]
    .filter((seat) => seat.left === null)
    .flatMap((first) => {
      const row: string[] = [];
      for (let seat: SeatObject | undefined = first; seat; seat = known.get(seat.right ?? ''))
        row.push(seat.label);
      const whole = row.length % 2 === 0 && known.get(row.at(-1)!)!.right === null;
      return whole
        ? Array.from({ length: row.length / 2 }, (_, at): [string, string] => [
            row[2 * at]!,
            row[2 * at + 1]!,
          ])
        : [];
    });
}

const door = `http://127.0.0.1:${port}/standins/seatsio/system/public/${house.standins!.seatsio!.workspaceKey}`;

async function post(path: string, body: object, from: string): Promise<Record<string, unknown>> {
  const answer = await askSafely(door, path, { method: 'POST', body, from });
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  return answer.body as Record<string, unknown>;
}

/** Each visitor has an address, because one address gets a hundred tokens a minute. */
const addressOf = (visitor: number) => `127.1.${visitor >> 8}.${visitor & 255}`;

const wanted = pairsOf(objects).slice(0, Number(bookings));
const requests: LoadRequest[] = [];
await Promise.all(
  Array.from({ length: 16 }, async () => {
    for (let pair = wanted.pop(); pair; pair = wanted.pop()) {
      const from = addressOf(wanted.length);
      const { holdToken } = await post('/hold-tokens', {}, from);
      const objects = pair.map((objectId) => ({ objectId, ticketType: 'intero' }));
      await post('/events/bench/actions/hold', { holdToken, objects }, from);
      requests.push({
        path: '/api/event/bench/book',
        body: {
          hold_token: holdToken,
          selected_objects: pair.map((object_id) => ({ object_id, ticket_type: 'intero' })),
        },
      });
    }
  }),
);
process.send!(requests);
process.on('disconnect', () => process.exit());
