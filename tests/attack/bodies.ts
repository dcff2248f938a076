/** Attackers who send bodies and never end them, so that the server keeps what it has. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export interface BodyFlood {
  /** The attacker's own address, of this computer. */
  from: string;
  path: string;
  headers: readonly string[];
  /** Of each body. */
  bytes: number;
  /** Never sent. */
  withheld: number;
  connections: number;
  /** So long the attacker stays, in ms. */
  stays: number;
  /** Each byte is a chunk of its own. */
  tiny?: boolean;
  /** So many bodies are sent ahead behind a live stream, whose answer does not end. */
  ahead?: number;
}

const json = 'Content-Type: application/json';
const signature = `Stripe-Signature: t=1,v1=${'0'.repeat(64)}`;

/** As the issue on attackers had it: 510 KB each, without the last one. */
export const webhookFlood: BodyFlood = {
  from: '127.0.0.1',
  path: '/api/webhooks/stripe',
  headers: [json, signature],
  bytes: 510_000,
  withheld: 1_000,
  connections: 980,
  stays: 8_000,
};

const ofBooking = { ...webhookFlood, path: '/api/event/la-locandiera/book', bytes: 60_000 };

/** What attackers do at the same time, by name. */
export const bodyFloods: Record<string, BodyFlood[]> = {
  'webhooks of 510 KB without their last KB': [webhookFlood],
  'the same from two addresses': [webhookFlood, { ...webhookFlood, from: '127.0.0.2' }],
  'bookings of 60 KB without their last KB': [ofBooking],
  'webhooks in chunks of one byte': [
    { ...webhookFlood, tiny: true, connections: 40, stays: 4_000 },
  ],
  'bodies sent ahead behind a live stream': [
    { ...ofBooking, withheld: 0, ahead: 99, connections: 60, stays: 6_000 },
  ],
};

/** The answers that came while the attacker stayed, by status. */
export async function floodBodies(url: string, attack: BodyFlood): Promise<Record<string, number>> {
  const file = new URL('./body-worker.ts', import.meta.url);
  const stream = attack.ahead === undefined ? undefined : await liveStream(url);
  const worker = new Worker(file, { workerData: { url, stream, ...attack } });
  const [answers] = (await once(worker, 'message')) as [Record<string, number>];
  return answers;
}

async function liveStream(url: string): Promise<string> {
  const page = await fetch(`${url}/api/event/la-locandiera/`);
  const { event } = (await page.json()) as { event: Record<string, string> };
  return `/standins/seatsio/system/public/${event['seatsio_workspace_key']}/events/${event['seatsio_event_key']}/stream`;
}
