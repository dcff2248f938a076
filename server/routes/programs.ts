/**
 * Other programs, the data they read, and their webhook addresses: each route connects an
 * endpoint to its use case.
 */
import * as reading from '#server/contract/program/reading.ts';
import * as tokens from '#server/contract/program/tokens.ts';
import * as webhooks from '#server/contract/program/webhooks.ts';
import { serveProgramPage } from '#server/http/program-page.ts';
import type { Routing } from '#server/http/serve.ts';
import {
  addressesForOffice,
  changeAddress,
  deleteAddress,
  deliveriesForOffice,
  makeAddress,
  pingAddress,
  resendDelivery,
  rotateSecret,
  switchAddress,
} from '#server/services/program/addresses.ts';
import {
  admissionsOf,
  availabilityOf,
  eventOf,
  eventsOf,
  figuresOf,
  orderOf,
  ordersOf,
  priceRulesOf,
  ticketsOf,
} from '#server/services/program/reading.ts';
import { makeToken, revokeToken, tokensForOffice } from '#server/services/program/tokens.ts';

export function programRoutes({ serve, ctx, router }: Routing): void {
  serve(reading.listEventsV1, ({ query }, { program }) => eventsOf(ctx, program, query));
  serve(reading.readEventV1, ({ params }, { program }) => eventOf(ctx, program, params.eventId));
  serve(reading.readAvailabilityV1, ({ params }, { program }) =>
    availabilityOf(ctx, program, params.eventId),
  );
  serve(reading.listOrdersV1, ({ query }, { program }) => ordersOf(ctx, program, query));
  serve(reading.readOrderV1, ({ params }, { program }) => orderOf(ctx, program, params.number));
  serve(reading.listTicketsV1, ({ params, query }, { program }) =>
    ticketsOf(ctx, program, { ...query, event_id: params.eventId }),
  );
  serve(reading.listAdmissionsV1, ({ params, query }, { program }) =>
    admissionsOf(ctx, program, { ...query, event_id: params.eventId }),
  );
  serve(reading.readFiguresV1, ({ params }, { program }) =>
    figuresOf(ctx, program, params.eventId),
  );
  serve(reading.listPriceRulesV1, ({ params }, { program }) =>
    priceRulesOf(ctx, program, params.eventId),
  );
  serve(tokens.listProgramTokens, () => tokensForOffice(ctx));
  serve(tokens.makeProgramToken, ({ body }, { actor }) => makeToken(ctx, body, actor));
  serve(tokens.revokeProgramToken, ({ params }, { actor }) =>
    revokeToken(ctx, params.programTokenId, actor),
  );
  serve(webhooks.listProgramAddresses, () => addressesForOffice(ctx));
  serve(webhooks.makeProgramAddress, ({ body }, { actor }) => makeAddress(ctx, body, actor));
  serve(webhooks.changeProgramAddress, ({ params, body }, { actor }) =>
    changeAddress(ctx, params.addressId, body, actor),
  );
  serve(webhooks.deleteProgramAddress, ({ params }, { actor }) =>
    deleteAddress(ctx, params.addressId, actor),
  );
  serve(webhooks.switchProgramAddress, ({ params, body }, { actor }) =>
    switchAddress(ctx, params.addressId, { on: body.on, actor }),
  );
  serve(webhooks.rotateProgramSecret, ({ params }, { actor }) =>
    rotateSecret(ctx, params.addressId, actor),
  );
  serve(webhooks.pingProgramAddress, ({ params }) => pingAddress(ctx, params.addressId));
  serve(webhooks.listProgramDeliveries, ({ query }) => deliveriesForOffice(ctx, query));
  serve(webhooks.resendProgramDelivery, ({ params }) => resendDelivery(ctx, params.deliveryId));
  serveProgramPage(router);
}
