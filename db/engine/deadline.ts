/**
 * Ends a PostgreSQL connection whose server does not answer: TCP alone would wait for a quarter
 * of an hour.
 */
import type { Client, QueryConfig, QueryResult } from 'pg';

/** No statement of ours takes so long; schema changes and locks may. */
const deadlineMs = 10_000;
const mayTakeLong = /^\s*(?:create|alter|drop|vacuum|select pg_advisory)\b/i;

type Callback = (error: Error | null, result?: QueryResult) => void;
export type Query = (asked: QueryConfig | string, callback?: Callback) => unknown;

/** A statement without an answer in time; isAway() in dialect.ts knows it by its code. */
class DatabaseSilent extends Error {
  readonly code = 'DATABASE_SILENT';
}

/**
 * Each statement has a deadline; after it the connection is closed, and all that waits on it
 * fails at once.
 */
export function breakOffWhenSilent(connection: Pick<Client, 'connection'>, query: Query): Query {
  return (asked, callback) => {
    const text = typeof asked === 'string' ? asked : asked.text;
    const isStream = typeof asked !== 'string' && 'submit' in asked;
    if (callback === undefined || isStream || mayTakeLong.test(text)) return query(asked, callback);
    const timer = setTimeout(() => {
      connection.connection.stream.destroy(
        new DatabaseSilent(`no answer from the database for ${deadlineMs} ms`),
      );
    }, deadlineMs);
    return query(asked, (error, result) => {
      clearTimeout(timer);
      callback(error, result);
    });
  };
}
