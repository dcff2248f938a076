/** Metrics in the Prometheus text format: requests, orders, seats, waiting work, invariants. */
import { Counter, Gauge, type Registry } from 'prom-client';
import { providerHealth } from '#server/adapters/provider-health.ts';
import {
  countAttention,
  countMails,
  countOpenBreaks,
  countAllOrders,
  countRefunds,
  countSeatsSold,
  countUnsentScans,
  lastWebhookAt,
  readBacklog,
} from '#db/office/figures.ts';
import { listInvariantRows } from '#db/reconcile/invariant-rows.ts';
import { breakKinds } from '#server/domain/office/break.ts';
import { mailStates } from '#server/domain/mail/kinds.ts';
import { orderStates } from '#server/domain/order/order.ts';
import { refundStates } from '#server/domain/payment/refund.ts';
import type { Ctx } from '#server/services/context.ts';
import { backupReport } from '#server/services/backup/keep.ts';
import { measuresOf } from '#server/services/kit/measures.ts';
import { memo } from '#server/services/kit/memo.ts';
import { canWork, loopDelayMs } from './health.ts';

/** Counting is expensive, so calls within this time get the same figures. */
const sharedText = memo<string>({ freshMs: 5_000 });
const gaugesOf = new WeakMap<Registry, Gauges>();

export async function writeMetrics(ctx: Ctx): Promise<{ type: string; text: string }> {
  const { registry } = measuresOf(ctx);
  const ask = () => refresh(ctx, gaugesIn(registry)).then(() => registry.metrics());
  return {
    type: registry.contentType,
    text: await sharedText.get(ctx.memory, { now: ctx.now, ask }),
  };
}

function gaugesIn(registry: Registry): Gauges {
  const registers = [registry];
  const gauge: MakeGauge = (name, help, labelNames = []) =>
    new Gauge({ name: `botteghino_${name}`, help, labelNames, registers });
  const gauges = gaugesOf.get(registry) ?? { ...makeGauges(gauge), calls: countCalls(registers) };
  gaugesOf.set(registry, gauges);
  return gauges;
}

type MakeGauge = (name: string, help: string, labelNames?: string[]) => Gauge;

function makeGauges(gauge: MakeGauge) {
  return {
    orders: gauge('orders', 'Orders, by state', ['state']),
    attention: gauge('orders_needing_attention', 'Orders that wait for a person'),
    seats: gauge('seats_sold', 'Valid tickets of events that are not over', ['event']),
    refunds: gauge('refunds', 'Refunds, by state', ['state']),
    mails: gauge('mails', 'Mails, by state', ['state']),
    unsent: gauge('scan_queue_reported', 'Scans that phones say they have not sent yet'),
    outbox: gauge('outbox_pending', 'Work that waits, due or not'),
    outboxAge: gauge('outbox_lag_seconds', 'How late the oldest due work is'),
    outboxFailing: gauge('outbox_failing', 'Work that was tried and failed'),
    webhook: gauge('webhook_last_seconds', 'Since Stripe’s last event; -1 before the first'),
    up: gauge('provider_up', 'Whether the last call to a provider was answered', ['provider']),
    breaks: gauge('breaks_open', 'Differences with the providers that nobody has settled', [
      'kind',
    ]),
    violations: gauge('invariant_violations', 'What the last run found', ['name']),
    checked: gauge(
      'invariants_checked_seconds',
      'Since the last run of the invariants; -1 before the first',
    ),
    backupGap: gauge('backup_gap_seconds', 'What the disk would take along now, since when'),
    backupTook: gauge('backup_took_seconds', 'How long the last backup took; -1 before the first'),
    backupCost: gauge('backup_processor_seconds', 'Of the last backup; -1 before the first'),
    backupEvery: gauge('backup_interval_seconds', 'Between two backups while something happens'),
    backupBytes: gauge('backup_bytes', 'All backups together'),
    build: gauge('build_info', 'The version of the program', ['version']),
    ready: gauge('ready', 'Whether /readyz says yes'),
    loop: gauge('event_loop_p99_seconds', 'How late the event loop is in one of a hundred moments'),
    memory: gauge('memory_bytes', 'Resident memory of the process'),
  };
}

