/** What a phone at the door sends, for the benches: its requests, scans by the thousand, and their batches. */
import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import type { DoorHall } from '#tests/support/door/door-hall.ts';
import type { ScanSent } from '#server/contract/door/admissions.ts';
import { proved } from '#tests/support/door/proof.ts';
import type { Server } from './product.ts';

/** Whoever measured destroys it. */
export const agent = new Agent({ keepAlive: true, maxSockets: 256 });

interface Got {
  status: number;
  body: Buffer;
}

interface Asked {
  headers?: Record<string, string>;
  body?: string;
}

export function send(url: string, what: Asked = {}): Promise<Got> {
  const { headers = {}, body } = what;
  const method = body === undefined ? 'GET' : 'POST';
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent, method, headers: { ...headers, ...headersOf(body) } });
    asked.on('response', (answer) => {
      const chunks: Buffer[] = [];
      answer
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => resolve({ status: answer.statusCode!, body: Buffer.concat(chunks) }));
    });
    asked.on('error', (error: NodeJS.ErrnoException) => {
      // While this process counted for itself the server has closed the idle connection.
      const isClosed = asked.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(error.code ?? '');
      if (isClosed) resolve(send(url, what));
      else reject(error);
    });
    asked.end(body);
  });
}

function headersOf(body: string | undefined): Record<string, string> {
  if (body === undefined) return {};
  const length = Buffer.byteLength(body);
  return { 'content-type': 'application/json', 'content-length': String(length) };
}

export const asPhone = (token: string) => ({
  authorization: `Bearer ${token}`,
  'accept-encoding': 'gzip',
});

let seq = 0;
export function makeScan(hall: DoorHall, at: number, phone: number): ScanSent {
  const now = new Date().toISOString();
  seq += 1;
  return proved(hall.codes, {
    admission_id: randomBytes(16).toString('base64url'),
    seq,
    event_id: hall.event_id,
    place: hall.labels[at % hall.labels.length]!,
    revision: 1,
    read: null,
    direction: 'in',
    gate: `Varco ${phone + 1}`,
    verdict: 'admit',
    counts: true,
    override: null,
    scanned_at: now,
    corrected_at: now,
    offline: true,
    means: 'code',
    note: null,
    annuls: null,
  });
}

export async function handIn(
  server: Server,
  hall: DoorHall,
  { phone, items }: { phone: number; items: unknown[] },
): Promise<void> {
  const { status, body } = await send(`${server.url}/api/scanner/admissions`, {
    headers: asPhone(hall.tokens[phone]!),
    body: JSON.stringify({ items }),
  });
  if (status !== 200) throw new Error(`${status} ${body.toString()}`);
}
