/** HTTPS at home: a certificate of this computer alone, handed to phones by a page, renewed by itself, and a scanner that installs itself over it. */
import { createPrivateKey, randomBytes, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rename, rmdir, stat, writeFile } from 'node:fs/promises';
import { request as plainRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { connect, type ConnectionOptions, type PeerCertificate, type TLSSocket } from 'node:tls';
import 'reflect-metadata';
import {
  SubjectAlternativeNameExtension,
  X509Certificate as Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { ensureCertificate } from '#server/adapters/local-certificate.ts';
import { findLocalNames } from '#server/adapters/local-network.ts';
import { keepCertificate } from '#server/certificate.ts';
import { readConfig } from '#server/config.ts';
import { testOnce as it } from '#tests/support/both.ts';
import { ask } from '#tests/support/make.ts';
import { makeFolder, startSecure } from './secure.ts';

const dayMs = 24 * 3_600_000;
const names = {
  hosts: ['localhost', 'cassa', 'cassa.local'],
  addresses: ['192.168.1.20', '127.0.0.1', '::1'],
};

/** The protocol that both sides agree on. */
async function shake(port: number, options: ConnectionOptions): Promise<string | null> {
  const socket = connect({ port, host: 'localhost', rejectUnauthorized: false, ...options });
  await once(socket, 'secureConnect');
  const protocol = socket.getProtocol();
  socket.destroy();
  return protocol;
}

/** Trusts this CA and no other. */
async function get(
  url: string,
  ca?: X509Certificate,
): Promise<{ status: number; headers: IncomingHttpHeaders; text: string }> {
  const asked = request(url, { agent: false, ...(ca ? { ca: ca.toString() } : {}) }).end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  return {
    status: answer.statusCode!,
    headers: answer.headers,
    text: (await answer.setEncoding('utf8').toArray()).join(''),
  };
}

test('with --https every address of this computer answers to whoever trusts its CA by TLS 1.2 or 1.3, the page that hands it out says how in Italian, and a phone is led there', async () => {
  await using product = await startSecure();
  const { ca, secure, lines, url } = product;
  const { port } = new URL(secure);
  const { hosts, addresses } = findLocalNames();
  for (const host of [
    'localhost',
    ...addresses.map((address) => (address.includes(':') ? `[${address}]` : address)),
  ]) {
    expect([host, (await get(`https://${host}:${port}/readyz`, ca)).status]).toEqual([host, 200]);
  }
  await expect(get(`${secure}/readyz`)).rejects.toThrow(/self-signed certificate|unable to verify/);
  expect(ca.ca).toBe(true);

  const { text, headers } = await get(`${secure}/certificato`, ca);
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  // On a name that others use too, or an address, a browser must not be told to insist for a year.
  expect([
    headers['strict-transport-security'],
    headers['content-security-policy']?.includes('upgrade-insecure-requests'),
  ]).toEqual([undefined, false]);
  for (const words of [
    '<html lang="it">',
    'Prepara questo telefono',
    'iPhone e iPad',
    'Profilo scaricato',
    'Android',
    'certificato CA',
    ca.fingerprint256,
  ])
    expect(text.replaceAll('<wbr>', '')).toContain(words);
  const plain = await fetch(`${url}/certificato/botteghino.crt`);
  expect([
    plain.headers.get('content-type'),
    Buffer.from(await plain.arrayBuffer()).equals(ca.raw),
  ]).toEqual(['application/x-x509-ca-cert', true]);

  const phones = lines.slice(3).join('\n');
  const likeliest = addresses[0]!.includes(':') ? `[${addresses[0]}]` : addresses[0]!;
  for (const words of [
    `http://${likeliest}:${new URL(url).port}/certificato`,
    `https://${likeliest}:${port}/scanner/`,
    ca.fingerprint256,
    'PUBLIC_URL',
  ])
    expect(phones).toContain(words);
  // Links for phones lead to where phones are.
  expect(lines.slice(0, 3).map((line) => line.includes(`https://${likeliest}:${port}/`))).toEqual([
    true,
    true,
    true,
  ]);
  expect(hosts[0]).toBe('localhost');

  // A phone that opens the scanner over plain HTTP is told how to get a certificate; this computer itself needs none.
  const asked = plainRequest(`${url}/scanner/`, {
    headers: { host: `${findLocalNames().hosts.find((host) => host.endsWith('.local'))}:3000` },
  }).end();
  const [led] = (await once(asked, 'response')) as [IncomingMessage];
  expect([led.statusCode, led.headers.location]).toEqual([302, '/certificato']);
  expect((await ask(product, 'GET', '/scanner/')).status).toBe(200);
  expect((await get(`${secure}/scanner/`, ca)).status).toBe(200);

  // Named like this they are the only ones that this caller can do.
  for (const weak of ['ECDHE-ECDSA-AES128-SHA', 'ECDHE-RSA-AES128-SHA', 'AES128-GCM-SHA256'])
    await expect(shake(Number(port), { ciphers: weak, maxVersion: 'TLSv1.2' })).rejects.toThrow();
  await expect(
    shake(Number(port), {
      minVersion: 'TLSv1.1',
      maxVersion: 'TLSv1.1',
      ciphers: 'ALL:@SECLEVEL=0',
    }),
  ).rejects.toThrow();
  expect(await shake(Number(port), { maxVersion: 'TLSv1.2' })).toBe('TLSv1.2');
  expect(await shake(Number(port), {})).toBe('TLSv1.3');
});

it('the page about the certificate is there only with --https', async (server) => {
  for (const path of ['/certificato', '/certificato/botteghino.crt'])
    expect([path, (await ask(server, 'GET', path)).status]).toEqual([path, 404]);
});

test('keys are for the owner of the data folder alone, and nothing of them is handed out', async () => {
  const folder = await makeFolder();
  const { key, authority } = await ensureCertificate({ folder, names, now: Date.now() });
  expect((await readdir(folder)).toSorted()).toEqual(['ca.pem', 'server.pem']);
  for (const file of ['ca.pem', 'server.pem'])
    expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600);
  expect(key).toContain('PRIVATE KEY');
  const ca = new X509Certificate(authority.der);
  expect([ca.raw.equals(authority.der), ca.checkIssued(ca)]).toEqual([true, true]);
});

test('the certificate is made anew near its end and when an address is missing; the CA that phones trust stays the same', async () => {
  const folder = await makeFolder();
  const now = Date.now();
  const first = await ensureCertificate({ folder, names, now });
  const certificate = new X509Certificate(first.cert);
  expect(
    [...names.hosts, ...names.addresses].filter(
      (name) =>
        certificate.checkHost(name) === undefined && certificate.checkIP(name) === undefined,
    ),
  ).toEqual([]);
  // Apple believes none that lasts longer than 825 days; browsers have gone down to 398.
  expect(
    (Date.parse(certificate.validTo) - Date.parse(certificate.validFrom)) / dayMs,
  ).toBeLessThanOrEqual(398);
  expect((await ensureCertificate({ folder, names, now: now + 300 * dayMs })).cert).toBe(
    first.cert,
  );

  const moved = await ensureCertificate({
    folder,
    names: { ...names, addresses: ['10.0.0.7', ...names.addresses] },
    now,
  });
  expect(new X509Certificate(moved.cert).checkIP('10.0.0.7')).toBe('10.0.0.7');
  const aged = await ensureCertificate({ folder, names, now: now + 380 * dayMs });
  expect(aged.cert).not.toBe(moved.cert);
  expect([moved, aged].map(({ authority }) => authority.fingerprint)).toEqual([
    first.authority.fingerprint,
    first.authority.fingerprint,
  ]);
  // A CA near its own end must go in time: nobody can be told on the evening itself.
  expect(
    (await ensureCertificate({ folder, names, now: now + 3_400 * dayMs })).authority.fingerprint,
  ).not.toBe(first.authority.fingerprint);
});

test('spoiled files count as absent, and a key that is not the certificate’s own is not used', async () => {
  const folder = await makeFolder();
  const first = await ensureCertificate({ folder, names, now: Date.now() });
  const stranger = await ensureCertificate({ folder: await makeFolder(), names, now: Date.now() });
  for (const spoiled of ['', 'niente', first.cert, first.cert + stranger.key, randomBytes(400)]) {
    await writeFile(join(folder, 'server.pem'), spoiled);
    const { cert, key, authority } = await ensureCertificate({ folder, names, now: Date.now() });
    expect(new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))).toBe(true);
    expect(authority.fingerprint).toBe(first.authority.fingerprint);
  }
  await writeFile(join(folder, 'ca.pem'), 'niente');
  const again = await ensureCertificate({ folder, names, now: Date.now() });
  expect(
    new X509Certificate(again.cert).verify(new X509Certificate(again.authority.der).publicKey),
  ).toBe(true);
});

