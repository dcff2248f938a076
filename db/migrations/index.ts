/** The migrations in their order: one that is not named here does not exist. */
import * as start from './001-start.ts';

export const migrations = {
  '001-start': start,
} as const;
