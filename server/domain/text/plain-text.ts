/**
 * Plain text: our HTML as text for mails, link previews and search engines, text for HTML, and
 * text that must stay on one line.
 */

/** The words of sanitised HTML. */
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
    .replace(/<\/?(?:strong|em|u|a)\b[^<>]*>/g, '')
    .replace(/<[^<>]*>/g, ' ')
    .replace(
      /&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi,
      (all: string, ten?: string, sixteen = '', name?: string) => {
        if (name !== undefined) return named[name.toLowerCase()] ?? all;
        const point = ten === undefined ? Number.parseInt(sixteen, 16) : Number(ten);
        return point <= 0x10ffff ? String.fromCodePoint(point) : '';
      },
    )
    .replace(/\s+/g, ' ')
    .trim();
}

/** Makes text safe for HTML text and attributes. */
export function escapeHtml(text: string): string {
  const entities: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** A header or a cell stays one line, even if a title or a name has line breaks. */
export function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
}

/** Shortens a long text and adds an ellipsis. */
export function cutText(text: string, max: number): string {
  const characters = [...text];
  return characters.length <= max
    ? text
    : `${characters
        .slice(0, max - 1)
        .join('')
        .trimEnd()}…`;
}
