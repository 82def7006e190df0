// Whose request this is, for rate limits: the socket's address, or the last hop that no trusted proxy vouches for.

import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/**
 * The client address of a request.
 *
 * @param trustedProxies IP addresses or CIDR ranges whose X-Forwarded-For is believed
 */
export function clientAddressReader(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const trusted = new BlockList();
  for (const entry of trustedProxies) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(bits), family);
  }
  const isTrusted = (address: string): boolean =>
    isIP(address) !== 0 && trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

  return (request) => {
    const socket = plain(request.socket.remoteAddress ?? '');
    if (!isTrusted(socket)) return socket;
    const forwarded = request.headers['x-forwarded-for'];
    const hops = (Array.isArray(forwarded) ? forwarded.join(',') : (forwarded ?? ''))
      .split(',')
      .map((hop) => plain(hop.trim()));
    return hops.reverse().find((hop) => isIP(hop) !== 0 && !isTrusted(hop)) ?? socket;
  };
}

// IPv4 clients of a dual-stack socket arrive as ::ffff:a.b.c.d.
function plain(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
}
