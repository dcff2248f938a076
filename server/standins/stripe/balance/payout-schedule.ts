/** When the balance is paid out: every day automatically, which is the default, or by hand. */
import type { Reader } from '#server/standins/kit/store.ts';
import { seconds, type Call } from '#server/standins/stripe/call.ts';
import { movedCurrencies } from '#server/standins/stripe/statements/balance.ts';
import { scheduleOnce } from '#server/standins/stripe/statements/later.ts';
import { findSetting, saveSetting } from '#server/standins/stripe/statements/settings.ts';
import { ok, type Reply } from '#server/standins/stripe/transport/answers.ts';
import { group, need, oneOf, readParams } from '#server/standins/stripe/transport/rules.ts';
import { AVAILABLE_AFTER, nextMidnight } from './movements.ts';

const intervals = ['daily', 'manual'] as const;
type Interval = (typeof intervals)[number];

const key = 'stripe_payout_interval';

export async function payoutInterval(reader: Reader): Promise<Interval> {
  return (await findSetting(reader, key)) === 'manual' ? 'manual' : 'daily';
}

/** POST /v1/balance_settings {payments: {payouts: {schedule: {interval}}}} */
export async function updateBalanceSettings(call: Call): Promise<Reply> {
  const schedule = need(group({ interval: need(oneOf(intervals)) }));
  const { payments } = readParams(call.form, {
    payments: need(group({ payouts: need(group({ schedule })) })),
  });
  const { interval } = payments.payouts.schedule;
  await saveSetting(call.store, key, interval);
  // Pays out money that is already available, without waiting for the next movement.
  for (const currency of await movedCurrencies(call.store))
    await scheduleOnce(call.store, nextMidnight(seconds(call)), {
      task: 'pay_out_balance',
      subject: currency,
    });
  return ok({
    object: 'balance_settings',
    payments: {
      debit_negative_balances: true,
      payouts: {
        automatic_transfer_rules_by_currency: null,
        minimum_balance_by_currency: null,
        schedule: { interval },
        statement_descriptor: null,
        status: 'enabled',
      },
      settlement_timing: { delay_days: AVAILABLE_AFTER / (24 * 3600), start_of_day: null },
    },
  });
}
