/** The wire's version: a phone installed last week talks to today's server, so a change of shape is made on purpose. */

/** One line per change of any schema; tests/contract.test.ts keeps the hash of the newest in step. */
export const wireVersion = 2;

/** What the door's list may still be asked in: 1 is a list of objects, 2 columns (server/domain/door-list.ts). An older phone is told to update; its queue is always taken in. */
export const spokenVersions = [1, 2] as const;
