/** Addresses with a user and a password, whose signs must be encoded (RFC 3986 §3.2). */

/**
 * False if a sign of the user or password ends it too early, so that the rest of the password
 * would pass for host, path or query, or if it cannot be decoded.
 */
export function isWholeAddress(text: string): boolean {
  const afterHost = text.replace(/^[a-z]+:\/\/[^/?#]*/i, '');
  return !/[@#]/.test(afterHost) && isReadable(text);
}

/** The drivers take an address as it stands if a % in it begins no code. */
function isReadable(text: string): boolean {
  try {
    void new URL(text);
    if (!/%(?![0-9a-f]{2})/i.test(text)) decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * `what`: the setting or place of the address, for the message, which must not repeat the address.
 */
export function tellEncoding(what: string): string {
  return `${what} non si può leggere: nell’utente e nella password i segni / # ? % @ : vanno codificati (%2F %23 %3F %25 %40 %3A), come in postgres://utente:pa%2Fss@host/database.`;
}
