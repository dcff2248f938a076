/**
 * Ends a PostgreSQL connection whose server does not answer; TCP alone would wait a quarter of an
 * hour.
 */
import type { Client, QueryConfig, QueryResult } from 'pg';

/** Our statements are faster; only schema changes and waits for locks may take longer. */
const deadlineMs = 10_000;
const mayTakeLong = /^\s*(?:create|alter|drop|vacuum|select pg_advisory)\b/i;

type Callback = (error: Error | null, result?: QueryResult) => void;
export type Query = (asked: QueryConfig | string, callback?: Callback) => unknown;

/** The error when a statement was not answered in time; isDatabaseAway() recognises its code. */
class DatabaseSilent extends Error {
  readonly code = 'DATABASE_SILENT';
}

/**
 * Gives each statement a deadline; after it the connection is closed, and everything that waits
 * on it fails.
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
