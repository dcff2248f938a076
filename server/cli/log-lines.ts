/** Reads log lines from a file or a pipe, and puts those about a payment into words. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { errors } from '#server/contract/errors.ts';
import type { LogLine } from '#server/services/office/why.ts';
import { Refused } from './command.ts';

interface Line {
  time?: unknown;
  level?: unknown;
  msg?: unknown;
  method?: unknown;
  path?: unknown;
  status?: unknown;
  code?: unknown;
  why?: unknown;
  order_id?: unknown;
  subject?: unknown;
  req_id?: unknown;
  err?: { message?: unknown };
}

/** `file` null: reads the standard input; the list is empty if that is a terminal. */
export async function readLog(file: string | null): Promise<LogLine[]> {
  if (file === null && process.stdin.isTTY) return [];
  const input = file === null ? process.stdin : createReadStream(file, 'utf8');
  const lines: LogLine[] = [];
  try {
    for await (const text of createInterface({ input })) {
      const line = lineOf(text);
      if (line !== null) lines.push(line);
    }
  } catch {
    throw new Refused(`Il file del registro «${file}» non si può leggere.`);
  }
  return lines;
}

/** Null if it is not a line of our log. The system's journal may put a prefix before a line. */
function lineOf(text: string): LogLine | null {
  const start = text.indexOf('{');
  if (start === -1) return null;
  try {
    const line = JSON.parse(text.slice(start)) as Line;
    const at = Date.parse(String(line.time));
    if (Number.isNaN(at)) return null;
    const order = line.order_id ?? line.subject ?? null;
    return { at, text: sentenceOf(line), order: order === null ? null : String(order) };
  } catch {
    return null;
  }
}

function sentenceOf(line: Line): string {
  const id = line.req_id === undefined ? '' : ` [${String(line.req_id)}]`;
  const cause = line.why ?? line.err?.message;
  const because = cause === undefined || cause === null ? '' : `: ${String(cause)}`;
  if (line.msg === 'webhook_signature') return `Webhook di Stripe rifiutato${because}${id}`;
  if (line.msg === 'provider_silent') return `Stripe o la pianta non hanno risposto${because}${id}`;
  if (line.msg !== 'request') return `${String(line.msg)}${because}${id}`;
  const refused = isCode(line.code) ? `: ${errors[line.code].message}` : '';
  return `Richiesta ${String(line.method)} ${String(line.path)}, risposta ${String(line.status)}${refused}${id}`;
}

function isCode(code: unknown): code is keyof typeof errors {
  return typeof code === 'string' && Object.hasOwn(errors, code);
}
