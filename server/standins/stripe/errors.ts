/** What goes wrong, in the one shape a Stripe client understands: `{"error":{type, message, code?, param?, …}}`. */

export type ErrorType = 'invalid_request_error' | 'card_error' | 'api_error' | 'idempotency_error';

export interface ErrorBody {
  type: ErrorType;
  message: string;
  code?: string;
  param?: string;
  decline_code?: string;
  advice_code?: string;
  charge?: string;
  doc_url?: string;
}

/** Thrown: the call's transaction is rolled back and nothing is remembered under its idempotency key. */
export class StripeError extends Error {
  readonly status: number;
  readonly body: ErrorBody;

  constructor(status: number, body: ErrorBody) {
    super(body.message);
    this.status = status;
    this.body = body;
  }
}

/** 400 invalid_request_error. */
export function refuse(message: string, facts: { code?: string; param?: string } = {}): StripeError {
  return new StripeError(400, { type: 'invalid_request_error', message, ...facts });
}

/** A parameter that names an object we do not have is a 400, an address that names one a 404. */
export function missingObject(kind: string, id: string, facts: { param?: string; status?: 400 | 404 } = {}): StripeError {
  const { param = 'id', status = 404 } = facts;
  return new StripeError(status, { type: 'invalid_request_error', code: 'resource_missing', message: `No such ${kind}: '${id}'`, param });
}

/** 501: Stripe knows it, this stand-in does not build it yet; saying so beats ignoring it. */
export function notBuilt(what: string, param?: string): StripeError {
  return new StripeError(501, {
    type: 'api_error', code: 'not_built', message: `This stand-in does not offer ${what}.`, ...(param === undefined ? {} : { param }),
  });
}

/** 402, shown to the buyer as it is, hence in the language of the page. */
export function cardError(code: string, message: string, facts: { param?: string; decline_code?: string } = {}): StripeError {
  return new StripeError(402, { type: 'card_error', code, message, ...facts });
}
