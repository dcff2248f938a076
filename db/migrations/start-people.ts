/**
 * Part of the start schema: people of the office, their passwords and second factors, sessions,
 * and links that work once.
 */
import type { ChallengePurpose, Place, Role } from '#server/domain/user/user.ts';
import { bigInteger, integer, text, table } from './table.ts';

export const peopleTables = {
  users: table({
    id: text(40).primary(),
    email: text(254).unique(),
    name: text(100),
    role: text<Role>(10),
    password_hash: text(),
    created_at: bigInteger(),
    first_login_at: bigInteger().orNull(),
    last_seen_at: bigInteger().orNull(),
    suspended_at: bigInteger().orNull(),
    // A removed person's row stays, because the audit log names the people who acted.
    removed_at: bigInteger().orNull(),
    // Sealed where SECRETS_KEY is set; null without an authenticator app.
    totp_secret: text().orNull(),
    // The time step of the last accepted code, so that no code is accepted twice.
    totp_step: bigInteger().orNull(),
  }),

  sessions: table({
    token_hash: text(64).primary(),
    // An id that other people may see.
    id: text(40).unique(),
    user_id: text(40).references('users.id', 'CASCADE').index(),
    created_at: bigInteger(),
    last_seen_at: bigInteger(),
    // When the person last logged in or confirmed their identity.
    verified_at: bigInteger(),
    device: text(60),
    place: text<Place>(10),
  }),

  /**
   * Tokens that a person who draws a chart sends in place of the chart server's secret key; they
   * end with the session.
   */
  designer_tokens: table({
    token_hash: text(64).primary(),
    session_hash: text(64).references('sessions.token_hash', 'CASCADE').index(),
    chart_key: text(100),
    expires_at: bigInteger(),
  }),

  known_devices: table({
    token_hash: text(64).primary(),
    user_id: text(40).references('users.id', 'CASCADE'),
    created_at: bigInteger(),
  }),

  passkeys: table({
    id: text(1400).primary(),
    user_id: text(40).references('users.id', 'CASCADE').index(),
    public_key: text(),
    counter: bigInteger(),
    // JSON: how a browser can reach the passkey.
    transports: text(),
    name: text(60),
    created_at: bigInteger(),
    last_used_at: bigInteger().orNull(),
  }),

  recovery_codes: table({
    code_hash: text(64).primary(),
    user_id: text(40).references('users.id', 'CASCADE').index(),
  }),

  /**
   * A challenge for a browser to sign, or a secret that waits for its first code; each works
   * once, for some minutes.
   */
  challenges: table({
    hash: text(64).primary(),
    purpose: text<ChallengePurpose>(20),
    user_id: text(40).orNull(),
    expires_at: bigInteger().index(),
  }),

  /**
   * Attempts at passwords and codes, and calls that are limited for the whole house. The key is a
   * hash of the person and the origin.
   */
  guesses: table({
    key: text(64).primary(),
    tries: integer(),
    // The end of the wait, or of the time in which attempts are counted.
    until: bigInteger().index(),
  }),

  one_time_links: table({
    id: text(40).primary(),
    kind: text<'invite' | 'reset'>(10),
    role: text<Role>(10).orNull(),
    email: text(254).orNull(),
    user_id: text(40).orNull().references('users.id', 'CASCADE'),
    // Null if the program itself made the link.
    made_by: text(40).orNull(),
    created_at: bigInteger(),
    expires_at: bigInteger(),
  }),

  /** A link may have several tokens, because a mail that is sent twice contains a new one. */
  link_tokens: table({
    token_hash: text(64).primary(),
    link_id: text(40).references('one_time_links.id', 'CASCADE').index(),
  }),
};
