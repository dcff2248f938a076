/**
 * Makes a local certificate authority (CA) and a certificate for this computer, because phones
 * run the scanner only over HTTPS.
 */
import { requireValue } from '#server/domain/require-value.ts';
import { createPrivateKey, randomBytes, X509Certificate } from 'node:crypto';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
// The certificate library needs this import when it is loaded.
import 'reflect-metadata';
import type { Extension } from '@peculiar/x509';
import type { LocalNames } from './local-network.ts';

/** This computer's CA, without its key, for people to install. */
export interface LocalAuthority {
  der: Buffer;
  /** The SHA-256 fingerprint as phones show it. */ fingerprint: string;
  name: string;
  /** Epoch ms. */ until: number;
}
/**
 * PEM texts; the chain leaves out the CA, which phones have. `uncovered`: newer names of this
 * computer, which the CA may not sign.
 */
interface LocalCertificate {
  key: string;
  cert: string;
  authority: LocalAuthority;
  uncovered: string[];
}

const dayMs = 24 * 3_600_000;
/** Ten years, because a person must make every phone trust a new authority. */
const authorityDays = 3_650;
/** Apple accepts no longer one: support.apple.com/102028 (825 days if a person added the CA). */
const certificateDays = 397;
const renewDays = { authority: 400, certificate: 30 };
/** Certificates are valid from a day earlier, because phones' clocks may be slow. */
const slackMs = dayMs;

/**
 * Reads or makes both in `folder` (`ca.pem`, `server.pem`: certificate and key in one file,
 * 0600). Makes a new certificate when it is near its end or lacks a name. Replaces a damaged
 * file. A file that cannot be opened is an error, because phones would not trust a new authority.
 * @throws when an existing file cannot be opened
 */
export async function ensureCertificate({
  folder,
  names,
  now,
}: {
  folder: string;
  names: LocalNames;
  now: number;
}): Promise<LocalCertificate> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const authority =
    (await readPair(join(folder, 'ca.pem'), now + renewDays.authority * dayMs)) ??
    (await makeAuthority(join(folder, 'ca.pem'), { names, now }));
  const issuer = new X509Certificate(authority.cert);
  const covered = await coveredNames({ authority, names });
  const known = await readPair(join(folder, 'server.pem'), now + renewDays.certificate * dayMs);
  const isGood =
    known !== null && isFor(new X509Certificate(known.cert), { issuer, names: covered });
  const { key, cert } = isGood
    ? known
    : await makeCertificate(join(folder, 'server.pem'), { authority, names: covered, now });
  return {
    key,
    cert,
    authority: {
      der: issuer.raw,
      fingerprint: issuer.fingerprint256,
      name: requireValue(/^CN=(.*)$/m.exec(issuer.subject)?.[1], 'name of the authority'),
      until: Date.parse(issuer.validTo),
    },
    uncovered: names.hosts.filter((host) => !covered.hosts.includes(host)),
  };
}

interface Pair {
  cert: string;
  key: string;
}

async function readPair(file: string, mustLastUntil: number): Promise<Pair | null> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  // The copy of a file may have wider rights; on some disks files have no rights.
  await chmod(file, 0o600).catch(() => {});
  try {
    const [cert, key] = text.split(/(?=-----BEGIN PRIVATE KEY)/) as [string, string];
    const certificate = new X509Certificate(cert);
    const privateKey = createPrivateKey(key);
    return Date.parse(certificate.validTo) > mustLastUntil &&
      privateKey.asymmetricKeyType === 'ec' &&
      certificate.checkPrivateKey(privateKey)
      ? { cert, key }
      : null;
  } catch {
    return null;
  }
}

async function writePair(file: string, { cert, key }: Pair): Promise<Pair> {
  const fresh = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(fresh, cert + key, { mode: 0o600, flag: 'wx' });
  await rename(fresh, file);
  return { cert, key };
}

function isFor(
  certificate: X509Certificate,
  { issuer, names }: { issuer: X509Certificate; names: LocalNames },
): boolean {
  return (
    certificate.verify(issuer.publicKey) &&
    names.hosts.every((name) => certificate.checkHost(name) !== undefined) &&
    names.addresses.every((address) => certificate.checkIP(address) !== undefined)
  );
}

