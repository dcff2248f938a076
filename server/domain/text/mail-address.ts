/** Whether a text can be a mail address. */

/**
 * Good enough to try: one @, no spaces, no control characters, at most 254 characters (RFC 5321);
 * the mail server knows the rest.
 */
export function isMailAddress(text: string): boolean {
  return (
    text.length <= 254 &&
    /^[^\s@<>()",;:\\\p{Cc}]{1,64}@[^\s@<>()",;:\\\p{Cc}]+\.[^\s@<>()",;:\\\p{Cc}]{2,}$/u.test(text)
  );
}
