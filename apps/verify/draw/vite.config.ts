/**
 * Builds the page that works a draw out again: one file, which needs no network once the list is
 * there.
 */
import { defineOneFile } from '#apps/vite.ts';

export default defineOneFile('verify/draw');
