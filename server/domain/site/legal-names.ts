/** Names and addresses of the legal texts; the server sends each text when it is opened. */

export const legalNames = ['terms', 'privacy', 'cookies', 'accessibility'] as const;
export type LegalName = (typeof legalNames)[number];

export const legalPaths: Record<LegalName, string> = {
  terms: '/condizioni',
  privacy: '/privacy',
  cookies: '/cookie',
  accessibility: '/accessibilita',
};

/** Null: the path is not that of a legal text. */
export function legalNameOf(path: string): LegalName | null {
  const bare = path.replace(/\/$/, '');
  return legalNames.find((name) => legalPaths[name] === bare) ?? null;
}
