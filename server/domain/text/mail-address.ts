/** Whether a text can be a mail address. */

/**
 * A plausible address has one @, no spaces, no control characters and at most 254 characters (RFC
 * 5321); the mail server checks the rest.
 */
export function isMailAddress(text: string): boolean {
  return (
    text.length <= 254 &&
    /^[^\s@<>()",;:\\\p{Cc}]{1,64}@[^\s@<>()",;:\\\p{Cc}]+\.[^\s@<>()",;:\\\p{Cc}]{2,}$/u.test(text)
  );
}
