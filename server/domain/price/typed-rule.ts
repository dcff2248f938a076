/** Price rules as the office types them, with days of Rome instead of moments. */
import { dayOf, dayText, romeDay, startOfDay } from '#server/domain/time/rome-clock.ts';
import type {
  CodeRule,
  ConventionRule,
  EveryRule,
  GroupRule,
  PackageRule,
  PriceRule,
  RuleScope,
} from './rule.ts';

/** The same with lists that may be changed, as they come from the wire. */
type Open<T> = T extends readonly (infer Each)[]
  ? Open<Each>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Open<T[Key]> }
    : T;

/** `2026-12-20`; both days are included, null: no limit. */
export type TypedScope = Open<Pick<RuleScope, 'categories' | 'ticket_types' | 'channels'>> & {
  first_day: string | null;
  last_day: string | null;
};

type Typed<Rule extends PriceRule> = Open<Omit<Rule, 'id' | 'scope'>> & { scope: TypedScope };
export type TypedRule =
  | Typed<EveryRule>
  | Typed<PackageRule>
  | Typed<GroupRule>
  | Typed<CodeRule>
  | Typed<ConventionRule>;

/** A package is about the types of its parts and no others. */
export function ruleOfTyped(typed: TypedRule, id: string): PriceRule {
  const { first_day, last_day, ...rest } = typed.scope;
  const scope: RuleScope = {
    ...rest,
    ticket_types:
      typed.kind === 'package'
        ? [...new Set(typed.parts.flatMap((part) => part.ticket_types))]
        : rest.ticket_types,
    from: first_day === null ? null : startOfDay(dayOf(first_day)),
    until: last_day === null ? null : startOfDay(dayOf(last_day) + 1),
  };
  return { ...typed, id, scope } as PriceRule;
}

export function typedOfRule(rule: PriceRule): TypedRule {
  const { id: _id, ...content } = rule;
  const { from, until, ...rest } = rule.scope;
  return {
    ...content,
    scope: {
      ...rest,
      ticket_types: rule.kind === 'package' ? null : rest.ticket_types,
      first_day: from === null ? null : dayText(romeDay(from)),
      last_day: until === null ? null : lastDayOf(until),
    },
  } as TypedRule;
}

/** The day of the last millisecond before the moment. */
export function lastDayOf(until: number): string {
  return dayText(romeDay(until - 1));
}

export type RuleTime = 'now' | 'later' | 'past';

/** Whether a rule counts at this time, will count, or has counted. */
export function timeOfRule({ scope }: Pick<PriceRule, 'scope'>, now: number): RuleTime {
  if (scope.until !== null && scope.until <= now) return 'past';
  return scope.from !== null && scope.from > now ? 'later' : 'now';
}
