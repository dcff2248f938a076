/**
 * Checks addresses against networks from the settings: trusted proxies, and networks to which
 * webhooks may be sent.
 */
import { BlockList, isIP } from 'node:net';

/** True for an address or a network in CIDR form. */
export function isNetwork(text: string): boolean {
  const [address = '', bits] = text.split('/');
  const longest = isIP(address) === 6 ? 128 : 32;
  return isIP(address) !== 0 && (bits === undefined || (/^\d+$/.test(bits) && +bits <= longest));
}

export function inNetworks(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    list.addSubnet(address, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family);
  }
  return (address) =>
    isIP(address) !== 0 && list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}
