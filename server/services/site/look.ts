/** The look of the house: one setting, which pages, mails, tickets and wallets use. */
import type { Db } from '#db/engine/dialect.ts';
import { findImage, findImageFile } from '#db/event/images.ts';
import { logoDots, type LogoDots } from '#server/adapters/images.ts';
import { readSetting } from '#db/settings.ts';
import { imageIdOf } from '#server/domain/event/image.ts';
import { accentOf, linesOf, plainLook, type LookDraft } from '#server/domain/site/look.ts';
import type { HousePaper } from '#server/domain/counter/thermal.ts';
import type { Ctx } from '#server/services/context.ts';

/** `version` rises by one with each change. */
export interface Look extends LookDraft {
  version: number;
}

export const lookKey = 'look';

/** `from`: the text of the setting; null if it was never changed. */
export async function readLook(db: Db): Promise<{ look: Look; from: string | null }> {
  const from = await readSetting(db, lookKey);
  const stored = from === null ? {} : (JSON.parse(from) as Partial<Look>);
  return { from, look: { version: 0, ...plainLook, ...stored } };
}

export async function lookOf({ db }: { db: Db }): Promise<Look> {
  return (await readLook(db)).look;
}

/** The look with the logo's size in pixels, so that the page does not jump when it loads. */
export async function lookForPages(ctx: Ctx) {
  const look = await lookOf(ctx);
  return { hours: look.hours, accent: accentOf(look), logo: await logoOf(ctx, look.logo) };
}

async function logoOf(ctx: Ctx, url: string | null) {
  const id = imageIdOf(url);
  const image = id === null ? undefined : await findImage(ctx.db, id);
  return image && url !== null ? { url, width: image.width, height: image.height } : null;
}

/** The logo for the head of a PDF, on white; null if there is none or it is switched off. */
export async function pdfLogo(
  ctx: Ctx,
  { logo, pdf_logo }: Pick<LookDraft, 'logo' | 'pdf_logo'>,
): Promise<Buffer | null> {
  return pdf_logo ? logoFile(ctx, logo) : null;
}

/** The house's logo, rules and footer for a printed ticket. */
export function housePaper(look: LookDraft): HousePaper {
  return {
    logo: look.thermal_logo ? look.logo : null,
    rules: look.thermal_rules ? linesOf(look.ticket_rules) : [],
    foot: linesOf(look.ticket_foot),
  };
}

/** The logo for a ticket printer. */
export async function paperLogo(ctx: Ctx, { logo }: HousePaper): Promise<LogoDots | null> {
  const file = await logoFile(ctx, logo);
  return file === null ? null : logoDots(file);
}

async function logoFile(ctx: Ctx, url: string | null): Promise<Buffer | null> {
  const id = imageIdOf(url);
  if (id === null) return null;
  return (await findImageFile(ctx.db, id, { width: 640, format: 'jpg' })) ?? null;
}
