/**
 * The format of ticket codes: 4 characters of event tag, 26 of code, 1 check character, all
 * Crockford base32 (RULES C1).
 */

/**
 * Crockford's 32 symbols have no I, L, O or U, so that people and keyboard readers cannot confuse
 * them.
 */
export const codeAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
export const tagLength = 4;
const bodyLength = 26;
export const codeLength = tagLength + bodyLength + 1;

/** The last characters of a code, which may be shown and stored because they open nothing. */
export const codeEndLength = 4;

interface ReadCode {
  tag: string;
  /** All 31 characters in the canonical form that is hashed. */ code: string;
}

/** Writes 16 bytes behind their event's tag, with the check character. */
export function writeTicketCode(tag: string, bytes: Uint8Array): string {
  const text = tag + base32Of(bytes);
  return text + checkCharacter(text);
}

/**
 * Brings scanned or typed text to its canonical form, or null if it cannot be a code of ours.
 * Wallets and wedge readers add ECI prefixes (`\000026`), the kind of code (`]Q1`) and control
 * characters; people type dashes, lower case, O for 0, I or L for 1.
 */
export function readTicketCode(text: string): ReadCode | null {
  if (text.length > 200) return null;
  const code = lettersOf(withoutMarks(text));
  return isTicketCode(code) ? { tag: code.slice(0, tagLength), code } : null;
}

/** Without what wallets and wedge readers add. */
function withoutMarks(text: string): string {
  return text.replace(/^\W*\]Q\d/i, '').replace(/\\\d{6}/g, '');
}

function lettersOf(text: string): string {
  return canonical(text).replace(/[^0-9A-Z]/g, '');
}

/**
 * Whether the text has the form of our codes, whatever it opens: a forged one too, and what a scan
 * keeps of one.
 */
export function hasCodeShape(text: string): boolean {
  if (text.length > 200) return false;
  const bare = withoutMarks(text).trim();
  const code = lettersOf(bare);
  const isMasked =
    code.length === tagLength + codeEndLength && /^\w{4}\u2026\w{4}$/.test(canonical(bare));
  return (
    isOfAlphabet(code) && (isMasked || (code.length === codeLength && /^[a-z\d-]+$/i.test(bare)))
  );
}

/** Replaces single characters, so that positions in the text stay the same. */
function canonical(text: string): string {
  return text
    .replace(/[a-z]/g, (letter) => letter.toUpperCase())
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1');
}

function isTicketCode(code: string): boolean {
  return (
    code.length === codeLength &&
    isOfAlphabet(code) &&
    checkCharacter(code.slice(0, -1)) === code.at(-1) &&
    // 26 symbols carry 130 bits, the code has 128: the two lowest bits of the last symbol are 0.
    codeAlphabet.indexOf(code.charAt(tagLength + bodyLength - 1)) % 4 === 0
  );
}

/**
 * Masks the codes in a text that was read at a door. A code of ours might open another door, so
 * only its event tag and its last characters stay, wherever it is in the text and whatever
 * characters separate its letters (RULES A4).
 */
export function maskTicketCode(text: string): string {
  const whole = readTicketCode(text);
  if (whole) return maskOf(whole.code);
  const plain = canonical(text);
  const found = [...plain.matchAll(/[0-9A-Z]/g)];
  const letters = found.map(([letter]) => letter).join('');
  let masked = '';
  let done = 0;
  for (let start = 0; start + codeLength <= letters.length; start += 1) {
    const code = letters.slice(start, start + codeLength);
    if (!isTicketCode(code)) continue;
    const from = found[start]?.index ?? 0;
    // Either of two overlapping codes may be the real one, so the second is masked completely.
    masked += from < done ? '' : text.slice(done, from) + maskOf(code);
    done = (found[start + codeLength - 1]?.index ?? from) + 1;
  }
  return masked + text.slice(done);
}

/** Masks a text that hasCodeShape(), because of one wrong letter the right one is soon found. */
export function maskCodeShape(text: string): string {
  return maskOf(lettersOf(withoutMarks(text)));
}

function maskOf(code: string): string {
  return `${code.slice(0, tagLength)}…${code.slice(-codeEndLength)}`;
}

/** Groups of four characters, for people. */
export function groupCode(code: string): string {
  return (code.match(/.{1,4}/g) ?? []).join('-');
}

/** The text that server and phone hash: the salt makes one event's list useless for another. */
export function hashInput(salt: string, code: string): string {
  return `${salt}|${code}`;
}

/**
 * The text whose hash is the key to a holder's sealed name: only a reader of the code can make it
 * (RULES A4).
 */
export function nameKeyInput(salt: string, code: string): string {
  return `name|${salt}|${code}`;
}

/**
 * AES-GCM: `nonceBytes` begin the sealed name; names are filled with zeros to multiples of
 * `blockBytes`, so that their length tells little.
 */
export const sealing = { nonceBytes: 12, blockBytes: 32 } as const;

/** A phone gets 12 of SHA-256's 32 bytes: 96 bits are enough for a list of codes (RULES C3). */
export const hashBytes = 12;

/** Base32 of the bytes, most significant bit first, the last symbol padded with zero bits. */
export function base32Of(bytes: Uint8Array): string {
  let text = '';
  let value = 0;
  let bits = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += codeAlphabet[(value >>> bits) & 31];
    }
    value &= (1 << bits) - 1;
  }
  return bits > 0 ? text + codeAlphabet[(value << (5 - bits)) & 31] : text;
}

/** Decodes text that base32Of() wrote; bits that do not fill a byte are padding. */
export function bytesOfBase32(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Math.floor((text.length * 5) / 8));
  let value = 0;
  let bits = 0;
  let at = 0;
  for (const character of text) {
    value = (value << 5) | codeAlphabet.indexOf(character);
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at] = value >>> bits;
    at += 1;
    value &= (1 << bits) - 1;
  }
  return bytes;
}

function isOfAlphabet(code: string): boolean {
  return [...code].every((character) => codeAlphabet.includes(character));
}

/** Luhn's method modulo 32, which detects every single wrong character and most swaps. */
function checkCharacter(text: string): string {
  let sum = 0;
  let factor = 2;
  for (let at = text.length - 1; at >= 0; at -= 1) {
    const product = codeAlphabet.indexOf(text.charAt(at)) * factor;
    sum += Math.floor(product / 32) + (product % 32);
    factor = factor === 2 ? 1 : 2;
  }
  return codeAlphabet.charAt((32 - (sum % 32)) % 32);
}
