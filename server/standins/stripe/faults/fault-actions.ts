/** Carries out a fault on a call: before the call, instead of it, or on its answer. */
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

/** Whether the call is carried out before the connection or the answer breaks. */
export function isCarriedOut({ rule }: StruckCall): boolean {
  if (['lose_answer', 'truncate', 'saved_500', 'delay', 'hang'].includes(rule.action)) return true;
  return rule.executed === true && rule.action !== 'drop';
}

/** Whether a page is only delayed; other faults replace the page. */
export function isOnlyLate({ rule }: StruckCall): boolean {
  return rule.action === 'delay' || rule.action === 'hang';
}

/** Answers instead of the call. */
export function breakInstead(struck: StruckCall): void {
  struck.request.resume();
  if (['drop', 'lose_answer', 'truncate'].includes(struck.rule.action)) cutOff(struck.request);
  else send(struck.response, replacement(struck));
}

/** Called between reading the parameters and the call; false: do not carry it out. */
export async function breakBefore(struck: StruckCall): Promise<boolean> {
  const { rule } = struck;
  if (rule.executed === true) return true;
  if (rule.action === 'delay') await sleep(rule.ms ?? 0, undefined, { ref: false });
  return rule.action !== 'hang' || isReleased(struck);
}

/** Called after the call took effect and before it is answered. */
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

/** The error that is then stored under the idempotency key. */
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

/** False if the caller disconnected or all faults were cleared, which cuts the connection. */
async function isReleased({ book, request, response }: StruckCall): Promise<boolean> {
  const gone = new Promise<'gone'>((resolve) => {
    response.once('close', () => resolve('gone'));
  });
  const ending = response.destroyed ? 'gone' : await Promise.race([book.waiting(), gone]);
  if (ending === 'cleared') cutOff(request);
  return ending === 'released';
}

/** Resets the connection, as a crashed machine would. */
function cutOff(request: IncomingMessage): void {
  request.socket.resetAndDestroy();
}
