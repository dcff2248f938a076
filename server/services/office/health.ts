/** Whether this process can work and how it is, for monitoring and for the office. */
import { statfs } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { providerHealth, type ProviderHealth } from '#server/adapters/provider-health.ts';
import { isPostgres } from '#db/engine/dialect.ts';
import { countMails, countOpenBreaks, oldestWaitingMail, readBacklog } from '#db/office/figures.ts';
import { isMigrated } from '#db/migrations/migrate.ts';
import { listReleases } from '#db/processes.ts';
import { writeProbe } from '#db/settings.ts';
import { faultsOf, type Readiness } from '#server/domain/door/readiness.ts';
import { attentionCount } from './attention.ts';
import { webhookReport } from './checks.ts';
import { findings } from './findings.ts';
import { unbelievedProxy } from './proxies.ts';
import type { Ctx } from '#server/services/context.ts';
import { schemaFaultOf } from '#server/services/backup/schema-fault.ts';
import { maintenanceSince } from '#server/services/site/maintenance.ts';
import { memo } from '#server/services/kit/memo.ts';
import { processList } from '#server/services/kit/processes.ts';
import { product } from '#server/services/kit/version.ts';

const leaving = new WeakSet<Ctx['memory']>();

/** The first step of a stop: the load balancer learns to send no more requests here. */
export function announceStop(ctx: Ctx): void {
  leaving.add(ctx.memory);
}

export function isLeaving(ctx: Ctx): boolean {
  return leaving.has(ctx.memory);
}

/** A probe writes to the disk, so there is at most one a second for all callers. */
const sharedProbe = memo<Readiness>({ freshMs: 1_000 });

export async function canWork(ctx: Ctx): Promise<boolean> {
  return faultsOf(await readiness(ctx)).length === 0;
}

async function readiness(ctx: Ctx): Promise<Readiness> {
  const found = await sharedProbe.get(ctx.memory, { now: ctx.now, ask: () => lookAround(ctx) });
  return { ...found, staying: !isLeaving(ctx) };
}

/** If the database does not answer within this time, it counts as away. */
const probeMs = 1_000;

async function lookAround(ctx: Ctx): Promise<Readiness> {
  const late = setTimeout(probeMs, false, { ref: false });
  const probe = writeProbe(ctx.db, ctx.now()).then(
    () => true,
    () => false,
  );
  const database = await Promise.race([probe, late]);
  const migrated = database && (await hasTables(ctx).catch(() => false));
  const backlog = database ? await readBacklog(ctx.db, ctx.now()).catch(() => null) : null;
  return {
    staying: true,
    database,
    migrated,
    disk_free_bytes: await freeBytes(ctx),
    backlog_ms: backlog?.oldest_due_at ? Math.max(0, ctx.now() - backlog.oldest_due_at) : 0,
    loop_p99_ms: loopDelayMs(),
  };
}

async function hasTables(ctx: Ctx): Promise<boolean> {
  return (await isMigrated(ctx.db)) && (await schemaFaultOf(ctx)) === null;
}

async function freeBytes(ctx: Ctx): Promise<number | null> {
  return statfs(ctx.dataDir).then(
    (disk) => disk.bavail * disk.bsize,
    () => null,
  );
}

/**
 * The delay of the event loop is measured in windows of this length. A window that was read too
 * late does not count, and one bad window may be the start of the process.
 */
const windowMs = 10_000;
const staleMs = 20_000;
let loop: {
  histogram: ReturnType<typeof monitorEventLoopDelay>;
  since: number;
  last: [number, number];
} | null = null;

/**
 * The 99th percentile of the event loop's delay in ms, in the better of the last two windows. It
 * is 0 before there are two windows, or if nobody has read it for some time.
 */
export function loopDelayMs(): number {
  if (loop === null) {
    loop = {
      histogram: monitorEventLoopDelay({ resolution: 20 }),
      since: performance.now(),
      last: [0, 0],
    };
    loop.histogram.enable();
  }
  const age = performance.now() - loop.since;
  if (age >= windowMs) {
    Object.assign(loop, {
      last: age > staleMs ? [0, 0] : [loop.histogram.percentile(99) / 1e6, loop.last[0]],
      since: performance.now(),
    });
    loop.histogram.reset();
  }
  return Math.round(Math.min(...loop.last));
}

/** `up`: whether the last call was answered; null: this process has made none yet. */
function providerOf(name: 'stripe' | 'seatsio' | 'mail', health: Readonly<ProviderHealth> | null) {
  const { answered_at = null, silent_at = null, error = null } = health ?? {};
  const up = answered_at === null && silent_at === null ? null : error === null;
  return { name, up, answered_at, silent_at, error };
}

/** What Salute, the page on the server's health, shows first. */
export async function healthReport(ctx: Ctx) {
  const now = ctx.now();
  const ready = await readiness(ctx);
  const [mails, backlog, breaks, attention, webhook] = [
    await countMails(ctx.db),
    await readBacklog(ctx.db, now),
    await countOpenBreaks(ctx.db),
    (await attentionCount(ctx)).count,
    await webhookReport(ctx),
  ];
  return {
    ready: faultsOf(ready).length === 0,
    checks: ready,
    database: isPostgres(ctx.db) ? ('postgres' as const) : ('sqlite' as const),
    providers: [
      providerOf('stripe', providerHealth(ctx.payments)),
      providerOf('seatsio', providerHealth(ctx.seats)),
      ...(ctx.mail.leaves ? [providerOf('mail', providerHealth(ctx.mail))] : []),
    ],
    webhook,
    backlog,
    attention,
    mails: {
      leaves: ctx.mail.leaves,
      waiting: mails['waiting'] ?? 0,
      failed: mails['failed'] ?? 0,
      oldest_waiting_at: await oldestWaitingMail(ctx.db),
    },
    breaks: Object.values(breaks).reduce((sum, count) => sum + count, 0),
    unbelieved_proxy: unbelievedProxy(ctx),
    secrets_sealed: ctx.secretsKey !== null,
    maintenance_since: await maintenanceSince(ctx),
    findings: await findings(ctx),
    version: ctx.version,
    released: product.released,
    processes: await processList(ctx),
    releases: await listReleases(ctx.db),
  };
}
