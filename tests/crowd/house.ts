/**
 * The server of a simulated crowd: processes with the product's waiting room on one database,
 * which die and restart, and a simulated clock.
 */
import { randomBytes } from 'node:crypto';
import type { Context } from 'koa';
import { connect, isPostgresAddress } from '#db/engine/connect.ts';
import { migrate } from '#db/migrations/migrate.ts';
import type { Pool } from '#db/engine/dialect.ts';
import { makeLimits } from '#server/http/limits.ts';
import type { Ctx } from '#server/services/context.ts';
import { stepQueues } from '#server/services/queue/pace.ts';
import { forgetRooms } from '#server/services/queue/rooms.ts';
import { begin, furnish } from '#tests/simulation/world.ts';
import type { Store } from '#tests/simulation/store.ts';

export interface House extends AsyncDisposable {
  db: Pool;
  clock: { now: number };
  /** One for each living process. */
  processes: readonly Ctx[];
  /** Advances all rooms, as the worker does each second. */
  step: (nth: number) => Promise<void>;
  /**
   * Kills a process in the middle of a step, with its memory and (on PostgreSQL) its connections;
   * another one replaces it.
   */
  kill: (nth: number) => Promise<void>;
  /** False: this address has used up its share of places. */
  mayEnter: (address: string) => Promise<boolean>;
  /** Errors that were logged by processes that did not die. */
  logged: string[];
}

/**
 * `address`: an empty PostgreSQL database, or ':memory:', where the processes share one
 * connection.
 */
export async function openHouse(address: string, count: number): Promise<House> {
  const isShared = isPostgresAddress(address);
  const db = connect(address);
  await migrate(db);
  await furnish({ db, keep: async () => {} } as unknown as Store);
  const clock = { now: begin };
  const logged: string[] = [];
  const seats = seatMap(clock);
  const doomed = new Set<Ctx>();
  const open = (nth: number): Ctx => {
    const ctx = {
      db: isShared ? connect(`${address}?application_name=crowd-${nth}`) : db,
      memory: {},
      now: () => clock.now,
      newId: () => randomBytes(16).toString('base64url'),
      secretsKey: null,
      publicUrl: 'https://biglietti.example.it',
      settings: { organiser: { name: 'Teatro', email: null, phone: null } },
      standins: { stripe: true, seatsio: true },
      seats,
      log: {
        warn() {},
        error: ({ err }: { err: unknown }) => !doomed.has(ctx) && logged.push(String(err)),
      },
      fault() {},
    } as unknown as Ctx;
    return ctx;
  };
  const processes = Array.from({ length: count }, (_, nth) => open(nth));
  const limits = makeLimits({ db, now: () => clock.now });
  const step = async (nth: number) => {
    forgetRooms(processes[nth]!);
    await stepQueues(processes[nth]!);
  };
  return {
    db,
    clock,
    processes,
    logged,
    step,
    async kill(nth) {
      const dying = processes[nth]!;
      doomed.add(dying);
      const last = step(nth).catch(() => {});
      if (isShared)
        await db.raw(
          'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = ? AND datname = current_database()',
          [`crowd-${nth}`],
        );
      await last;
      if (isShared) await dying.db.destroy();
      processes[nth] = open(nth);
    },
    async mayEnter(ip) {
      const http = { ip, state: {}, set() {} } as unknown as Context;
      return limits.count(http, 'queue').then(
        () => true,
        () => false,
      );
    },
    async [Symbol.asyncDispose]() {
      if (isShared) for (const { db: pool } of processes) await pool.destroy();
      await db.destroy();
    },
  };
}

/**
 * The part of the seat map that a waiting room uses: it makes hold tokens and knows how long they
 * last.
 */
function seatMap(clock: { now: number }): Partial<Ctx['seats']> {
  const ends = new Map<string, number>();
  return {
    requireAdmission: async () => {},
    admitHold: async () => {},
    holdLeft: async (token) => Math.max(0, Math.floor((ends.get(token)! - clock.now) / 1_000)),
    async newHold(minutes) {
      const hold_token = randomBytes(16).toString('hex');
      ends.set(hold_token, clock.now + minutes * 60_000);
      return { hold_token, left: minutes * 60 };
    },
  };
}
