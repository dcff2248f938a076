/** Opens the stand-in's state without a server: for the server itself, and for commands that work on its file. */
import { Kept } from './context.ts';
import { openTables } from './database.ts';
import type { Seatsio } from './context.ts';
import type { Store } from '#server/standins/store.ts';

interface Opening {
  store: Store;
  now: () => number;
  chartFolder: string;
  systemSecret?: string;
  onChange: Seatsio['onChange'];
}

/** Tables and columns that are missing are made. */
export function openSeatsio({ store, ...more }: Opening): Seatsio {
  return {
    ...more,
    store,
    sql: openTables(store),
    plans: new Kept(60),
    wireCharts: new Kept(60),
    forSaleEdits: new Kept(1000),
  };
}
