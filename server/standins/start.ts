/** Opens both stand-ins, each on its own loopback port, with their keys. */
import { startSeatsio } from './seatsio/server.ts';
import { openSharedSeatsioStore } from './seatsio/open.ts';
import { openStore } from './kit/store.ts';
import { seatsioSteps } from './seatsio/statements/schema.ts';
import { stripeSteps } from './stripe/statements/schema.ts';
import { startStripe, type RunningStripe, type StripeOptions } from './stripe/server.ts';
import type { RunningSeatsio } from './seatsio/server.ts';

export interface StandinOptions {
  /** The SQLite file of both stand-ins; ':memory:' for tests. */
  file: string;
  /** A postgres:// address that the seat map uses instead; several processes may share it. */
  chartDatabase?: string;
  /** Whether to prepare its statements by name; not behind a pooler in transaction mode. */
  namedStatements?: boolean;
  /** Called once the tables of `chartDatabase` exist. */
  onChartTables?: () => Promise<void>;
  /**
   * The hosted page's public address, `https://teatro.it/standins/stripe`, without a last slash.
   */
  stripePublicUrl: string;
  /** The folder of the built chart.js. */
  chartFolder: string;
  /** Epoch milliseconds; a test moves it. */
  now: () => number;
  /** The port; the vendor is not started if left out, and 0 means any free port. */
  seatsioPort?: number;
  /** The address to listen on; this machine only if left out. */
  seatsioHost?: string;
  stripePort?: number;
  /** The address for signed events; none are sent if left out. */
  webhookUrl?: string;
  /** Opens the two provisioning calls of the seats.io stand-in. */
  systemSecret?: string;
  stripe?: Pick<StripeOptions, 'secretKey' | 'webhookSecret' | 'faults' | 'deliveries'>;
}

export interface RunningStandins {
  seatsio: RunningSeatsio | null;
  stripe: RunningStripe | null;
  close: () => Promise<void>;
}

/** Keys and secrets are made at the first start and stored. */
export async function startStandins(options: StandinOptions): Promise<RunningStandins> {
  // Both vendors use one store, so that their writes share commits.
  const store = openStore(options.file, [...seatsioSteps, ...stripeSteps]);
  const shared =
    options.chartDatabase === undefined || options.seatsioPort === undefined
      ? null
      : await openSharedSeatsioStore(options.chartDatabase, options);
  if (shared !== null) await options.onChartTables?.();
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
