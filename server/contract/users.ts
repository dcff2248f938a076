/** Login on the wire: login, logout, the present user, an invitation, a forgotten password. */
import * as v from 'valibot';
import { addressKey } from '#server/domain/text/mail-address.ts';
import { roles } from '#server/domain/user/user.ts';
import { endpoint, text, timeOut, trimmed } from './endpoint.ts';
import { mailAddress } from './mail-address.ts';

const user = v.object({
  id: v.string(),
  email: v.string(),
  name: v.string(),
  role: v.picklist(roles),
});

/** Every spelling of an address is one account. */
export const email = v.pipe(mailAddress, v.toLowerCase());
export const password = text(256, 1);
const token = text(100, 16);

/**
 * The session is in a cookie; the body is the user (RULES U1). `detail.ways` of code_needed: the
 * account's second factors; a `passkey` logs in by loginByPasskey.
 */
export const login = endpoint('POST', '/api/auth/login', {
  who: 'public',
  limit: 'login',
  refusals: ['login_failed', 'account_suspended', 'code_needed', 'code_wrong'],
  summary: 'Log in; `code`: of the authenticator app, or a recovery code',
  body: v.object({
    email: v.pipe(text(254), v.transform(addressKey), v.string()),
    password,
    code: v.optional(text(40)),
  }),
  reply: user,
});

export const logout = endpoint('POST', '/api/auth/logout', {
  who: 'public',
  summary: 'Log out; without a session nothing happens',
});

export const me = endpoint('GET', '/api/auth/me', {
  who: 'own_account',
  summary: 'The current user, or 401',
  reply: user,
});

/** `email` is set if the invitation was sent by mail: the account gets that address. */
export const readInvite = endpoint('POST', '/api/auth/invite/look', {
  who: 'public',
  limit: 'login',
  refusals: ['invite_invalid'],
  summary: 'Whom an invitation is for; it stays as it is',
  body: v.object({ token }),
  reply: v.object({
    role: v.picklist(roles),
    email: v.nullable(v.string()),
    expires_at: timeOut,
  }),
});

/** A one-time link, `<public origin>/admin/invito#<token>`; it also logs in. */
export const acceptInvite = endpoint('POST', '/api/auth/invite', {
  who: 'public',
  limit: 'login',
  refusals: ['invite_invalid', 'password_weak', 'email_taken'],
  summary: 'Take up an invitation',
  body: v.object({
    token,
    email,
    name: trimmed(100, 1),
    password,
  }),
  reply: user,
});

/** Always 202: only the owner of the address learns whether it is known. */
export const forgotPassword = endpoint('POST', '/api/auth/password/forgot', {
  who: 'public',
  limit: 'find',
  accepted: true,
  summary: 'Ask for a link to a new password, by mail',
  body: v.object({ email }),
});

/** Ends all sessions of that user, and does not log them in. */
export const resetPassword = endpoint('POST', '/api/auth/password/reset', {
  who: 'public',
  limit: 'login',
  refusals: ['link_invalid', 'password_weak'],
  summary: 'Choose a new password by a one-time link',
  body: v.object({ token, password }),
});

/** The vendor's shapes, as @simplewebauthn/browser takes and returns them. */
export const passkeyJson = v.record(text(100), v.unknown());
export const passkeyOptions = v.object({ options: v.unknown() });

export const beginPasskeyLogin = endpoint('POST', '/api/auth/passkey/options', {
  who: 'public',
  limit: 'login',
  summary: 'What a browser is to sign to log in with a passkey',
  reply: passkeyOptions,
});

/** A passkey opened by finger, face or PIN is password and second factor in one. */
export const loginByPasskey = endpoint('POST', '/api/auth/passkey', {
  who: 'public',
  limit: 'login',
  refusals: ['passkey_refused', 'account_suspended'],
  summary: 'Log in with a passkey',
  body: v.object({ response: passkeyJson }),
  reply: user,
});
