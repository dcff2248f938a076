/**
 * The proxies in front of the product, from Debian's packages; they are unpacked and not
 * installed, so that nothing starts on this machine.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { bring, debianPackages } from '#tests/support/browsers/bring.ts';

const unpacked = join(import.meta.dirname, '../../../node_modules/.cache/debian');

function findIn(places: readonly string[]): string | null {
  return places.find((place) => existsSync(place)) ?? null;
}

const nginxPlaces = ['/usr/sbin/nginx', join(unpacked, 'usr/sbin/nginx')];
const caddyPlaces = ['/usr/bin/caddy', join(unpacked, 'usr/bin/caddy')];

function unpack(name: string) {
  const [list] = debianPackages();
  const script = `mkdir -p "$1" && cd "$1" && apt-get download -qq ${name} && dpkg -x ${name}_*.deb .`;
  return [
    list!,
    { name: 'Debian’s package, unpacked', command: 'sh', args: ['-c', script, 'sh', unpacked] },
  ];
}

export function ensureNginx(): string {
  return bring({
    name: 'nginx',
    find: () => findIn(nginxPlaces),
    ways: unpack('nginx'),
    packages: ['nginx'],
  });
}

export function ensureCaddy(): string {
  return bring({
    name: 'Caddy',
    find: () => findIn(caddyPlaces),
    ways: unpack('caddy'),
    packages: ['caddy'],
  });
}

export function ensureSystemd(): string {
  return bring({
    name: 'systemd-analyze',
    find: () => findIn(['/usr/bin/systemd-analyze']),
    packages: ['systemd'],
  });
}
