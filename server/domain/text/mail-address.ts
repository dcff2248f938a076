/** What counts as a mail address, and the one spelling in which addresses are kept and compared. */
import { decodePunycode } from './punycode.ts';
import { utf8Encoder } from './utf8.ts';

/** The platform's own parser, which browsers and Node share; it writes host names in ASCII. */
declare const URL: new (text: string) => { hostname: string };

/**
 * Any text before the @ that fits into a header as it is. A quoted local part (`"a b"@c.it`) is
 * refused because programs disagree where it ends, so a mail could reach another person.
 */
const localPart = /^[^\p{Cc}\p{Cf}\p{Cs}\p{Z}@<>()[\]",;:\\]+$/u;
/** Signs that `URL` would drop, or read as the end of the host. */
const notInDomain = /[\p{Cc}\p{Cf}\p{Cs}\p{Z}@:/?#\\%[\]]/u;
/** DNS names with a dot; the last label has letters, so an IP address is none. */
const domainName =
  /^(?=.{1,253}$)(?:[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?\.)+(?:[a-z]{2,63}|xn--[a-z\d-]{0,58}[a-z\d])$/;
/** Letters that look alike do not mix: `teаtro.it` with a Cyrillic а is spelled in Punycode. */
const oneScript = /^(?:[\p{sc=Latn}\d.-]+|[\p{sc=Grek}\d.-]+|[\p{sc=Cyrl}\d.-]+)$/u;
/** SMTP counts octets: 64 of the local part, 254 of the address with its domain in ASCII. */
const mostOctets = { local: 64, address: 254 };

/**
 * One @, a local part that may have accents and apostrophes, and a domain with a dot; the mail
 * server checks the rest. This is the only check of an address.
 */
export function isMailAddress(text: string): boolean {
  return readAddressParts(text) !== null;
}

/**
 * The spelling in which an address is stored and shown: Unicode NFC, the domain in small letters
 * and out of Punycode. ASCII letters before the @ keep their case, because a mail server may
 * tell them apart; others lose it, because SQLite's LOWER knows only ASCII. A text that is not an
 * address stays as it is.
 */
export function spellAddress(text: string): string {
  const parts = readAddressParts(text);
  return parts === null ? text : `${parts.local}@${spellDomain(parts.domain)}`;
}

/** The same for every spelling of an address; `LOWER` of what was stored gives the same. */
export function addressKey(text: string): string {
  return spellAddress(text.trim()).toLowerCase();
}

/** The spellings in which a person may have typed the address: as it is shown, and in ASCII. */
export function addressSpellings(text: string): string[] {
  const parts = readAddressParts(text);
  return [...new Set([text, ...(parts === null ? [] : [`${parts.local}@${parts.domain}`])])];
}

/** A link that writes to this address alone, also where `?bcc=` stands before its @. */
export function mailLink(address: string): string {
  return `mailto:${encodeURIComponent(address).replace('%40', '@')}`;
}

/** The domain is in ASCII. */
function readAddressParts(text: string): { local: string; domain: string } | null {
  const [typed = '', name = '', ...more] = text.normalize('NFC').split('@');
  if (name === '' || more.length > 0 || !localPart.test(typed)) return null;
  const local = /^[!-~]+$/.test(typed) ? typed : typed.toLowerCase().normalize('NFC');
  const domain = asciiDomain(name);
  if (domain === null) return null;
  const octets = utf8Encoder.encode(local).length;
  const fits = octets <= mostOctets.local && octets + 1 + domain.length <= mostOctets.address;
  return fits ? { local, domain } : null;
}

/** In ASCII and small letters (UTS 46); null: not a name in DNS. */
function asciiDomain(name: string): string | null {
  if (notInDomain.test(name)) return null;
  try {
    const ascii = new URL(`http://${name}`).hostname;
    return domainName.test(ascii) ? ascii : null;
  } catch {
    return null;
  }
}

/**
 * The domain in its own letters if they are of one script and encode to it again, else in ASCII.
 */
function spellDomain(ascii: string): string {
  const spelled = ascii.replace(
    /(?<![^.])xn--([a-z\d-]+)/g,
    (label, code: string) => decodePunycode(code) ?? label,
  );
  return oneScript.test(spelled) && asciiDomain(spelled) === ascii ? spelled : ascii;
}
