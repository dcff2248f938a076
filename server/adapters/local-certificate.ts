/** Makes a local certificate authority and a certificate for this computer: phones open the scanner only over HTTPS. */
import { createPrivateKey, generateKeyPair, randomBytes, X509Certificate } from 'node:crypto';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { asn1, pki } from 'node-forge';
import type { LocalNames } from './local-network.ts';

/** This computer's CA, for people to trust; without its key. */
export interface LocalAuthority {
  der: Buffer;
  /** SHA-256, as phones show it. */ fingerprint: string;
  name: string;
  /** Epoch ms. */ until: number;
}
/** PEM; the chain ends before the CA, which the phone has. `uncovered`: names that the CA, made before this computer had them, may not sign. */
interface LocalCertificate {
  key: string;
  cert: string;
  authority: LocalAuthority;
  uncovered: string[];
}

const dayMs = 24 * 3_600_000;
/** Renewing it means that every phone must be told again. */
const authorityDays = 3_650;
/** Apple believes no certificate for longer, whoever has signed it: support.apple.com/102028 (825 days for CAs that a person added). */
const certificateDays = 397;
const renewDays = { authority: 400, certificate: 30 };
/** The clocks of phones may be behind. */
const slackMs = dayMs;

/**
 * Reads or makes both in `folder` (`ca.pem`, `server.pem`: certificate and key in one file, 0600, written whole or not at all). The certificate
 * is made anew when it is near its end or lacks one of the names. What is spoilt counts as absent; what cannot be read is an error: another authority
 * would be one that no phone knows.
 * @throws when a file is there and cannot be opened
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
  // Slow to load, and wanted only here.
  const { default: forge } = await import('node-forge');
  const authority =
    (await readPair(join(folder, 'ca.pem'), now + renewDays.authority * dayMs)) ??
    (await makeAuthority(join(folder, 'ca.pem'), { forge, names, now }));
  const issuer = new X509Certificate(authority.cert);
  const covered = coveredNames(forge, { authority, names });
  const known = await readPair(join(folder, 'server.pem'), now + renewDays.certificate * dayMs);
  const isGood =
    known !== null && isFor(new X509Certificate(known.cert), { issuer, names: covered });
  const { key, cert } = isGood
    ? known
    : await makeCertificate(join(folder, 'server.pem'), { forge, authority, names: covered, now });
  return {
    key,
    cert,
    authority: {
      der: issuer.raw,
      fingerprint: issuer.fingerprint256,
      name: /^CN=(.*)$/m.exec(issuer.subject)![1]!,
      until: Date.parse(issuer.validTo),
    },
    uncovered: names.hosts.filter((host) => !covered.hosts.includes(host)),
  };
}

interface Pair {
  cert: string;
  key: string;
}
type Forge = typeof import('node-forge');

async function readPair(file: string, mustLastUntil: number): Promise<Pair | null> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  // Somebody may have copied it with less care; some disks know no owners.
  await chmod(file, 0o600).catch(() => {});
  try {
    const [cert, key] = text.split(/(?=-----BEGIN PRIVATE KEY)/) as [string, string];
    const certificate = new X509Certificate(cert);
    return Date.parse(certificate.validTo) > mustLastUntil &&
      certificate.checkPrivateKey(createPrivateKey(key))
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
  { forge, names, now }: { forge: Forge; names: LocalNames; now: number },
): Promise<Pair> {
  const key = await makeKey();
  const certificate = startCertificate(forge, { key, now, days: authorityDays });
  // People look for it in the lists of their phone. Plain letters: the library encodes others twice when it copies them.
  const subject = [
    {
      name: 'commonName',
      value: `Botteghino (${names.hosts[1] ?? 'locale'} ${new Date(now).getUTCFullYear()})`,
    },
  ];
  certificate.setSubject(subject);
  certificate.setIssuer(subject);
  certificate.setExtensions([
    { name: 'basicConstraints', critical: true, cA: true, pathLenConstraint: 0 },
    { name: 'keyUsage', critical: true, keyCertSign: true, cRLSign: true },
    { name: 'subjectKeyIdentifier' },
    {
      id: nameConstraints,
      critical: true,
      value: constraintsFor(forge, [...houseNames, ...names.hosts]),
    },
  ]);
  return writePair(file, finish(forge, { certificate, key, signer: key }));
}

async function makeCertificate(
  file: string,
  {
    forge,
    authority,
    names,
    now,
  }: { forge: Forge; authority: Pair; names: LocalNames; now: number },
): Promise<Pair> {
  const key = await makeKey();
  const certificate = startCertificate(forge, { key, now, days: certificateDays });
  const issuer = forge.pki.certificateFromPem(authority.cert);
  certificate.setSubject([{ name: 'commonName', value: names.hosts[0]! }]);
  certificate.setIssuer(issuer.subject.attributes);
  certificate.setExtensions([
    { name: 'basicConstraints', critical: true, cA: false },
    { name: 'keyUsage', critical: true, digitalSignature: true, keyEncipherment: true },
    { name: 'extKeyUsage', serverAuth: true },
    {
      name: 'subjectAltName',
      altNames: [
        ...names.hosts.map((value) => ({ type: 2, value })),
        ...names.addresses.map((ip) => ({ type: 7, ip })),
      ],
    },
    { name: 'subjectKeyIdentifier' },
    {
      name: 'authorityKeyIdentifier',
      keyIdentifier: issuer.generateSubjectKeyIdentifier().getBytes(),
    },
  ]);
  return writePair(file, finish(forge, { certificate, key, signer: authority.key }));
}

/** RSA: every phone knows it, and the library signs with nothing else. */
async function makeKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return privateKey;
}

