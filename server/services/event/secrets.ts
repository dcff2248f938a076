/** The secrets that ticket codes are made of, as they lie in the database: sealed where SECRETS_KEY is set. */
import { codeSecrets, replaceSecret } from '#db/events.ts';
import type { Ctx } from '#server/services/context.ts';
import { canUnseal, isSealedWith, seal, unseal } from '#server/services/kit/sealing.ts';

/** At the start: what was stored before there was this key is sealed with it now. Gives back of how many events the secret was sealed with another key: no ticket of theirs could be read, and nothing is changed. */
export async function sealSecrets(ctx: Pick<Ctx, 'db' | 'secretsKey'>): Promise<number> {
  const secrets = await codeSecrets(ctx.db);
  const foreign = secrets.filter(({ code_secret }) => !canUnseal(code_secret)).length;
  if (foreign > 0 || ctx.secretsKey === null) return foreign;
  for (const { id, code_secret } of secrets)
    if (!isSealedWith(code_secret, ctx.secretsKey))
      await replaceSecret(ctx.db, id, {
        from: code_secret,
        to: seal(unseal(code_secret), ctx.secretsKey),
      });
  return 0;
}

/** How many secrets of events are not yet sealed with the key of now. */
export async function countOldSeals({ db }: Pick<Ctx, 'db'>, key: Buffer): Promise<number> {
  const secrets = await codeSecrets(db);
  return secrets.filter(({ code_secret }) => !isSealedWith(code_secret, key)).length;
}
