/** Price rules as the office reads them: sentences, and what each gave away. */
import { findEvent } from '#db/event/events.ts';
import {
  countSoldPlaces,
  datesUnder,
  liveRules,
  loweredTickets,
  type RuleOwner,
} from '#db/event/rule-desk.ts';
import type { PriceRuleRow } from '#db/rows.ts';
import { tooLittle } from '#server/domain/price/least-online.ts';
import { reasonWords, ruleSentence } from '#server/domain/price/rule-words.ts';
import { timeOfRule, typedOfRule } from '#server/domain/price/typed-rule.ts';
import { reasonsOf } from '#server/domain/order/priced-order.ts';
import type { Ctx } from '#server/services/context.ts';
import { ruleOfRow } from './price-rules.ts';
import { firstVersionOf } from './rule-desk.ts';
import { soldUnder } from './rule-scope.ts';

/** How many dates the trial box offers. */
const mostDates = 60;

/** The rules that count for an owner, and what its orders saved by them. */
export async function rulesDesk(ctx: Ctx, owner: RuleOwner) {
  const now = ctx.now();
  const rows = await rulesFor(ctx, owner);
  const given = await givenBy(ctx, owner);
  const dates = await datesUnder(ctx.db, owner, now);
  const sold = await soldUnder(ctx.db, owner, dates);
  const labels = new Map(sold.ticket_types.map(({ ticketType, label }) => [ticketType, label]));
  const rules = rows.map((row) => {
    const rule = ruleOfRow(row);
    return {
      rule_id: rule.id,
      of: levelOf(row),
      sentence: ruleSentence(rule, labels),
      reason: reasonWords(rule, 1),
      time: timeOfRule(rule, now),
      rule: typedOfRule(rule),
      given: given.get(firstVersionOf(rule.id))?.given ?? nothing,
    };
  });
  const live = new Set(rules.map(({ rule_id }) => firstVersionOf(rule_id)));
  return {
    rules,
    ended: [...given]
      .filter(([rule_id]) => !live.has(rule_id))
      .map(([rule_id, { name, given: of }]) => ({ rule_id, name, given: of })),
    sold: await countSoldPlaces(
      ctx.db,
      dates.map(({ id }) => id),
    ),
    ...sold,
    dates: dates.slice(0, mostDates),
  };
}

const levels = ['house', 'show', 'event'] as const;

function levelOf({ event_id, show_id }: RuleOwner): (typeof levels)[number] {
  if (event_id !== null) return 'event';
  return show_id === null ? 'house' : 'show';
}

/** Its own rules and those above it, the house's first. */
async function rulesFor(ctx: Ctx, { event_id, show_id }: RuleOwner): Promise<PriceRuleRow[]> {
  const event = event_id === null ? undefined : await findEvent(ctx.db, event_id);
  const show = show_id ?? event?.show_id ?? null;
  const met = (await liveRules(ctx.db)).filter((row) =>
    row.event_id === null
      ? row.show_id === null || row.show_id === show
      : row.event_id === event_id,
  );
  const placeOf = (row: PriceRuleRow) =>
    `${levels.indexOf(levelOf(row))} ${firstVersionOf(row.id)}`;
  return met.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
}

const nothing = { tickets: 0, cents: 0 };

/** What each rule gave away, by the id of its first version, with its latest name. */
async function givenBy(ctx: Ctx, owner: RuleOwner) {
  const sums = new Map<string, { name: string; given: typeof nothing }>();
  for (const { tickets, ...line } of await loweredTickets(ctx.db, owner))
    for (const reason of reasonsOf(line).filter(({ rule_id }) => rule_id !== tooLittle.id)) {
      const id = firstVersionOf(reason.rule_id);
      const { given } = sums.get(id) ?? { given: nothing };
      sums.set(id, {
        name: reason.name,
        given: {
          tickets: given.tickets + tickets,
          cents: given.cents + tickets * reason.off_cents,
        },
      });
    }
  return sums;
}
