/** The start schema, edited in place until there is a release; every later change is a migration of its own. */
import type { Knex } from 'knex';
import { createDoor, doorTables } from './start-door.ts';
import { createHouse, houseTables } from './start-house.ts';
import { createMoney, moneyTables } from './start-money.ts';
import { createSales, salesTables } from './start-sales.ts';

/** Times are integer milliseconds, money integer cents, truths 0 or 1, structures JSON text: the same in both databases. */
export async function up(knex: Knex): Promise<void> {
  await createSales(knex);
  await createMoney(knex);
  await createDoor(knex);
  await createHouse(knex);
}

export async function down(knex: Knex): Promise<void> {
  const tables = [...salesTables, ...moneyTables, ...doorTables, ...houseTables];
  for (const table of tables.toReversed()) await knex.schema.dropTable(table);
}
