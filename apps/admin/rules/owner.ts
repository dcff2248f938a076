/** Whose price rules a screen shows (house, show or date), and the calls for them. */
import type { ReplyOf } from '#server/contract/endpoint.ts';
import {
  addEventRule,
  addHouseRule,
  addShowRule,
  listEventRules,
  listHouseRules,
  listShowRules,
} from '#server/contract/price-rules.ts';
import type { TypedRule } from '#server/domain/price/typed-rule.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { useChange } from '#apps/admin/kit/refresh.ts';

export type RulesDesk = ReplyOf<typeof listEventRules>;
export type KnownRule = RulesDesk['rules'][number];

/** Whether codes open the rule. */
export function hasCodes(rule: KnownRule['rule']): boolean {
  return rule.kind === 'code' || (rule.kind !== 'convention' && rule.opened_by_code === true);
}

export interface Owner {
  of: KnownRule['of'];
  /** Of the show or the date; the house needs none. */
  id: string;
}

export function useRules({ of, id }: Owner) {
  const house = useEndpoint(listHouseRules, {}, { enabled: of === 'house' });
  const show = useEndpoint(listShowRules, { params: { showId: id } }, { enabled: of === 'show' });
  const event = useEndpoint(
    listEventRules,
    { params: { eventId: id } },
    { enabled: of === 'event' },
  );
  return { house, show, event }[of];
}

export function useAddRule({ of, id }: Owner) {
  const change = useChange();
  return (body: TypedRule) => {
    if (of === 'house') return change(addHouseRule, { body });
    return of === 'show'
      ? change(addShowRule, { params: { showId: id }, body })
      : change(addEventRule, { params: { eventId: id }, body });
  };
}
