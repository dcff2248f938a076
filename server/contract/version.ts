/**
 * The version of the wire, which is raised when an older app would no longer understand an
 * answer; tests/contract.test.ts checks the shapes that belong to it.
 */

/**
 * The version of the door's list: an app of another version must update, but its queue is always
 * accepted.
 */
export const wireVersion = 4;

/**
 * The oldest app that still understands every answer. Its scans prove no code, so that they wait
 * for the office (RULES A12).
 */
const oldestWire = 3;

/** The versions that are answered, as they stand in a query. */
export const spokenWires = [oldestWire, wireVersion].map(String);
