/**
 * How long each kind of personal data is stored. The office reads and changes it; the audit has
 * the old and the new numbers.
 */
import type { Db } from '#db/engine/dialect.ts';
import { claimSetting, readSetting } from '#db/settings.ts';
import { transact } from '#db/engine/transact.ts';
import {
  fixedRetention,
  retentionFaults,
  retentionKinds,
  retentionRules,
  usualRetention,
  type Retention,
} from '#server/domain/person/retention.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { happened } from '#server/services/kit/happened.ts';

const key = 'retention_times';

interface Stored {
  version: number;
  times: Retention;
}

async function readStored(db: Db): Promise<{ stored: Stored; from: string | null }> {
  const from = await readSetting(db, key);
  if (from === null) return { from, stored: { version: 0, times: usualRetention } };
  const { version, times } = JSON.parse(from) as Stored;
  return { from, stored: { version, times: { ...usualRetention, ...times } } };
}

export async function retentionOf(db: Db): Promise<Retention> {
  return (await readStored(db)).stored.times;
}

export async function retentionForOffice(ctx: Ctx) {
  return inWords((await readStored(ctx.db)).stored);
}

function inWords({ version, times }: Stored) {
  return {
    version,
    kinds: retentionKinds.map((kind) => ({ kind, value: times[kind], ...retentionRules[kind] })),
    fixed: fixedRetention.map((rule) => ({ ...rule })),
  };
}

/** @throws Refusal retention_changed if another person saved first, retention_wrong */
export async function writeRetention(
  ctx: Ctx,
  actor: Actor,
  { version, times }: { version: number; times: Retention },
) {
  const kinds = retentionFaults(times);
  if (kinds.length > 0) throw new Refusal('retention_wrong', { kinds });
  return transact(ctx.db, async (trx) => {
    const { stored, from } = await readStored(trx);
    const after: Stored = { version: version + 1, times };
    if (
      stored.version !== version ||
      !(await claimSetting(trx, key, { from, to: JSON.stringify(after) }))
    )
      throw new Refusal('retention_changed');
    await happened(ctx, trx, {
      actor,
      action: 'retention_changed',
      subject: 'site',
      detail: Object.fromEntries(
        retentionKinds
          .filter((kind) => stored.times[kind] !== times[kind])
          .map((kind) => [kind, { from: stored.times[kind], to: times[kind] }]),
      ),
    });
    return inWords(after);
  });
}
