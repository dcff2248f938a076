/**
 * Sends mail over SMTP through nodemailer; without a mail server, mails stay in the database,
 * where the office reads them.
 */
import type { createTransport, SendMailOptions } from 'nodemailer';
import { isMailAddress } from '#server/domain/text/mail-address.ts';
import { isAboutMail, isAboutUs, type SmtpError } from './mail-refusal.ts';
import { ProviderRefused, ProviderUnavailable } from './provider.ts';

export interface Attachment {
  name: string;
  type: string;
  content: Buffer;
}
export interface OutgoingMail {
  to: string;
  subject: string;
  text: string;
  html: string;
  message_id: string;
  /** The sender's name; left out or null: the configured one. */ from_name?: string | null;
  /** The address for replies; null: that of the sender. */ reply_to: string | null;
  attachments: readonly Attachment[];
}

export interface Mailer {
  /** False if mails are not sent. */
  leaves: boolean;
  /** The sender's address without the name. */
  from: string;
  /**
   * Resolves when the server has accepted the mail.
   * @throws ProviderRefused if the server will never accept this mail, ProviderUnavailable if it
   * does not accept it now, accepts none of ours, or the outcome is unknown
   */
  send: (mail: OutgoingMail) => Promise<void>;
}

interface MailOptions {
  now: () => number;
  url: string | null;
  from: { name: string; address: string };
  /** The longest time for all steps of one mail. */ deadlineMs?: number;
}

/** The longest time for each step; `deadlineMs` ends before the task's lease. */
const timeouts = {
  dnsTimeout: 5_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 15_000,
};
/**
 * After a failure all mails fail immediately for this time; then one mail tries while the others
 * still fail, so that a dead server does not block all workers.
 */
const quietMs = 30_000;
/**
 * This many refusals of our login or sender in a row count as a failure; a single one may be about
 * its mail after all.
 */
const mostNoes = 3;

export function connectMail({ now, url, from, deadlineMs = 40_000 }: MailOptions): Mailer {
  if (url === null) return { leaves: false, from: from.address, send: async () => {} };
  // Our mails need no files or web addresses, so nodemailer may not read any.
  const options = { url, ...timeouts, disableFileAccess: true, disableUrlAccess: true };
  // Loaded for the first mail, not at the start.
  let transport: ReturnType<typeof createTransport> | null = null;
  let silence: { until: number; said: string } | null = null;
  let noes = 0;
  return {
    leaves: true,
    from: from.address,
    async send(mail) {
      // nodemailer would send to each address of a list, but our mails have one recipient.
      if (!isMailAddress(mail.to))
        throw new ProviderRefused('SMTP', 'bad_address', 'not an address');
      if (silence && now() < silence.until)
        throw new ProviderUnavailable('SMTP', silence.said, null);
      if (silence) silence = { ...silence, until: now() + deadlineMs };
      try {
        transport ??= (await import('nodemailer')).createTransport(options);
        const signal = AbortSignal.timeout(deadlineMs);
        await transport.sendMail({ ...wholeOf(mail, from), signal });
        silence = null;
        noes = 0;
      } catch (error) {
        const said = error as SmtpError;
        const reply = String(said.response ?? said.message)
          .replace(/\p{Cc}+/gu, ' ')
          .slice(0, 300);
        const { responseCode: status = 552 } = said;
        if (isAboutMail(said)) {
          silence = null;
          throw new ProviderRefused('SMTP', String(status), { status, message: reply });
        }
        if (isAboutUs(said)) noes += 1;
        const isDead = said.responseCode === undefined || said.code === 'EAUTH';
        silence = isDead || noes >= mostNoes ? { until: now() + quietMs, said: reply } : null;
        throw new ProviderUnavailable('SMTP', reply, error);
      }
    },
  };
}

function wholeOf(mail: OutgoingMail, from: MailOptions['from']): SendMailOptions {
  return {
    from: { ...from, name: mail.from_name ?? from.name },
    to: { name: '', address: mail.to },
    ...(mail.reply_to === null ? {} : { replyTo: mail.reply_to }),
    envelope: { from: from.address, to: [mail.to] },
    // A server that supports RFC 3461 repeats this id in its notices, and returns only the
    // headers, not the tickets.
    dsn: { id: envelopeIdOf(mail.message_id), return: 'headers', notify: 'failure' },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    messageId: mail.message_id,
    headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': 'it' },
    attachments: mail.attachments.map(({ name, type, content }) => ({
      filename: name,
      contentType: type,
      content,
    })),
  };
}

/** The Message-ID without its host, because RFC 3461 allows only a hundred characters. */
export function envelopeIdOf(message_id: string): string {
  return message_id.slice(1).replace(/@.*/s, '').slice(0, 100);
}

/** Checks that the server answers and accepts our login, without sending a mail. */
export async function checkMailServer(url: string): Promise<'ready' | 'refused' | 'silent'> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({ url, ...timeouts });
  return transport
    .verify()
    .then(() => 'ready' as const)
    .catch((error: SmtpError) => (isAboutUs(error) ? 'refused' : 'silent'))
    .finally(() => transport.close());
}
