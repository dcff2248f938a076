/** The type of what a use case may hold; server/context.ts builds it. */
import type { Logger } from 'pino';
import type { Charts } from '#server/adapters/charts.ts';
import type { Payments } from '#server/adapters/stripe.ts';
import type { Seats } from '#server/adapters/seatsio.ts';
import type { Pool } from '#db/dialect.ts';

export interface Ctx {
  db: Pool;
  /** Epoch milliseconds; tests steer it. */
  now: () => number;
  /** 128 random bits, base64url. */
  newId: () => string;
  seats: Seats;
  charts: Charts;
  payments: Payments;
  log: Logger;
  publicUrl: string;
  /** Where the browser finds chart.js, and the region that may stand in that address. */
  chart: { script_url: string; region: string };
  /** The background worker looks at its rows now. */
  wake: () => void;
  /** Tests let the process die or fail at a named point; nothing in production. */
  fault: (point: string) => void;
}

/** Who did it, for the audit: `visitor`, `stripe`, `system`, `user:<id>`, `phone:<id>`. */
export type Actor = string;
