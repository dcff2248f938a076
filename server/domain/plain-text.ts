/** HTML of ours as plain text: for letters, link previews and search engines. */

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
