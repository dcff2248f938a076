/** What another program's token may read, and the form of the token itself (RULES Q1). */

/** `buyers` gives no access by itself: with it orders show their buyers. */
export const programScopes = [
  'events',
  'orders',
  'buyers',
  'tickets',
  'admissions',
  'figures',
] as const;
export type ProgramScope = (typeof programScopes)[number];

/** 256 random bits behind a name by which a leaked one is recognised. */
export const tokenForm = /^bot_[\w-]{43}$/;
/** The part that is kept in plain, so that its owner recognises it. */
export const tokenStartLength = 8;

type TokenState = 'valid' | 'expired' | 'revoked';

export function tokenStateOf(
  { revoked_at, expires_at }: { revoked_at: number | null; expires_at: number | null },
  now: number,
): TokenState {
  if (revoked_at !== null) return 'revoked';
  return expires_at !== null && expires_at <= now ? 'expired' : 'valid';
}
