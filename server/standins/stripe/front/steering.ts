/**
 * The calls with which a test in another process steers the stand-in; they exist only with the
 * option `--faults`.
 */
import * as v from 'valibot';
import { FAILURES, type FailureCode } from '#server/standins/stripe/balance/payouts.ts';
import { within, type OpenDesk } from '#server/standins/stripe/call.ts';
import {
  DELIVERY_ACTIONS,
  REQUEST_ACTIONS,
  type FaultRule,
} from '#server/standins/stripe/faults/fault-rules.ts';
import type { Faults } from '#server/standins/stripe/faults/faults.ts';
import { ok, type Reply } from '#server/standins/stripe/transport/answers.ts';
import { StripeError } from '#server/standins/stripe/transport/errors.ts';
import type { Form } from '#server/standins/stripe/transport/forms.ts';
import {
  flag,
  integer,
  need,
  oneOf,
  readParams,
  say,
  text,
  type Rule,
} from '#server/standins/stripe/transport/rules.ts';
import type { Deliverer } from '#server/standins/stripe/webhook/deliveries.ts';
import { rollSecret } from '#server/standins/stripe/webhook/webhook-endpoints.ts';

/** All calls need the secret key and take form fields or JSON. */
export type Steering = (method: string, path: string, form: Form) => Promise<Reply>;

interface Steered {
  desk: OpenDesk;
  faults: Faults;
  deliverer: Deliverer;
  /** Moves the stand-in's clock forward and runs the tasks that are then due. */
  advance: (ms: number) => Promise<void>;
  failPayout: (id: string, code?: FailureCode) => Promise<void>;
}

const match = {
  nth: integer({ min: 1 }),
  times: timesOrAlways(),
  probability: share(),
  seed: integer(),
  ms: integer({ max: 600_000 }),
};
const requestFault = {
  ...match,
  on: oneOf(['request']),
  method: oneOf(['GET', 'POST', 'HEAD']),
  path: text({ max: 500 }),
  action: need(oneOf(REQUEST_ACTIONS)),
  executed: flag(),
  bytes: integer(),
  status: oneOf(['200', '502']),
};
const deliveryFault = {
  ...match,
  on: need(oneOf(['delivery'])),
  event: text({ max: 100 }),
  action: need(oneOf(DELIVERY_ACTIONS)),
  copies: integer({ min: 2, max: 1000 }),
  hold: integer({ min: 1, max: 10_000 }),
};

/**
 * GET /_standin/faults → {rules, log, executed}; `executed` counts the calls that took effect
 * without their caller learning of it.
 * POST /_standin/faults {on, action, …} → the rule; the fields are those of `FaultRule`.
 * POST /_standin/faults/release → continues hanging calls and sends held deliveries.
 * DELETE /_standin/faults, DELETE /_standin/faults/:id.
 * GET /_standin/clock, POST /_standin/clock {advance_seconds} → {now}, unix seconds.
 * GET /_standin/deliveries → the last thousand.
 * POST /_standin/deliveries/(retry|replay_all|pause|resume); answers after trying what is due.
 * POST /_standin/webhook_endpoints/:id/roll_secret {expires_in_seconds?} → {id, secret}; the old
 * secret also signs for these seconds, at most a day.
 * POST /_standin/payouts/:id/fail {code?} → the bank returns the money.
 */
export function steering(steered: Steered): Steering {
  const { desk, faults, deliverer } = steered;
  const calls: Record<string, (form: Form) => Reply | Promise<Reply>> = {
    'GET /_standin/faults': () =>
      ok({ rules: faults.rules, log: faults.log, executed: faults.executed }),
    'POST /_standin/faults': (form) => ok(faults.add(readRule(form))),
    'POST /_standin/faults/release': () => done(faults.release()),
    'DELETE /_standin/faults': () => done(faults.clear()),
    'GET /_standin/clock': () => ok({ now: Math.floor(desk.now() / 1000) }),
    async 'POST /_standin/clock'(form) {
      const { advance_seconds } = readParams(form, {
        advance_seconds: need(integer({ max: 10 * 365 * 24 * 3600 })),
      });
      await steered.advance(advance_seconds * 1000);
      return ok({ now: Math.floor(desk.now() / 1000) });
    },
    'GET /_standin/deliveries': async () => ok({ data: await deliverer.list() }),
    'POST /_standin/deliveries/retry': async () => done(await deliverer.retry()),
    'POST /_standin/deliveries/replay_all': async () => done(await deliverer.replayAll()),
    'POST /_standin/deliveries/pause': () => done(deliverer.pause()),
    'POST /_standin/deliveries/resume': async () => done(await deliverer.resume()),
  };
  return async (method, path, form) => {
    const call = calls[`${method} ${path}`];
    if (call) return call(form);
    const rule = method === 'DELETE' ? /^\/_standin\/faults\/(\w+)$/.exec(path)?.[1] : undefined;
    if (rule !== undefined && faults.remove(rule)) return ok({ id: rule, deleted: true });
    const payout =
      method === 'POST' ? /^\/_standin\/payouts\/(\w+)\/fail$/.exec(path)?.[1] : undefined;
    if (payout !== undefined) {
      const { code } = readParams(form, { code: oneOf(Object.keys(FAILURES) as FailureCode[]) });
      return done(await steered.failPayout(payout, code));
    }
    const endpoint =
      method === 'POST'
        ? /^\/_standin\/webhook_endpoints\/(\w+)\/roll_secret$/.exec(path)?.[1]
        : undefined;
    if (endpoint !== undefined) {
      const { expires_in_seconds = 0 } = readParams(form, {
        expires_in_seconds: integer({ max: 24 * 3600 }),
      });
      return ok(
        await desk.store.write((writer) =>
          rollSecret(within(desk, writer), endpoint, expires_in_seconds),
        ),
      );
    }
    throw new StripeError(404, {
      type: 'invalid_request_error',
      message: `Unrecognized request URL (${method}: ${path}).`,
    });
  };
}

function done(_nothing: void): Reply {
  return ok({ done: true });
}

function readRule(form: Form): FaultRule {
  if (form['on'] === 'delivery') return readParams(form, deliveryFault);
  const { status, on = 'request', ...rest } = readParams(form, requestFault);
  return { ...rest, on, ...(status === undefined ? {} : { status: Number(status) }) };
}

function timesOrAlways(): Rule<number | 'always'> {
  const count = integer({ min: 1 });
  return v.lazy((given) => (given === 'always' ? v.literal('always') : count));
}

function share(): Rule<number> {
  const wrong = say('Invalid {param}: a number from 0 to 1 is expected.');
  return v.pipe(
    text(),
    v.transform(Number),
    v.number(wrong),
    v.minValue(0, wrong),
    v.maxValue(1, wrong),
  );
}
