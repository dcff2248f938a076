/** When the balance is paid out: every day by itself, as at Stripe when nobody says otherwise, or only by hand. */
import type { Reader } from '#server/standins/kit/store.ts';
import { ok, seconds, type Call, type ReadCall, type Reply } from '#server/standins/stripe/call.ts';
import { expand } from '#server/standins/stripe/read-calls.ts';
import { sumsByCurrency } from '#server/standins/stripe/statements/balance.ts';
import { scheduleOnce } from '#server/standins/stripe/statements/later.ts';
import { findSetting, saveSetting } from '#server/standins/stripe/statements/settings.ts';
import { builtOf, group, readParams, unbuilt } from '#server/standins/stripe/transport/rules.ts';
import { AVAILABLE_AFTER, nextMidnight } from './balance.ts';

const intervals = ['daily', 'manual'] as const;
type Interval = (typeof intervals)[number];

const key = 'stripe_payout_interval';

export async function payoutInterval(reader: Reader): Promise<Interval> {
  return (await findSetting(reader, key)) === 'manual' ? 'manual' : 'daily';
}

/** GET /v1/balance_settings */
export async function retrieveBalanceSettings(call: ReadCall): Promise<Reply> {
  readParams(call.form, { expand });
  return ok(await settingsOf(call.store));
}

/** POST /v1/balance_settings {payments: {payouts: {schedule: {interval}}}} */
export async function updateBalanceSettings(call: Call): Promise<Reply> {
  const { payments } = readParams(call.form, {
    expand,
    payments: group({
      debit_negative_balances: unbuilt(),
      payouts: group({
        automatic_transfer_rules_by_currency: unbuilt(),
        minimum_balance_by_currency: unbuilt(),
        schedule: group({
          interval: builtOf(intervals, [...intervals, 'weekly', 'monthly']),
          monthly_payout_days: unbuilt(),
          weekly_payout_days: unbuilt(),
        }),
        statement_descriptor: unbuilt(),
      }),
      settlement_timing: unbuilt(),
    }),
  });
  const interval = payments?.payouts?.schedule?.interval;
  if (interval !== undefined) {
    await saveSetting(call.store, key, interval);
    // What has become available meanwhile does not wait for the next movement.
    for (const { currency } of await sumsByCurrency(call.store, seconds(call)))
      await scheduleOnce(call.store, nextMidnight(seconds(call)), {
        task: 'pay_out_balance',
        subject: currency,
      });
  }
  return ok(await settingsOf(call.store));
}

async function settingsOf(reader: Reader): Promise<object> {
  return {
    object: 'balance_settings',
    payments: {
      debit_negative_balances: true,
      payouts: {
        automatic_transfer_rules_by_currency: null,
        minimum_balance_by_currency: null,
        schedule: { interval: await payoutInterval(reader) },
        statement_descriptor: null,
        status: 'enabled',
      },
      settlement_timing: { delay_days: AVAILABLE_AFTER / (24 * 3600), start_of_day: null },
    },
  };
}
