/**
 * Sanitises HTML with sanitize-html: only the listed tags and attributes remain, and plain text
 * becomes paragraphs.
 */
import sanitizeHtml from 'sanitize-html';
import { plainText } from '#server/domain/text/plain-text.ts';

const rules: sanitizeHtml.IOptions = {
  allowedTags: ['p', 'br', 'strong', 'em', 'u', 'a', 'ul', 'ol', 'li', 'h3', 'h4', 'blockquote'],
  allowedAttributes: { a: ['href'] },
  // Links may lead only to web pages and mail addresses: in a mail a relative link would fail.
  transformTags: {
    b: 'strong',
    i: 'em',
    h1: 'h3',
    h2: 'h3',
    h5: 'h4',
    h6: 'h4',
    div: 'p',
    a: (tagName, { href = '' }) => ({
      tagName,
      attribs: /^(https?:\/\/[^\s/?#]|mailto:[^\s@]+@[^\s@])/i.test(href)
        ? { href }
        : ({} as sanitizeHtml.Attributes),
    }),
  },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  nestingLimit: 12,
  parseStyleAttributes: false,
  nonTextTags: [
    'script',
    'style',
    'textarea',
    'option',
    'noscript',
    'title',
    'xmp',
    'iframe',
    'noembed',
    'noframes',
    'template',
  ],
};

/** HTML of p, br, strong, em, u, a[href], ul, ol, li, h3, h4, blockquote; empty without text. */
export function cleanHtml(text: string): string {
  const html = /<\/?[a-z!][^<>]*>/i.test(text)
    ? sanitizeHtml(text, rules).trim()
    : paragraphs(text);
  return plainText(html) === '' ? '' : html;
}

/** Turns plain text into paragraphs, which empty lines separate. */
function paragraphs(text: string): string {
  const escaped = text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/\r\n?/g, '\n');
  return escaped
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => `<p>${paragraph.replace(/\n/g, '<br />')}</p>`)
    .join('');
}
