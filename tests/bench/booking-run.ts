/** The processes of the booking bench, servers and visitors, and their cost. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { freePort } from '#tests/support/port.ts';
import type { LoadAnswer, LoadAsk, LoadRequest } from './booking-load.ts';
import { hallSeats } from './booking-hall.ts';
import { cpuOf } from './product.ts';
import { quantile } from './quantile.ts';

const children = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

function start(file: string, args: string[]): ChildProcess {
  const child = fork(join(import.meta.dirname, file), args);
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

export interface BenchServer {
  child: ChildProcess;
  port: number;
  stop: () => Promise<void>;
}

/** `mode`: '' for the product with a seat map and a Stripe that answer at once, 'no-database' for the same route without any, 'rules' for the product with price rules. */
export async function startBenchServer(
  folder: string,
  database: string,
  mode = '',
  seats = hallSeats,
): Promise<BenchServer> {
  const port = await freePort();
  const child = start('booking-server.ts', [folder, String(port), database, String(seats), mode]);
  await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => {
      throw new Error('the server did not start');
    }),
  ]);
  return { child, port, stop: () => stop(child) };
}

/** The product with both stand-ins in its process, and what visitors who hold their seats will send. */
export async function startWithVendors(
  folder: string,
  bookings: number,
): Promise<{ server: BenchServer; requests: LoadRequest[] }> {
  const port = await freePort();
  const child = start('booking-vendors.ts', [folder, String(port), String(bookings)]);
  const [requests] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => {
      throw new Error('the server did not start');
    }),
  ])) as [LoadRequest[]];
  return { server: { child, port, stop: () => stop(child) }, requests };
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}

const visitors = start('booking-load.ts', []);

export interface Measured {
  answersPerSecond: number;
  bookingsPerSecond: number;
  cpu: number;
  p50: number;
  p99: number;
  seconds: number;
  booked: number;
  answer: LoadAnswer;
}

export async function measure(
  server: BenchServer,
  clients: number,
  requests: LoadAsk['requests'],
): Promise<Measured> {
  const before = cpuOf(server.child);
  visitors.send({ port: server.port, clients, requests } satisfies LoadAsk);
  const [answer] = (await once(visitors, 'message')) as [LoadAnswer];
  const booked = answer.statuses[200] ?? 0;
  const odd = Object.keys(answer.statuses).filter((status) => status !== '200' && status !== '409');
  // A figure made of errors is worthless; with the stand-ins a busy machine may exceed a
  // deadline.
  if (odd.length > 0 || answer.lost > 0)
    console.log(
      `  UNEXPECTED answers: ${JSON.stringify(answer.statuses)}, ${answer.lost} lines lost`,
    );
  return {
    seconds: answer.ms / 1000,
    booked,
    answer,
    answersPerSecond: (requests.length / answer.ms) * 1000,
    bookingsPerSecond: (booked / answer.ms) * 1000,
    cpu: ((cpuOf(server.child) - before) * 1_000) / requests.length,
    p50: quantile(answer.latencies, 0.5),
    p99: quantile(answer.latencies, 0.99),
  };
}

/** The median of several rounds, figure by figure. */
export function median(rounds: readonly Measured[], figure: (round: Measured) => number): number {
  return quantile(rounds.map(figure), 0.5);
}

export function stopVisitors(): void {
  visitors.disconnect();
}
