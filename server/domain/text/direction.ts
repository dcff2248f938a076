/** Texts that are read from the right, such as Arabic and Hebrew, inside Italian sentences. */

/** The blocks of Unicode whose letters run from the right. */
const fromTheRight =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

export function hasRightToLeft(text: string): boolean {
  return fromTheRight.test(text);
}

/**
 * Marks a name inside a sentence (FSI and PDI of UAX #9), so that neither changes the order of the
 * other's words. Other names stay as they are.
 */
export function isolate(name: string): string {
  return hasRightToLeft(name) ? `\u2068${name}\u2069` : name;
}
