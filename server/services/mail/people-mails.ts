/**
 * Writes the mails with a link for people of the office. The link is made when the mail is sent,
 * and the stored copy lacks it.
 */
import { findLink, linksOf } from '#db/user/one-time-links.ts';
import type { MailRow, OneTimeLinkRow } from '#db/rows.ts';
import { transact } from '#db/engine/transact.ts';
import { findUserByEmail, lockUser } from '#db/user/users.ts';
import { spellMail, type MailBody, type SpelledMail } from '#server/domain/mail/mail-body.ts';
import { isMailAddress } from '#server/domain/text/mail-address.ts';
import { type MailTrouble } from '#server/domain/mail/kinds.ts';
import { writeInviteMail, writeResetMail } from '#server/domain/mail/people-mail.ts';
import { resetMs } from '#server/domain/user/user.ts';
import type { Ctx } from '#server/services/context.ts';
import { organiserOf } from '#server/services/site/site.ts';
import { addressFor, pageOf, storeLink } from '#server/services/user/one-time-links.ts';

/** `kept`: the text that the office's mailbox shows instead. */
interface SecretMail extends SpelledMail {
  to: string;
  kept: SpelledMail;
  attachments: [];
}

/** How many links to a new password a person may have open, so that no mailbox is flooded. */
const mostResets = 3;

export async function composeInvitation(
  ctx: Ctx,
  mail: MailRow,
): Promise<SecretMail | MailTrouble> {
  const link = await findLink(ctx.db, mail.key);
  if (!link?.email || !link.role || link.expires_at <= ctx.now()) return 'obsolete';
  const { role, expires_at: until } = link;
  const { name } = await organiserOf(ctx);
  return withLink(ctx, { to: link.email, link }, (url) =>
    writeInviteMail({ url, role, until, organiser: name }),
  );
}

/** No mail is sent if no person has this address or the person is suspended. */
export async function composeReset(ctx: Ctx, mail: MailRow): Promise<SecretMail | MailTrouble> {
  const to = mail.to_address;
  const user = to === null ? undefined : await findUserByEmail(ctx.db, to);
  if (!user || user.suspended_at !== null) return 'obsolete';
  const { name } = await organiserOf(ctx);
  const link = await transact(ctx.db, async (trx) => {
    // Without the lock several workers would each store the last allowed link.
    await lockUser(trx, user.id);
    if ((await linksOf(trx, user.id, ctx.now())).length >= mostResets) return null;
    return storeLink(ctx, trx, {
      kind: 'reset',
      user_id: user.id,
      made_by: null,
      validMs: resetMs,
    });
  });
  if (link === null) return 'obsolete';
  return withLink(ctx, { to: user.email, link }, (url) =>
    writeResetMail({ url, until: link.expires_at, organiser: name }),
  );
}

async function withLink(
  ctx: Ctx,
  { to, link }: { to: string; link: OneTimeLinkRow },
  write: (url: string) => MailBody,
): Promise<SecretMail | MailTrouble> {
  if (!isMailAddress(to)) return 'bad_address';
  const sent = spellMail(write(await addressFor(ctx, ctx.db, link)));
  return { to, ...sent, kept: spellMail(write(pageOf(ctx, link.kind))), attachments: [] };
}
