/** Price rules: each route connects an endpoint to its use case. */
import * as contract from '#server/contract/price-rules.ts';
import type { Routing } from '#server/http/serve.ts';
import {
  addRule,
  changeRule,
  endRule,
  eventOwner,
  house,
  showOwner,
} from '#server/services/event/rule-desk.ts';
import { rulesDesk } from '#server/services/event/rule-list.ts';
import { tryRules } from '#server/services/event/rule-trial.ts';

export function priceRuleRoutes({ serve, ctx }: Routing): void {
  serve(contract.listHouseRules, () => rulesDesk(ctx, house));
  serve(contract.listShowRules, async ({ params }) =>
    rulesDesk(ctx, await showOwner(ctx, params.showId)),
  );
  serve(contract.listEventRules, async ({ params }) =>
    rulesDesk(ctx, await eventOwner(ctx, params.eventId)),
  );
  serve(contract.addHouseRule, ({ body }, { actor }) =>
    addRule(ctx, house, { typed: body, actor }),
  );
  serve(contract.addShowRule, async ({ params, body }, { actor }) =>
    addRule(ctx, await showOwner(ctx, params.showId), { typed: body, actor }),
  );
  serve(contract.addEventRule, async ({ params, body }, { actor }) =>
    addRule(ctx, await eventOwner(ctx, params.eventId), { typed: body, actor }),
  );
  serve(contract.changeRule, ({ params, body }, { actor }) =>
    changeRule(ctx, params.ruleId, { typed: body, actor }),
  );
  serve(contract.endRule, ({ params }, { actor }) => endRule(ctx, params.ruleId, actor));
  serve(contract.tryRules, ({ params, body }) => tryRules(ctx, params.eventId, body));
}
