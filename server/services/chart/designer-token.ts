/**
 * Tokens with which a browser may edit one chart. Our server replaces a token with the chart
 * server's secret key, which browsers never get (RULES H5).
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
 * Makes a token for one chart, valid for ten minutes; the session may get another one later.
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

/** The user to whom this token for this chart belongs. @throws Refusal not_logged_in */
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
  // Checks the right again, because the user's role may have changed.
  if (!live || !may(live.user.role, 'import_charts')) throw new Refusal('not_logged_in');
  return live.user;
}
