/**
 * The seller’s data, contacts and legal texts for pages, mails and PDFs; what the office has not
 * written comes from the configuration.
 */
import { fromAbsolute, toCalendarDate } from '@internationalized/date';
import type { Db, Trx } from '#db/engine/dialect.ts';
import { claimSetting, putSetting, readSetting } from '#db/settings.ts';
import { transact } from '#db/engine/transact.ts';
import { legalHtml, legalTexts, unknownLegalPlaceholders } from '#server/domain/site/legal.ts';
import { legalNames, legalPaths, type LegalName } from '#server/domain/site/legal-names.ts';
import { Refusal } from '#server/domain/refusal.ts';
import {
  faultsOfSite,
  lacksOfSite,
  spellOrganiser,
  type LegalDrafts,
  type SiteFacts,
} from '#server/domain/site/site.ts';
import { hasDemoSeller, withoutDemoSeller } from '#server/domain/site/demo-seller.ts';
import { monitorsOf } from '#server/domain/site/monitoring.ts';
import { retentionOf } from './retention.ts';
import { memo } from '#server/services/kit/memo.ts';
import { happened } from '#server/services/kit/happened.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { accentOf } from '#server/domain/site/look.ts';
import { lookForPages, lookOf } from './look.ts';

/** Stored as JSON in one setting, so that all of it changes together. */
interface StoredSite extends SiteFacts {
  version: number;
  legal: Record<LegalName, { text: string | null; updated_on: string | null }>;
}

interface SiteDraft extends SiteFacts {
  version: number;
  legal: LegalDrafts;
}

const key = 'site';

async function readStored(ctx: Ctx, db: Db): Promise<{ site: StoredSite; from: string | null }> {
  const from = await readSetting(db, key);
  if (from !== null) {
    const site = JSON.parse(from) as StoredSite;
    return { site: ctx.payments.live ? withoutDemoSeller(site) : site, from };
  }
  const { name, email, phone } = ctx.settings.organiser;
  const legal = eachLegal((legalName) => ({
    text: null,
    updated_on: legalTexts[legalName].updated_on,
  }));
  return {
    from,
    site: {
      version: 0,
      name,
      organiser: { name, address: null, vat_number: null, tax_code: null, rea: null, pec: null },
      support: { email, phone },
      legal,
    },
  };
}

function eachLegal<T>(make: (name: LegalName) => T): Record<LegalName, T> {
  return Object.fromEntries(legalNames.map((name) => [name, make(name)])) as Record<LegalName, T>;
}

/** The facts that every public page may show. */
export async function siteForAll(ctx: Ctx) {
  const look = await lookForPages(ctx);
  const {
    site: { name, organiser, support, legal },
  } = await readStored(ctx, ctx.db);
  return {
    name,
    organiser,
    support,
    ...look,
    monitoring: ctx.settings.monitoring,
    legal: eachLegal((legalName) => ({
      title: legalTexts[legalName].title,
      path: legalPaths[legalName],
      updated_on: legal[legalName].updated_on,
    })),
  };
}

/** The house's name, logo and colour for a phone at the door. */
export async function houseForPhones(ctx: Ctx) {
  const {
    site: { name },
  } = await readStored(ctx, ctx.db);
  const look = await lookOf(ctx);
  return { name, logo: look.logo, accent: accentOf(look) };
}

/** @throws Refusal not_found for an unknown name */
export async function legalText(ctx: Ctx, asked: string) {
  const legalName = legalNames.find((name) => name === asked);
  if (legalName === undefined) throw new Refusal('not_found');
  const { title, text: standard } = legalTexts[legalName];
  const {
    site: { name, organiser, support, legal },
  } = await readStored(ctx, ctx.db);
  const { text, updated_on } = legal[legalName];
  return {
    title,
    updated_on,
    html: legalHtml(text ?? standard, {
      site: { name, organiser, support },
      now: ctx.now(),
      monitored: ctx.settings.monitoring !== null,
      watched: monitorsOf(ctx.settings.monitoring),
      buyers: (await retentionOf(ctx.db)).buyers,
    }),
  };
}

/** The seller's name and contacts for mails and documents; a missing contact is null. */
export async function organiserOf(
  ctx: Ctx,
): Promise<{ name: string; email: string | null; phone: string | null }> {
  const {
    site: { organiser, support },
  } = await readStored(ctx, ctx.db);
  return { name: organiser.name, ...support };
}

/** The data that the law demands before a sale and that are missing; if none, it may begin. */
export async function lacksOf(ctx: Ctx): Promise<('organiser_tax' | 'support_email')[]> {
  return lacksOfSite((await readStored(ctx, ctx.db)).site);
}

/** Whose data the pages show as the seller's; `missing`: not all that the law demands. */
export async function sellerOf(ctx: Ctx): Promise<'house' | 'demo' | 'missing'> {
  const { site } = await readStored(ctx, ctx.db);
  if (hasDemoSeller(site)) return 'demo';
  return lacksOfSite(site).length === 0 ? 'house' : 'missing';
}

/** May be this old, because every booking asks. */
const sharedSeller = memo<boolean>({ freshMs: 5_000 });

