/** Plain text: HTML of ours for letters, link previews and search engines, and what must stay one line. */

/** Sanitised HTML as a reader hears it. */
export function plainText(html: string): string {
  const named: Record<string, string> = {
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: ' ',
  };
  return html
    .replace(/<\/?(?:strong|em|u|a)\b[^>]*>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(
      /&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi,
      (all: string, ten?: string, sixteen?: string, name?: string) => {
        if (name !== undefined) return named[name.toLowerCase()] ?? all;
        const point = ten === undefined ? Number.parseInt(sixteen!, 16) : Number(ten);
        return point <= 0x10ffff ? String.fromCodePoint(point) : '';
      },
    )
    .replace(/\s+/g, ' ')
    .trim();
}

/** Whatever a title or a name holds, a header or a cell stays one line. */
export function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
}
