/** A hall of thousands of seats on sale at a product in a process of its own, and visitors of one address there. */
import { importDrawing } from '#server/contract/charts.ts';
import { createEvent, publishEvent } from '#server/contract/event-desk.ts';
import { getEvent } from '#server/contract/events.ts';
import { emptyForm } from '#server/domain/event/event.ts';
import { drawHall } from '#tests/bench/drawn-hall.ts';
import { nameSeller } from '#tests/support/event-desk.ts';
import { acceptFirst, ask, callOk, demoEvent } from '#tests/support/make.ts';

const eventId = 'stadio';

export type Hall = Awaited<ReturnType<typeof openLargeHall>>;

/** Draws and publishes it as the office does; every seat costs as one of the demonstration. */
export async function openLargeHall(product: { url: string; invite: string }, seats: number) {
  const admin = await acceptFirst(product, product.invite);
  await nameSeller(product, admin);
  const body = { drawing: drawHall(seats) as never, key: 'stadio' };
  await callOk(product, importDrawing, { body }, admin);
  const demo = await callOk(product, getEvent, { params: { eventId: demoEvent } });
  const { id: price_id } = demo.prices[0]!;
  const made = await callOk(
    product,
    createEvent,
    {
      body: {
        ...emptyForm,
        id: eventId,
        title: 'Il grande concerto',
        venue_title: 'Stadio',
        chart_key: 'stadio',
        starts_at: new Date(Date.now() + 40 * 86_400_000).toISOString(),
        seat_pricing: [
          {
            category: 'Platea',
            ticketTypes: [{ price_id, ticketType: 'intero', label: 'Intero' }],
          },
        ],
      },
    },
    admin,
  );
  const { version } = made;
  await callOk(product, publishEvent, { params: { eventId }, body: { version } }, admin);
  const { event } = await callOk(product, getEvent, { params: { eventId } });
  return { url: product.url, admin, eventId, workspace: event.seatsio_workspace_key };
}

/** Visitors behind one address, as the proxy on this machine names it. */
export function visitorsOf({ url, workspace }: Hall, address: string) {
  const headers = { 'x-forwarded-for': address };
  const charts = `/standins/seatsio/system/public/${workspace}`;
  const post = (path: string, body: object = {}) => ask({ url }, 'POST', path, { body, headers });
  return {
    async token(): Promise<string | undefined> {
      return ((await post(`${charts}/hold-tokens`)).body as { holdToken?: string }).holdToken;
    },
    hold: (holdToken: string, labels: readonly string[]) =>
      post(`${charts}/events/${eventId}/actions/hold`, {
        holdToken,
        objects: labels.map((objectId) => ({ objectId })),
      }),
    findBest: (number: number) =>
      post(`${charts}/events/${eventId}/actions/find-best-available`, { number }),
    book: (hold_token: string, labels: readonly string[]) =>
      post(`/api/event/${eventId}/book`, {
        hold_token,
        selected_objects: labels.map((object_id) => ({ object_id, ticket_type: 'intero' })),
      }),
  };
}
