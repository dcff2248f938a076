/** The type of the context that every use case gets; server/context.ts builds it. */
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
 * `mode`: a live key, a test key, or one of our own stand-in. `end`: the key's last four letters;
 * null for a key that is too short to show any.
 */
export interface KeyInUse {
  name: 'stripe' | 'stripe_webhook' | 'seatsio' | 'smtp';
  mode: 'live' | 'test' | 'stand_in';
  end: string | null;
}

/** Where a house's data are. `database`: a SQLite path or postgres://. */
export interface HousePlace {
  dataDir: string;
  database: string;
  namedStatements: boolean;
  /** Our own seat map lies in the same PostgreSQL database, not in a file of its own. */
  chartInDatabase: boolean;
  secretsKey: Buffer | null;
}

export interface BackupSettings {
  house: HousePlace;
  folder: string;
  /** True: no folder is configured, so the copies lie on the same disk as the house. */
  besideHouse: boolean;
  seal: Sealing;
  keep: Keeping;
}

/** What the configuration of this installation says, as use cases read it. */
export interface Settings {
  /** Test money is used on purpose (`BOTTEGHINO_DEMO=1`): every ticket says PROVA. */
  demonstration: boolean;
  /** `required`: users with far-reaching rights need one from a week after their first login. */
  secondFactor: 'required' | 'off';
  /** A refund above this sum asks for the password or the second factor again. */
  confirmRefundCents: number;
  /** The address for alert mails; null: the first administrator's. */
  alertMail: string | null;
  /** The organiser until the office has entered one; read it through organiserOf(). */
  organiser: { name: string; email: string | null; phone: string | null };
  /**
   * The monitoring services that browsers report to; null: none. A `rum.url` without a host is
   * this server.
   */
  monitoring: {
    rum: { url: string; client_key: string } | null;
    sentry: { dsn: string } | null;
    analytics: { script_url: string; site_key: string } | null;
  } | null;
  /** Null: tickets are not offered for this wallet. */
  googleWallet: GoogleWalletConfig | null;
  appleWallet: AppleWalletConfig | null;
  /** The keys that this installation uses, without their secret part. */
  keys: readonly KeyInUse[];
  /** The vendors' web servers, with whose clocks ours is compared. */
  timeSources: readonly { name: string; url: string }[];
}

export interface Ctx {
  settings: Settings;
  db: Pool;
  /**
   * The key of everything that this process remembers between calls; all copies of the context, a
   * LeasedCtx included, share it.
   */
  memory: object;
  /** Epoch milliseconds; tests set it. */
  now: () => number;
  /**
   * Waits at least `ms` and returns how long it was, by a clock that nobody can set; simulations
   * advance the time themselves.
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
  /** Seals secrets in the database; null: they are stored unsealed. */
  secretsKey: Buffer | null;
  log: Logger;
  publicUrl: string;
  /** Which vendors are replaced by our own stand-in. */
  standins: { stripe: boolean; seatsio: boolean };
  /** What a backup copies, where it is written, who can read it and how many are kept. */
  backups: BackupSettings;
  /** The folder for this installation's files; its disk must not run full. */
  dataDir: string;
  /** The address of chart.js, and the region that the browser puts into it. */
  chart: { script_url: string; region: string };
  /** Lets tests crash the process or throw at a named point; does nothing in production. */
  fault: (point: string) => void;
}

/**
 * Who acted, for the audit: `visitor`, `stripe`, `system`, `cli` (the command line), `user:<id>`,
 * `phone:<id>`.
 */
export type Actor = string;
