/** Why a code no longer opens the door, in the words of the screen. */

/** A later release may add reasons; a reader that does not know one names none. */
export const endedWhys = ['renamed', 'reissued', 'resold', 'moved', 'exchanged'] as const;
export type EndedWhy = (typeof endedWhys)[number];
