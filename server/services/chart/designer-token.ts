/**
 * Tokens with which a browser draws one chart: our server replaces them with the chart server's
 * secret key, which no browser ever gets (RULES H5).
 */
import { findDesignerToken, insertDesignerToken } from '#db/user/designer-tokens.ts';
import { may } from '#server/domain/user/rights.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { hashToken, newToken } from '#server/services/user/secrets.ts';
import { liveSession, type InSession, type User } from '#server/services/user/sessions.ts';
import type { Ctx } from '#server/services/context.ts';
import { requireOwnChart } from './desk.ts';
import { tellOver } from './over.ts';

const lifeMs = 10 * 60_000;

/**
 * A token for one chart, valid for ten minutes; the session may get another.
 * @throws Refusal import_not_possible, chart_not_found, provider_silent
 */
export async function mintDesignerToken(ctx: Ctx, { session }: InSession, chart_key: string) {
  await requireOwnChart(ctx, chart_key);
  await tellOver(ctx, chart_key);
  const token = newToken();
  const expires_at = ctx.now() + lifeMs;
  await insertDesignerToken(
    ctx.db,
    {
      token_hash: hashToken(token),
      session_hash: session.token_hash,
      chart_key,
      expires_at,
    },
    ctx.now(),
  );
  return { token, expires_at };
}

/** The user who draws this chart with the token. @throws Refusal not_logged_in */
export async function requireDesigner(
  ctx: Ctx,
  { token, chart_key }: { token: string; chart_key: string },
): Promise<User> {
  const found = await findDesignerToken(ctx.db, {
    token_hash: hashToken(token),
    chart_key,
    now: ctx.now(),
  });
  const live = found ? await liveSession(ctx, found.session_hash) : null;
  // The right is checked again, because the role may have changed since.
  if (!live || !may(live.user.role, 'import_charts')) throw new Refusal('not_logged_in');
  return live.user;
}
