/**
 * The real databases under the simulation: every statement (on SQLite: every statement or
 * transaction) waits for its turn and may be the last of its process.
 */
import type { Knex } from 'knex';
import { connect } from '#db/engine/connect.ts';
import { migrate } from '#db/migrations/migrate.ts';
import type { Pool } from '#db/engine/dialect.ts';
import { groupOf } from '#db/engine/sqlite.ts';
import {
  asOperation,
  killNow,
  never,
  nextFault,
  operationNow,
  type Machine,
  type Scheduler,
} from './scheduler.ts';

/** Another date of the same show, only in histories with exchanges. */
export const otherEventId = 'sabato';

/** What a history needs of the database with which it begins. */
interface Kind {
  officeDecides: boolean;
  exchanges?: boolean;
}

export interface Store {
  kind: 'sqlite' | 'postgres';
  /** The connection of the test itself, which never waits for a turn. */
  db: Pool;
  /**
   * The connection of one life of a process. On SQLite all lives have the same one, each by an
   * object of its own: the product remembers answers by it, and a dead life's would never come.
   */
  open: (machine: Machine) => Pool;
  /**
   * Saves the present rows of the event's tables; `reset` restores them and empties the other
   * tables.
   */
  keep: () => Promise<void>;
  reset: (history: Kind) => Promise<void>;
  close: () => Promise<void>;
}

/** The scheduler and reports of the current history. */
export interface Turns {
  scheduler: Scheduler;
  tell: (what: string) => void;
  count: (what: string) => void;
}

export const statementFaults = ['crash before', 'crash after'] as const;

/** The tables that belong to the house and to the event itself. */
const kept = ['shows', 'events', 'places', 'settings'];

/**
 * Runs a statement in its turn; the process may die before or after it. A connection must always
 * be returned.
 */
async function inTurn<T>(
  turns: Turns,
  sql: () => string,
  run: () => Promise<T>,
  keepsConnection = false,
): Promise<T> {
  const operation = operationNow();
  if (!operation) return run();
  const { scheduler, tell, count } = turns;
  await scheduler.park(operation.machine);
  const found = nextFault(operation, 'statement');
  const fault = found && statementFaults[found.what % statementFaults.length];
  if (fault) {
    tell(`${operation.words}: ${fault} the statement ${sql()}`);
    count(`fault ${fault} a statement`);
  }
  if (fault === 'crash before' || (fault && keepsConnection))
    return killNow(scheduler, operation.machine);
  const answer = await scheduler.working(run);
  if (fault === 'crash after') return killNow(scheduler, operation.machine);
  return operation.machine.dead && !keepsConnection ? never() : answer;
}

/** The internals of the product's SQLite client that are replaced. */
interface SqliteHooks {
  store: { writer: { exec: (sql: string) => void } };
  answer: (builder: { toString: () => string }, store: unknown) => Promise<unknown>;
  acquireConnection: () => Promise<unknown>;
}

export async function openSqliteStore(turns: Turns): Promise<Store> {
  const db = connect(':memory:');
  await migrate(db);
  const client = db.client as SqliteHooks;
  const { writer } = client.store;
  const answer = client.answer.bind(client);
  client.answer = (builder, store) =>
    inTurn(
      turns,
      () => builder.toString(),
      () => answer(builder, store),
    );
  const acquire = client.acquireConnection.bind(client);
  client.acquireConnection = () => inTurn(turns, () => 'BEGIN', acquire, true);
  const { group } = groupOf(db)!;
  const transact = group.transact.bind(group);
  group.transact = (work) => {
    const operation = operationNow();
    return inTurn(
      turns,
      () => '(transaction)',
      () => transact(() => asOperation(operation, work)),
    );
  };
  // The word index has tables of its own, which follow the orders automatically.
  const tables: string[] = (await db('pragma_table_list')
    .where({ schema: 'main', type: 'table' })
    .whereNot('name', 'like', 'sqlite%')
    .whereNot('name', 'like', 'knex%')
    .pluck('name')) as string[];
  return {
    kind: 'sqlite',
    db,
    open: () => new Proxy(db, {}),
    async keep() {
      writer.exec(
        kept.map((table) => `CREATE TABLE kept_${table} AS SELECT * FROM ${table}`).join(';'),
      );
    },
    async reset(history) {
      writer.exec(
        resetOf(tables, history, 'PRAGMA foreign_keys = OFF', 'PRAGMA foreign_keys = ON'),
      );
    },
    close: () => db.destroy(),
  };
}

function resetOf(
  tables: readonly string[],
  { officeDecides, exchanges }: Kind,
  ...[before, after]: [string, string]
): string {
  return [
    before,
    'BEGIN',
    ...tables.map((table) => `DELETE FROM ${table}`),
    ...kept.map((table) => `INSERT INTO ${table} SELECT * FROM kept_${table}`),
    `UPDATE events SET refund_request = '${officeDecides ? 'office' : 'automatic'}'`,
    ...(exchanges
      ? []
      : [
          `DELETE FROM places WHERE event_id = '${otherEventId}'`,
          `DELETE FROM events WHERE id = '${otherEventId}'`,
        ]),
    'COMMIT',
    after,
  ].join(';\n');
}

interface PostgresConnection {
  end: () => Promise<void>;
  connection: { stream: { destroy: () => void } };
}
/** The method that calls the driver, also inside transactions. */
const driverCall = '_query';
interface PostgresClient {
  [driverCall]: (connection: PostgresConnection, query: { sql: string }) => Promise<unknown>;
}

/** Each process has a pool of its own; its connections and open transactions die with it. */
export async function openPostgresStore(address: string, turns: Turns): Promise<Store> {
  const db = connect(address);
  await migrate(db);
  const pools = new Map<Machine, Knex>();
  const connections = new Map<Machine, Set<PostgresConnection>>();
  // Clients of transactions are made from the prototype.
  const prototype = Object.getPrototypeOf(db.client) as PostgresClient;
  const query = prototype[driverCall];
  prototype[driverCall] = function inItsTurn(connection, compiled) {
    const operation = operationNow();
    if (operation) connections.get(operation.machine)?.add(connection);
    return inTurn(
      turns,
      () => compiled.sql,
      () => query.call(this, connection, compiled),
    );
  };
  const tables: string[] = await db('pg_tables')
    .where({ schemaname: 'public' })
    .whereNot('tablename', 'like', 'knex%')
    .pluck('tablename');
  return {
    kind: 'postgres',
    db,
    open(machine) {
      const pool = connect(address);
      // Callers that waited for a connection of a dead process would log errors.
      Object.assign(pool.client.logger as object, { error() {}, warn() {} });
      pools.set(machine, pool);
      connections.set(machine, new Set());
      const onDeath = machine.onDeath;
      machine.onDeath = () => {
        onDeath();
        for (const connection of connections.get(machine)!) connection.connection.stream.destroy();
        pools.delete(machine);
        connections.delete(machine);
        void pool.destroy().catch(() => {});
      };
      return pool;
    },
    async keep() {
      for (const table of kept)
        await db.raw(`CREATE TABLE kept_${table} AS SELECT * FROM ${table}`);
    },
    async reset(history) {
      await db.raw(
        resetOf(
          tables,
          history,
          `SET session_replication_role = replica`,
          `SET session_replication_role = DEFAULT`,
        ),
      );
    },
    async close() {
      prototype[driverCall] = query;
      for (const pool of pools.values()) await pool.destroy();
      await db.destroy();
    },
  };
}
