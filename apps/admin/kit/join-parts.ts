/** Joins facts with dots into one line and leaves out unknown ones. */
export function joinParts(...parts: (string | false | null | undefined)[]): string {
  return parts.filter(Boolean).join(' · ');
}
