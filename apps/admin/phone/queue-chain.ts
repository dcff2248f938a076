/** Collects the QR codes of an offline phone's queue, in any order, and decodes them. */
import { bytesOfBase32 } from '#server/domain/door/ticket-code.ts';

/** `links[n - 1]` is the text of QR code n, '' while it is missing. */
export interface Chain {
  links: readonly string[];
}

const link = /BTG1\/(\d{1,4})\/(\d{1,4})\/([0-9A-HJKMNP-TV-Z]+)/gi;
const mostLinks = 2_000;

/** Adds the codes in a text; a code of another chain starts anew. Null: there is no code yet. */
export function addLinks(chain: Chain | null, text: string): Chain | null {
  let now = chain;
  for (const [, nth, of, piece = ''] of text.toUpperCase().matchAll(link)) {
    const [at, length] = [Number(nth) - 1, Number(of)];
    if (at < 0 || at >= length || length > mostLinks) continue;
    const known = now?.links[at];
    const isSame = now !== null && now.links.length === length && (known === '' || known === piece);
    const links = now !== null && isSame ? now.links : Array.from({ length }, () => '');
    now = { links: links.with(at, piece) };
  }
  return now;
}

export function missingLinks({ links }: Chain): number[] {
  return links.flatMap((piece, at) => (piece === '' ? [at + 1] : []));
}

/**
 * The text of the file that the phone would export.
 * @throws if the chain is broken
 */
export async function openChain({ links }: Chain): Promise<string> {
  const pressed = new Blob([bytesOfBase32(links.join(''))])
    .stream()
    .pipeThrough(new DecompressionStream('deflate'));
  return new Response(pressed).text();
}
