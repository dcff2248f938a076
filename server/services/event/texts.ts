/**
 * Sanitises rich texts again when they are read, since the rules may be stricter than when they
 * were written.
 */
import { cleanHtml } from '#server/adapters/rich-text.ts';

const cleaned = new Map<string, string>();
/** An evening's text is read a thousand times between two changes. */
const mostCleaned = 200;

export function cleanText(text: string): string {
  const known = cleaned.get(text);
  if (known !== undefined) return known;
  if (cleaned.size >= mostCleaned) cleaned.clear();
  const html = cleanHtml(text);
  cleaned.set(text, html);
  return html;
}
