/**
 * Offers: what a page told a visitor about prices, signed. A rule or a phase of list prices that
 * ends while seats are held still makes the price of a booking that brings the offer (RULES P6).
 */
import { timingSafeEqual } from 'node:crypto';
import { rulesSince } from '#db/event/price-rules.ts';
import type { EventRow, PriceRuleRow } from '#db/rows.ts';
import {
  offeredAt,
  rulesAt,
  turnBefore,
  turnsOf,
  type DatedRule,
} from '#server/domain/price/offer.ts';
import { phaseEnds } from '#server/domain/price/phase.ts';
import type { PriceRule } from '#server/domain/price/rule.ts';
import { surchargesOf } from '#server/domain/price/surcharge.ts';
import { surchargeTurns } from '#server/domain/price/surcharge-times.ts';
import type { Ctx } from '#server/services/context.ts';
import { macOf } from '#server/services/order/tickets.ts';
import { ruleOfRow } from './price-rules.ts';

/** Longer than the vendor's hold of 15 minutes, because the booking is sent after the choice. */
export const offerLastsMs = 20 * 60_000;

/** The rules of a page that is made now, and its offer: one text until one of them turns. */
export async function rulesOffered(
  ctx: Ctx,
  event: EventRow,
  now: number,
): Promise<{ rules: PriceRule[]; offer: string }> {
  const dated = await datedRules(ctx, event);
  const turn = turnBefore(turnsIn(event, dated), now);
  const rules = rulesAt(dated, now).map(({ rule }) => rule);
  return { rules, offer: `${turn}.${signatureOf(event, turn)}` };
}

/**
 * The rules that make a booking's price, and the moment at which they and list prices are read:
 * that of a valid offer, otherwise now.
 */
export async function rulesFor(
  ctx: Ctx,
  event: EventRow,
  offer: string | undefined,
): Promise<{ rules: PriceRule[]; at: number }> {
  const rules = await datedRules(ctx, event);
  const turn = offer === undefined ? null : turnIn(event, offer);
  const now = ctx.now();
  const turns = turnsIn(event, rules);
  const at = turn === null ? now : offeredAt(turns, { turn, now, lastsMs: offerLastsMs });
  return { rules: rulesAt(rules, at).map(({ rule }) => rule), at };
}

async function datedRules(ctx: Ctx, event: EventRow) {
  const rows = await rulesSince(ctx.db, event, ctx.now() - offerLastsMs);
  return rows.map(datedRule);
}

/** All moments at which prices of the event turn. */
function turnsIn(event: EventRow, rules: readonly DatedRule[]): number[] {
  const surcharges = surchargeTurns(surchargesOf(event), event.starts_at);
  return [...turnsOf(rules), ...phaseEnds(event), ...surcharges];
}

function datedRule(row: PriceRuleRow) {
  return { rule: ruleOfRow(row), made_at: row.created_at, ended_at: row.ended_at };
}

/** The turn that an offer names; null if this house did not sign it for this event. */
function turnIn(event: EventRow, offer: string): number | null {
  const [, turn, shown] = /^(\d{1,15})\.([\w-]{22})$/.exec(offer) ?? [];
  if (turn === undefined || shown === undefined) return null;
  const right = signatureOf(event, Number(turn));
  return timingSafeEqual(Buffer.from(shown), Buffer.from(right)) ? Number(turn) : null;
}

/** The text that is signed cannot be a ticket's, because a ticket's ends with a number. */
function signatureOf(event: EventRow, turn: number): string {
  return macOf(event, JSON.stringify(['offer', turn])).toString('base64url');
}
