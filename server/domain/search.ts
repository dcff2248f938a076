/** Search that forgives accents, apostrophes, capitals, dashes and the order of words. */

/** Letters that no decomposition takes apart. */
const plain: Record<string, string> = { ł: 'l', ø: 'o', đ: 'd', ß: 'ss', æ: 'ae', œ: 'oe', ı: 'i' };

/** One spelling for searching: "D’Amico, Nicolò" and "d'amico nicolo" meet. */
export function foldText(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[łøđßæœı]/g, (letter) => plain[letter]!)
    .replace(/[’‘ʼ`´]/g, "'")
    .replace(/\s+/g, ' ')
    .trim();
}

/** What is stored with an order: its number with and without the dash, and what is known of its buyer. */
export function searchTextOf(number: string, ...words: (string | null)[]): string {
  return foldText(
    [number, number.replace('-', ''), ...words.filter((word) => word !== null)].join(' '),
  );
}

/** Each word must be found, in whatever order; so are the two halves of a dictated number. */
export function searchWords(q: string): string[] {
  return foldText(q)
    .split(' ')
    .filter((word) => word !== '')
    .slice(0, 8);
}

/** What a name is found by: each of its words on its own, D'Amico also in one. */
export function nameWords(name: string): string[] {
  const folded = foldText(name);
  const bare = folded
    .split(' ')
    .filter((word) => word.includes("'"))
    .map((word) => word.replaceAll("'", ''));
  return [...folded.split(/[^\p{L}\p{N}]+/u), ...bare].filter((word) => word !== '');
}