function countCalls(registers: Registry[]) {
  return new Counter({
    name: 'botteghino_provider_calls_total',
    help: 'Calls to a provider since the start, by how they ended',
    labelNames: ['provider', 'outcome'],
    registers,
  });
}

type Gauges = ReturnType<typeof makeGauges> & { calls: Counter };

async function refresh(ctx: Ctx, gauges: Gauges): Promise<void> {
  const { db } = ctx;
  const now = ctx.now();
  gauges.build.set({ version: ctx.version }, 1);
  put(gauges.orders, 'state', await countAllOrders(db), orderStates);
  put(gauges.refunds, 'state', await countRefunds(db), refundStates);
  put(gauges.mails, 'state', await countMails(db), mailStates);
  put(gauges.breaks, 'kind', await countOpenBreaks(db), breakKinds);
  gauges.seats.reset();
  put(gauges.seats, 'event', await countSeatsSold(db, now));
  gauges.attention.set(await countAttention(db));
  gauges.unsent.set(await countUnsentScans(db));
  const backlog = await readBacklog(db, now);
  gauges.outbox.set(backlog.waiting);
  gauges.outboxFailing.set(backlog.failing);
  gauges.outboxAge.set(
    backlog.oldest_due_at === null ? 0 : Math.max(0, now - backlog.oldest_due_at) / 1000,
  );
  gauges.webhook.set(secondsSince(await lastWebhookAt(db), now));
  const rows = await listInvariantRows(db);
  gauges.violations.reset();
  for (const row of rows) gauges.violations.set({ name: row.name }, row.violations);
  gauges.checked.set(
    secondsSince(rows.length === 0 ? null : Math.min(...rows.map((row) => row.checked_at)), now),
  );
  await putBackups(ctx, gauges);
  putProviders(ctx, gauges);
  gauges.ready.set((await canWork(ctx)) ? 1 : 0);
  gauges.loop.set(loopDelayMs() / 1000);
  gauges.memory.set(process.memoryUsage.rss());
}

async function putBackups(ctx: Ctx, gauges: Gauges): Promise<void> {
  const { loses_since, last, every_ms, files } = await backupReport(ctx);
  gauges.backupGap.set(loses_since === null ? 0 : secondsSince(loses_since, ctx.now()));
  gauges.backupTook.set((last?.cost?.took_ms ?? -1_000) / 1000);
  gauges.backupCost.set((last?.cost?.processor_ms ?? -1_000) / 1000);
  gauges.backupEvery.set(every_ms / 1000);
  gauges.backupBytes.set(files?.size ?? 0);
}

function putProviders(ctx: Ctx, { calls, up }: Gauges): void {
  // Each provider keeps its own sums, so that the counter takes them as they are.
  calls.reset();
  for (const [provider, port] of [
    ['stripe', ctx.payments],
    ['seatsio', ctx.seats],
    ['mail', ctx.mail],
  ] as const) {
    const health = providerHealth(port);
    if (health === null) continue;
    calls.inc({ provider, outcome: 'answered' }, health.answers);
    calls.inc({ provider, outcome: 'refused' }, health.refusals);
    calls.inc({ provider, outcome: 'silent' }, health.silences);
    up.set({ provider }, health.error === null ? 1 : 0);
  }
}

/**
 * Writes a metric with every possible value, also those that are zero: a curve that begins with
 * its first failure would not show that it rose.
 */
function put(
  gauge: Gauge,
  label: string,
  counts: Record<string, number>,
  known: readonly string[] = [],
): void {
  for (const value of new Set([...known, ...Object.keys(counts)]))
    gauge.set({ [label]: value }, counts[value] ?? 0);
}

function secondsSince(at: number | null, now: number): number {
  return at === null ? -1 : (now - at) / 1000;
}
