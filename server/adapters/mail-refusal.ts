/**
 * Tells what a mail server's refusal is about: this one mail, or our login, sender or quota, which
 * a person must correct before any mail can leave (RFC 5321 §4.2, RFC 3463 and the registry of RFC
 * 5248).
 */

/** An error of nodemailer; `command` is the step that was answered, such as `MAIL FROM`. */
export interface SmtpError {
  message?: unknown;
  code?: unknown;
  command?: unknown;
  /** The server's answer, as `550 5.1.1 No such user`. */ response?: unknown;
  responseCode?: number | undefined;
}

/**
 * Codes about the mail itself, as early as MAIL FROM: its size, or characters that the server does
 * not know.
 */
const mailCodes = /^5\.(?:2\.3|3\.4|6\.\d+)$/;
/**
 * Codes about sender, daily limit, login, DKIM and SPF; those of three digits are Exchange
 * Online's.
 */
const ourCodes =
  /^[45]\.(?:1\.(?:[78]|90)|4\.5|7\.(?:[89]|11|2\d|57|60|64|23[23]|50[123]|511|6[0-4]\d|70\d|750))$/;
/** RFC 4954. */
const loginStatuses = [530, 534, 535, 538];
/** Many servers give one code for everything that their rules forbid. */
const ourWords =
  /\brelay|authenticat|sender (?:address )?(?:reject|refus|denied|verif|not )|(?:daily|hourly|sending|outbound|rate) (?:quota|limit)|too many (?:messages|mails|emails|connections)|block ?list|black ?list|(?:\bip|host|sender|client|account)\b.{0,60} blocked|reputation/i;
const sizeWords = /\bsize\b|too (?:large|big)/i;

/** True if the server accepts no mail of ours until a person corrects our settings. */
export function isAboutUs({ code, command, response, responseCode = 0 }: SmtpError): boolean {
  const [, detail = '', said = ''] =
    /^\d{3}[ -](?:([45]\.\d{1,3}\.\d{1,3})\b)?(.*)$/s.exec(String(response ?? '')) ?? [];
  if (code === 'EAUTH' || loginStatuses.includes(responseCode)) return true;
  if (responseCode < 400) return false;
  const isBeforeRecipient = command !== 'RCPT TO' && command !== 'DATA';
  if (isBeforeRecipient)
    return !mailCodes.test(detail) && !(responseCode === 552 && sizeWords.test(said));
  // The answer may repeat the recipient's address, which a visitor chose.
  const words = said.replace(/\S+@\S+/g, '');
  const isAboutMailbox = /^.\.2\./.test(detail);
  return ourCodes.test(detail) || (!isAboutMailbox && ourWords.test(words));
}

/** True if the server will never accept this mail; it may accept others. */
export function isAboutMail(error: SmtpError): boolean {
  // nodemailer itself compares the mail with the largest size that the server names.
  if (error.responseCode === undefined)
    return error.code === 'EMESSAGE' && error.command === 'MAIL FROM';
  return error.responseCode >= 500 && !isAboutUs(error);
}
