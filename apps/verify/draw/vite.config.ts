/** Builds the page that repeats a draw: one file, which works without a network. */
import { defineOneFile } from '#apps/vite.ts';

export default defineOneFile('verify/draw');
