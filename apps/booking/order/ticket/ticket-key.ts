/** A ticket's own link has a dot, which the link of an order never has (RULES O22). */
export function isTicketKey(key: string): boolean {
  return key.includes('.');
}
