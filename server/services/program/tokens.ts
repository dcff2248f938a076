/**
 * Tokens of other programs: the office makes and revokes them and sees each once; the database
 * has only hashes (RULES Q1).
 */
import { hash } from 'node:crypto';
import { findEvent } from '#db/event/events.ts';
import { transact } from '#db/engine/transact.ts';
import {
  insertToken,
  listTokens,
  noteTokenUse,
  revokeToken as endToken,
  tokenByHash,
} from '#db/program/tokens.ts';
import type { ProgramTokenRow } from '#db/rows.ts';
import {
  tokenForm,
  tokenStartLength,
  tokenStateOf,
  type ProgramScope,
} from '#server/domain/program/token.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { namesOf } from '#server/services/user/actors.ts';
import { happened } from '#server/services/kit/happened.ts';
import { newToken } from '#server/services/user/secrets.ts';

export interface ProgramInCall {
  id: string;
  scopes: readonly ProgramScope[];
  /** The event that the token is limited to; null: all events. */ event_id: string | null;
}

/** The last use of a token is stored at most once in this time. */
const usedEveryMs = 60_000;

/** @throws Refusal token_refused */
export async function programOfToken(ctx: Ctx, token: string | null): Promise<ProgramInCall> {
  const row = token === null ? undefined : await tokenByHash(ctx.db, hashOf(token));
  const now = ctx.now();
  if (row === undefined || tokenStateOf(row, now) !== 'valid') throw new Refusal('token_refused');
  const { id, event_id, last_used_at } = row;
  if (last_used_at === null || Math.abs(now - last_used_at) >= usedEveryMs)
    // If the last use cannot be stored, the call still succeeds.
    await noteTokenUse(ctx.db, id, now).catch((error: unknown) => {
      ctx.log.warn({ err: error }, 'the use of a token was not written');
    });
  return { id, event_id, scopes: scopesOf(row) };
}

/** The token in `Authorization: Bearer …`; null if there is none or it is not one of ours. */
export function readBearer(header: string | undefined): string | null {
  const [, token = ''] = /^Bearer (\S+)$/i.exec(header ?? '') ?? [];
  return tokenForm.test(token) ? token : null;
}

function hashOf(token: string): string {
  return hash('sha256', token, 'base64url');
}

function scopesOf({ scopes }: ProgramTokenRow): ProgramScope[] {
  return JSON.parse(scopes) as ProgramScope[];
}

export async function tokensForOffice(ctx: Ctx) {
  const rows = await listTokens(ctx.db);
  const titleOf = await titlesOf(ctx, rows);
  const nameOf = await namesOf(
    ctx.db,
    rows.map(({ made_by }) => made_by),
  );
  const now = ctx.now();
  return {
    items: rows.map((row) => ({
      ...row,
      scopes: scopesOf(row),
      event: titleOf(row.event_id),
      state: tokenStateOf(row, now),
      made_by: nameOf(row.made_by),
    })),
  };
}

/** The titles of the events to which tokens or addresses are limited; none if deleted. */
export async function titlesOf(ctx: Ctx, rows: readonly { event_id: string | null }[]) {
  const titles = new Map<string, string>();
  for (const id of new Set(rows.flatMap(({ event_id }) => event_id ?? [])))
    titles.set(id, (await findEvent(ctx.db, id))?.title ?? '');
  return (id: string | null) => (id === null ? null : { id, title: titles.get(id) || null });
}

interface NewToken {
  name: string;
  scopes: readonly ProgramScope[];
  event_id: string | null;
  expires_at: number | null;
}

/** @throws Refusal event_not_found, time_is_over */
export async function makeToken(ctx: Ctx, { name, ...wish }: NewToken, actor: Actor) {
  const { event_id, expires_at } = wish;
  if (event_id !== null) await requireEvent(ctx, event_id);
  if (expires_at !== null && expires_at <= ctx.now()) throw new Refusal('time_is_over');
  const scopes = [...new Set(wish.scopes)];
  const token = `bot_${newToken()}`;
  const id = ctx.newId();
  await transact(ctx.db, async (trx) => {
    await insertToken(trx, {
      id,
      name,
      token_hash: hashOf(token),
      token_start: token.slice(0, tokenStartLength),
      scopes: JSON.stringify(scopes),
      event_id,
      made_by: actor,
      created_at: ctx.now(),
      expires_at,
      revoked_at: null,
      last_used_at: null,
    });
    await happened(ctx, trx, {
      actor,
      action: 'program_token_made',
      subject: id,
      detail: { name, scopes, event_id, expires_at },
    });
  });
  return { id, token };
}

/** @throws Refusal event_not_found if there is no such event or it is a rehearsal */
export async function requireEvent(ctx: Ctx, id: string): Promise<void> {
  const event = await findEvent(ctx.db, id);
  if (event === undefined || event.rehearsal === 1) throw new Refusal('event_not_found');
}

/** @throws Refusal token_not_found */
export async function revokeToken(ctx: Ctx, id: string, actor: Actor): Promise<void> {
  await transact(ctx.db, async (trx) => {
    const row = await endToken(trx, id, ctx.now());
    if (row === undefined) throw new Refusal('token_not_found');
    await happened(ctx, trx, {
      actor,
      action: 'program_token_revoked',
      subject: id,
      detail: { name: row.name },
    });
  });
}
