/**
 * How the counter finds earlier buyers: the shortest search, which orders belong to one person,
 * and what the counter sees of that person (RULES K7).
 */
import { may } from '#server/domain/user/rights.ts';
import type { Role } from '#server/domain/user/user.ts';
import { foldText, foundBy } from '#server/domain/text/search.ts';

/** Shorter words would find too many people. */
const shortestCustomerSearch = 3;

export type CustomerSearch = { digits: string } | { words: string[] };

/** Reads the last digits of a telephone, or words. Null: too little to search for. */
export function readCustomerSearch(q: string): CustomerSearch | null {
  const digits = q.replace(/[\s+./-]/g, '');
  if (/^\d+$/.test(digits)) return digits.length < shortestCustomerSearch ? null : { digits };
  const words = foundBy(q);
  return words.some((word) => word.length >= shortestCustomerSearch) ? { words } : null;
}

/** A masked address that its owner recognises: `a•••@example.it`. */
export function maskMail(email: string): string {
  const at = email.lastIndexOf('@');
  return at < 1 ? '•••' : `${email[0]}•••${email.slice(at)}`;
}

/** The last three digits. */
export function maskPhone(phone: string): string {
  return `•••${phone.replace(/\D/g, '').slice(-3)}`;
}

interface Person {
  buyer_name: string | null;
  buyer_email: string | null;
  buyer_phone: string | null;
}

/** Returns each person once. */
export function eachOnce<T extends Person>(people: readonly T[]): T[] {
  const known = new Map<string, T>();
  for (const person of people) {
    const name = foldText(person.buyer_name ?? '');
    const key = `${name}\n${person.buyer_email?.toLowerCase() ?? ''}\n${person.buyer_phone ?? ''}`;
    if (!known.has(key)) known.set(key, person);
  }
  return [...known.values()];
}

/** Whether this role reads mail and telephone of every buyer. */
export function seesContacts(role: Role): boolean {
  return may(role, 'change_orders');
}

interface Contact {
  buyer_email?: string | null;
  buyer_phone?: string | null;
  /** 1: taken over from an earlier order that the seller did not see. */ contact_hidden: 0 | 1;
}

/** Masks a hidden contact for a role that may not read every buyer's contact. */
export function contactFor<C extends Contact>(role: Role, row: C): C {
  if (row.contact_hidden === 0 || seesContacts(role)) return row;
  const { buyer_email, buyer_phone } = row;
  return {
    ...row,
    ...(buyer_email ? { buyer_email: maskMail(buyer_email) } : {}),
    ...(buyer_phone ? { buyer_phone: maskPhone(buyer_phone) } : {}),
  };
}

/** More last digits would let a role that sees contacts masked guess the others. */
const mostLastDigits = 4;

/**
 * Whether the search means this person. A role that sees contacts masked finds a mail or a
 * telephone only by typing it whole, so that it cannot guess one letter after another.
 */
export function isPersonMeant(
  role: Role,
  { buyer_name, buyer_email, buyer_phone }: Person,
  search: CustomerSearch,
): boolean {
  const isFree = seesContacts(role);
  if ('digits' in search) {
    const isEnd = isFree || search.digits.length <= mostLastDigits;
    return isEnd || foundBy(search.digits)[0] === foundBy(buyer_phone ?? '')[0];
  }
  const text = foldText(isFree ? `${buyer_name ?? ''} ${buyer_email ?? ''}` : (buyer_name ?? ''));
  const isMail = foundBy(buyer_email ?? '').join(' ') === search.words.join(' ');
  return isMail || search.words.every((word) => text.includes(word));
}
