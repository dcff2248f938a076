/** A slow Stripe in tests, whose answers wait until the test releases them. */
import type { Payments } from '#server/adapters/stripe.ts';
import { until } from './make.ts';
import type { TestServer } from './server.ts';

/** Holds answers from now on; requests arrive immediately. */
export function holdAnswers({ house: { ctx } }: TestServer, call: 'open' | 'read' | 'expire') {
  const { payments } = ctx;
  const waiting: (() => void)[] = [];
  const held = async <T>(answer: Promise<T>): Promise<T> => {
    const known = await answer;
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
    });
    return known;
  };
  const slow: Pick<Payments, 'open' | 'read' | 'expire'> = {
    open: (...args) => held(payments.open(...args)),
    read: (id) => held(payments.read(id)),
    expire: (id) => held(payments.expire(id)),
  };
  ctx.payments = { ...payments, [call]: slow[call] };
  return {
    begun: (count: number) => until(async () => waiting.length >= count),
    letGo: (index: number) => waiting[index]!(),
  };
}
