/** The type of what a use case may hold; server/context.ts builds it. */
import type { Logger } from 'pino';
import type { Sealing } from '#server/adapters/backup-file.ts';
import type { Charts } from '#server/adapters/charts.ts';
import type { Mailer } from '#server/adapters/mail.ts';
import type { AppleWalletConfig } from '#server/adapters/wallet-apple.ts';
import type { GoogleWalletConfig } from '#server/adapters/wallet-google.ts';
import type { ProgramLine } from '#server/adapters/program-line.ts';
import type { Payments } from '#server/adapters/stripe.ts';
import type { Seats } from '#server/adapters/seatsio.ts';
import type { Pool } from '#db/engine/dialect.ts';
import type { Keeping } from '#server/domain/backup.ts';

/**
 * `mode`: real, for tries, or of a stand-in of ours. `end`: its last four letters; null where it
 * is too short to show any.
 */
export interface KeyInUse {
  name: 'stripe' | 'stripe_webhook' | 'seatsio' | 'smtp';
  mode: 'live' | 'test' | 'stand_in';
  end: string | null;
}

/** Where a house is. `database`: a SQLite path or postgres://. */
export interface HousePlace {
  dataDir: string;
  database: string;
  namedStatements: boolean;
  /** Our own seat map lies in the same PostgreSQL, not in its file. */
  chartInDatabase: boolean;
  secretsKey: Buffer | null;
}

export interface BackupSettings {
  house: HousePlace;
  folder: string;
  /** No folder is configured: the copies lie on the disk whose loss they are for. */
  besideHouse: boolean;
  seal: Sealing;
  keep: Keeping;
}

/** What this installation's configuration says, as use cases read it. */
export interface Settings {
  /** Test money on purpose (`BOTTEGHINO_DEMO=1`): every ticket says PROVA. */
  demonstration: boolean;
  /** `required`: people who may do much need one a week after their first login. */
  secondFactor: 'required' | 'off';
  /** A refund of more cents asks for password or second factor again. */
  confirmRefundCents: number;
  /** Who is told by mail when something is wrong with the house; null: the first administrator. */
  alertMail: string | null;
  /** Who answers to a buyer, until the office has entered it: ask organiserOf(). */
  organiser: { name: string; email: string | null; phone: string | null };
  /**
   * Services that watch, as browsers are told of them; null: none. `rum.url` without a host: we
   * count.
   */
  monitoring: {
    rum: { url: string; client_key: string } | null;
    sentry: { dsn: string } | null;
    analytics: { script_url: string; site_key: string } | null;
  } | null;
  /** Null: tickets are not offered for this wallet. */
  googleWallet: GoogleWalletConfig | null;
  appleWallet: AppleWalletConfig | null;
  /** The keys that this installation works with, as far as they may be shown. */
  keys: readonly KeyInUse[];
  /** Web servers whose clock is not ours: the real vendors. */
  timeSources: readonly { name: string; url: string }[];
}

export interface Ctx {
  settings: Settings;
  db: Pool;
  /**
   * What this process remembers between calls is kept under it: it is the same in every copy of
   * the context, a LeasedCtx included.
   */
  memory: object;
  /** Epoch milliseconds; tests steer it. */
  now: () => number;
  /**
   * Waits at least so long and says how long it was, by a clock that cannot be set; simulations
   * pass the time themselves.
   */
  pause: (ms: number) => Promise<number>;
  /** 128 random bits, base64url. */
  newId: () => string;
  seats: Seats;
  charts: Charts;
  payments: Payments;
  mail: Mailer;
  /** Sends webhooks to other programs. */
  programs: ProgramLine;
  /** Seals secrets in the database; null: they lie there as they are. */
  secretsKey: Buffer | null;
  log: Logger;
  publicUrl: string;
  /** Who of the vendors is our own stand-in here. */
  standins: { stripe: boolean; seatsio: boolean };
  /** What a backup copies, where it goes, who can read it and how many are kept. */
  backups: BackupSettings;
  /** Where files of this installation lie: its disk must not run full. */
  dataDir: string;
  /** Where the browser finds chart.js, and the region that may stand in that address. */
  chart: { script_url: string; region: string };
  /** Tests let the process die or fail at a named point; nothing in production. */
  fault: (point: string) => void;
}

/**
 * Who did it, for the audit: `visitor`, `stripe`, `system`, `cli` (the command line),
 * `user:<id>`, `phone:<id>`.
 */
export type Actor = string;
