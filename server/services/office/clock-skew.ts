/**
 * Compares this computer's clock with the providers' clocks: with a wrong clock we would refuse
 * every webhook and open no payment.
 */
import { clockAhead } from '#server/adapters/their-clock.ts';
import type { Finding } from '#server/domain/office/alert.ts';
import type { Ctx, Settings } from '#server/services/context.ts';
import { memo } from '#server/services/kit/memo.ts';

const minuteMs = 60_000;
const amberMs = 30_000;
/** Red from this difference on, because Stripe's signatures are refused after five minutes. */
const redMs = 4 * minuteMs;

type Watcher = Pick<Ctx, 'memory' | 'now'> & { settings: Pick<Settings, 'timeSources'> };

const sharedSkew = memo<number | null>({ freshMs: 5 * minuteMs });

/**
 * The largest difference to any provider's clock, in milliseconds; null: no provider answered, or
 * all are our own stand-ins.
 */
function readSkew(ctx: Watcher): Promise<number | null> {
  const ask = async () => {
    const all = await Promise.all(
      ctx.settings.timeSources.map(({ url }) => clockAhead(url, ctx.now)),
    );
    const answers = all.filter((ahead) => ahead !== null);
    return answers.toSorted((a, b) => Math.abs(b) - Math.abs(a))[0] ?? null;
  };
  return sharedSkew.get(ctx.memory, { now: ctx.now, ask });
}

/** Null if the clock is right or no provider answered. */
export async function clockSkew(ctx: Watcher): Promise<Finding | null> {
  const ahead = await readSkew(ctx);
  if (ahead === null || Math.abs(ahead) < amberMs) return null;
  const seconds = Math.round(Math.abs(ahead) / 1_000);
  const span = seconds < 120 ? `${seconds} secondi` : `${Math.round(seconds / 60)} minuti`;
  return {
    state: Math.abs(ahead) > redMs ? 'red' : 'amber',
    sentence: `L’orologio di questo computer è ${ahead > 0 ? 'avanti' : 'indietro'} di ${span}.`,
    mend: 'Attiva la sincronizzazione dell’ora (timedatectl set-ntp true): con l’ora sbagliata Stripe rifiuta i pagamenti e noi i suoi webhook.',
  };
}
