/** Builds the office, mounted at /admin/. */
import { defineApp } from '#apps/vite.ts';

export default defineApp('admin', '/admin/');
