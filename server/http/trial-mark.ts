/**
 * Marks the office's first HTML as a trial, so that the band that says so is drawn with the page
 * and nothing moves later.
 */
import type { Ctx } from '#server/services/context.ts';
import { trialOf } from '#server/services/site/house.ts';

/**
 * Adds `data-trial` while payments are a trial (stand-in or test key); it also says whether the
 * seat map is the stand-in. Does not change the page with real payments.
 */
export function markTrial(html: string, ctx: Ctx): string {
  const trial = trialOf(ctx);
  if (trial === null) return html;
  const parts = [trial.payments, trial.seats].filter((part) => part !== null);
  return html.replace('<html ', `<html data-trial="${parts.join(' ')}" `);
}
