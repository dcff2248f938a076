/**
 * Compares this computer's clock with the providers' clocks: with a wrong clock we would refuse
 * every webhook and open no payment. Also tells when it was set back, and which servers of the
 * house disagree.
 */
import { clockAhead } from '#server/adapters/their-clock.ts';
import { listProcesses } from '#db/processes.ts';
import type { Finding } from '#server/domain/office/alert.ts';
import { clockStepMs, spanWords } from '#server/domain/time/clock-step.ts';
import { formatListDate } from '#server/domain/time/dates.ts';
import type { Ctx, Settings } from '#server/services/context.ts';
import { lastSetBack } from '#server/services/kit/clock.ts';
import { memo } from '#server/services/kit/memo.ts';

const minuteMs = 60_000;
const amberMs = 30_000;
/** Red from this difference on, because Stripe's signatures are refused after five minutes. */
const redMs = 4 * minuteMs;
/** How long it is told that the clock was set back. */
const toldMs = 24 * 60 * minuteMs;
const synchronise = 'Attiva la sincronizzazione dell’ora (timedatectl set-ntp true)';

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
  const span = spanWords(Math.abs(ahead));
  return {
    state: Math.abs(ahead) > redMs ? 'red' : 'amber',
    sentence: `L’orologio di questo computer è ${ahead > 0 ? 'avanti' : 'indietro'} di ${span}.`,
    mend: `${synchronise}: con l’ora sbagliata Stripe rifiuta i pagamenti e noi i suoi webhook.`,
  };
}

/** All that may be wrong with this house's clocks; null: nothing. */
export async function clockTrouble(ctx: Ctx): Promise<Finding | null> {
  return (await clockSkew(ctx)) ?? (await setBack(ctx)) ?? (await disagreement(ctx));
}

async function setBack(ctx: Ctx): Promise<Finding | null> {
  const last = await lastSetBack(ctx);
  if (last === null || ctx.now() - last.at > toldMs) return null;
  return {
    state: 'amber',
    sentence: `L’orologio del server è tornato indietro di ${spanWords(last.by_ms)}.`,
    mend: `Ce ne siamo accorti ${formatListDate(last.at)}: le scadenze sono state corrette e la vendita continua. Quello che è successo prima può portare un’ora che doveva ancora venire. ${synchronise}.`,
  };
}

async function disagreement(ctx: Ctx): Promise<Finding | null> {
  const latest = ctx.now() + clockStepMs;
  const hosts = (await listProcesses(ctx.db)).flatMap(({ host, last_beat_at }) =>
    last_beat_at > latest ? [host] : [],
  );
  if (hosts.length === 0) return null;
  return {
    state: 'amber',
    sentence: 'Gli orologi dei server non vanno d’accordo.',
    mend: `È avanti quello di ${[...new Set(hosts)].join(', ')}. ${synchronise} su ogni computer.`,
  };
}