function startCertificate(
  forge: Forge,
  { key, now, days }: { key: string; now: number; days: number },
): pki.Certificate {
  const certificate = forge.pki.createCertificate();
  const { n, e } = forge.pki.privateKeyFromPem(key) as pki.rsa.PrivateKey;
  certificate.publicKey = forge.pki.setRsaPublicKey(n, e);
  // 127 random bits: a leading zero byte would be one too many, a set first bit a negative number.
  const serial = randomBytes(16);
  serial[0] = (serial[0]! & 0x7f) | 0x40;
  certificate.serialNumber = serial.toString('hex');
  certificate.validity.notBefore = new Date(now - slackMs);
  certificate.validity.notAfter = new Date(now - slackMs + days * dayMs);
  return certificate;
}

function finish(
  forge: Forge,
  { certificate, key, signer }: { certificate: pki.Certificate; key: string; signer: string },
): Pair {
  certificate.sign(
    forge.pki.privateKeyFromPem(signer) as pki.rsa.PrivateKey,
    forge.md.sha256.create(),
  );
  return { cert: forge.pki.certificateToPem(certificate), key };
}

/**
 * RFC 5280 §4.2.1.10: a phone that trusts this CA must not believe it about any site in the world, should its key be stolen. Only names of a
 * house may be signed; addresses are left free, because a network may hand out any.
 */
const nameConstraints = '2.5.29.30';
const houseNames = ['localhost', 'local', 'lan', 'internal', 'home.arpa'];

function constraintsFor(forge: Forge, hosts: readonly string[]): string {
  const { create, Class, Type, toDer } = forge.asn1;
  const sequence = (parts: asn1.Asn1[]) => create(Class.UNIVERSAL, Type.SEQUENCE, true, parts);
  const dnsName = (name: string) => create(Class.CONTEXT_SPECIFIC, 2, false, name);
  const permitted = create(
    Class.CONTEXT_SPECIFIC,
    0,
    true,
    [...new Set(hosts)].map((host) => sequence([dnsName(host)])),
  );
  return toDer(sequence([permitted])).getBytes();
}

/** A computer that was given another name keeps its CA; the new name is left out, all addresses stay. */
function coveredNames(
  forge: Forge,
  { authority, names: { hosts, addresses } }: { authority: Pair; names: LocalNames },
): LocalNames {
  const extension = forge.pki
    .certificateFromPem(authority.cert)
    .getExtension({ id: nameConstraints } as unknown as { name: string }) as { value: string };
  const [permitted] = forge.asn1.fromDer(extension.value).value as asn1.Asn1[];
  const known = (permitted!.value as asn1.Asn1[]).map(
    (subtree) => (subtree.value[0] as asn1.Asn1).value as string,
  );
  return {
    hosts: hosts.filter((host) => known.some((name) => host === name || host.endsWith(`.${name}`))),
    addresses,
  };
}
