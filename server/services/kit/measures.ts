/** Counts, for /metrics, this process's requests and the events that Stripe sends it. */
import { Counter, Histogram, Registry } from 'prom-client';
import type { Ctx } from '#server/services/context.ts';

const byMemory = new WeakMap<Ctx['memory'], ReturnType<typeof makeMeasures>>();

interface RequestMeasure {
  route: string;
  method: string;
  status: number;
  seconds: number;
}

export function measureRequest(ctx: Ctx, { route, method, status, seconds }: RequestMeasure): void {
  const { requests, seconds: histogram } = measuresOf(ctx);
  requests.inc({ route, method, status: `${Math.floor(status / 100)}xx` });
  histogram.observe({ route }, seconds);
}

/** Counts many requests that were answered from memory; counting each would take too long. */
export function measureMany(ctx: Ctx, route: string, count: number): void {
  measuresOf(ctx).requests.inc({ route, method: 'GET', status: '2xx' }, count);
}

/** `lagSeconds`: how long after its making at Stripe the event arrived; null if unknown. */
export function measureWebhook(
  ctx: Ctx,
  outcome: 'taken' | 'refused',
  lagSeconds: number | null,
): void {
  measuresOf(ctx).webhooks.inc({ outcome });
  if (lagSeconds !== null) measuresOf(ctx).lag.observe(lagSeconds);
}

export function measuresOf({ memory }: Ctx) {
  const measures = byMemory.get(memory) ?? makeMeasures();
  byMemory.set(memory, measures);
  return measures;
}

function makeMeasures() {
  const registry = new Registry();
  const registers = [registry];
  return {
    registry,
    requests: new Counter({
      name: 'botteghino_http_requests_total',
      help: 'Requests answered, by endpoint and class of status',
      labelNames: ['route', 'method', 'status'],
      registers,
    }),
    seconds: new Histogram({
      name: 'botteghino_http_request_seconds',
      help: 'Time to answer a request',
      labelNames: ['route'],
      buckets: [0.005, 0.02, 0.1, 0.4, 1, 3, 10],
      registers,
    }),
    webhooks: new Counter({
      name: 'botteghino_webhooks_total',
      help: 'Events that Stripe delivered',
      labelNames: ['outcome'],
      registers,
    }),
    lag: new Histogram({
      name: 'botteghino_webhook_lag_seconds',
      help: 'From Stripe’s writing of an event to its arrival',
      buckets: [1, 5, 30, 120, 600, 3600, 86_400],
      registers,
    }),
  };
}