test('a computer that was renamed keeps its CA; names of the world are never signed, and phones would not believe them', async () => {
  const folder = await makeFolder();
  const { authority } = await ensureCertificate({ folder, names, now: Date.now() });
  const renamed = await ensureCertificate({
    folder,
    names: {
      hosts: ['localhost', 'atrio', 'atrio.local', 'www.example.com'],
      addresses: names.addresses,
    },
    now: Date.now(),
  });
  const signed = new X509Certificate(renamed.cert);
  expect(renamed.authority.fingerprint).toBe(authority.fingerprint);
  expect(['atrio.local', 'atrio', 'www.example.com'].map((name) => signed.checkHost(name))).toEqual(
    ['atrio.local', undefined, undefined],
  );

  // As a thief of the key would do it.
  const [caPem, caKey] = (await readFile(join(folder, 'ca.pem'), 'utf8')).split(
    /(?=-----BEGIN PRIVATE KEY)/,
  ) as [string, string];
  const p256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const stolen = createPrivateKey(caKey).export({ format: 'der', type: 'pkcs8' });
  const forged = await X509CertificateGenerator.create({
    issuer: new Certificate(caPem).subjectName,
    publicKey: await new Certificate(renamed.cert).publicKey.export(),
    signingKey: await crypto.subtle.importKey('pkcs8', stolen, p256, false, ['sign']),
    signingAlgorithm: p256,
    extensions: [new SubjectAlternativeNameExtension([{ type: 'dns', value: 'www.example.com' }])],
  });
  const verdicts = await Promise.all(
    [
      [renamed.cert, 'localhost'],
      [forged.toString('pem'), 'www.example.com'],
    ].map(([cert, servername]) =>
      tryTls({ cert: cert!, key: renamed.key, ca: caPem, servername: servername! }),
    ),
  );
  expect(verdicts).toEqual([null, 'permitted subtree violation']);
});

