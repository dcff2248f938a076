/**
 * The schema of 1.0.0. It is never edited, nor is anything that its SQL is made of; later changes
 * are migrations of their own (db/README.md).
 */
import type { Knex } from 'knex';
import { isPostgres } from '#db/engine/dialect.ts';
import { bookTables } from './start-book.ts';
import { counterIndexes, printTables, shiftTables } from './start-counter.ts';
import { doorIndexes, doorTables } from './start-door.ts';
import { paperIndexes, paperTables } from './start-papers.ts';
import { peopleTables } from './start-people.ts';
import { moneyIndexes, moneyTables } from './start-money.ts';
import { payoutTables } from './start-payouts.ts';
import { personalIndexes, personalTables } from './start-personal.ts';
import { officeIndexes, officeTables } from './start-office.ts';
import { queueIndexes, queueTables } from './start-queue.ts';
import { reportTables } from './start-report.ts';
import { programIndexes, programTables } from './start-programs.ts';
import { salesIndexes, salesTables, searchIndex } from './start-sales.ts';
import { createTable } from './table.ts';

/**
 * In both databases times are integer milliseconds, money is integer cents, booleans are 0 or 1,
 * and structures are JSON text.
 */
const tables = {
  ...peopleTables,
  ...shiftTables,
  ...salesTables,
  ...moneyTables,
  ...payoutTables,
  ...doorTables,
  ...officeTables,
  ...printTables,
  ...reportTables,
  ...personalTables,
  ...programTables,
  ...paperTables,
  ...bookTables,
  ...queueTables,
};

export async function up(knex: Knex): Promise<void> {
  for (const [name, table] of Object.entries(tables)) await createTable(knex, name, table);
  for (const index of [
    ...salesIndexes,
    ...moneyIndexes,
    ...doorIndexes,
    ...officeIndexes,
    ...counterIndexes,
    ...personalIndexes,
    ...programIndexes,
    ...paperIndexes,
    ...queueIndexes,
    ...searchIndex[isPostgres(knex) ? 'postgres' : 'sqlite'],
  ])
    await knex.raw(index);
}

export async function down(knex: Knex): Promise<void> {
  if (!isPostgres(knex)) await knex.raw('DROP TABLE order_words');
  for (const name of Object.keys(tables).toReversed()) await knex.schema.dropTable(name);
}
