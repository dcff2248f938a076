/**
 * Contingents: seats kept for one way of selling, behind a code or at the counter only, perhaps
 * until a time at which everybody may buy them (RULES S6).
 */
import type { BlockColor } from './block.ts';

/** code: sold to buyers who know the code, and at the counter; counter: sold only there. */
export const contingentSales = ['code', 'counter'] as const;
export type ContingentSale = (typeof contingentSales)[number];

/**
 * placing: the seat map has not confirmed the contingent yet; live: it is in force; releasing: it
 * is being removed; released: everybody may buy its seats.
 */
const contingentStates = ['placing', 'live', 'releasing', 'released'] as const;
export type ContingentState = (typeof contingentStates)[number];

export const longestContingentName = 60;
/** The most contingents of an event; a browser's seat map takes at most fifty. */
export const mostContingents = 40;

const shortestCode = 5;
const longestCode = 30;

/** Brings a typed code to one spelling; null: it cannot be a code. */
export function spellCode(typed: string): string | null {
  const code = typed.toUpperCase().replaceAll(/[\s-]/g, '');
  const isCode = /^[A-Z0-9]+$/.test(code);
  return isCode && code.length >= shortestCode && code.length <= longestCode ? code : null;
}

/** The seat map's name for seats in no contingent. */
export const noChannel = 'NO_CHANNEL';

/** The seat map needs a colour, too; these are the values of our style tokens. */
export const channelColors: Record<BlockColor, string> = {
  grey: '#a3aec0',
  red: '#ff6b6b',
  orange: '#ff9f4a',
  green: '#9ad14b',
  blue: '#5fc9e8',
  violet: '#e08bf0',
};
