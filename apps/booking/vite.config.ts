/** Builds the public site, mounted at the root. */
import { defineApp } from '#apps/vite.ts';

export default defineApp('booking', '/');
