/** The hash of an inline script or style for the Content-Security-Policy. */
import { hash } from 'node:crypto';

export function policyHash(text: string): string {
  return `'sha256-${hash('sha256', text, 'base64')}'`;
}
