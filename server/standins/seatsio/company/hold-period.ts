/** How long a visitor's hold token lasts: the company's setting, else the vendor's 15 minutes. */
import { companyById } from '#server/standins/seatsio/statements/companies.ts';
import type { Seatsio } from '#server/standins/seatsio/context.ts';
import type { Workspace } from '#server/standins/seatsio/statements/workspaces.ts';

export const HOLD_MINUTES = 15;
/** [DOC] The longest life of a token after its creation, however often it is prolonged. */
export const LIFE_MINUTES = 120;

export async function holdMinutesOf(ctx: Seatsio, workspace: Workspace): Promise<number> {
  const company = await companyById(ctx.sql, workspace.company_id);
  const { holdPeriodInMinutes } = JSON.parse(company?.settings ?? '{}') as {
    holdPeriodInMinutes?: unknown;
  };
  return typeof holdPeriodInMinutes === 'number' && holdPeriodInMinutes > 0
    ? Math.min(holdPeriodInMinutes, LIFE_MINUTES)
    : HOLD_MINUTES;
}
