/** Codes of price rules: each route connects an endpoint to its use case. */
import * as contract from '#server/contract/price-codes.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Routing } from '#server/http/serve.ts';
import {
  addRuleCode,
  changeRuleCode,
  endRuleCode,
  listRuleCodes,
  makeRuleCodes,
  ruleCodesFile,
} from '#server/services/event/code-desk.ts';

export function priceCodeRoutes({ serve, ctx }: Routing): void {
  serve(contract.listRuleCodes, ({ params, query }) => listRuleCodes(ctx, params.ruleId, query));
  serve(contract.addRuleCode, ({ params, body: { spelling, ...terms } }, { actor }) =>
    addRuleCode(ctx, params.ruleId, { typed: spelling, terms, actor }),
  );
  serve(contract.makeRuleCodes, ({ params, body: { holders, count, ...limits } }, { actor }) =>
    makeRuleCodes(ctx, params.ruleId, { holders: holdersOf(holders, count), limits, actor }),
  );
  serve(contract.exportRuleCodes, ({ params }) => ruleCodesFile(ctx, params.ruleId));
  serve(contract.changeRuleCode, ({ params, body }, { actor }) =>
    changeRuleCode(ctx, params.codeId, { terms: body, actor }),
  );
  serve(contract.endRuleCode, ({ params }, { actor }) => endRuleCode(ctx, params.codeId, actor));
}

/** For whom each code is; null: anyone. @throws Refusal bad_request unless one of both is given */
function holdersOf(holders: string[] | null, count: number | null): (string | null)[] {
  if ((holders === null) === (count === null))
    throw new Refusal('bad_request', { fields: ['holders', 'count'] });
  return holders ?? Array.from({ length: count ?? 0 }, () => null);
}
