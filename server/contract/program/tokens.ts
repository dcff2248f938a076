/** Tokens of other programs, as the office makes and revokes them. */
import * as v from 'valibot';
import { programScopes } from '#server/domain/program/token.ts';
import { endpoint, text, timeIn, timeOut } from '#server/contract/endpoint.ts';

const token = v.object({
  id: v.string(),
  name: v.string(),
  /** The first letters of the token. */ token_start: v.string(),
  scopes: v.array(v.picklist(programScopes)),
  /** Null: all events. */
  event: v.nullable(v.object({ id: v.string(), title: v.nullable(v.string()) })),
  state: v.picklist(['valid', 'expired', 'revoked']),
  made_by: v.nullable(v.string()),
  created_at: timeOut,
  expires_at: v.nullable(timeOut),
  revoked_at: v.nullable(timeOut),
  last_used_at: v.nullable(timeOut),
});

export const listProgramTokens = endpoint('GET', '/api/admin/programs/tokens', {
  who: 'change_programs',
  summary: 'Tokens of other programs, the newest first',
  reply: v.object({ items: v.array(token) }),
});

/** Only this answer has the `token`. */
export const makeProgramToken = endpoint('POST', '/api/admin/programs/tokens', {
  who: 'change_programs',
  sensitive: true,
  summary: 'Let a program read',
  refusals: ['event_not_found', 'time_is_over'],
  body: v.object({
    name: text(80, 1),
    scopes: v.pipe(
      v.array(v.picklist(programScopes)),
      v.minLength(1),
      v.maxLength(programScopes.length),
    ),
    event_id: v.nullable(text(100, 1)),
    expires_at: v.nullable(timeIn),
  }),
  reply: v.object({ id: v.string(), token: v.string() }),
});

export const revokeProgramToken = endpoint(
  'POST',
  '/api/admin/programs/tokens/:programTokenId/revoke',
  {
    who: 'change_programs',
    summary: 'Let a program read no more, from its next call on',
    refusals: ['token_not_found'],
  },
);
