/** The database of the house and of our own seat map. */
import { join } from 'node:path';
import { isWholeAddress, tellEncoding } from '#server/domain/text/whole-address.ts';
import type { Env } from './env.ts';

/**
 * The value of DATABASE_STATEMENTS that turns named prepared statements off, for a pooler in
 * transaction mode.
 */
const turnedOff = 'off';

/**
 * The value of CHART_DATABASE that keeps our seat map in a file of DATA_DIR although the house is
 * in PostgreSQL.
 */
const inFile = 'file';

export interface DatabaseConfig {
  /** The path of an SQLite file, or a postgres:// address. */
  database: string;
  /**
   * True: our own seat map is in the same PostgreSQL, so that several processes share it;
   * otherwise it is in a file of DATA_DIR.
   */
  chartInDatabase: boolean;
  /** True: frequent statements are prepared under names; a transaction pooler forbids that. */
  namedStatements: boolean;
}

export function readDatabase(env: Env, dataDir: string, faults: string[]): DatabaseConfig {
  const url = env['DATABASE_URL'] || null;
  const statements = env['DATABASE_STATEMENTS'] || null;
  if (url !== null && !/^postgres(ql)?:\/\/.+/.test(url))
    faults.push('DATABASE_URL deve cominciare con postgres:// (senza, si usa SQLite in DATA_DIR).');
  else if (url !== null && !isWholeAddress(url)) faults.push(tellEncoding('DATABASE_URL'));
  if (statements !== null && statements !== turnedOff)
    faults.push(`DATABASE_STATEMENTS può valere solo «${turnedOff}», non «${statements}».`);
  const chart = env['CHART_DATABASE'] || null;
  if (chart !== null && chart !== inFile)
    faults.push(`CHART_DATABASE può valere solo «${inFile}», non «${chart}».`);
  return {
    database: url ?? join(dataDir, 'botteghino.sqlite'),
    chartInDatabase: url !== null && chart !== inFile,
    namedStatements: statements !== turnedOff,
  };
}
