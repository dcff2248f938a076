/**
 * Contingents: seats kept for one way of selling, behind a code or at the counter only, perhaps
 * until a time at which everybody may buy them (RULES S6).
 */
import type { BlockColor } from './block.ts';

/** code: sold to buyers who know it, and at the counter; counter: sold only there. */
export const contingentSales = ['code', 'counter'] as const;
export type ContingentSale = (typeof contingentSales)[number];

/**
 * placing: the seat map is being asked; live: it stands; releasing: it is being given free;
 * released: everybody may buy its seats.
 */
const contingentStates = ['placing', 'live', 'releasing', 'released'] as const;
export type ContingentState = (typeof contingentStates)[number];

export const longestContingentName = 60;
/** Of one event. The seat map's browsers name at most fifty of them at once. */
export const mostContingents = 40;

const shortestCode = 5;
const longestCode = 30;

/** One spelling, however it was typed; null: it cannot be a code. */
export function spellCode(typed: string): string | null {
  const code = typed.toUpperCase().replaceAll(/[\s-]/g, '');
  const isCode = /^[A-Z0-9]+$/.test(code);
  return isCode && code.length >= shortestCode && code.length <= longestCode ? code : null;
}

/** What the seat map calls everything that is in no contingent. */
export const noChannel = 'NO_CHANNEL';

/**
 * The seat map wants to know a colour, too; ours are tokens of the style sheet, this is how they
 * look.
 */
export const channelColors: Record<BlockColor, string> = {
  grey: '#a3aec0',
  red: '#ff6b6b',
  orange: '#ff9f4a',
  green: '#9ad14b',
  blue: '#5fc9e8',
  violet: '#e08bf0',
};
