/** What another program's token may read, and the form of the token (RULES Q1). */

/** `buyers` alone gives no access: it adds the buyers to orders. */
export const programScopes = [
  'events',
  'orders',
  'buyers',
  'tickets',
  'admissions',
  'figures',
] as const;
export type ProgramScope = (typeof programScopes)[number];

/** 256 random bits after a prefix that identifies a leaked token as ours. */
export const tokenForm = /^bot_[\w-]{43}$/;
/** How many characters are stored in plain text, so that the owner recognises the token. */
export const tokenStartLength = 8;

type TokenState = 'valid' | 'expired' | 'revoked';

export function tokenStateOf(
  { revoked_at, expires_at }: { revoked_at: number | null; expires_at: number | null },
  now: number,
): TokenState {
  if (revoked_at !== null) return 'revoked';
  return expires_at !== null && expires_at <= now ? 'expired' : 'valid';
}
