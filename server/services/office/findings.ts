/** Runs all checks of the server's health; one that throws does not stop the others. */
import type { Finding } from '#server/domain/office/alert.ts';
import type { Ctx } from '#server/services/context.ts';
import { memo } from '#server/services/kit/memo.ts';
import { healthChecks } from './checks.ts';

/** The result of each check, by name; a check that threw is missing. */
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

/** What is wrong now, for the office. */
export async function findings(ctx: Ctx) {
  const found = await lookAtAll(ctx);
  return [...found].flatMap(([name, finding]) => (finding === null ? [] : [{ name, ...finding }]));
}

/** All screens of the office ask for the findings again and again. */
const sharedFindings = memo<Awaited<ReturnType<typeof findings>>>({ freshMs: 5_000 });

/** As findings(), at most some seconds old. */
export function recentFindings(ctx: Ctx) {
  return sharedFindings.get(ctx.memory, { now: ctx.now, ask: () => findings(ctx) });
}
