/**
 * Records that a mail came back: the office or our mail server sends us the notice, and we store
 * it with the mail that it names.
 */
import { findMail, mailsOfMessageIds, noteBounce } from '#db/mail/mails.ts';
import { findOrder } from '#db/order/orders.ts';
import type { MailRow } from '#db/rows.ts';
import { transact } from '#db/engine/transact.ts';
import { readBounce, type Bounce } from '#server/adapters/bounce.ts';
import { envelopeIdOf } from '#server/adapters/mail.ts';
import { spellTrouble } from '#server/domain/mail/kinds.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { happened } from '#server/services/kit/happened.ts';

/**
 * Records a bounce once per mail, however often the notice is sent.
 * @throws Refusal bounce_unreadable, bounce_not_final, bounce_unknown
 */
export async function takeBounce(ctx: Ctx, raw: Uint8Array, actor: Actor) {
  const bounce = await readBounce(raw);
  if (bounce === null) throw new Refusal('bounce_unreadable');
  const mail = await mailNamedIn(ctx, bounce);
  if (!mail) throw new Refusal('bounce_unknown');
  if (!bounce.final) throw new Refusal('bounce_not_final');
  // The notice may contain the address, so its text is not stored for an erased buyer.
  const said = mail.forgotten_at === null ? bounce.said : '';
  const noted = await noteOnce(ctx, { mail, said, actor });
  const order = mail.order_id === null ? undefined : await findOrder(ctx.db, mail.order_id);
  return {
    mail_id: mail.id,
    kind: mail.kind,
    order_number: order?.number ?? null,
    to_address: mail.to_address,
    said: said || null,
    repeated: !noted,
  };
}

/** Finds the mail by its Message-ID, otherwise by the envelope id that we gave the server. */
async function mailNamedIn(
  ctx: Ctx,
  { message_ids, envelope_id }: Bounce,
): Promise<MailRow | undefined> {
  const [named] = await mailsOfMessageIds(ctx.db, message_ids);
  if (named || envelope_id === null) return named;
  const mail = await findMail(ctx.db, envelope_id.replace(/^order-/, ''));
  return mail && envelopeIdOf(mail.message_id) === envelope_id ? mail : undefined;
}

async function noteOnce(
  ctx: Ctx,
  { mail, said, actor }: { mail: MailRow; said: string; actor: Actor },
): Promise<boolean> {
  return transact(ctx.db, async (trx) => {
    if (!(await noteBounce(trx, mail.id, spellTrouble('bounced', said)))) return false;
    await happened(ctx, trx, {
      actor,
      action: 'mail_bounced',
      subject: mail.order_id ?? mail.id,
      detail: { mail_id: mail.id, kind: mail.kind },
    });
    return true;
  });
}
