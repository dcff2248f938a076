/**
 * What a scan keeps of a text that is no ticket of the event: enough to tell what it was, but no
 * code and no secret of a link, whose reader would be its owner (RULES A19).
 */
import { isAddress, isPairingLink } from './foreign-text.ts';
import { hasCodeShape, maskCodeShape, maskTicketCode, readTicketCode } from './ticket-code.ts';

/** In the alphabet of links 128 bits have 22 characters; part of a secret is one, too. */
const secretLength = 16;

/** Never longer than the text. */
export function keptText(text: string): string {
  if (hasCodeShape(text)) return maskCodeShape(text);
  if (readTicketCode(text) !== null) return maskTicketCode(text);
  let kept = '';
  let words = '';
  for (const word of text.split(/(\s+)/)) {
    if (word.includes('://') || isAddress(word) || isPairingLink(word)) {
      kept += keptWords(words) + keptAddress(word);
      words = '';
    } else words += word;
  }
  return kept + keptWords(words);
}

/** Keeps of an address where it leads: the host and the short parts of the path. */
function keptAddress(address: string): string {
  const [, before = '', host = '', path = '', rest = ''] =
    /^(.*?:\/\/)?([^/?#]*)([^?#]*)(.*)$/s.exec(address) ?? [];
  const parts = path.replace(/[^/]+/g, (part) => (part.length < secretLength ? part : '…'));
  return [
    keptWords(before),
    // A password with a slash in it ends the host before its `@`.
    host.replace(/^.+@/s, '…@').replace(/:(?!\d{1,5}$).+$/s, ':…'),
    maskTicketCode(parts),
    isPairingLink(rest) ? '#pair=…' : rest.replace(/^(.).+$/s, '$1…'),
  ].join('');
}

/** A code may be spelled over several words. */
function keptWords(words: string): string {
  const runs = words.replace(/[\w~+/=-]{16,}/g, (run) => `${run.slice(0, 4)}…`);
  return maskTicketCode(runs);
}
