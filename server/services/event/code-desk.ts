/** The office gives codes to price rules, changes their limits and ends them (RULES P7). */
import { randomBytes } from 'node:crypto';
import { isUniqueViolation, type Db, type Trx } from '#db/engine/dialect.ts';
import { transact } from '#db/engine/transact.ts';
import {
  allCodes,
  changeCode,
  countCodes,
  findCode,
  insertCodes,
  listCodes,
  setCodeEnded,
} from '#db/event/code-desk.ts';
import { findLiveRule, findRule, lockRules } from '#db/event/rule-desk.ts';
import type { PriceCodeRow, PriceRuleRow } from '#db/rows.ts';
import { isContingentCode } from '#db/seat/contingents.ts';
import type { AuditAction } from '#server/domain/audit/audit.ts';
import { base32Of } from '#server/domain/door/ticket-code.ts';
import { mostCodesOfRule, takesCodes, type CodeLimits } from '#server/domain/price/code.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { spellCode } from '#server/domain/seat/contingent.ts';
import { formatListDate } from '#server/domain/time/dates.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { csvFile } from '#server/services/kit/csv-file.ts';
import { happened } from '#server/services/kit/happened.ts';
import { listPage, type ListAsk } from '#server/services/kit/page.ts';
import { namesOf } from '#server/services/user/actors.ts';
import { ruleOfRow } from './price-rules.ts';
import { subjectOf } from './rule-desk.ts';

interface CodeTerms extends CodeLimits {
  holder: string | null;
}

/** The newest first. @throws Refusal rule_not_found */
export async function listRuleCodes(ctx: Ctx, rule_id: string, ask: ListAsk) {
  await knownRule(ctx.db, rule_id);
  const { rows, next_cursor } = await listPage(ask, (page) => listCodes(ctx.db, rule_id, page), {
    timeOf: (row) => row.created_at,
    textsOf: (row) => [row.spelling, row.holder],
  });
  const makers = rows.map(({ created_by }) => makerOf(created_by));
  const nameOf = await namesOf(ctx.db, makers);
  return {
    items: rows.map(({ id, ...row }) => ({
      ...row,
      code_id: id,
      actor: nameOf(makerOf(row.created_by)),
    })),
    next_cursor,
  };
}

function makerOf(created_by: string | null): Actor {
  return (created_by ?? 'system') as Actor;
}

/** A code whose spelling the office has chosen. Refuses as the contract of addRuleCode says. */
export async function addRuleCode(
  ctx: Ctx,
  rule_id: string,
  { typed, terms, actor }: { typed: string; terms: CodeTerms; actor: Actor },
): Promise<{ code_id: string; spelling: string }> {
  const spelling = spellCode(typed);
  if (spelling === null) throw new Refusal('code_spelling_wrong', { fields: ['spelling'] });
  const code = newCode(ctx, { rule_id, spelling, terms, actor });
  await storeCodes(ctx, { rule_id, codes: [code], actor, action: 'price_code_added' }).catch(
    (error: unknown) => {
      if (!isUniqueViolation(error)) throw error;
      throw new Refusal('code_in_use', { fields: ['spelling'] }, error);
    },
  );
  return { code_id: code.id, spelling };
}

/** One code for each holder, or so many. Refuses as the contract of makeRuleCodes says. */
export async function makeRuleCodes(
  ctx: Ctx,
  rule_id: string,
  {
    holders,
    limits,
    actor,
  }: { holders: readonly (string | null)[]; limits: CodeLimits; actor: Actor },
): Promise<{ made: number }> {
  const codes = holders.map((holder) =>
    newCode(ctx, { rule_id, spelling: newSpelling(), terms: { ...limits, holder }, actor }),
  );
  await storeCodes(ctx, { rule_id, codes, actor, action: 'price_codes_made' });
  return { made: codes.length };
}

/** 50 random bits, so that no code is found by trying. */
function newSpelling(): string {
  return base32Of(randomBytes(7)).slice(0, 10);
}

interface NewCode {
  rule_id: string;
  spelling: string;
  terms: CodeTerms;
  actor: Actor;
}

function newCode(ctx: Ctx, { rule_id, spelling, terms, actor }: NewCode): PriceCodeRow {
  return {
    id: ctx.newId(),
    rule_id,
    spelling,
    ...termsOf(terms),
    orders_used: 0,
    tickets_used: 0,
    created_at: ctx.now(),
    created_by: actor,
    ended_at: null,
  };
}

