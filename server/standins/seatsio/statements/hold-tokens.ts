/** The rows of hold tokens. */
import type { Reader, Writer } from '#server/standins/kit/store.ts';

export interface TokenRow {
  token: string;
  workspace_id: number;
  created_at: number;
  expires_at: number;
  /** 1 once it has expired and its objects are free. */
  settled: number;
  /** How many places of an event it may hold with calls without a key; null: as the event. */
  most_held: number | null;
  /** The event to which its seller admitted it, if that event takes admitted tokens only. */
  admitted_to: number | null;
  /** The network whose visitor first held with it; null: not yet, or by a program's call. */
  network: string | null;
}

export function tokenOf(sql: Reader, workspaceId: number, token: string) {
  return sql.get<TokenRow>(
    'SELECT * FROM seatsio_hold_tokens WHERE token = ? AND workspace_id = ?',
    token,
    workspaceId,
  );
}

/** Expired tokens whose objects are still held. */
export function tokensDue(sql: Reader, now: number) {
  return sql.all<TokenRow>(
    'SELECT * FROM seatsio_hold_tokens WHERE settled = 0 AND expires_at <= ?',
    now,
  );
}

/** Tokens with a future start (the clock was set back) start now and last as long as planned. */
export function beginAhead(sql: Writer, now: number) {
  return sql.run(
    'UPDATE seatsio_hold_tokens SET expires_at = expires_at - created_at + ?, created_at = ? WHERE settled = 0 AND created_at > ?',
    now,
    now,
    now,
  );
}

export function addToken(
  sql: Writer,
  row: Omit<TokenRow, 'most_held' | 'admitted_to' | 'network'>,
) {
  return sql.run(
    'INSERT INTO seatsio_hold_tokens (token, workspace_id, created_at, expires_at, settled) VALUES (?, ?, ?, ?, ?)',
    row.token,
    row.workspace_id,
    row.created_at,
    row.expires_at,
    row.settled,
  );
}

export function setExpiry(sql: Writer, token: string, expiresAt: number) {
  return sql.run('UPDATE seatsio_hold_tokens SET expires_at = ? WHERE token = ?', expiresAt, token);
}

export function setMostHeldBy(sql: Writer, token: string, most: number) {
  return sql.run('UPDATE seatsio_hold_tokens SET most_held = ? WHERE token = ?', most, token);
}

export function admitTokenTo(sql: Writer, token: string, eventId: number) {
  return sql.run('UPDATE seatsio_hold_tokens SET admitted_to = ? WHERE token = ?', eventId, token);
}

export function setNetwork(sql: Writer, token: string, network: string) {
  return sql.run('UPDATE seatsio_hold_tokens SET network = ? WHERE token = ?', network, token);
}

export function settleToken(sql: Writer, token: string) {
  return sql.run('UPDATE seatsio_hold_tokens SET settled = 1 WHERE token = ?', token);
}

export function forgetSettled(sql: Writer, before: number) {
  return sql.run('DELETE FROM seatsio_hold_tokens WHERE settled = 1 AND expires_at <= ?', before);
}
