/** A visitor's hold: endpoint to use case. */
import { prolongHold } from '#server/contract/holds.ts';
import { serve, type House } from '#server/http/serve.ts';
import { prolongHold as prolong } from '#server/services/booking/holds.ts';

export function holdRoutes(house: House): void {
  serve(house, prolongHold, ({ params, body }) =>
    prolong(house.ctx, params.eventId, body.hold_token),
  );
}
