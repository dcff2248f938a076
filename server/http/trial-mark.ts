/**
 * Marks the office's first HTML as a trial, so that the trial's band is drawn with the page and
 * nothing moves later.
 */
import type { Ctx } from '#server/services/context.ts';
import { trialOf } from '#server/services/site/house.ts';

/**
 * Adds `data-trial`: the stand-in or test key for payments, and the stand-in for the seat map.
 * Unchanged with real payments.
 */
export function markTrial(html: string, ctx: Ctx): string {
  const trial = trialOf(ctx);
  if (trial === null) return html;
  const parts = [trial.payments, trial.seats].filter((part) => part !== null);
  return html.replace('<html ', `<html data-trial="${parts.join(' ')}" `);
}
