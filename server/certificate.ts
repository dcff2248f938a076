/**
 * Keeps this computer's own certificate: makes it at the start, and again when it is near its end
 * or the computer moves to another network.
 */
import type { Logger } from 'pino';
import { ensureCertificate, type LocalAuthority } from './adapters/local-certificate.ts';
import { bracketed, findLocalNames, type LocalNames } from './adapters/local-network.ts';

export interface OwnCertificate {
  /** PEM texts. */
  current: () => { key: string; cert: string };
  authority: () => LocalAuthority;
  /** This computer's addresses without a trailing slash, the likeliest for phones first. */
  addresses: () => { https: string[]; http: string[] };
  /** Called after a renewal. */
  onChange: () => void;
  /** Checks now, not only once a minute. */
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
  /** Tests pass this computer's names and addresses. */ findNames?: () => LocalNames;
}

/** The interval between checks, because laptops change networks and routers change addresses. */
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
    // The certificate must contain the name in PUBLIC_URL, because links use it; it contains an
    // IP address already, or the address is another computer's.
    return /[a-z]$/i.test(hostname) && !names.hosts.includes(hostname)
      ? { ...names, hosts: [...names.hosts, hostname] }
      : names;
  };
  let names = namesNow();
  let held = await ensureCertificate({ folder, names, now: now() });
  // Otherwise every phone would warn: the office's links use this name.
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
