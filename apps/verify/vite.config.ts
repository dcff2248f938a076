/** Builds the page that checks a book: one file, which opens from a disk without a network. */
import { defineOneFile } from '#apps/vite.ts';

export default defineOneFile('verify');