/** Null: believed. */
async function tryTls({
  cert,
  key,
  ca,
  servername,
}: {
  cert: string;
  key: string;
  ca: string;
  servername: string;
}): Promise<string | null> {
  const server = createServer({ cert, key }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect({
    port: (server.address() as AddressInfo).port,
    host: '127.0.0.1',
    servername,
    ca,
  });
  try {
    await once(socket, 'secureConnect');
    return null;
  } catch (error) {
    return (error as Error).message;
  } finally {
    socket.destroy();
    server.close();
  }
}

test('a laptop that changes its Wi-Fi while it runs shows a certificate for its new address, to the same phones', async () => {
  let addresses = names.addresses;
  const house = await keepCertificate({
    folder: await makeFolder(),
    port: 3000,
    httpsPort: 3443,
    publicUrl: 'https://192.168.1.20:3443',
    now: Date.now,
    log: pino({ level: 'silent' }),
    findNames: () => ({ ...names, addresses }),
  });
  const server = createServer(house.current()).listen(0, '127.0.0.1');
  house.onChange = () => server.setSecureContext(house.current());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const shown = async () => {
    const socket: TLSSocket = connect({
      port,
      host: '127.0.0.1',
      servername: 'localhost',
      ca: new X509Certificate(house.authority().der).toString(),
    });
    await once(socket, 'secureConnect');
    const { subjectaltname }: PeerCertificate = socket.getPeerCertificate();
    socket.destroy();
    return subjectaltname;
  };
  expect(await shown()).toContain('IP Address:192.168.1.20');
  addresses = ['10.20.30.40', '127.0.0.1', '::1'];
  await house.renew();
  expect(await shown()).toContain('IP Address:10.20.30.40');
  expect(house.addresses()).toEqual({
    https: ['https://10.20.30.40:3443', 'https://cassa.local:3443', 'https://localhost:3443'],
    http: ['http://10.20.30.40:3000', 'http://cassa.local:3000', 'http://localhost:3000'],
  });
  house.close();
  server.close();
});

test('links lead to this computer’s address for phones, unless PUBLIC_URL says where', () => {
  const [likeliest] = findLocalNames().addresses;
  expect(readConfig({ PORT: '8080' }, ['--https'])).toMatchObject({
    port: 8080,
    httpsPort: 8523,
    publicUrl: new URL(`https://${likeliest!.includes(':') ? `[${likeliest}]` : likeliest}:8523`)
      .origin,
  });
  expect(
    readConfig(
      {
        PUBLIC_URL: 'https://biglietti.teatro.it',
        HTTPS_PORT: '8443',
        BOTTEGHINO_DEMO: '1',
      },
      ['--https'],
    ),
  ).toMatchObject({ httpsPort: 8443, publicUrl: 'https://biglietti.teatro.it' });
  expect(readConfig({}, [])).toMatchObject({ httpsPort: null, publicUrl: 'http://localhost:3000' });
});

test('a word that the command line does not know is explained', () => {
  const complaintOf = (...args: string[]) => {
    try {
      return readConfig({}, args);
    } catch (error) {
      return String(error);
    }
  };
  const unknown = complaintOf('--htps', 'forse');
  expect(unknown).toContain('Non conosco l’opzione «--htps»');
  expect(unknown).toContain('«forse»');
  expect(complaintOf('--https', '--dev')).toContain('--https e --dev non vanno insieme');
  expect(complaintOf('--https=99')).toContain('La configurazione non va bene:');
});

test('an authority that is there and cannot be read is never replaced by one that no phone knows', async () => {
  const folder = await makeFolder();
  const first = await ensureCertificate({ folder, names, now: Date.now() });
  const before = await readFile(join(folder, 'ca.pem'), 'utf8');
  // Whatever keeps it from being opened: here something else stands at its place.
  await rename(join(folder, 'ca.pem'), join(folder, 'kept.pem'));
  await mkdir(join(folder, 'ca.pem'));
  await expect(ensureCertificate({ folder, names, now: Date.now() })).rejects.toThrow(/EISDIR/);
  await rmdir(join(folder, 'ca.pem'));
  await rename(join(folder, 'kept.pem'), join(folder, 'ca.pem'));
  expect((await ensureCertificate({ folder, names, now: Date.now() })).authority.fingerprint).toBe(
    first.authority.fingerprint,
  );
  expect(await readFile(join(folder, 'ca.pem'), 'utf8')).toBe(before);
});

test('a name in PUBLIC_URL that the authority may not sign is told at the start', async () => {
  const folder = await makeFolder();
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const start = async (publicUrl: string) => {
    const house = await keepCertificate({
      folder,
      port: 80,
      httpsPort: 443,
      publicUrl,
      now: Date.now,
      log,
      findNames: () => names,
    });
    house.close();
  };
  await start('https://biglietti.teatro.example');
  expect(lines).toEqual([]);
  await start('https://altro.teatro.example');
  expect(lines.map((line) => (JSON.parse(line) as { hostname: string }).hostname)).toEqual([
    'altro.teatro.example',
  ]);
});
