/**
 * Adds the hashes of the style sheets in a page's head to the page's policy, which forbids all
 * other inline styles.
 */
import type { Context, Next } from 'koa';
import { policyHash } from './policy-hash.ts';

const policyHeader = 'Content-Security-Policy';

/** Only the head is searched, because the body holds texts that users wrote. */
function nameStyles(policy: string, html: string): string {
  const head = html.slice(0, html.indexOf('</head>'));
  const names = [...head.matchAll(/<style>([^]*?)<\/style>/g)]
    .map(([, text = '']) => policyHash(text))
    .filter((name) => !policy.includes(name));
  // Beside a hash browsers would ignore 'unsafe-inline', so a policy with it gets no hash.
  return names.length === 0 || policy.includes("'unsafe-inline'")
    ? policy
    : policy.replace(/style-src [^;]+/, (known) => [known, ...names].join(' '));
}

export async function nameStylesOfPages(ctx: Context, next: Next): Promise<void> {
  await next();
  const policy = ctx.response.get(policyHeader);
  if (policy && ctx.response.is('html') && typeof ctx.body === 'string')
    ctx.set(policyHeader, nameStyles(policy, ctx.body));
}

/** The same for an answer that does not pass through Koa. */
export function withNamedStyles(
  headers: Readonly<Record<string, string>>,
  html: string,
): Record<string, string> {
  return { ...headers, [policyHeader]: nameStyles(headers[policyHeader] ?? '', html) };
}
