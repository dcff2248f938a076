/** How orders are found though nobody types them right: accents, apostrophes, capitals, dashes and the order of words are forgiven. */

/** Letters that no decomposition takes apart. */
const plain: Record<string, string> = { ł: 'l', ø: 'o', đ: 'd', ß: 'ss', æ: 'ae', œ: 'oe', ı: 'i' };

/** One spelling for searching: "D’Amico, Nicolò" and "d'amico nicolo" meet. */
export function foldText(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/[łøđßæœı]/g, (letter) => plain[letter]!).replace(/[’‘ʼ`´]/g, "'").replace(/\s+/g, ' ').trim();
}

/** What is stored with an order: its number with and without the dash, and what is known of its buyer. */
export function searchTextOf(number: string, ...words: (string | null)[]): string {
  return foldText([number, number.replace('-', ''), ...words.filter((word) => word !== null)].join(' '));
}

/** Each word must be found, in whatever order; so are the two halves of a dictated number. */
export function searchWords(q: string): string[] {
  return foldText(q).split(' ').filter((word) => word !== '').slice(0, 8);
}
