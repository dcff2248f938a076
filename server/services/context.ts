/** The context that every use case gets; server/context.ts builds it. */
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
 * `mode`: whether the key is live, a test key, or of our own stand-in. `end`: the key's last four
 * letters; null if the key is too short to show any.
 */
export interface KeyInUse {
  name: 'stripe' | 'stripe_webhook' | 'seatsio' | 'smtp';
  mode: 'live' | 'test' | 'stand_in';
  end: string | null;
}

/** Where the house's data are. `database`: a path of SQLite, or a postgres:// address. */
export interface HousePlace {
  dataDir: string;
  database: string;
  namedStatements: boolean;
  /** True: our own seat map is in the same PostgreSQL database, not in a file of its own. */
  chartInDatabase: boolean;
  secretsKey: Buffer | null;
  /** Those that it has replaced; copies from before the change are restored with them. */
  secretsKeysBefore: readonly Buffer[];
}

export interface BackupSettings {
  house: HousePlace;
  folder: string;
  seal: Sealing;
  keep: Keeping;
}

/** The configuration of this installation, as use cases need it. */
export interface Settings {
  /** True: test money is used on purpose (`BOTTEGHINO_DEMO=1`), and every ticket says PROVA. */
  demonstration: boolean;
  /** `required`: a user with far-reaching rights needs one from a week after the first login. */
  secondFactor: 'required' | 'off';
  /** A refund above this sum asks again for the password or the second factor. */
  confirmRefundCents: number;
  /** The address for alert mails; null: the first administrator's. */
  alertMail: string | null;
  /** Another service's address, called each minute while this house can work. */
  heartbeatUrl: string | null;
  /** The organiser, until the office has one; read it through organiserOf(). */
  organiser: { name: string; email: string | null; phone: string | null };
  /**
   * The monitoring services to which browsers report; null if there are none. A `rum.url` without
   * a host means this server.
   */
  monitoring: {
    rum: { url: string; client_key: string } | null;
    sentry: { dsn: string } | null;
    analytics: { script_url: string; site_key: string } | null;
  } | null;
  /** Null: no tickets for this wallet. */
  googleWallet: GoogleWalletConfig | null;
  appleWallet: AppleWalletConfig | null;
  /** The keys that this installation uses, without their secret parts. */
  keys: readonly KeyInUse[];
  /** The vendors' web servers; our clock is compared with theirs. */
  timeSources: readonly { name: string; url: string }[];
}

export interface Ctx {
  settings: Settings;
  /** The program's version; a test of upgrades sets another one. */
  version: string;
  db: Pool;
  /**
   * The key of all that this process remembers between calls; copies of the context, such as a
   * LeasedCtx, have the same.
   */
  memory: object;
  /** Epoch milliseconds, as the computer's clock has them, which may be set back; tests set it. */
  now: () => number;
  /** Milliseconds by a clock that never goes back; it begins anywhere. */
  elapsed: () => number;
  /**
   * Waits at least `ms` and returns how long it took, by a clock that nobody can set; simulations
   * move the time themselves.
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
  /** Seals secrets in the database; null: they are stored as they are. */
  secretsKey: Buffer | null;
  log: Logger;
  publicUrl: string;
  /** Which vendors our own stand-ins replace. */
  standins: { stripe: boolean; seatsio: boolean };
  /** What a backup copies, where it is written, who can read it, and how many stay. */
  backups: BackupSettings;
  /** The folder of this installation's files; its disk must not become full. */
  dataDir: string;
  /** The address of chart.js, and the region that the browser puts into it. */
  chart: { script_url: string; region: string };
  /** Tests crash the process or throw at a named point; in production it does nothing. */
  fault: (point: string) => void;
}

/**
 * Who acted, for the audit: `visitor`, `stripe`, `system`, `cli` (the command line), `user:<id>`
 * or `phone:<id>`.
 */
export type Actor = string;
