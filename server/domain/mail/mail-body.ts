/**
 * The content of a mail as blocks, rendered as simple HTML that any mail program draws, light or
 * dark, and as plain text.
 */
import { isolate } from '#server/domain/text/direction.ts';
import { cutText, escapeHtml } from '#server/domain/text/plain-text.ts';

/** `strong` marks the words that a reader looks for. */
export type Words = readonly (string | { strong: string })[];
export type Block =
  | { kind: 'words'; words: Words }
  /** A paragraph with line breaks of its own. */
  | { kind: 'lines'; lines: readonly string[] }
  | { kind: 'facts'; facts: readonly (readonly [name: string, lines: readonly string[]])[] }
  | { kind: 'button'; label: string; url: string }
  | { kind: 'links'; links: readonly { label: string; url: string }[] }
  | { kind: 'note'; lines: readonly string[] };

export interface MailBody {
  subject: string;
  blocks: readonly Block[];
}

export interface SpelledMail {
  subject: string;
  text: string;
  html: string;
}

/** How a mail of the house looks: `accent` is `#rrggbb` for the button, `foot` the last lines. */
export interface MailDress {
  accent: string;
  foot: readonly string[];
}

const plainDress: MailDress = { accent: '#1f5fd1', foot: [] };

export function spellMail(body: MailBody, dress: MailDress = plainDress): SpelledMail {
  const dressed = { ...body, blocks: withFoot(body.blocks, dress.foot) };
  return {
    subject: body.subject,
    text: mailText(dressed),
    html: mailHtml(dressed, dress.accent),
  };
}

/** Adds the foot to the last note, or as a note of its own. */
function withFoot(blocks: readonly Block[], foot: readonly string[]): readonly Block[] {
  const last = blocks.at(-1);
  if (foot.length === 0) return blocks;
  if (last?.kind !== 'note') return [...blocks, { kind: 'note', lines: foot }];
  return [...blocks.slice(0, -1), { kind: 'note', lines: [...last.lines, ...foot] }];
}

/**
 * Only the button has a colour, because a dark mail program sets its own text and background. The
 * mail has no tables for layout, no pictures and no remote content.
 */
export function mailHtml(
  { subject, blocks }: MailBody,
  accent: string = plainDress.accent,
): string {
  return [
    '<!DOCTYPE html>',
    '<html lang="it">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${escapeHtml(cutText(subject, 70))}</title>`,
    '</head>',
    `<body style="${styles.body}">`,
    `<div style="${styles.page}">`,
    ...blocks.map((block) => blockHtml(block, accent)),
    '</div>',
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

const styles = {
  body: 'margin:0;padding:0',
  page: 'max-width:36em;margin:0 auto;padding:24px 20px;font-family:Helvetica,Arial,sans-serif;font-size:16px;line-height:1.5;overflow-wrap:anywhere',
  words: 'margin:0 0 16px',
  // Links have the colour of the text: a browser's own blue is readable on only one of the two
  // backgrounds.
  link: 'color:inherit',
  facts: 'margin:0 0 16px;padding:4px 0 4px 14px;border-left:3px solid',
  name: 'margin:8px 0 0;font-size:14px',
  value: 'margin:0;font-weight:bold',
  button:
    'display:inline-block;padding:13px 26px;border-radius:26px;color:#ffffff;font-weight:bold;text-decoration:none',
  note: 'margin:24px 0 0;padding-top:12px;border-top:1px solid #8a94a6;font-size:14px',
};

function blockHtml(block: Block, accent: string): string {
  switch (block.kind) {
    case 'words':
      return `<p style="${styles.words}">${block.words.map((part) => (typeof part === 'string' ? escapeHtml(part) : `<strong>${escapeHtml(isolate(part.strong))}</strong>`)).join('')}</p>`;
    case 'lines':
      return `<p style="${styles.words}">${block.lines.map(escapeHtml).join('<br>\n')}</p>`;
    case 'facts':
      return `<dl style="${styles.facts} ${accent}">\n${block.facts.map(([name, lines]) => `<dt style="${styles.name}">${escapeHtml(name)}</dt>\n${lines.map((line) => `<dd style="${styles.value}">${escapeHtml(line)}</dd>`).join('\n')}`).join('\n')}\n</dl>`;
    case 'button':
      return `<p style="${styles.words}"><a href="${escapeHtml(block.url)}" style="${styles.button};background-color:${accent}">${escapeHtml(block.label)}</a></p>`;
    case 'links':
      return `<p style="${styles.words}">${block.links.map(({ label, url }) => `<a href="${escapeHtml(url)}" style="${styles.link}">${escapeHtml(label)}</a>`).join(' · ')}</p>`;
    case 'note':
      return `<p style="${styles.note}">${block.lines.map(escapeHtml).join('<br>\n')}</p>`;
  }
}

export function mailText({ blocks }: MailBody): string {
  return `${blocks.map(blockText).join('\n\n')}\n`;
}

function blockText(block: Block): string {
  switch (block.kind) {
    case 'words':
      return block.words
        .map((part) => (typeof part === 'string' ? part : isolate(part.strong)))
        .join('');
    case 'lines':
      return block.lines.join('\n');
    case 'facts':
      return block.facts
        .map(([name, lines]) =>
          lines.length === 1
            ? `${name}: ${lines[0]}`
            : `${name}:\n${lines.map((line) => `- ${line}`).join('\n')}`,
        )
        .join('\n');
    case 'button':
      return `${block.label}:\n${block.url}`;
    case 'links':
      return block.links.map(({ label, url }) => `${label}: ${url}`).join('\n');
    case 'note':
      return `———\n${block.lines.join('\n')}`;
  }
}
