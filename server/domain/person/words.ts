/** Finds a person in typed words and removes them: mail address, telephone, whole names. */

const blanked = '[cancellato]';

/** Shorter words occur in every text. */
const shortest = 4;

/** The texts to look for, without null and short ones. */
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
  const words = known.split(/\s+/).map((word) => word.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
  const spelled = words.join('\\s+');
  return words.length === 2 ? [spelled, words.toReversed().join('\\s+')] : [spelled];
}

/** Finds single words of names; only a person can say whether such a word means the buyer. */
export function namePattern(names: readonly (string | null)[]): RegExp | null {
  return termsOf(names.flatMap((name) => name?.trim().split(/\s+/) ?? []));
}

const aroundWord = 60;

/** A word with some text around it; null: it does not occur. */
export function excerptOf(text: string, words: RegExp): string | null {
  const at = text.search(words);
  if (at === -1) return null;
  const [from, to] = [Math.max(0, at - aroundWord), at + 2 * aroundWord];
  const part = text.slice(from, to).replace(/\s+/g, ' ').trim();
  return `${from > 0 ? '…' : ''}${part}${to < text.length ? '…' : ''}`;
}

export function withoutPerson(text: string, terms: RegExp | null): string {
  return terms === null ? text : text.replace(terms, blanked);
}
