/** Facts in one line, divided by dots; what is not known is left out. */
export function joinParts(...parts: (string | false | null | undefined)[]): string {
  return parts.filter(Boolean).join(' · ');
}
