/** Versions of this program, such as 1.10.0: which one is older, and what to say to it. */

const inOrder = new Intl.Collator('en', { numeric: true });

export function isOlder(version: string, than: string): boolean {
  return inOrder.compare(version, than) < 0;
}

/** A process that has been silent for longer no longer runs. It beats four times within this. */
export const beatWithinMs = 60_000;

/** Why a server of an older version ends by itself. */
export const overtakenWords =
  'Un botteghino più nuovo usa già cose che questa versione non conosce: mi fermo.';

/** Why this version does not open a house. `floor`: the oldest version that may. */
export function belowFloorWords(floor: string): string {
  return `Questo botteghino ha già usato cose della versione ${floor}: serve almeno quella.`;
}
