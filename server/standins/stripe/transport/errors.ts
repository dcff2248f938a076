/** Errors in Stripe's form: `{"error":{type, message, code?, param?, …}}`. */

type ErrorType = 'invalid_request_error' | 'card_error' | 'api_error' | 'idempotency_error';

export interface ErrorBody {
  type: ErrorType;
  message: string;
  code?: string;
  param?: string;
  decline_code?: string;
  advice_code?: string;
  charge?: string;
  payment_intent?: object;
  doc_url?: string;
  request_log_url?: string;
}

/** An error that rolls back everything that the call wrote. */
export class StripeError extends Error {
  readonly status: number;
  readonly body: ErrorBody;
  /**
   * True if a valid call was refused because of the present state; that refusal is stored under
   * the idempotency key. A malformed or conflicting request is not stored and may be corrected
   * under the same key.
   */
  readonly executed: boolean;

  constructor(status: number, body: ErrorBody, executed = false) {
    super(body.message);
    this.status = status;
    this.body = body;
    this.executed = executed;
  }
}

/** 400 invalid_request_error about the request itself. */
export function refuse(
  message: string,
  facts: { code?: string; param?: string } = {},
): StripeError {
  return new StripeError(400, { type: 'invalid_request_error', message, ...facts });
}

/** 400 invalid_request_error about the state of an object, for example an expired session. */
export function refuseState(
  message: string,
  facts: { code?: string; param?: string } = {},
): StripeError {
  return new StripeError(400, { type: 'invalid_request_error', message, ...facts }, true);
}

/** 404 if the address names an unknown object, 400 if a parameter does. */
export function missingObject(
  kind: string,
  id: string,
  facts: { param?: string; status?: 400 | 404 } = {},
): StripeError {
  const { param = 'id', status = 404 } = facts;
  return new StripeError(status, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${kind}: '${id}'`,
    param,
  });
}

export function missingParam(param: string): StripeError {
  return refuse(`Missing required param: ${param}.`, { code: 'parameter_missing', param });
}

/** 402; the page chooses its own words by the code. */
export function cardError(
  code: string,
  message: string,
  facts: { param?: string; decline_code?: string } = {},
): StripeError {
  return new StripeError(402, { type: 'card_error', code, message, ...facts });
}

/** Codes of our own, which Stripe's documentation does not explain. */
const OWN_CODES = new Set(['api_key_live', 'checkout_session_not_open']);

/**
 * The answer's body, with the two addresses that Stripe adds: an explanation of the code, and the
 * log of the request.
 */
export function errorAnswer(
  body: ErrorBody,
  request: { id: string; at: number },
): { error: ErrorBody } {
  const { code } = body;
  return {
    error: {
      ...body,
      ...(code === undefined || OWN_CODES.has(code)
        ? {}
        : { doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}` }),
      request_log_url: `https://dashboard.stripe.com/test/logs/${request.id}?t=${request.at}`,
    },
  };
}
