/** What every answer tells the browser about safety: own origin only, plus the two vendors where they are real. */
import helmet from 'koa-helmet';

export interface Outside { publicUrl: string; realSeatsio: boolean }

/** ASVS 3.4: no objects, no base, no frames; React and the chart set styles from script. */
export function secureHeaders({ publicUrl, realSeatsio }: Outside) {
  const https = publicUrl.startsWith('https:');
  const vendor = realSeatsio ? ['https://*.seatsio.net'] : [];
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"], scriptSrc: ["'self'", "'wasm-unsafe-eval'", ...vendor], styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:', ...vendor], mediaSrc: ["'self'", 'blob:'], connectSrc: ["'self'", ...vendor, ...(realSeatsio ? ['wss://*.seatsio.net'] : [])],
        frameSrc: realSeatsio ? vendor : ["'none'"], workerSrc: ["'self'", 'blob:'], objectSrc: ["'none'"], baseUri: ["'none'"], formAction: ["'self'"], frameAncestors: ["'none'"],
        ...(https ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    strictTransportSecurity: https ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginEmbedderPolicy: false,
  });
}
