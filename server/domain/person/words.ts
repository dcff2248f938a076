/** Finds a person in words that somebody typed, and takes them out: mail address, telephone, whole names. */

export const blanked = '[cancellato]';

/** Shorter ones would stand in every text. */
const shortest = 4;

/** What to look for; null and short texts are left out. */
export function termsOf(known: readonly (string | null)[]): RegExp | null {
  const parts = [...new Set(known.flatMap(termOf))];
  return parts.length === 0
    ? null
    : new RegExp(`(?<![\\p{L}\\p{N}])(?:${parts.join('|')})(?![\\p{L}\\p{N}])`, 'giu');
}

function termOf(text: string | null): string[] {
  const known = text?.trim() ?? '';
  if (known.length < shortest) return [];
  const digits = known.replace(/\D/g, '').replace(/^(?:00)?39(?=\d{6})/, '');
  if (/^[\s\d+()./-]+$/.test(known))
    return digits.length < 6 ? [] : [`(?:(?:\\+|00)39[\\s./-]*)?${[...digits].join('[\\s./-]*')}`];
  const words = known.split(/\s+/).map((word) => word.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&'));
  const spelled = words.join('\\s+');
  return words.length === 2 ? [spelled, words.toReversed().join('\\s+')] : [spelled];
}

export function withoutPerson(text: string, terms: RegExp | null): string {
  return terms === null ? text : text.replace(terms, blanked);
}
