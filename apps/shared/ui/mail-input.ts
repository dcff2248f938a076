/**
 * The attributes of a field for a mail address. It is no `type="email"`: browsers turn `città.it`
 * there into Punycode and refuse accents before the @; `isMailAddress` is the rule instead.
 */
export const mailInput = {
  inputMode: 'email',
  autoCapitalize: 'none',
  spellCheck: false,
  maxLength: 254,
} as const;
