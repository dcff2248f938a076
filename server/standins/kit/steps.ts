/**
 * The changes of a store's tables in their order. Each runs once in a store, which records its
 * name; a landed one is never edited (db/README.md).
 */

export interface Step {
  name: string;
  /** Statements of SQLite; in PostgreSQL they run translated. */
  sql: string;
}

export const STEPS_TABLE =
  'CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY) WITHOUT ROWID';

/**
 * The statements that migrate a store; empty if there is nothing to do. `done`: the recorded names;
 * `tables`: how many tables the store has besides those of the kit.
 * @throws if the tables were made before steps were recorded
 */
export function sqlOfSteps(
  steps: readonly Step[],
  { done, tables }: { done: readonly string[]; tables: number },
): string {
  if (done.length === 0 && tables > 0)
    throw new Error(
      'Questi dati li ha fatti una versione di prova, precedente alla 1.0.0, che questo programma non sa leggere.',
    );
  return steps
    .filter(({ name }) => !done.includes(name))
    .map(({ name, sql }) => `${sql};\nINSERT INTO migrations (name) VALUES ('${name}');`)
    .join('\n');
}
