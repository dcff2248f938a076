/** Turns a typed link into an address that the server accepts (http, https, mailto), or null. */

export function readLink(typed: string): string | null {
  const plain = typed.trim();
  if (/^[^\s@/:]+@[^\s@/:]+\.[^\s@/:]+$/.test(plain)) return `mailto:${plain}`;
  // "example.org:8080" is a host with a port and not a scheme.
  const whole = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(plain) ? plain : `https://${plain}`;
  if (!URL.canParse(whole) || /\s/.test(plain)) return null;
  const url = new URL(whole);
  if (url.protocol === 'mailto:') return url.pathname.includes('@') ? url.href : null;
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  return url.hostname.includes('.') ? url.href : null;
}
