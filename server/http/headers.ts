/**
 * Security headers of every answer. The Content-Security-Policy allows our own origin, the real
 * vendors, and the monitoring services in use.
 */
import helmet from 'koa-helmet';
import type { Context, Next } from 'koa';
import type { Settings } from '#server/services/context.ts';
import { firstScriptHash } from './first-script.ts';

export interface Outside {
  publicUrl: string;
  /** True: the certificate is our own, so browsers must not be told to insist on HTTPS. */
  ownCertificate: boolean;
  realSeatsio: boolean;
  /** The monitoring services; null if there are none. */ monitoring: Settings['monitoring'];
}

/**
 * ASVS 3.4: no objects, no base, no frames. React and our chart set styles from script, which
 * needs no permission.
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
        // inline-styles.ts adds the hashes of a page's sheets. The vendor's chart adds inline
        // styles of its own.
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

/** The path of a draft's preview, which the office shows in a frame. */
export const previewPath = /^\/anteprima\/[^/]+\/?$/;

/**
 * Widens the policy of some pages: the office may show our pages in a frame, a draft's preview
 * may be shown in one, and the scanner may run WebAssembly, because some browsers apply a page's
 * policy to its worker.
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

/** The headers by name, for answers that do not pass through Koa. */
export function headersOf(outside: Outside): Record<string, string> {
  const headers: Record<string, string> = {};
  const res = {
    setHeader(name: string, value: unknown) {
      headers[name] = String(value);
    },
    removeHeader() {},
  };
  // Helmet sets the headers synchronously, so the promise need not be awaited.
  void secureHeaders(outside)({ req: {}, res } as unknown as Context, async () => {});
  return headers;
}

/** The origins without repeats; a path alone is on our own origin. */
function originsOf(addresses: readonly (string | undefined)[]): string[] {
  return [
    ...new Set(
      addresses.flatMap((address) =>
        address === undefined || address.startsWith('/') ? [] : [new URL(address).origin],
      ),
    ),
  ];
}
