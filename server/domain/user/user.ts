/** Users: roles and password rules (RULES U1); what a role may do is in rights.ts. */
import { newerWord, withOther } from '#server/domain/text/newer-word.ts';

export const roles = ['admin', 'office', 'cassa', 'viewer', 'door'] as const;
export type Role = (typeof roles)[number];

export const roleNames = withOther<Record<Role, string>>(
  {
    admin: 'Amministratore',
    office: 'Ufficio',
    cassa: 'Cassa',
    viewer: 'Solo numeri',
    door: 'Porta',
  },
  newerWord,
);

/** Where a user works from: this computer, the same network, or anywhere else. */
export const places = ['here', 'network', 'internet'] as const;
export type Place = (typeof places)[number];

/** The purpose of a challenge; its answer is valid for nothing else. */
export type ChallengePurpose = 'add_totp' | 'add_passkey' | 'login' | 'confirm';

/** The roles that need a second factor, and how many days after the first login it may wait. */
export function needsFactor(role: Role): boolean {
  return role === 'admin' || role === 'office';
}
export const factorGraceMs = 7 * 24 * 3_600_000;
/** How long a proven identity is trusted for sensitive acts. */
export const confirmedMs = 10 * 60_000;

/** How long a link is valid: 72 hours for an invitation, one for a new password. */
export const inviteMs = 72 * 3_600_000;
export const resetMs = 3_600_000;

/** «Chrome su Windows»: enough for the owner to recognise the device. */
export function deviceName(userAgent: string): string {
  const browser = nameIn(userAgent, [
    ['Edg', 'Edge'],
    ['OPR', 'Opera'],
    ['Firefox', 'Firefox'],
    ['Chrom', 'Chrome'],
    ['Safari', 'Safari'],
  ]);
  const system = nameIn(userAgent, [
    ['Android', 'Android'],
    ['iPhone', 'iPhone'],
    ['iPad', 'iPad'],
    ['Windows', 'Windows'],
    ['Mac OS', 'Mac'],
    ['Linux', 'Linux'],
  ]);
  if (browser === null) return 'Programma sconosciuto';
  return system === null ? browser : `${browser} su ${system}`;
}

function nameIn(text: string, marks: readonly (readonly [string, string])[]): string | null {
  return marks.find(([mark]) => text.includes(mark))?.[1] ?? null;
}

/**
 * Length counts, composition does not (ASVS 6.2.1, 6.2.5); the few words that a guesser tries
 * first are refused.
 */
export const passwordMin = 12;
const guessedFirst = [
  'password',
  'passw0rd',
  '123456',
  'qwerty',
  'botteghino',
  'teatro',
  'biglietto',
  'amministratore',
  'admin',
  'abc123',
  'ciao',
  'juventus',
];

export function isPasswordWeak(password: string, email: string): boolean {
  const plain = password.toLowerCase();
  if (password.length < passwordMin || new Set(plain).size < 5) return true;
  const address = email.toLowerCase();
  const [account = ''] = address.split('@');
  const rest = [address, account, ...guessedFirst].reduce(
    (text, word) => (word.length > 2 ? text.replaceAll(word, '') : text),
    plain,
  );
  return rest.replace(/[\d\W_]/g, '').length < 4;
}
