/** The keys of mails: what a mail is about, and in a holder's own mail one of their tickets. */
import type { MailRow } from '#db/rows.ts';
import { isHolderMail } from '#server/domain/mail/kinds.ts';

/** The mail's key without the ending that a mail gets when it is sent again. */
export function refundKeyOf(mail: Pick<MailRow, 'key'>): string {
  return mail.key.replace(/#.*/s, '');
}

/** True for the mail of a holder who is not the buyer. */
export function isForHolder(mail: Pick<MailRow, 'kind' | 'key'>): boolean {
  return isHolderMail(mail.kind) && refundKeyOf(mail).includes('.');
}

/** What a holder's own mail is about: the key of the buyer's mail, without the ticket. */
export function subjectForHolder(mail: Pick<MailRow, 'key'>): string {
  return refundKeyOf(mail).replace(/\..*/s, '');
}
