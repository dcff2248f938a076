/**
 * Sanitises rich texts again when they are read, because the rules may be stricter now than when
 * they were stored.
 */
import { cleanHtml } from '#server/adapters/rich-text.ts';

const cleaned = new Map<string, string>();
/** The most sanitised texts in memory; a text is read far more often than it changes. */
const mostCleaned = 200;

export function cleanText(text: string): string {
  const known = cleaned.get(text);
  if (known !== undefined) return known;
  if (cleaned.size >= mostCleaned) cleaned.clear();
  const html = cleanHtml(text);
  cleaned.set(text, html);
  return html;
}
