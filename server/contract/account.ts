/**
 * The user's own account on the wire: password, sessions, second factor, and the proof before a
 * sensitive act.
 */
import * as v from 'valibot';
import { places } from '#server/domain/user/user.ts';
import { endpoint, text, timeOut, trimmed } from './endpoint.ts';
import { passkeyJson, passkeyOptions, password } from './users.ts';

/** Ends all other sessions. */
export const changePassword = endpoint('POST', '/api/auth/password', {
  who: 'own_account',
  limit: 'login',
  refusals: ['password_wrong', 'password_weak'],
  summary: 'Change the own password',
  body: v.object({ old: password, password }),
});

/** `device`: browser and system in words; `place`: where it was last used. */
export const listSessions = endpoint('GET', '/api/auth/sessions', {
  who: 'own_account',
  summary: 'The own sessions, the one used last first',
  reply: v.object({
    items: v.array(
      v.object({
        id: v.string(),
        device: v.string(),
        place: v.picklist(places),
        created_at: timeOut,
        last_seen_at: timeOut,
        current: v.boolean(),
      }),
    ),
  }),
});

export const endSession = endpoint('DELETE', '/api/auth/sessions/:sessionId', {
  who: 'own_account',
  sensitive: true,
  refusals: ['session_unknown'],
  summary: 'End one of the own sessions',
});

/** Ends this session, too. */
export const endAllSessions = endpoint('DELETE', '/api/auth/sessions', {
  who: 'own_account',
  sensitive: true,
  summary: 'End all own sessions, everywhere',
});

const code = text(40, 6);
/** The codes are shown only this once; null: they were shown before. */
const recoveryCodes = v.object({ recovery_codes: v.nullable(v.array(v.string())) });

/**
 * `due_at`: from then on the account needs a second factor for everything else; null: it needs
 * none.
 */
export const readFactors = endpoint('GET', '/api/auth/factors', {
  who: 'own_account',
  summary: 'The own second factors',
  reply: v.object({
    totp: v.boolean(),
    passkeys: v.array(
      v.object({
        id: v.string(),
        name: v.string(),
        created_at: timeOut,
        last_used_at: v.nullable(timeOut),
      }),
    ),
    recovery_left: v.number(),
    due_at: v.nullable(timeOut),
    passkeys_possible: v.boolean(),
  }),
});

/**
 * `address` is the text of the QR code; it is valid once its first code was sent to addTotp,
 * within ten minutes.
 */
export const beginTotp = endpoint('POST', '/api/auth/totp', {
  who: 'own_account',
  sensitive: true,
  summary: 'A secret for an authenticator app',
  reply: v.object({ secret: v.string(), address: v.string() }),
});

export const addTotp = endpoint('PUT', '/api/auth/totp', {
  who: 'own_account',
  sensitive: true,
  refusals: ['code_wrong'],
  summary: 'Take the authenticator app as second factor',
  body: v.object({ secret: text(64), code }),
  reply: recoveryCodes,
});

export const removeTotp = endpoint('DELETE', '/api/auth/totp', {
  who: 'own_account',
  sensitive: true,
  summary: 'Take the authenticator app away',
});

/** Names the device, so that a user with two of them knows which one to remove. */
const passkeyName = trimmed(60, 1);

export const beginPasskey = endpoint('POST', '/api/auth/passkeys/options', {
  who: 'own_account',
  sensitive: true,
  refusals: ['passkey_refused'],
  summary: 'What a browser is to make a passkey of',
  reply: passkeyOptions,
});

export const addPasskey = endpoint('POST', '/api/auth/passkeys', {
  who: 'own_account',
  sensitive: true,
  refusals: ['passkey_refused'],
  summary: 'Take a passkey as second factor',
  body: v.object({ name: passkeyName, response: passkeyJson }),
  reply: recoveryCodes,
});

/** Changes the name that its owner gave it. */
export const renamePasskey = endpoint('PUT', '/api/auth/passkeys/:passkeyId', {
  who: 'own_account',
  longestParam: 1_400,
  refusals: ['passkey_unknown'],
  summary: 'Give a passkey another name',
  body: v.object({ name: passkeyName }),
});

export const removePasskey = endpoint('DELETE', '/api/auth/passkeys/:passkeyId', {
  who: 'own_account',
  sensitive: true,
  longestParam: 1_400,
  refusals: ['passkey_unknown'],
  summary: 'Take a passkey away',
});

/** The old codes stop working. */
export const renewRecoveryCodes = endpoint('POST', '/api/auth/recovery_codes', {
  who: 'own_account',
  sensitive: true,
  refusals: ['factor_missing'],
  summary: 'Ten new recovery codes, each for one use',
  reply: recoveryCodes,
});

export const beginConfirmation = endpoint('POST', '/api/auth/confirm/options', {
  who: 'own_account',
  summary: 'What a browser is to sign to confirm who sits there',
  reply: passkeyOptions,
});

/**
 * Answers confirm_again with the second factor, or with the password if there is none. Sensitive
 * acts then pass for ten minutes.
 */
export const confirmIdentity = endpoint('POST', '/api/auth/confirm', {
  who: 'own_account',
  limit: 'login',
  refusals: ['confirm_wrong'],
  summary: 'Prove again who sits there',
  body: v.object({
    password: v.optional(password),
    code: v.optional(code),
    passkey: v.optional(passkeyJson),
  }),
});

/**
 * Called before a download, because the browser fetches the file by itself and could not ask for
 * the password.
 */
export const checkFresh = endpoint('GET', '/api/auth/confirm', {
  who: 'own_account',
  sensitive: true,
  summary: 'Whether a sensitive act would pass now',
});
