/** Users: roles and password rules (RULES U1); what a role may do is in rights.ts. */

export const roles = ['admin', 'office', 'cassa', 'viewer', 'door'] as const;
export type Role = (typeof roles)[number];

export const roleNames: Record<Role, string> = {
  admin: 'Amministratore',
  office: 'Ufficio',
  cassa: 'Cassa',
  viewer: 'Solo numeri',
  door: 'Porta',
};

/** Length counts, composition does not (ASVS 6.2.1, 6.2.5); the few words that a guesser tries first are refused. */
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
  const rest = [email.toLowerCase(), email.toLowerCase().split('@')[0]!, ...guessedFirst].reduce(
    (text, word) => (word.length > 2 ? text.replaceAll(word, '') : text),
    plain,
  );
  return rest.replace(/[\d\W_]/g, '').length < 4;
}
