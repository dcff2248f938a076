/** Opens both stand-ins, each on a loopback port of its own, with their keys. */
import { startSeatsio } from './seatsio/server.ts';
import { openSharedSeatsioStore } from './seatsio/open.ts';
import { openStore } from './kit/store.ts';
import { renewTables, SCHEMA as seatsioSchema } from './seatsio/statements/schema.ts';
import { stripeSchema } from './stripe/statements/schema.ts';
import { startStripe, type RunningStripe, type StripeOptions } from './stripe/server.ts';
import type { RunningSeatsio } from './seatsio/server.ts';

export interface StandinOptions {
  /** SQLite file of both stand-ins; ':memory:' for tests. */
  file: string;
  /** The seat map lies here instead, and several processes share it: a postgres:// address. */
  chartDatabase?: string;
  /** Its statements are prepared under names: not behind a pooler in transaction mode. */
  namedStatements?: boolean;
  /** Called once its tables are there. */
  onChartTables?: () => Promise<void>;
  /**
   * Where a browser reaches the hosted page: `https://teatro.it/standins/stripe`, no slash at the
   * end.
   */
  stripePublicUrl: string;
  /** Folder of the built chart.js. */
  chartFolder: string;
  /** Epoch milliseconds; a test moves it. */
  now: () => number;
  /** Left out: that vendor is not started. 0: any free port. */
  seatsioPort?: number;
  /** Left out: only this machine reaches it. */
  seatsioHost?: string;
  stripePort?: number;
  /** Where signed events are sent; left out: nowhere. */
  webhookUrl?: string;
  /** Switches on the two provisioning endpoints of the seats.io stand-in. */
  systemSecret?: string;
  /** What else the Stripe stand-in may be told. */
  stripe?: Pick<StripeOptions, 'secretKey' | 'webhookSecret' | 'faults' | 'deliveries'>;
}

export interface RunningStandins {
  seatsio: RunningSeatsio | null;
  stripe: RunningStripe | null;
  close: () => Promise<void>;
}

/** Keys and secrets are made at the first start and stay in the file. */
export async function startStandins(options: StandinOptions): Promise<RunningStandins> {
  // One store for both: writes of the two vendors share their commits, too.
  const store = openStore(options.file, `${seatsioSchema}\n${stripeSchema}`);
  const shared =
    options.chartDatabase === undefined || options.seatsioPort === undefined
      ? null
      : await openSharedSeatsioStore(options.chartDatabase, options);
  if (shared !== null) {
    await renewTables(shared);
    await options.onChartTables?.();
  }
  const seatsio =
    options.seatsioPort === undefined
      ? null
      : await startSeatsio({
          store: shared ?? store,
          now: options.now,
          port: options.seatsioPort,
          host: options.seatsioHost,
          chartFolder: options.chartFolder,
          systemSecret: options.systemSecret,
        });
  const stripe =
    options.stripePort === undefined
      ? null
      : await startStripe({
          ...options.stripe,
          store,
          now: options.now,
          port: options.stripePort,
          publicUrl: options.stripePublicUrl,
          webhookUrl: options.webhookUrl,
        });
  return {
    seatsio,
    stripe,
    async close() {
      await seatsio?.close();
      await stripe?.close();
      await shared?.close();
      await store.close();
    },
  };
}
