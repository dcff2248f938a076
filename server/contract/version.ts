/**
 * The wire's version: raised when an older app would not understand an answer any more.
 * tests/contract.test.ts pins the shapes that it stands for.
 */

/**
 * What the door's list is asked in: an app that speaks another is told to update, and its queue is
 * always taken in.
 */
export const wireVersion = 3;
