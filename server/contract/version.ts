/** The version of the wire format: a phone installed last week talks to today’s server, so a change of shape is made on purpose. */

/** One line per change of any schema; tests/contract.test.ts keeps the hash of the newest in step. */
export const wireVersion = 2;
