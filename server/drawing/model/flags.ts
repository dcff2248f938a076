/** The marks of a seat, and how a drawing writes them. */

/**
 * The marks in the order of the bits of `flags` in wire.ts. Only `accessible`, `companionSeat`,
 * `restrictedView` and `semiAmbulatorySeat` were seen in drawings; for the others both spellings
 * that the API suggests are read.
 */
export const FLAGS = [
  ['accessible', 'isAccessible'],
  ['companionSeat', 'isCompanionSeat'],
  ['restrictedView', 'hasRestrictedView'],
  ['liftUpArmrests', 'hasLiftUpArmrests'],
  ['hearingImpaired', 'isHearingImpaired'],
  ['semiAmbulatorySeat', 'isSemiAmbulatorySeat'],
  ['signLanguageInterpretation', 'hasSignLanguageInterpretation'],
  ['plusSize', 'isPlusSize'],
] as const;

export const ACCESSIBLE = 1;
export const COMPANION = 2;
export const RESTRICTED = 4;

const BITS = FLAGS.map(([own, other], bit) => ({ own, other, value: 2 ** bit }));

/** This runs for every seat of a drawing, so it must be fast. */
export function flagsOf(seat: Readonly<Record<string, unknown>>): number {
  let flags = 0;
  for (const { own, other, value } of BITS)
    if (seat[own] === true || seat[other] === true) flags += value;
  return flags;
}
