/** The office adds, changes and ends price rules, each in one transaction with its entry. */
import { transact } from '#db/engine/transact.ts';
import type { Trx } from '#db/engine/dialect.ts';
import {
  datesUnder,
  findLiveRule,
  insertRule,
  liveRules,
  lockRules,
  setRuleEnded,
  type RuleOwner,
} from '#db/event/rule-desk.ts';
import { moveCodes } from '#db/event/price-codes.ts';
import type { EventRow, PriceRuleRow } from '#db/rows.ts';
import type { PriceRule } from '#server/domain/price/rule.ts';
import { areCountable, unknownNames } from '#server/domain/price/rule-check.ts';
import { ruleSentence } from '#server/domain/price/rule-words.ts';
import { ruleOfTyped, type TypedRule } from '#server/domain/price/typed-rule.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { happened } from '#server/services/kit/happened.ts';
import { raiseFloor } from '#server/services/kit/processes.ts';
import { knownEvent } from './events.ts';
import { ruleOfRow } from './price-rules.ts';
import { soldUnder, type SoldNames } from './rule-scope.ts';
import { knownShow } from './shows.ts';

export const house: RuleOwner = { event_id: null, show_id: null };

/** @throws Refusal event_not_found */
export async function eventOwner(ctx: Ctx, event_id: string): Promise<RuleOwner> {
  await knownEvent(ctx, event_id);
  return { event_id, show_id: null };
}

/** @throws Refusal show_not_found */
export async function showOwner(ctx: Ctx, show_id: string): Promise<RuleOwner> {
  await knownShow(ctx, show_id);
  return { event_id: null, show_id };
}

/** The subject of the registry's entries. */
export function subjectOf({ event_id, show_id }: RuleOwner): string {
  return event_id ?? show_id ?? 'site';
}

/** @throws Refusal rule_names_unknown, rules_too_many, older_process_runs */
export async function addRule(
  ctx: Ctx,
  owner: RuleOwner,
  { typed, actor }: { typed: TypedRule; actor: Actor },
): Promise<{ rule_id: string }> {
  const rule = ruleOfTyped(typed, ctx.newId());
  await transact(ctx.db, async (trx) => {
    await lockRules(trx);
    const sold = await storeRule(ctx, trx, { owner, rule, actor });
    await happened(ctx, trx, {
      actor,
      action: 'price_rule_added',
      subject: subjectOf(owner),
      detail: { rule: saidOf(rule, sold) },
    });
  });
  return { rule_id: rule.id };
}

/** @throws Refusal rule_not_found, rule_names_unknown, rules_too_many */
export async function changeRule(
  ctx: Ctx,
  id: string,
  { typed, actor }: { typed: TypedRule; actor: Actor },
): Promise<{ rule_id: string }> {
  const rule = ruleOfTyped(typed, versionAfter(id));
  await transact(ctx.db, async (trx) => {
    await lockRules(trx);
    const before = await endNow(ctx, trx, id);
    const sold = await storeRule(ctx, trx, { owner: before, rule, actor });
    await moveCodes(trx, id, rule.id);
    await happened(ctx, trx, {
      actor,
      action: 'price_rule_changed',
      subject: subjectOf(before),
      detail: {
        rule: { from: saidOf(ruleOfRow(before), sold), to: saidOf(rule, sold) },
      },
    });
  });
  return { rule_id: rule.id };
}

/** @throws Refusal rule_not_found */
export async function endRule(ctx: Ctx, id: string, actor: Actor): Promise<void> {
  await transact(ctx.db, async (trx) => {
    const before = await endNow(ctx, trx, id);
    const sold = await soldUnder(trx, before, await datesUnder(trx, before, ctx.now()));
    await happened(ctx, trx, {
      actor,
      action: 'price_rule_ended',
      subject: subjectOf(before),
      detail: { rule: saidOf(ruleOfRow(before), sold) },
    });
  });
}

async function endNow(ctx: Ctx, trx: Trx, id: string): Promise<PriceRuleRow> {
  const before = await findLiveRule(trx, id);
  if (!before || !(await setRuleEnded(trx, id, ctx.now()))) throw new Refusal('rule_not_found');
  return before;
}

interface NewRule {
  owner: RuleOwner;
  rule: PriceRule;
  actor: Actor;
}

/** Stores a rule that all dates that it meets can have beside their others. */
async function storeRule(
  ctx: Ctx,
  trx: Trx,
  { owner: { event_id, show_id }, rule, actor }: NewRule,
): Promise<SoldNames> {
  const { id, ...content } = rule;
  const dates = await datesUnder(trx, { event_id, show_id }, ctx.now());
  const sold = await soldUnder(trx, { event_id, show_id }, dates);
  const names = unknownNames(rule, {
    categories: sold.categories,
    ticket_types: sold.ticket_types.map(({ ticketType }) => ticketType),
  });
  if (names.length > 0) throw new Refusal('rule_names_unknown', { names });
  await insertRule(trx, {
    id,
    event_id,
    show_id,
    content: JSON.stringify(content),
    created_at: ctx.now(),
    created_by: actor,
    ended_at: null,
  });
  await requireCountableOn(ctx, trx, dates);
  // A program of before 1.4.0 would sell at list prices.
  await raiseFloor(ctx, trx, '1.4.0');
  return sold;
}

/** @throws Refusal rules_too_many */
async function requireCountableOn(ctx: Ctx, trx: Trx, dates: readonly EventRow[]): Promise<void> {
  const rows = await liveRules(trx);
  const known = new Set<string>();
  for (const date of dates) {
    const own = rows.filter((row) => meets(row, date));
    // Dates of a show mostly have the same rules.
    const key = own.map(({ id }) => id).join(' ');
    if (known.has(key)) continue;
    known.add(key);
    if (!areCountable(own.map(ruleOfRow), ctx.now()))
      throw new Refusal('rules_too_many', { event_id: date.id });
  }
}

function meets(rule: RuleOwner, date: Pick<EventRow, 'id' | 'show_id'>): boolean {
  if (rule.event_id !== null) return rule.event_id === date.id;
  return rule.show_id === null || rule.show_id === date.show_id;
}

function saidOf(rule: PriceRule, { ticket_types }: SoldNames): string {
  const labels = new Map(ticket_types.map(({ ticketType, label }) => [ticketType, label]));
  return `${rule.name}: ${ruleSentence(rule, labels)}`;
}

/** Versions of a rule share their first id: `a`, `a.2`, `a.3`. */
function versionAfter(id: string): string {
  const [first = id, version = '1'] = id.split('.');
  return `${first}.${Number(version) + 1}`;
}

/** The id of the first version. */
export function firstVersionOf(id: string): string {
  return id.split('.')[0] ?? id;
}
