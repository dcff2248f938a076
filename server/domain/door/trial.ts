/**
 * Trial tickets were paid with test money: they say PROVA on screen and paper, and open no door
 * (RULES A11).
 */

/** `live`: payments are real. `demonstration`: a public site that works with test money. */
export interface House {
  live: boolean;
  demonstration: boolean;
}

/**
 * A local installation sells nothing for real, so its tickets behave as real ones and everything
 * can be tried; a rehearsal has a card for trials.
 */
export function isTrial(
  { test_money, rehearsal }: { test_money: boolean; rehearsal: boolean },
  { live, demonstration }: House,
): boolean {
  if (rehearsal) return test_money;
  return demonstration || (test_money && live);
}

/** The same sentence on the order page, the paper, in the mail and in the wallet. */
export const trialWords = 'PROVA: pagato con denaro di prova, non vale per l’ingresso.';
