/**
 * Security headers of every answer: Content-Security-Policy for our own origin, the real vendors
 * and the monitoring that is switched on.
 */
import helmet from 'koa-helmet';
import type { Context, Next } from 'koa';
import type { Settings } from '#server/services/context.ts';
import { firstScriptHash } from './first-script.ts';

export interface Outside {
  publicUrl: string;
  /** The certificate is our own, so browsers are not told to insist on HTTPS. */
  ownCertificate: boolean;
  realSeatsio: boolean;
  /** Services that watch; null: none. */ monitoring: Settings['monitoring'];
}

/**
 * ASVS 3.4: no objects, no base, no frames; React and our chart set styles from script, which no
 * policy hinders.
 */
export function secureHeaders({ publicUrl, ownCertificate, realSeatsio, monitoring }: Outside) {
  const https = publicUrl.startsWith('https:') && !ownCertificate;
  const vendor = realSeatsio ? ['https://*.seatsio.net'] : [];
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: [
          "'self'",
          firstScriptHash,
          ...vendor,
          ...originsOf([monitoring?.analytics?.script_url]),
        ],
        // Sheets in a page's head are named one by one (inline-styles.ts). The vendor's chart
        // adds inline styles of its own.
        styleSrc: ["'self'", ...(realSeatsio ? ["'unsafe-inline'"] : [])],
        imgSrc: ["'self'", 'data:', 'blob:', ...vendor],
        mediaSrc: ["'self'", 'blob:'],
        connectSrc: [
          "'self'",
          ...vendor,
          ...(realSeatsio ? ['wss://*.seatsio.net'] : []),
          ...originsOf([
            monitoring?.rum?.url,
            monitoring?.sentry?.dsn,
            monitoring?.analytics?.script_url,
          ]),
        ],
        frameSrc: realSeatsio ? vendor : ["'none'"],
        workerSrc: ["'self'", 'blob:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...(https ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    strictTransportSecurity: https ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginEmbedderPolicy: false,
    // These headers are for Flash and Internet Explorer, or off by default.
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });
}

/** The address of a draft's page, which the office looks at in a frame. */
export const previewPath = /^\/anteprima\/[^/]+\/?$/;

/**
 * What single pages may beyond the rest: the office frames pages of ours, and the preview of a
 * draft lets itself be framed by them; the scanner's
 * decoder is WebAssembly, in a worker that some browsers hold to the policy of its page.
 */
export async function widenForPages(ctx: Context, next: Next): Promise<void> {
  const policy = ctx.response.get('Content-Security-Policy');
  if (previewPath.test(ctx.path)) {
    ctx.set('X-Frame-Options', 'SAMEORIGIN');
    ctx.set(
      'Content-Security-Policy',
      policy.replace(/frame-ancestors [^;]+/, "frame-ancestors 'self'"),
    );
  } else if (ctx.path.startsWith('/admin/'))
    ctx.set(
      'Content-Security-Policy',
      policy.replace(/frame-src (?:'none')?/, "frame-src 'self' ").replace(/ +(?=;|$)/, ''),
    );
  else if (ctx.path.startsWith('/scanner/'))
    ctx.set('Content-Security-Policy', policy.replace('script-src', "$& 'wasm-unsafe-eval'"));
  await next();
}

/** The same headers by name, for answers that do not pass through Koa. */
export function headersOf(outside: Outside): Record<string, string> {
  const headers: Record<string, string> = {};
  const res = {
    setHeader(name: string, value: unknown) {
      headers[name] = String(value);
    },
    removeHeader() {},
  };
  // Helmet only sets headers, and does so at once.
  void secureHeaders(outside)({ req: {}, res } as unknown as Context, async () => {});
  return headers;
}

/** Each once; a path alone is our own. */
function originsOf(addresses: readonly (string | undefined)[]): string[] {
  return [
    ...new Set(
      addresses.flatMap((address) =>
        address === undefined || address.startsWith('/') ? [] : [new URL(address).origin],
      ),
    ),
  ];
}
