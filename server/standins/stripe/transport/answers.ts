/** Makes HTTP answers from replies and errors, and sends them. */
import type { ServerResponse } from 'node:http';
import { errorAnswer, StripeError } from './errors.ts';

/** Returned even for a declined card, so that its writes stay and the answer can be repeated. */
export interface Reply {
  status: number;
  body: unknown;
}

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export function ok(body: unknown): Reply {
  return { status: 200, body };
}

export function answerOf(reply: Reply, headers: Record<string, string> = {}): Answer {
  const body = JSON.stringify(reply.body, null, 2);
  return {
    status: reply.status,
    headers: {
      ...headers,
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(body)),
    },
    body,
  };
}

/** `Stripe-Should-Retry` is set where the status alone would mislead the client. */
export function answerOfError(error: StripeError, request: { id: string; at: number }): Answer {
  const retry = retryOf(error);
  const answer = answerOf(
    { status: error.status, body: errorAnswer(error.body, request) },
    retry === undefined ? {} : { 'Stripe-Should-Retry': retry },
  );
  if (error.status === 413) answer.headers['Connection'] = 'close';
  if (error.status === 401) answer.headers['WWW-Authenticate'] = 'Basic realm="Stripe"';
  return answer;
}

export function send(response: ServerResponse, answer: Answer): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(answer.status, answer.headers);
  response.end(answer.body);
}

function retryOf({ status }: StripeError): string | undefined {
  if (status === 409 || status === 503) return 'true';
  // Whether to retry is left to the client after too many requests or an unknown outcome.
  return status === 429 || status === 500 ? undefined : 'false';
}
