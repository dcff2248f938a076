/** The secrets that ticket codes are made of, as they lie in the database: sealed where SECRETS_KEY is set. */
import { codeSecrets, replaceSecret } from '#db/events.ts';
import type { Ctx } from '#server/services/context.ts';
import { canUnseal, isSealed, seal } from '#server/services/kit/sealing.ts';

/** At the start: what was stored before there was a key is sealed now. Gives back of how many events the secret was sealed with another key: no ticket of theirs could be read, and nothing is changed. */
export async function sealSecrets(ctx: Pick<Ctx, 'db' | 'secretsKey'>): Promise<number> {
  const secrets = await codeSecrets(ctx.db);
  const foreign = secrets.filter(({ code_secret }) => !canUnseal(code_secret)).length;
  if (foreign > 0 || ctx.secretsKey === null) return foreign;
  for (const { id, code_secret } of secrets)
    if (!isSealed(code_secret))
      await replaceSecret(ctx.db, id, { from: code_secret, to: seal(code_secret, ctx.secretsKey) });
  return 0;
}
