/**
 * Blocks: seats that the house keeps back, with a reason, a colour and perhaps a time at which
 * they are sold again (RULES S5).
 */

/** The seat map's status of a blocked seat, which cannot be held or booked. */
export const blockedStatus = 'blockedByOffice';

export const blockColors = ['grey', 'red', 'orange', 'green', 'blue', 'violet'] as const;
export type BlockColor = (typeof blockColors)[number];

/**
 * placing: the seat map has not confirmed the block yet; live: the block is in force; releasing:
 * it is being removed.
 */
const blockStates = ['placing', 'live', 'releasing'] as const;
export type BlockState = (typeof blockStates)[number];

export const longestReason = 100;
/** The most seats of one request. */
export const mostBlocked = 2_000;
/** The most places of one standing area. */
export const mostBlockedPlaces = 100_000;
