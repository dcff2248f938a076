/**
 * Names and addresses of the legal texts; apart from the texts, because browsers need only these.
 */

export const legalNames = ['terms', 'privacy', 'cookies', 'accessibility'] as const;
export type LegalName = (typeof legalNames)[number];

export const legalPaths: Record<LegalName, string> = {
  terms: '/condizioni',
  privacy: '/privacy',
  cookies: '/cookie',
  accessibility: '/accessibilita',
};

/** Null: this path is none of them. */
export function legalNameOf(path: string): LegalName | null {
  const bare = path.replace(/\/$/, '');
  return legalNames.find((name) => legalPaths[name] === bare) ?? null;
}
