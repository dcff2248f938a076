/**
 * A page without the site's scripts and styles: a title, paragraphs, and light or dark colours as
 * the device has them.
 */
import { escapeHtml } from '#server/domain/text/plain-text.ts';

const style = `
code { overflow-wrap: anywhere; }
body { margin: 0; min-height: 100dvh; display: grid; place-items: center; font: 1.125rem/1.6 system-ui, sans-serif; }
main { max-width: 34rem; padding: 2rem 1.25rem; }
h1 { margin: 0 0 1rem; font-size: 1.75rem; line-height: 1.2; }
p { margin: 0 0 1rem; }
`;

interface PlainPage {
  /** The title as plain text. */
  title: string;
  /** HTML, one paragraph each; texts of other people in it must be escaped with escapeHtml(). */
  paragraphs: readonly string[];
  /** The site's name as plain text, shown above the title and in the window's title. */
  site?: string;
  /** Text of an inline script; the answer's policy must name its hash. */
  script?: string;
}

export function plainPage({ title, paragraphs, site, script }: PlainPage): string {
  const above = site === undefined ? '' : `<p>${escapeHtml(site)}</p>\n`;
  return `<!doctype html>
<html lang="it">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escapeHtml(site === undefined ? title : `${title} · ${site}`)}</title>
<style>${style}</style>
</head>
<body>
<main>
${above}<h1>${escapeHtml(title)}</h1>
${paragraphs.map((text) => `<p>${text}</p>`).join('\n')}
</main>
${script === undefined ? '' : `<script>${script}</script>\n`}</body>
</html>
`;
}
