/** Part of the start schema: people of the office, how they prove who they are, their sessions, and links that work once. */
import type { Knex } from 'knex';

export const peopleTables: Record<string, (t: Knex.CreateTableBuilder) => void> = {
  users(t) {
    t.string('id', 40).primary();
    t.string('email', 254).notNullable().unique();
    t.string('name', 100).notNullable();
    t.string('role', 10).notNullable();
    t.text('password_hash').notNullable();
    t.bigInteger('created_at').notNullable();
    t.bigInteger('first_login_at');
    t.bigInteger('last_seen_at');
    t.bigInteger('suspended_at');
    // The row stays: the audit names whoever did something.
    t.bigInteger('removed_at');
    // Sealed where SECRETS_KEY is set; null: no codes.
    t.text('totp_secret');
    // The time step of the last code that was taken: it is never taken again.
    t.bigInteger('totp_step');
  },

  sessions(t) {
    t.string('token_hash', 64).primary();
    t.string('id', 40).notNullable().unique();
    t.string('user_id', 40).notNullable().references('users.id').onDelete('CASCADE').index();
    t.bigInteger('created_at').notNullable();
    t.bigInteger('last_seen_at').notNullable();
    // When whoever sits there last proved who they are.
    t.bigInteger('verified_at').notNullable();
    t.string('device', 60).notNullable();
    t.string('place', 10).notNullable();
  },

  known_devices(t) {
    t.string('token_hash', 64).primary();
    t.string('user_id', 40).notNullable().references('users.id').onDelete('CASCADE');
    t.bigInteger('created_at').notNullable();
  },

  passkeys(t) {
    t.string('id', 1400).primary();
    t.string('user_id', 40).notNullable().references('users.id').onDelete('CASCADE').index();
    t.text('public_key').notNullable();
    t.bigInteger('counter').notNullable();
    t.text('transports').notNullable();
    t.string('name', 60).notNullable();
    t.bigInteger('created_at').notNullable();
    t.bigInteger('last_used_at');
  },

  recovery_codes(t) {
    t.string('code_hash', 64).primary();
    t.string('user_id', 40).notNullable().references('users.id').onDelete('CASCADE').index();
  },

  /** What a browser was asked to sign, or a secret that waits for its first code: for some minutes, once. */
  challenges(t) {
    t.string('hash', 64).primary();
    t.string('purpose', 20).notNullable();
    t.string('user_id', 40);
    t.bigInteger('expires_at').notNullable().index();
  },

  /** Tries at passwords and codes; the key is a hash of whose, and from where. */
  guesses(t) {
    t.string('key', 64).primary();
    t.integer('tries').notNullable();
    t.bigInteger('until').notNullable().index();
  },

  one_time_links(t) {
    t.string('id', 40).primary();
    t.string('kind', 10).notNullable();
    t.string('role', 10);
    t.string('email', 254);
    t.string('user_id', 40).references('users.id').onDelete('CASCADE');
    // Null: made by the program itself.
    t.string('made_by', 40);
    t.bigInteger('created_at').notNullable();
    t.bigInteger('expires_at').notNullable();
  },

  /** A mail that had to be sent twice brought two of them for one link. */
  link_tokens(t) {
    t.string('token_hash', 64).primary();
    t.string('link_id', 40)
      .notNullable()
      .references('one_time_links.id')
      .onDelete('CASCADE')
      .index();
  },
};
