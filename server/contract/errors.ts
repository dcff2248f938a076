/** The answer to a refused call: its shape, and the status and sentence of each code. */
import { formatListDate } from '#server/domain/time/dates.ts';
import { formatEuro } from '#server/domain/price/money.ts';
import * as v from 'valibot';
import type { RefusalCode } from '#server/domain/refusal.ts';
import { refusals } from '#server/domain/refusal-words.ts';
import { whoMay } from '#server/domain/user/rights.ts';
import type { Role } from '#server/domain/user/user.ts';

/** The shape of every error on the wire (RULES W1). */
export const errorReply = v.object({
  status: v.number(),
  code: v.string(),
  message: v.string(),
  detail: v.optional(v.unknown()),
});
export type ErrorReply = v.InferOutput<typeof errorReply>;

export const errors = Object.fromEntries(
  Object.entries(refusals).map(([code, [status, message]]) => [code, { status, message }]),
) as Record<RefusalCode, { status: number; message: string }>;

/** The answer for a refusal's code. */
export function errorReplyOf(code: RefusalCode, detail?: unknown): ErrorReply {
  const [status, sentence] = refusals[code];
  const message = hasRoles(detail)
    ? `${sentence} ${whoMay(detail.roles)}`
    : `${sentence}${afterRestore(detail)}${withdrawnTypes(detail)}${whilePaused(detail)}${inDrawer(detail)}`;
  return { status, code, message, ...(detail === undefined ? {} : { detail }) };
}

/** A missing object may have been created after the backup from which this house was restored. */
function afterRestore(detail: unknown): string {
  if (typeof detail !== 'object' || detail === null || !('restored_from' in detail)) return '';
  const when = formatListDate(String(detail.restored_from));
  return ` Dopo un guasto questo sito è ripartito da una copia del ${when}. Se hai pagato dopo, il denaro non è perso: scrivi a chi organizza, indicando l’indirizzo e-mail con cui hai pagato.`;
}

/** Adds why the sale is paused, if the hall is being changed. */
function whilePaused(detail: unknown): string {
  const { state } = (detail ?? {}) as { state?: unknown };
  return state === 'paused' ? ' È sospesa mentre cambia la sala.' : '';
}

/** Adds how much cash lies in the drawer. */
function inDrawer(detail: unknown): string {
  const { till, in_drawer_cents } = (detail ?? {}) as { till?: string; in_drawer_cents?: number };
  return till === undefined || in_drawer_cents === undefined
    ? ''
    : ` ${till}: ${formatEuro(in_drawer_cents)}.`;
}

/** The names of the withdrawn ticket types as on the page: "Ridotto (Platea)". */
function withdrawnTypes(detail: unknown): string {
  const { ticket_types } = (detail ?? {}) as { ticket_types?: readonly string[] };
  return ticket_types === undefined ? '' : ` Non più in vendita: ${ticket_types.join(', ')}.`;
}

/** A refusal for a missing right names the roles that have it. */
function hasRoles(detail: unknown): detail is { roles: readonly Role[] } {
  return typeof detail === 'object' && detail !== null && 'roles' in detail;
}
