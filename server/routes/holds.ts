/** A visitor's hold: each route connects an endpoint to its use case. */
import * as holds from '#server/contract/holds.ts';
import type { Routing } from '#server/http/serve.ts';
import { prolongHold } from '#server/services/booking/holds.ts';

export function holdRoutes({ serve, ctx }: Routing): void {
  serve(holds.prolongHold, ({ params, body }) => prolongHold(ctx, params.eventId, body.hold_token));
}
