/** Builds the installable door scanner with its service worker. */
import path from 'node:path';
import { VitePWA } from 'vite-plugin-pwa';
import type { Plugin } from 'vite';
import { defineApp, quietWorker } from '#apps/vite.ts';

const base = '/scanner/';

/** html5-qrcode bundles 250 kB of a weaker decoder: frame-decoder.ts is used instead. */
const ownDecoder: Plugin = {
  name: 'own-decoder',
  enforce: 'pre',
  resolveId(source, importer) {
    const isTheirs =
      source.endsWith('/zxing-html5-qrcode-decoder') && importer?.includes('html5-qrcode/esm/');
    return isTheirs ? path.join(import.meta.dirname, 'camera/frame-decoder.ts') : null;
  },
};

const pwa = VitePWA({
  strategies: 'injectManifest',
  srcDir: '.',
  filename: 'sw.ts',
  scope: base,
  base,
  registerType: 'prompt',
  injectRegister: false,
  injectManifest: {
    globPatterns: ['**/*.{js,css,html,wasm,svg,png}'],
    maximumFileSizeToCacheInBytes: 3 * 1024 * 1024,
  },
  integration: quietWorker,
  manifest: {
    id: base,
    name: 'Botteghino – controllo accessi',
    short_name: 'Ingressi',
    description: 'Il lettore di biglietti per la porta: funziona anche senza rete.',
    lang: 'it',
    start_url: base,
    scope: base,
    display: 'standalone',
    orientation: 'portrait',
    background_color: '#0d1117',
    theme_color: '#0d1117',
    icons: [
      { src: 'icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: 'icon-512.png', sizes: '512x512', type: 'image/png' },
      { src: 'icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
      { src: 'icon.svg', sizes: 'any', type: 'image/svg+xml' },
    ],
  },
});

const app = defineApp('scanner', base, [ownDecoder, pwa]);

export default {
  ...app,
  // The second page is the office's: it tests whether a picture of a ticket is legible.
  build: {
    ...app.build,
    rolldownOptions: {
      input: ['index.html', 'decodifica.html'].map((page) => path.join(import.meta.dirname, page)),
    },
  },
  worker: { format: 'es' as const },
  // Pre-bundling in development would bring back the library's own decoder.
  optimizeDeps: { exclude: ['html5-qrcode', 'zxing-wasm'] },
};
