/** People of the office and the door: invitation, login, who am I. */
import * as v from 'valibot';
import { roles } from '#server/domain/user.ts';
import { endpoint, text } from './endpoint.ts';

const user = v.object({
  id: v.string(),
  email: v.string(),
  name: v.string(),
  role: v.picklist(roles),
});

const email = v.pipe(text(254), v.trim(), v.toLowerCase(), v.email());
const password = text(256, 1);

/** The session travels in a cookie; the body is the user (RULES U1). */
export const login = endpoint('POST', '/api/auth/login', {
  who: 'public',
  limit: 'login',
  refusals: ['login_failed'],
  summary: 'Log in',
  body: v.object({
    email: v.pipe(text(254), v.trim(), v.toLowerCase()),
    password,
    code: v.optional(text(20)),
  }),
  reply: user,
});

export const logout = endpoint('POST', '/api/auth/logout', {
  who: 'public',
  limit: 'change',
  summary: 'Log out; without a session nothing happens',
});

export const me = endpoint('GET', '/api/auth/me', {
  who: 'own_account',
  limit: 'read',
  summary: 'The current user, or 401',
  reply: user,
});

/** The first admin's one-time link, `<public origin>/admin/invito#<token>`; it logs in at once. */
export const acceptInvite = endpoint('POST', '/api/auth/invite', {
  who: 'public',
  limit: 'login',
  refusals: ['invite_invalid', 'password_weak', 'email_taken'],
  summary: 'Take up an invitation',
  body: v.object({
    token: text(100, 16),
    email,
    name: v.pipe(text(100), v.trim(), v.minLength(1)),
    password,
  }),
  reply: user,
});
