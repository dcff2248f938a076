/** Carries out a fault on a call: before it runs, in its place, or on its answer. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  answerOf,
  answerOfError,
  send,
  type Answer,
} from '#server/standins/stripe/transport/answers.ts';
import { StripeError } from '#server/standins/stripe/transport/errors.ts';
import type { FaultHit, RequestFault } from './fault-rules.ts';
import type { FaultBook } from './faults.ts';

export interface StruckCall {
  rule: RequestFault;
  hit: FaultHit;
  book: FaultBook;
  request: IncomingMessage;
  response: ServerResponse;
  requestId: string;
}

/** Whether the call is carried out at all before the line, or the answer, breaks. */
export function isCarriedOut({ rule }: StruckCall): boolean {
  if (['lose_answer', 'truncate', 'saved_500', 'delay', 'hang'].includes(rule.action)) return true;
  return rule.executed === true && rule.action !== 'drop';
}

/** A page is only its answer: it comes, it comes late, or something else comes in its place. */
export function isOnlyLate({ rule }: StruckCall): boolean {
  return rule.action === 'delay' || rule.action === 'hang';
}

/** In place of the call. */
export function breakInstead(struck: StruckCall): void {
  struck.request.resume();
  if (['drop', 'lose_answer', 'truncate'].includes(struck.rule.action)) cutOff(struck.request);
  else send(struck.response, replacement(struck));
}

/** When the parameters are read and nothing is done yet; false: the call must not be done. */
export async function breakBefore(struck: StruckCall): Promise<boolean> {
  const { rule } = struck;
  if (rule.executed === true) return true;
  if (rule.action === 'delay') await sleep(rule.ms ?? 0, undefined, { ref: false });
  return rule.action !== 'hang' || isReleased(struck);
}

/** When the call is carried out, and its caller not told yet. */
export async function breakAfter(struck: StruckCall, answer: Answer): Promise<void> {
  const { rule, hit, request, response } = struck;
  const late = (rule.action === 'delay' || rule.action === 'hang') && rule.executed !== true;
  hit.executed = !late && rule.action !== 'saved_500';
  hit.status = answer.status;
  switch (rule.action) {
    case 'lose_answer':
      return cutOff(request);
    case 'truncate':
      response.writeHead(answer.status, answer.headers);
      response.write(Buffer.from(answer.body).subarray(0, rule.bytes ?? 0), () => {
        request.socket.destroy();
      });
      return;
    case 'delay':
      if (!late) await sleep(rule.ms ?? 0, undefined, { ref: false });
      return send(response, answer);
    case 'hang':
      if (late || (await isReleased(struck))) send(response, answer);
      return;
    case 'saved_500':
      return send(response, answer);
    default:
      send(response, replacement(struck));
  }
}

/** The breakdown that idempotency remembers. */
export function breakDown(): never {
  throw new StripeError(500, { type: 'api_error', message: 'An unexpected error occurred.' }, true);
}

function replacement({ rule, hit, requestId }: StruckCall): Answer {
  const at = Math.floor(hit.at / 1000);
  const failed = (error: StripeError): Answer => answerOfError(error, { id: requestId, at });
  switch (rule.action) {
    case '429':
      return failed(
        new StripeError(429, {
          type: 'invalid_request_error',
          code: 'rate_limit',
          message: 'Too many requests made to the API too quickly.',
        }),
      );
    case '409':
      return failed(
        new StripeError(409, {
          type: 'invalid_request_error',
          code: 'lock_timeout',
          message:
            'This object cannot be reached right now, because another request is working on it.',
        }),
      );
    case 'html': {
      const body =
        '<!doctype html><html><head><title>Gateway</title></head><body><h1>Gateway</h1></body></html>';
      return {
        ...answerOf({ status: rule.status ?? 502, body: null }),
        headers: { 'Content-Type': 'text/html', 'Content-Length': String(body.length) },
        body,
      };
    }
    default:
      return failed(
        new StripeError(500, { type: 'api_error', message: 'An unexpected error occurred.' }),
      );
  }
}

/** False when the caller went away, or when all faults were cleared and the line is cut. */
async function isReleased({ book, request, response }: StruckCall): Promise<boolean> {
  const gone = new Promise<'gone'>((resolve) => {
    response.once('close', () => resolve('gone'));
  });
  const ending = response.destroyed ? 'gone' : await Promise.race([book.waiting(), gone]);
  if (ending === 'cleared') cutOff(request);
  return ending === 'released';
}

/** The way a crashed machine ends a connection. */
function cutOff(request: IncomingMessage): void {
  request.socket.resetAndDestroy();
}
