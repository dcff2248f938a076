/** Joins facts with dots into one line. */
import { isolate } from '#server/domain/text/direction.ts';

/** Leaves out unknown facts. */
export function joinParts(...parts: (string | false | null | undefined)[]): string {
  return parts.flatMap((part) => (part ? [isolate(part)] : [])).join(' · ');
}
