/** The settings of mail: server, sender, contact for buyers, and the address for alerts. */
import { isMailAddress, spellAddress } from '#server/domain/text/mail-address.ts';
import { isWholeAddress } from '#server/domain/text/whole-address.ts';
import type { Env } from './env.ts';

/** `url`: null sends no mails; the office reads them. `from`: the sender that buyers see. */
export interface MailConfig {
  url: string | null;
  from: { name: string; address: string };
}

/** The contact for buyers; null: not set. */
export interface OrganiserConfig {
  name: string;
  email: string | null;
  phone: string | null;
}

export function readOrganiser(env: Env, faults: string[]): OrganiserConfig {
  const email = env['SUPPORT_EMAIL'] || null;
  if (email !== null && !isMailAddress(email))
    faults.push(
      `SUPPORT_EMAIL deve essere un indirizzo come assistenza@teatro.it, non «${email}».`,
    );
  return {
    name: env['ORGANISER_NAME'] || 'Botteghino',
    email,
    phone: env['SUPPORT_PHONE'] || null,
  };
}

/** ALERT_MAIL: the address for alerts about the house, for example the owner's own. */
export function readAlertMail(env: Env, faults: string[]): string | null {
  const address = env['ALERT_MAIL'] || null;
  if (address !== null && !isMailAddress(address))
    faults.push(`ALERT_MAIL deve essere un indirizzo come direzione@teatro.it, non «${address}».`);
  return address === null ? null : spellAddress(address);
}

/** MAIL_FROM: `biglietti@teatro.it`, or with a name: `Teatro Goldoni <biglietti@teatro.it>`. */
export function readMail(
  env: Env,
  { publicUrl, organiser }: { publicUrl: string; organiser: OrganiserConfig },
  faults: string[],
): MailConfig {
  const url = env['SMTP_URL'] || null;
  const scheme = url !== null && URL.canParse(url) ? new URL(url) : null;
  if (
    url !== null &&
    (!scheme ||
      !isWholeAddress(url) ||
      !/^smtps?:$/.test(scheme.protocol) ||
      scheme.hostname === '')
  )
    faults.push(
      'SMTP_URL deve essere un indirizzo come smtp://utente:password@posta.teatro.it:587 (smtps:// per TLS dall’inizio), con i segni / # ? % @ : della password codificati (%2F %23 %3F %25 %40 %3A).',
    );
  const from = env['MAIL_FROM'] || null;
  if (url !== null && from === null)
    faults.push(
      'Con SMTP_URL serve anche MAIL_FROM, il mittente della posta: per esempio Teatro Goldoni <biglietti@teatro.it>.',
    );
  const [, name, address] =
    /^(?:([^<>\r\n]*)<)?([^<>]+?)>?$/.exec(
      from?.trim() ?? `botteghino@${new URL(publicUrl).hostname}`,
    ) ?? [];
  if (from !== null && (address === undefined || !isMailAddress(address)))
    faults.push(`MAIL_FROM deve contenere un indirizzo come biglietti@teatro.it, non «${from}».`);
  return {
    url,
    from: {
      name: name?.trim().replace(/^"(.*)"$/, '$1') || organiser.name,
      address: address ?? '',
    },
  };
}
