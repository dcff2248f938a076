/** Builds the public site, mounted at the root. */
import { buildWorker, defineApp, inlineStyles, withoutSchemas } from '#apps/vite.ts';

const site = defineApp('booking', '/', [inlineStyles(), withoutSchemas(), buildWorker()]);

export default {
  ...site,
  // What every page needs comes as one file: it presses better than four, and a phone asks once.
  build: { ...site.build, rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'frame', test: /node_modules\/(react|react-dom|scheduler|react-router|react-router-dom|@tanstack\/[\w-]+)\// }] } } } },
};
