/** The hall and the seat map for the office: each route connects an endpoint to its use case. */
import * as blocks from '#server/contract/blocks.ts';
import * as contingents from '#server/contract/contingents.ts';
import * as seats from '#server/contract/seats.ts';
import { customerOf } from '#server/http/limits.ts';
import type { Routing } from '#server/http/serve.ts';
import { blockAreaPlaces } from '#server/services/seat-map/area-blocks.ts';
import {
  blockSeats,
  blocksOf,
  editBlock,
  releaseBlock,
  unblockSeats,
} from '#server/services/seat-map/blocks.ts';
import { openContingent } from '#server/services/seat-map/contingent-codes.ts';
import {
  addToContingent,
  removeFromContingent,
} from '#server/services/seat-map/contingent-seats.ts';
import { contingentsOf } from '#server/services/seat-map/contingent-terms.ts';
import {
  editContingent,
  makeContingent,
  releaseContingent,
  restoreContingent,
} from '#server/services/seat-map/contingents.ts';
import { freeHolds } from '#server/services/seat-map/free-holds.ts';
import { hallOf, seatsOf } from '#server/services/seat-map/occupancy.ts';
import { seatEvent, seatObjects } from '#server/services/seat-map/seat-map.ts';

export function seatRoutes(routing: Routing): void {
  const { serve, ctx } = routing;
  contingentRoutes(routing);
  serve(seats.readSeatEvent, ({ params }) => seatEvent(ctx, params.eventKey));
  serve(seats.readSeatObjects, ({ params }) => seatObjects(ctx, params.eventKey, params.objIds));
  serve(seats.readHall, ({ params }) => hallOf(ctx, params.eventId));
  serve(blocks.listBlocks, ({ params }) => blocksOf(ctx, params.eventId));
  serve(blocks.blockSeats, ({ params, body }, { actor }) =>
    blockSeats(ctx, params.eventId, body, actor),
  );
  serve(blocks.blockAreaPlaces, ({ params, body }, { actor }) =>
    blockAreaPlaces(ctx, params.eventId, body, actor),
  );
  serve(blocks.editBlock, ({ params, body }, { actor }) =>
    editBlock(ctx, { event_id: params.eventId, block_id: params.blockId, terms: body }, actor),
  );
  serve(blocks.releaseBlock, ({ params }, { actor }) =>
    releaseBlock(ctx, params.eventId, params.blockId, actor),
  );
  serve(blocks.freeHolds, ({ params, body }, { actor }) =>
    freeHolds(ctx, params.eventId, body.objects, actor),
  );
  serve(blocks.unblockSeats, ({ params, body }, { actor }) =>
    unblockSeats(ctx, params.eventId, body.objects, actor),
  );
  serve(seats.readSeats, ({ params }) => seatsOf(ctx, params.eventId));
}

function contingentRoutes({ serve, ctx }: Routing): void {
  const named = ({ eventId, contingentId }: { eventId: string; contingentId: string }) => ({
    event_id: eventId,
    contingent_id: contingentId,
  });
  serve(contingents.listContingents, ({ params }) => contingentsOf(ctx, params.eventId));
  serve(contingents.makeContingent, ({ params, body }, { actor }) =>
    makeContingent(ctx, params.eventId, body, actor),
  );
  serve(contingents.editContingent, ({ params, body }, { actor }) =>
    editContingent(ctx, { ...named(params), terms: body }, actor),
  );
  serve(contingents.addToContingent, ({ params, body }, { actor }) =>
    addToContingent(ctx, { ...named(params), ...body }, actor),
  );
  serve(contingents.removeFromContingent, ({ params, body }, { actor }) =>
    removeFromContingent(ctx, { ...named(params), ...body }, actor),
  );
  serve(contingents.releaseContingent, ({ params }, { actor }) =>
    releaseContingent(ctx, named(params), actor),
  );
  serve(contingents.restoreContingent, ({ params }, { actor }) =>
    restoreContingent(ctx, named(params), actor),
  );
  serve(contingents.openContingent, ({ params, body }, { http }) =>
    openContingent(ctx, params.eventId, { code: body.code, network: customerOf(http.ip) }),
  );
}