async function makeAuthority(
  file: string,
  { names, now }: { names: LocalNames; now: number },
): Promise<Pair> {
  const x509 = await import('@peculiar/x509');
  const keys = await makeKeys();
  // Phones show this name in their list of authorities.
  const name = `Botteghino (${names.hosts[1] ?? 'locale'} ${new Date(now).getUTCFullYear()})`;
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    ...startCertificate(now, authorityDays),
    name: [{ CN: [name] }],
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(
        x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign,
        true,
      ),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      await onlyNamesOf([...houseNames, ...names.hosts]),
    ],
  });
  return writePair(file, { cert: `${certificate.toString('pem')}\n`, key: await keyPem(keys) });
}

async function makeCertificate(
  file: string,
  { authority, names, now }: { authority: Pair; names: LocalNames; now: number },
): Promise<Pair> {
  const x509 = await import('@peculiar/x509');
  const keys = await makeKeys();
  const issuer = new x509.X509Certificate(authority.cert);
  const certificate = await x509.X509CertificateGenerator.create({
    ...startCertificate(now, certificateDays),
    subject: [{ CN: names.hosts.slice(0, 1) }],
    issuer: issuer.subjectName,
    publicKey: keys.publicKey,
    signingKey: await signingKeyOf(authority),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension([
        ...names.hosts.map((value) => ({ type: 'dns' as const, value })),
        ...names.addresses.map((value) => ({ type: 'ip' as const, value })),
      ]),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(issuer),
    ],
  });
  return writePair(file, { cert: `${certificate.toString('pem')}\n`, key: await keyPem(keys) });
}

/** P-256: every phone supports it, and a handshake costs the server half the time of RSA. */
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

function makeKeys() {
  return crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
}

async function keyPem({ privateKey }: Awaited<ReturnType<typeof makeKeys>>): Promise<string> {
  const der = Buffer.from(await crypto.subtle.exportKey('pkcs8', privateKey));
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
    .export({ format: 'pem', type: 'pkcs8' })
    .toString();
}

function signingKeyOf({ key }: Pair) {
  const der = createPrivateKey(key).export({ format: 'der', type: 'pkcs8' });
  return crypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign']);
}

function startCertificate(now: number, days: number) {
  // The first bit must be 0, because 1 would mean a negative number; the second must be 1, so
  // that the first byte is not zero. The other 126 bits are random.
  const serial = randomBytes(16);
  serial.writeUInt8((serial.readUInt8() & 0x7f) | 0x40);
  return {
    serialNumber: serial.toString('hex'),
    notBefore: new Date(now - slackMs),
    notAfter: new Date(now - slackMs + days * dayMs),
    signingAlgorithm: algorithm,
  };
}

/**
 * The certificate extension of RFC 5280 §4.2.1.10: the CA may sign only local names, so that its
 * stolen key cannot forge other sites. Addresses are not limited, because a network may assign
 * any address.
 */
const nameConstraints = '2.5.29.30';
const houseNames = ['localhost', 'local', 'lan', 'internal', 'home.arpa'];

async function onlyNamesOf(hosts: readonly string[]): Promise<Extension> {
  const { Extension } = await import('@peculiar/x509');
  const { AsnConvert } = await import('@peculiar/asn1-schema');
  const { GeneralName, GeneralSubtree, GeneralSubtrees, NameConstraints } =
    await import('@peculiar/asn1-x509');
  const permittedSubtrees = new GeneralSubtrees(
    [...new Set(hosts)].map(
      (dNSName) => new GeneralSubtree({ base: new GeneralName({ dNSName }) }),
    ),
  );
  const value = AsnConvert.serialize(new NameConstraints({ permittedSubtrees }));
  return new Extension(nameConstraints, true, value);
}

/**
 * The names that the CA may sign, and all addresses. When a computer is renamed, its CA stays, so
 * the new name is left out.
 */
async function coveredNames({
  authority,
  names: { hosts, addresses },
}: {
  authority: Pair;
  names: LocalNames;
}): Promise<LocalNames> {
  const { X509Certificate: Certificate } = await import('@peculiar/x509');
  const { AsnConvert } = await import('@peculiar/asn1-schema');
  const { NameConstraints } = await import('@peculiar/asn1-x509');
  const extension = new Certificate(authority.cert).getExtension(nameConstraints);
  const { value } = requireValue(extension, 'constraint of names in the authority');
  const { permittedSubtrees } = AsnConvert.parse(value, NameConstraints);
  const known = [...(permittedSubtrees ?? [])].flatMap(({ base }) => base.dNSName ?? []);
  return {
    hosts: hosts.filter((host) => known.some((name) => host === name || host.endsWith(`.${name}`))),
    addresses,
  };
}
