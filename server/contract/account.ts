/** Somebody's own account on the wire: password and sessions. */
import * as v from 'valibot';
import { places } from '#server/domain/user.ts';
import { endpoint, timeOut } from './endpoint.ts';
import { password } from './users.ts';

/** Other sessions end, this one stays. */
export const changePassword = endpoint('POST', '/api/auth/password', {
  who: 'own_account',
  limit: 'login',
  refusals: ['password_wrong', 'password_weak'],
  summary: 'Change the own password',
  body: v.object({ old: password, password }),
});

/** `device`: browser and system in words; `place`: from where it was used last. */
export const listSessions = endpoint('GET', '/api/auth/sessions', {
  who: 'own_account',
  limit: 'read',
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
  limit: 'change',
  refusals: ['session_unknown'],
  summary: 'End one of the own sessions',
});

/** This one, too. */
export const endAllSessions = endpoint('DELETE', '/api/auth/sessions', {
  who: 'own_account',
  limit: 'change',
  summary: 'End all own sessions, everywhere',
});
