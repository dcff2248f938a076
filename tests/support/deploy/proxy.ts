/**
 * A real nginx or Caddy with the configuration that we ship, on high ports and with a certificate
 * of its own.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureCertificate } from '#server/adapters/local-certificate.ts';
import { until } from '#tests/support/make.ts';
import { askSafely } from './ask.ts';
import { ensureCaddy, ensureNginx } from './programs.ts';

const shipped = join(import.meta.dirname, '../../../.deploy');

export const proxyKinds = ['caddy', 'nginx'] as const;
type ProxyKind = (typeof proxyKinds)[number];

interface Site {
  folder: string;
  publicPort: number;
  ports: readonly number[];
}

interface Prepared {
  command: string;
  serve: string[];
  env: Record<string, string>;
}

/**
 * Our Caddyfile unchanged: names come from its variables, and only what would touch this machine
 * is disabled.
 */
async function prepareCaddy({ folder, publicPort, ports }: Site): Promise<Prepared> {
  const file = join(folder, 'Caddyfile');
  const options = '{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}\n';
  await writeFile(file, options + (await readFile(join(shipped, 'Caddyfile'), 'utf8')));
  const config = ['--config', file, '--adapter', 'caddyfile'];
  return {
    command: ensureCaddy(),
    serve: ['run', ...config],
    env: {
      BOTTEGHINO_ADDRESS: `https://localhost:${publicPort}`,
      BOTTEGHINO_UPSTREAMS: ports.map((port) => `127.0.0.1:${port}`).join(' '),
      HOME: folder,
      XDG_DATA_HOME: join(folder, 'data'),
      XDG_CONFIG_HOME: join(folder, 'config'),
    },
  };
}

/** Our nginx site, except for the ports, the name and the certificate. */
async function prepareNginx({ folder, publicPort, ports }: Site): Promise<Prepared> {
  const { key, cert } = await ensureCertificate({
    folder: join(folder, 'https'),
    names: { hosts: ['localhost'], addresses: ['127.0.0.1'] },
    now: Date.now(),
  });
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  await writeFile(keyFile, key);
  await writeFile(certFile, cert);
  const site = (await readFile(join(shipped, 'nginx-site.conf'), 'utf8'))
    .replaceAll('biglietti.teatro.example;', 'localhost;')
    .replace(/listen 443 /, `listen 127.0.0.1:${publicPort} `)
    .replace(/listen 80;/, `listen unix:${join(folder, 'plain.sock')};`)
    .replace(/ssl_certificate [^;]+;/, `ssl_certificate ${certFile};`)
    .replace(/ssl_certificate_key [^;]+;/, `ssl_certificate_key ${keyFile};`)
    .replace('127.0.0.1:3000', `127.0.0.1:${ports[0]}`)
    .replace('127.0.0.1:3001', `127.0.0.1:${ports[1] ?? ports[0]}`);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(folder, name)};`)
    .join('\n');
  const file = join(folder, 'nginx.conf');
  await writeFile(
    file,
    `${process.getuid?.() === 0 ? 'user root;\n' : ''}daemon off;\nworker_processes 1;\npid ${join(folder, 'nginx.pid')};\nerror_log stderr warn;\nevents {}\nhttp {\naccess_log off;\n${paths}\n${site}\n}\n`,
  );
  const config = ['-p', folder, '-c', file, '-e', 'stderr'];
  return { command: ensureNginx(), serve: config, env: {} };
}

async function prepare(kind: ProxyKind, site: Site): Promise<Prepared> {
  const folder = join(site.folder, kind);
  await mkdir(folder, { recursive: true });
  return kind === 'caddy' ? prepareCaddy({ ...site, folder }) : prepareNginx({ ...site, folder });
}

export async function startProxy(kind: ProxyKind, site: Site) {
  const { command, serve, env } = await prepare(kind, site);
  const child = spawn(command, serve, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  let words = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (words += chunk.toString()));
  const ended = once(child, 'exit');
  const url = `https://localhost:${site.publicPort}`;
  await until(() =>
    askSafely(url, '/healthz').then(
      ({ status }) => status === 200,
      () => false,
    ),
  ).catch((error: unknown) => {
    child.kill('SIGKILL');
    throw new Error(`${kind} does not serve:\n${words}`, { cause: error });
  });
  return {
    url,
    /** The log that the proxy wrote. */
    said: () => words,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
