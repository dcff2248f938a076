/** A mail address from the wire, in the spelling in which the house keeps addresses. */
import * as v from 'valibot';
import { isMailAddress, spellAddress } from '#server/domain/text/mail-address.ts';
import { text } from './endpoint.ts';

/** Every field for one address is this one, so that no form refuses what another accepts. */
export const mailAddress = v.pipe(
  text(254),
  v.trim(),
  v.check(isMailAddress),
  v.transform(spellAddress),
  v.string(),
);
