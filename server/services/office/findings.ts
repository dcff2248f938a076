/** Runs all checks of Salute: one that cannot look keeps the others from nothing. */
import type { Finding } from '#server/domain/office/alert.ts';
import type { Ctx } from '#server/services/context.ts';
import { healthChecks } from './checks.ts';

/** What each check says now, by name; those that could not look are missing. */
export async function lookAtAll(ctx: Ctx): Promise<Map<string, Finding | null>> {
  const found = new Map<string, Finding | null>();
  for (const { name, look } of healthChecks) {
    try {
      found.set(name, await look(ctx));
    } catch (error) {
      ctx.log.warn({ err: error, check: name }, 'a health check could not look');
    }
  }
  return found;
}

/** For the office: what is not well now. */
export async function findings(ctx: Ctx) {
  const found = await lookAtAll(ctx);
  return [...found].flatMap(([name, finding]) => (finding === null ? [] : [{ name, ...finding }]));
}
