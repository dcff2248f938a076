/** Writes a mail to a buyer in the colours of the house, with its opening hours and footer. */
import { accentOf, linesOf, type LookDraft } from '#server/domain/site/look.ts';
import { palette } from '#server/domain/site/colour.ts';
import {
  spellMail,
  type MailBody,
  type MailDress,
  type SpelledMail,
} from '#server/domain/mail/mail-body.ts';
import { requireValue } from '#server/domain/require-value.ts';
import type { Ctx } from '#server/services/context.ts';
import { lookOf } from '#server/services/site/look.ts';

export async function spellForBuyer(ctx: Ctx, body: MailBody): Promise<SpelledMail> {
  return spellMail(body, dressOf(await lookOf(ctx)));
}

/** The colours of the house; `light` is dark enough for white letters on it. */
export function dressOf(look: LookDraft): MailDress {
  const [own] = palette;
  const hours = linesOf(look.hours);
  return {
    accent: (accentOf(look) ?? requireValue(own, 'colour')).light,
    foot: [
      ...(hours.length === 0 ? [] : ['Orari della biglietteria:', ...hours]),
      ...linesOf(look.mail_footer),
    ],
  };
}
