/** The hall and the seat map for the office: endpoint to use case, one line each. */
import * as blocks from '#server/contract/blocks.ts';
import * as seats from '#server/contract/seats.ts';
import type { Routing } from '#server/http/serve.ts';
import { blockAreaPlaces } from '#server/services/event/area-blocks.ts';
import {
  blockSeats,
  blocksOf,
  editBlock,
  releaseBlock,
  unblockSeats,
} from '#server/services/event/blocks.ts';
import { freeHolds } from '#server/services/event/free-holds.ts';
import { hallOf, seatsOf } from '#server/services/event/occupancy.ts';
import { seatEvent, seatObjects } from '#server/services/event/seat-map.ts';

export function seatRoutes({ serve, ctx }: Routing): void {
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
