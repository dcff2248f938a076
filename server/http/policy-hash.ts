/** Names what stands in a page itself, script or style, for its Content-Security-Policy. */
import { hash } from 'node:crypto';

export function policyHash(text: string): string {
  return `'sha256-${hash('sha256', text, 'base64')}'`;
}
