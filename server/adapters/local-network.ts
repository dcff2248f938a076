/** This computer's names and addresses in the local network, the likeliest for phones first. */
import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';

export interface LocalNames {
  /** In lower case; `localhost` comes first. */
  hosts: string[];
  /** The loopback addresses (127.0.0.1, ::1) come last. */
  addresses: string[];
}

/** Networks of containers, virtual machines and tunnels; phones are not in them. */
const virtual = /^(?:docker|br-|veth|virbr|vmnet|vboxnet|tun|tap|wg|utun|zt)/;

export function findLocalNames(): LocalNames {
  const cards = Object.entries(networkInterfaces()).flatMap(([card, addresses]) =>
    (addresses ?? [])
      .filter(({ internal, scopeid }) => !internal && !scopeid)
      .map(({ address }) => ({ card, address })),
  );
  const own = hostname().toLowerCase();
  const [short] = own.split('.');
  const hosts = ['localhost', own, `${short}.local`].filter((name) =>
    /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/.test(name),
  );
  return {
    hosts: [...new Set(hosts)],
    addresses: [
      ...new Set([
        ...cards.toSorted((a, b) => rankOf(a) - rankOf(b)).map(({ address }) => address),
        '127.0.0.1',
        '::1',
      ]),
    ],
  };
}

/**
 * In order of likelihood: home Wi-Fi assigns 192.168.…, larger buildings 10.…; IPv6 (with a
 * colon) comes last.
 */
const kinds = [/^192\.168\./, /^10\./, /^172\.(?:1[6-9]|2\d|3[01])\./, /^[^:]*$/, /:/];

function rankOf({ card, address }: { card: string; address: string }): number {
  const kind = kinds.findIndex((addresses) => addresses.test(address));
  return kind + (virtual.test(card) ? 10 : 0);
}

/** The host as it is written in a web address. */
export function bracketed(host: string): string {
  return isIPv6(host) ? `[${host}]` : host;
}

const ownNetworks = new BlockList();
for (const [network, bits] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
] as const)
  ownNetworks.addSubnet(network, bits, 'ipv4');

/** At these addresses clouds have metadata services, which give away a machine's credentials. */
const cloudNetworks = /^169\.254\.1(?:69|70)\./;

/**
 * True for an IPv4 address of this computer or a private network (RFC 1918); false for a name,
 * because it may lead to any address.
 */
export function isLocalAddress(host: string): boolean {
  return isIPv4(host) && ownNetworks.check(host, 'ipv4') && !cloudNetworks.test(host);
}
