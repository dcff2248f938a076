/** Reads the parameters of a request from its body, within limits, and its query. */
import type { IncomingMessage } from 'node:http';
import { BodyError, readBody } from '#server/standins/kit/body.ts';
import { refuse, StripeError } from './errors.ts';
import { emptyForm, readForm, readJson, type Form } from './forms.ts';

const MAX_BODY = 1024 * 1024;
/** Limits in bytes; without a key a request must be small. */
const MAX_PAGE_BODY = 32 * 1024;

/** `page` needs no secret key; the browser knows the session's id. */
export type Door = 'key' | 'page' | 'steering';

/**
 * Merges query and body into one tree; a field of the body wins. Calls with the secret key take
 * forms only, as Stripe's API v1; the page and the steering also take JSON.
 * @throws StripeError 413 on too many bytes; 400 on another content type, invalid UTF-8, or
 * invalid names
 */
export async function readParameters(
  request: IncomingMessage,
  query: string,
  door: Door,
): Promise<Form> {
  const body = await readText(request, door === 'page' ? MAX_PAGE_BODY : MAX_BODY);
  const form = body === '' ? emptyForm() : readByType(request, body, door);
  return Object.assign(emptyForm(), readForm(query), form);
}

function readByType(request: IncomingMessage, body: string, door: Door): Form {
  const [type = ''] = (request.headers['content-type'] ?? '').toLowerCase().split(/\s*;/);
  if (type === '' || type === 'application/x-www-form-urlencoded') return readForm(body);
  if (type === 'application/json' && door !== 'key') return readJson(body);
  throw refuse('Invalid request: send the parameters as application/x-www-form-urlencoded.');
}

async function readText(request: IncomingMessage, limit: number): Promise<string> {
  const body = await readBody(request, limit).catch((error: unknown) => {
    throw error instanceof BodyError ? refusalOf(error, limit) : error;
  });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw refuse('The request body is not valid UTF-8.');
  }
}

function refusalOf({ reason }: BodyError, limit: number): StripeError {
  if (reason === 'cut_off') return refuse('The request was cut off.');
  return new StripeError(413, {
    type: 'invalid_request_error',
    message: `The request body may have at most ${limit} bytes.`,
  });
}
