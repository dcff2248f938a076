/** The settings for the second factor and for refunds that must be confirmed. */
import { isForPublic } from './address.ts';
import type { Env } from './env.ts';

export function readSecondFactor(
  env: Env,
  publicUrl: string,
  faults: string[],
): 'required' | 'off' {
  const choices = ['required', 'off'] as const;
  const text = env['SECOND_FACTOR'] || null;
  const chosen = choices.find((choice) => choice === text);
  if (chosen !== undefined) return chosen;
  if (text !== null)
    faults.push(`SECOND_FACTOR può valere «${choices[0]}» oppure «${choices[1]}», non «${text}».`);
  return isForPublic(env, publicUrl) && env['BOTTEGHINO_DEMO'] !== '1' ? 'required' : 'off';
}

/** CONFIRM_REFUND_EURO in cents; the setting itself is in whole euros. */
export function readConfirmRefund(env: Env, faults: string[]): number {
  const text = env['CONFIRM_REFUND_EURO'] || '200';
  if (!/^\d{1,6}$/.test(text))
    faults.push(`CONFIRM_REFUND_EURO deve essere un numero intero di euro, non «${text}».`);
  return (Number.parseInt(text, 10) || 0) * 100;
}
