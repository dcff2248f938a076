/**
 * Keeps this computer's own certificate: made at the start, and again when it ages or the
 * computer moves to another network.
 */
import type { Logger } from 'pino';
import { ensureCertificate, type LocalAuthority } from './adapters/local-certificate.ts';
import { bracketed, findLocalNames, type LocalNames } from './adapters/local-network.ts';

export interface OwnCertificate {
  /** PEM. */
  current: () => { key: string; cert: string };
  authority: () => LocalAuthority;
  /**
   * The addresses of this computer, the likeliest for a phone first, without a trailing slash.
   */
  addresses: () => { https: string[]; http: string[] };
  /** Called after a renewal. */
  onChange: () => void;
  /** Checks now instead of within a minute. */
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
  /** For tests: this computer's names and addresses. */ findNames?: () => LocalNames;
}

/** Checked this often, because laptops change networks and routers change addresses. */
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
    // The name in PUBLIC_URL must be covered, because links use it; an IP address is covered
    // already or belongs to another computer.
    return /[a-z]$/i.test(hostname) && !names.hosts.includes(hostname)
      ? { ...names, hosts: [...names.hosts, hostname] }
      : names;
  };
  let names = namesNow();
  let held = await ensureCertificate({ folder, names, now: now() });
  // Otherwise every phone would warn, because the office's links use this name.
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
