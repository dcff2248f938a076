/**
 * This computer's own certificate while the product runs: made at the start, and again when it
 * ages or the computer moves to another network.
 */
import type { Logger } from 'pino';
import { ensureCertificate, type LocalAuthority } from './adapters/local-certificate.ts';
import { bracketed, findLocalNames, type LocalNames } from './adapters/local-network.ts';

export interface OwnCertificate {
  /** PEM. */
  current: () => { key: string; cert: string };
  authority: () => LocalAuthority;
  /**
   * Where this computer is reached over HTTPS and HTTP, the likeliest for a phone first; without
   * a trailing slash.
   */
  addresses: () => { https: string[]; http: string[] };
  /** Called after a renewal. */
  onChange: () => void;
  /** Looks at once instead of in a minute. */
  renew: () => Promise<void>;
  close: () => void;
}

interface CertificateOptions {
  folder: string;
  port: number;
  httpsPort: number;
  publicUrl: string;
  now: () => number;
  log: Logger;
  /** For tests: how this computer is reached. */ findNames?: () => LocalNames;
}

/** Laptops change networks, and routers change addresses. */
const lookEveryMs = 60_000;

export async function keepCertificate({
  folder,
  port,
  httpsPort,
  publicUrl,
  now,
  log,
  findNames = findLocalNames,
}: CertificateOptions): Promise<OwnCertificate> {
  const { hostname } = new URL(publicUrl);
  const namesNow = () => {
    const names = findNames();
    // PUBLIC_URL is in the links, so its name must be covered; an IP address is covered already,
    // or is not ours.
    return /[a-z]$/i.test(hostname) && !names.hosts.includes(hostname)
      ? { ...names, hosts: [...names.hosts, hostname] }
      : names;
  };
  let names = namesNow();
  let held = await ensureCertificate({ folder, names, now: now() });
  // The office's links use this name, and every phone would warn.
  if (held.uncovered.includes(hostname))
    log.warn(
      { hostname, folder },
      'the certificate authority of this house may not sign the name in PUBLIC_URL: remove the folder, start again, and trust the new authority on every phone',
    );
  const renew = async () => {
    names = namesNow();
    const { cert } = held;
    held = await ensureCertificate({ folder, names, now: now() });
    if (held.cert !== cert) own.onChange();
  };
  const timer = setInterval(
    () =>
      void renew().catch((error: unknown) =>
        log.error({ err: error }, 'the certificate could not be renewed'),
      ),
    lookEveryMs,
  ).unref();
  const own: OwnCertificate = {
    current: () => ({ key: held.key, cert: held.cert }),
    authority: () => held.authority,
    addresses() {
      const own = new Set(['127.0.0.1', '::1']);
      const reached = [
        ...names.addresses.filter((address) => !own.has(address)).map(bracketed),
        ...names.hosts.filter((host) => host.endsWith('.local')),
        'localhost',
      ];
      return {
        https: reached.map((host) => `https://${host}:${httpsPort}`),
        http: reached.map((host) => `http://${host}:${port}`),
      };
    },
    onChange: () => {},
    renew,
    close: () => clearInterval(timer),
  };
  return own;
}
