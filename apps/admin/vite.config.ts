/** The office is built for /admin/. */
import { defineApp } from '#apps/vite.ts';

export default defineApp('admin', '/admin/');
