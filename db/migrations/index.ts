/** The migrations in their order; no others run. */
import * as start from './001-start.ts';

export const migrations = {
  '001-start': start,
} as const;
