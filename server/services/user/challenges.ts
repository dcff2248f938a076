/** Challenges that a browser must answer within minutes, once, for the person they are for. */
import { insertChallenge, takeChallenge } from '#db/user/factors.ts';
import type { ChallengePurpose } from '#server/domain/user/user.ts';
import type { Ctx } from '#server/services/context.ts';
import { hashToken } from './secrets.ts';

const validMs = 10 * 60_000;

interface Asked {
  challenge: string;
  purpose: ChallengePurpose;
  /** The person who must answer; null: anybody may. */
  user_id: string | null;
}

export async function noteAsked(ctx: Ctx, { challenge, ...asked }: Asked): Promise<void> {
  await insertChallenge(ctx.db, {
    ...asked,
    hash: hashToken(challenge),
    expires_at: ctx.now() + validMs,
  });
}

export async function isAsked(ctx: Ctx, { challenge, ...asked }: Asked): Promise<boolean> {
  return takeChallenge(ctx.db, { ...asked, hash: hashToken(challenge), now: ctx.now() });
}
