/**
 * Mails that return to the sender of a mail: bounces in the formats of several mail servers, and
 * a holiday reply of a person.
 */
import type { Received } from './smtp.ts';

interface Notice {
  action?: 'failed' | 'delayed' | 'delivered';
  said?: string;
  envelope_id?: string;
}
type Returned = Pick<Received, 'from' | 'to' | 'raw'>;

function headersOf({ raw }: Returned): string {
  return raw.slice(0, raw.indexOf('\r\n\r\n'));
}

function letter(lines: readonly string[]): string {
  return `${lines.join('\r\n')}\r\n`;
}

/** A bounce by RFC 3464, with the headers of the returned mail. */
export function bounceOf(
  mail: Returned,
  { action = 'failed', said = '550 5.1.1 User unknown', envelope_id }: Notice,
): string {
  return letter([
    'Return-Path: <>',
    'From: Mail Delivery System <MAILER-DAEMON@mx.example.net>',
    `To: ${mail.from}`,
    'Subject: Undelivered Mail Returned to Sender',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    '',
    '--b',
    'Content-Type: text/plain; charset=us-ascii',
    '',
    'I am sorry to have to inform you.',
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example.net',
    ...(envelope_id === undefined ? [] : [`Original-Envelope-Id: ${envelope_id}`]),
    '',
    `Final-Recipient: rfc822; ${mail.to.join()}`,
    `Action: ${action}`,
    `Status: 5.1.1`,
    'Diagnostic-Code: smtp;',
    `    ${said}`,
    '--b',
    'Content-Type: text/rfc822-headers',
    '',
    headersOf(mail),
    '--b--',
  ]);
}

/** A bounce of qmail: no parts, and the returned mail below a line. */
export function plainBounce(mail: Returned): string {
  return letter([
    'From: MAILER-DAEMON@mx.example.net',
    `To: ${mail.from}`,
    'Subject: failure notice',
    '',
    `Hi. I was not able to deliver your message to ${mail.to.join()}:`,
    '550 5.1.1 no such user',
    '',
    '--- Below this line is a copy of the message.',
    '',
    headersOf(mail),
  ]);
}

/** It names our mail, and even contains a number that looks like an error code. */
export function holidayAnswer(mail: Returned): string {
  const [, id = ''] = /^Message-ID: (\S+)/im.exec(mail.raw) ?? [];
  return letter([
    `From: ${mail.to.join()}`,
    `To: ${mail.from}`,
    'Subject: Fuori ufficio',
    `In-Reply-To: ${id}`,
    '',
    'Torno lunedì, stanza 550.',
  ]);
}
