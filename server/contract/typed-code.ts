/** A code on the wire, in a file of its own because every page loads what orders need. */
import { text } from './endpoint.ts';

/** A code as a person types it, perhaps with spaces and hyphens. */
export const typedCode = text(60, 1);