/** No other field of a body gets into the row. */
function termsOf(terms: CodeTerms): CodeTerms {
  const { holder, most_orders, most_tickets, most_orders_a_day, most_orders_an_address } = terms;
  return { holder, most_orders, most_tickets, most_orders_a_day, most_orders_an_address };
}

interface Storing {
  rule_id: string;
  codes: readonly PriceCodeRow[];
  actor: Actor;
  action: AuditAction & `price_code${string}`;
}

async function storeCodes(ctx: Ctx, { rule_id, codes, actor, action }: Storing): Promise<void> {
  await transact(ctx.db, async (trx) => {
    // A rule that changes now takes its codes along.
    await lockRules(trx);
    const row = await knownRule(trx, rule_id);
    if (!takesCodes(ruleOfRow(row))) throw new Refusal('rule_takes_no_code');
    if ((await countCodes(trx, rule_id)) + codes.length > mostCodesOfRule)
      throw new Refusal('codes_too_many');
    const spellings = codes.map(({ spelling }) => spelling);
    if (await isContingentCode(trx, spellings))
      throw new Refusal('code_in_use', { fields: ['spelling'] });
    await insertCodes(trx, codes);
    await noteCodes(ctx, trx, { row, actor, action, codes: codes.length });
  });
}

async function knownRule(db: Db, rule_id: string): Promise<PriceRuleRow> {
  const row = await findLiveRule(db, rule_id);
  if (!row) throw new Refusal('rule_not_found');
  return row;
}

interface Noting {
  row: PriceRuleRow;
  actor: Actor;
  action: Storing['action'];
  codes: number;
}

/** The entry leaves out the spellings, because not everybody who reads it may buy with them. */
async function noteCodes(ctx: Ctx, trx: Trx, { row, actor, action, codes }: Noting): Promise<void> {
  await happened(ctx, trx, {
    actor,
    action,
    subject: subjectOf(row),
    detail: { rule: ruleOfRow(row).name, codes },
  });
}

interface Changing {
  id: string;
  actor: Actor;
  action: Storing['action'];
  change: (trx: Trx) => Promise<boolean>;
}

async function changeKnown(ctx: Ctx, { id, actor, action, change }: Changing): Promise<void> {
  await transact(ctx.db, async (trx) => {
    const code = await findCode(trx, id);
    if (!code || !(await change(trx))) throw new Refusal('code_not_found');
    const row = requireValue(await findRule(trx, code.rule_id), 'rule');
    await noteCodes(ctx, trx, { row, actor, action, codes: 1 });
  });
}

/** @throws Refusal code_not_found */
export async function changeRuleCode(
  ctx: Ctx,
  id: string,
  { terms, actor }: { terms: CodeTerms; actor: Actor },
): Promise<void> {
  const change = (trx: Trx) => changeCode(trx, id, termsOf(terms));
  await changeKnown(ctx, { id, actor, action: 'price_code_changed', change });
}

/** @throws Refusal code_not_found */
export async function endRuleCode(ctx: Ctx, id: string, actor: Actor): Promise<void> {
  const change = (trx: Trx) => setCodeEnded(trx, id, ctx.now());
  await changeKnown(ctx, { id, actor, action: 'price_code_ended', change });
}

const headings = [
  'Codice',
  'Intestatario',
  'Parte del link',
  'Ordini',
  'Biglietti',
  'Ordini al massimo',
  'Biglietti al massimo',
  'Finito il',
];

/** All codes of a rule as a file, for the office to hand out. @throws Refusal rule_not_found */
export async function ruleCodesFile(ctx: Ctx, rule_id: string) {
  await knownRule(ctx.db, rule_id);
  const codes = await allCodes(ctx.db, rule_id);
  return csvFile(ctx, {
    name: 'codici',
    format: 'excel',
    headings,
    lines: codes.map((code) => [
      code.spelling,
      code.holder ?? '',
      `?code=${code.spelling}`,
      code.orders_used,
      code.tickets_used,
      code.most_orders ?? '',
      code.most_tickets ?? '',
      code.ended_at === null ? '' : formatListDate(code.ended_at),
    ]),
  });
}
