/** How names are found though nobody types them right: accents, apostrophes and capitals are forgiven. */

/** One spelling for searching: "D’Amico, Nicolò" and "d\'amico nicolo" meet. */
export function foldText(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/[’‘ʼ`´]/g, "'").replace(/\s+/g, ' ').trim();
}
