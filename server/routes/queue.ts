/** Waiting rooms: each route connects an endpoint to its use case. */
import type { Context } from 'koa';
import * as queue from '#server/contract/queue.ts';
import { countGuess, networkOf } from '#server/http/limits.ts';
import { placeCookie, setPlaceCookie } from '#server/http/queue-cookie.ts';
import type { Routing } from '#server/http/serve.ts';
import * as desk from '#server/services/queue/desk.ts';
import { readDraw } from '#server/services/queue/draw.ts';
import { takeHold, takePass } from '#server/services/queue/passes.ts';
import { askQueueMail, enterQueue, readPlace } from '#server/services/queue/places.ts';
import { queueForAll } from '#server/services/queue/rooms.ts';

export function queueRoutes(routing: Routing): void {
  const { serve, ctx } = routing;
  officeRoutes(routing);
  serve(queue.readQueue, ({ params }) => queueForAll(ctx, params.eventId));
  serve(queue.readQueueDraw, ({ params }) => readDraw(ctx, params.eventId));
  serve(queue.enterQueue, async ({ params, body }, { http }) => {
    const { cookie, place } = await enterQueue(ctx, entrantOf(params, http), body.nonce);
    setPlaceCookie(ctx, http, { event_id: params.eventId, cookie });
    return place;
  });
  serve(queue.readQueuePlace, ({ params }, { http }) => readPlace(ctx, entrantOf(params, http)));
  serve(queue.askQueueMail, ({ params, body }, { http }) =>
    askQueueMail(ctx, entrantOf(params, http), body.email),
  );
  serve(queue.takeQueuePass, async ({ params, body }, { http }) => {
    const { code } = body;
    const typed =
      code === undefined
        ? undefined
        : { code, forgive: await countCode(routing, http, params.eventId) };
    const { until, cookie } = await takePass(ctx, entrantOf(params, http), typed);
    if (cookie !== undefined) setPlaceCookie(ctx, http, { event_id: params.eventId, cookie });
    return { until };
  });
  serve(queue.takeQueueHold, ({ params }, { http }) => takeHold(ctx, entrantOf(params, http)));
}

function entrantOf({ eventId }: { eventId: string }, http: Context) {
  return { event_id: eventId, cookie: placeCookie(http) };
}

/** Counts tries of a code per network, so that a guesser does not lock out other visitors. */
function countCode({ ctx }: Routing, http: Context, event_id: string) {
  return countGuess(ctx, http, { account: `queue ${event_id}`, device: networkOf(http.ip) });
}

function officeRoutes({ serve, ctx }: Routing): void {
  serve(queue.readQueueDesk, ({ params }) => desk.queueForOffice(ctx, params.eventId));
  serve(queue.setQueue, ({ params, body }, { actor }) =>
    desk.setQueue(ctx, params.eventId, body, actor),
  );
  serve(queue.pauseQueue, ({ params }, { actor }) => desk.pauseQueue(ctx, params.eventId, actor));
  serve(queue.resumeQueue, ({ params }, { actor }) => desk.resumeQueue(ctx, params.eventId, actor));
  serve(queue.closeQueue, ({ params }, { actor }) => desk.closeQueue(ctx, params.eventId, actor));
  serve(queue.tellQueue, ({ params, body }, { actor }) =>
    desk.tellQueue(ctx, params.eventId, body.message, actor),
  );
}
