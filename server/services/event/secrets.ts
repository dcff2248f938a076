/** The secrets that ticket codes are made of, as they lie in the database: sealed where SECRETS_KEY is set. */
import { codeSecrets, replaceSecret } from '#db/events.ts';
import type { Ctx } from '#server/services/context.ts';
import { canUnseal, isSealed, seal } from '#server/services/kit/sealing.ts';

/** At the start: without the right key no ticket could be made or read, and what was stored before there was a key is sealed now. */
export async function sealSecrets(ctx: Pick<Ctx, 'db' | 'secretsKey'>): Promise<void> {
  const secrets = await codeSecrets(ctx.db);
  const foreign = secrets.filter(({ code_secret }) => !canUnseal(code_secret));
  if (foreign.length > 0)
    throw new Error(
      `SECRETS_KEY non è la chiave con cui sono sigillati i segreti di ${foreign.length} eventi: senza quella i biglietti venduti non si possono leggere.`,
    );
  if (ctx.secretsKey === null) return;
  for (const { id, code_secret } of secrets)
    if (!isSealed(code_secret))
      await replaceSecret(ctx.db, id, { from: code_secret, to: seal(code_secret, ctx.secretsKey) });
}
