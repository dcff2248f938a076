/**
 * Checks the designer's calls, which carry a token of ours for one chart; http/standin-door.ts
 * sends them on with the chart server's secret key.
 */
import type { Context } from 'koa';
import { Refusal } from '#server/domain/refusal.ts';
import { noteDeed, owe, type DesignerDeed } from '#server/services/chart/desk.ts';
import { requireDesigner } from '#server/services/chart/designer-token.ts';
import type { Ctx } from '#server/services/context.ts';
import type { User } from '#server/services/user/sessions.ts';

/**
 * The paths of the designer's calls. They allow no encoded characters, so that no call can reach
 * another chart.
 */
const calls =
  /^(?:GET \/charts\/(?<read>[\w-]{1,100})\/designer(?:\/(?:drawing|versions|taken))?|POST \/charts\/(?<write>[\w-]{1,100})\/designer\/(?<what>drawing|presence|actions\/(?<deed>publish|discard|restore|save-copy)))$/;

/** The largest drawing, packed or not; other bodies are small. */
const drawingBytes = 30 * 1024 * 1024;
const otherBytes = 64 * 1024;

export interface DesignerCall {
  chart_key: string;
  deed: DesignerDeed | null;
  maxBodyBytes: number;
}

/** Null if it is not a call of the designer. */
export function designerCall(method: string, path: string): DesignerCall | null {
  const found = calls.exec(`${method} ${path}`)?.groups;
  if (!found) return null;
  const { read, write, what, deed } = found as Record<string, string | undefined>;
  return {
    chart_key: read ?? write ?? '',
    deed: (deed as DesignerDeed | undefined) ?? null,
    maxBodyBytes: what === 'drawing' || deed === 'save-copy' ? drawingBytes : otherBytes,
  };
}

/** @throws Refusal not_logged_in for a missing or expired token, or one of another chart */
export async function userOfDesigner(ctx: Ctx, http: Context, chart_key: string): Promise<User> {
  const sent = /^Basic ([A-Za-z0-9+/]{1,200}={0,2})$/.exec(http.get('authorization'))?.[1];
  const token = Buffer.from(sent ?? '', 'base64')
    .toString('latin1')
    .replace(/:.*/s, '');
  if (!/^[\w-]{40,60}$/.test(token)) throw new Refusal('not_logged_in');
  return requireDesigner(ctx, { token, chart_key });
}

/**
 * The headers that only the designer's calls need: the version that the designer has, the
 * drawing's encoding, and the user's name.
 */
export function designerHeaders(
  http: Context,
  { secretKey, user }: { secretKey: string; user: User },
): Record<string, string> {
  const said = ['if-match', 'content-encoding'].flatMap((name) =>
    http.get(name) === '' ? [] : [[name, http.get(name)] as const],
  );
  return {
    ...Object.fromEntries(said),
    authorization: `Basic ${Buffer.from(`${secretKey}:`).toString('base64')}`,
    'x-designer-name': encodeURIComponent(user.name),
  };
}

export async function oweAnswer(ctx: Ctx, { deed, chart_key }: DesignerCall): Promise<void> {
  if (deed !== null) await owe(ctx, deed, chart_key);
}

/** Stores the audit entry before the browser gets the answer. */
export async function noteAnswer(
  ctx: Ctx,
  { call, user, answer }: { call: DesignerCall; user: User; answer: Buffer },
): Promise<void> {
  if (call.deed === null) return;
  const said: unknown = JSON.parse(answer.toString('utf8'));
  await noteDeed(ctx, { deed: call.deed, chart_key: call.chart_key, answer: said as object }, user);
}