/** False in a live house that still has data of the demo's seller: it sells nothing (RULES L1). */
export async function sellsAsItself(ctx: Ctx): Promise<boolean> {
  if (!ctx.payments.live) return true;
  const ask = async () => {
    const stored = await readSetting(ctx.db, key);
    return stored === null || !hasDemoSeller(JSON.parse(stored) as StoredSite);
  };
  return sharedSeller.get(ctx.memory, { now: ctx.now, ask });
}

/** @throws Refusal seller_missing until the office has written its own data */
export async function requireOwnSeller(ctx: Ctx): Promise<void> {
  if (!(await sellsAsItself(ctx))) throw new Refusal('seller_missing');
}

/** The office sees empty fields in place of the demo seller's data. */
export async function siteForOffice(ctx: Ctx) {
  return forOffice(withoutDemoSeller((await readStored(ctx, ctx.db)).site));
}

function forOffice(site: StoredSite) {
  return {
    ...site,
    lacks: lacksOfSite(site),
    legal: eachLegal((name) => ({
      ...site.legal[name],
      title: legalTexts[name].title,
      path: legalPaths[name],
      standard: legalTexts[name].text,
    })),
  };
}

/** Fills in the seller of a demonstration, unless the configuration or the office has one. */
export async function introduceSeller(
  ctx: Ctx,
  {
    address,
    vat_number,
    email,
    phone,
  }: { address: string; vat_number: string; email: string; phone: string },
): Promise<void> {
  const { site, from } = await readStored(ctx, ctx.db);
  if (from !== null || site.support.email !== null) return;
  await claimSetting(ctx.db, key, {
    from,
    to: JSON.stringify({
      ...site,
      organiser: { ...site.organiser, address, vat_number },
      support: { email, phone: site.support.phone ?? phone },
    } satisfies StoredSite),
  });
}

/** Takes back what introduceSeller() filled in and the office has not replaced. */
export async function dropDemoSeller(ctx: Ctx, trx: Trx, actor: Actor): Promise<void> {
  const from = await readSetting(trx, key);
  if (from === null) return;
  const site = JSON.parse(from) as StoredSite;
  if (!hasDemoSeller(site)) return;
  const after = { ...withoutDemoSeller(site), version: site.version + 1 };
  await putSetting(trx, key, JSON.stringify(after));
  await happened(ctx, trx, {
    actor,
    action: 'site_changed',
    subject: 'site',
    detail: changesOf(site, after),
  });
}

/**
 * Saves the draft; a changed text gets today's date.
 * @throws Refusal site_changed if another person saved first, site_invalid,
 * text_placeholder_unknown
 */
export async function writeSite(ctx: Ctx, actor: Actor, draft: SiteDraft) {
  const facts = {
    name: draft.name,
    organiser: spellOrganiser(draft.organiser),
    support: draft.support,
  };
  const fields = faultsOfSite(facts);
  if (fields.length > 0) throw new Refusal('site_invalid', { fields });
  for (const name of legalNames) {
    const unknown = unknownLegalPlaceholders(draft.legal[name] ?? '');
    if (unknown.length > 0)
      throw new Refusal('text_placeholder_unknown', { text: name, names: unknown.slice(0, 10) });
  }
  return transact(ctx.db, async (trx) => {
    const { site: before, from } = await readStored(ctx, trx);
    const legal = eachLegal((name) =>
      mergeText(ctx, before.legal[name], draft.legal[name], legalTexts[name].text),
    );
    const after: StoredSite = { ...facts, legal, version: before.version + 1 };
    if (
      draft.version !== before.version ||
      !(await claimSetting(trx, key, { from, to: JSON.stringify(after) }))
    )
      throw new Refusal('site_changed');
    await happened(ctx, trx, {
      actor,
      action: 'site_changed',
      subject: 'site',
      detail: changesOf(before, after),
    });
    return forOffice(after);
  });
}

/**
 * The text to store; null if it equals the standard text, so that a later change of the standard
 * text applies to it.
 */
function mergeText(
  ctx: Ctx,
  before: StoredSite['legal'][LegalName],
  text: string | null,
  standard: string,
): StoredSite['legal'][LegalName] {
  const trimmed = text?.replaceAll('\r\n', '\n').trim() || null;
  const after = trimmed === standard ? null : trimmed;
  return after === before.text
    ? before
    : {
        text: after,
        updated_on: toCalendarDate(fromAbsolute(ctx.now(), 'Europe/Rome')).toString(),
      };
}

/**
 * What changed, for the audit: facts with both values, texts only with the earlier one, because
 * they are long.
 */
function changesOf(before: StoredSite, after: StoredSite): object {
  const flat = ({ name, organiser, support }: SiteFacts): Record<string, string | null> => ({
    site_name: name,
    ...organiser,
    ...support,
  });
  const [old, fresh] = [flat(before), flat(after)];
  const facts = Object.fromEntries(
    Object.keys(fresh)
      .filter((field) => old[field] !== fresh[field])
      .map((field) => [field, { from: old[field], to: fresh[field] }]),
  );
  const texts = Object.fromEntries(
    legalNames
      .filter((name) => before.legal[name].text !== after.legal[name].text)
      .map((name) => [name, { from: before.legal[name].text }]),
  );
  return { ...facts, ...texts };
}
