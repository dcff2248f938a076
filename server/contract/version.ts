/**
 * The wire's version: raised when an older app would not understand an answer any more.
 * tests/contract.test.ts pins the shapes that it stands for.
 */

/**
 * The version of the door's list: an app with another one is told to update, and its queue is
 * always accepted.
 */
export const wireVersion = 3;
