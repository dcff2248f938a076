/**
 * Users and roles on the wire: an admin invites a user, changes what they may do, and removes
 * them.
 */
import * as v from 'valibot';
import { roles } from '#server/domain/user/user.ts';
import { endpoint, timeOut } from './endpoint.ts';
import { email } from './users.ts';

const role = v.picklist(roles);

const person = v.object({
  id: v.string(),
  email: v.string(),
  name: v.string(),
  role,
  suspended: v.boolean(),
  /** The user has a second factor. */ factor: v.boolean(),
  created_at: timeOut,
  last_seen_at: v.nullable(timeOut),
});

/** `email` null: the invitation is a link without a mail. */
const invite = v.object({
  id: v.string(),
  role,
  email: v.nullable(v.string()),
  created_at: timeOut,
  expires_at: timeOut,
});

/** `mail_leaves` false: no mail server is set up, so an invitation by mail would not arrive. */
export const listPeople = endpoint('GET', '/api/admin/people/', {
  who: 'manage_people',
  summary: 'Everybody who may come in, by name, and the invitations that are open',
  reply: v.object({
    items: v.array(person),
    invites: v.array(v.object({ ...invite.entries, made_by: v.nullable(v.string()) })),
    mail_leaves: v.boolean(),
  }),
});

/**
 * With an address, the invitation is mailed and `url` is null; otherwise only this answer has the
 * `url`. It works once, for 72 hours.
 */
export const invitePerson = endpoint('POST', '/api/admin/people/invites', {
  who: 'manage_people',
  sensitive: true,
  refusals: ['email_taken'],
  summary: 'Invite somebody',
  body: v.object({ role, email: v.optional(v.nullable(email)) }),
  reply: v.object({ invite, url: v.nullable(v.string()) }),
});

export const withdrawInvite = endpoint('DELETE', '/api/admin/people/invites/:inviteId', {
  who: 'manage_people',
  sensitive: true,
  refusals: ['invite_invalid'],
  summary: 'Take an invitation back',
});

const changes = ['person_not_found', 'last_admin'] as const;

export const changeRole = endpoint('PUT', '/api/admin/people/:userId/role', {
  who: 'manage_people',
  sensitive: true,
  refusals: changes,
  summary: 'Give somebody another role, from their next call on',
  body: v.object({ role }),
  reply: person,
});

export const suspendPerson = endpoint('POST', '/api/admin/people/:userId/suspend', {
  who: 'manage_people',
  sensitive: true,
  refusals: changes,
  summary: 'Shut somebody out until further notice; their sessions end',
  reply: person,
});

export const restorePerson = endpoint('POST', '/api/admin/people/:userId/restore', {
  who: 'manage_people',
  sensitive: true,
  refusals: changes,
  summary: 'Let a suspended person in again',
  reply: person,
});

/** The name stays with the user's actions in the Registro. */
export const removePerson = endpoint('DELETE', '/api/admin/people/:userId', {
  who: 'manage_people',
  sensitive: true,
  refusals: changes,
  summary: 'Remove somebody for good',
});

/** For a user who gets no mail: the link works once, for an hour. */
export const makeResetLink = endpoint('POST', '/api/admin/people/:userId/reset_link', {
  who: 'manage_people',
  sensitive: true,
  refusals: ['person_not_found'],
  summary: 'A link to a new password, to be handed over',
  reply: v.object({ url: v.string(), expires_at: timeOut }),
});

/** For a user who lost the phone: the password alone is enough until a new factor is added. */
export const resetFactors = endpoint('POST', '/api/admin/people/:userId/reset_factors', {
  who: 'manage_people',
  sensitive: true,
  refusals: changes,
  summary: 'Take all second factors of somebody away',
  reply: person,
});
