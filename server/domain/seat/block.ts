/**
 * Blocks: seats that the house keeps back, with a reason, a colour and perhaps a time at which
 * they are sold again (RULES S5).
 */

/** The seat map's status of a seat that we keep back; it cannot be held or booked. */
export const blockedStatus = 'blockedByOffice';

export const blockColors = ['grey', 'red', 'orange', 'green', 'blue', 'violet'] as const;
export type BlockColor = (typeof blockColors)[number];

/** placing: the seat map is being asked; live: it is in force; releasing: it is being removed. */
const blockStates = ['placing', 'live', 'releasing'] as const;
export type BlockState = (typeof blockStates)[number];

export const longestReason = 100;
/** Seats in one go. */
export const mostBlocked = 2_000;
/** Places of one standing area. */
export const mostBlockedPlaces = 100_000;
