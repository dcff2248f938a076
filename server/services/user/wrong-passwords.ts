/** Notes wrong passwords, and warns the account's owner once a day if there were many. */
import { countSince } from '#db/audit/audit.ts';
import type { UserRow } from '#db/rows.ts';
import { transact } from '#db/engine/transact.ts';
import { lockUser } from '#db/user/users.ts';
import type { Ctx } from '#server/services/context.ts';
import { happened, oweMail } from '#server/services/kit/happened.ts';

const dayMs = 24 * 3_600_000;
const alarmAt = 10;

/** Notes a wrong password; what was typed is neither logged nor stored. */
export async function noteWrongPassword(ctx: Ctx, { id, email }: UserRow): Promise<void> {
  ctx.log.warn({ user_id: id }, 'wrong password');
  const today = Math.floor(ctx.now() / dayMs);
  await transact(ctx.db, async (trx) => {
    // Without the lock ten wrong passwords in parallel would not see each other.
    await lockUser(trx, id);
    await happened(ctx, trx, { actor: 'visitor', action: 'login_failed', subject: id });
    const wrong = await countSince(trx, {
      action: 'login_failed',
      subject: id,
      since: ctx.now() - dayMs,
    });
    if (wrong !== alarmAt) return;
    await oweMail(ctx, trx, {
      act: 'login_failed',
      order_id: null,
      kind: 'login_alarm',
      key: `${id}.${today}`,
      to_address: email,
    });
  });
}
