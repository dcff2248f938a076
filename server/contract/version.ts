/**
 * The version of the wire is raised when an older app would not understand an answer any more;
 * tests/contract.test.ts checks the shapes that belong to it.
 */

/**
 * The version of the door's list: an app with another one must update, and its queue is always
 * accepted.
 */
export const wireVersion = 3;
