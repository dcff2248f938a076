/** The two build recipes of the browser side, so that each app's vite.config.ts is one or two lines. */
import path from 'node:path';
import react from '@vitejs/plugin-react';
import type { PluginOption, UserConfig } from 'vite';

const apps = import.meta.dirname;
const dist = path.join(apps, '..', 'dist');

/**
 * A React app: root `apps/<name>`, its own `public` folder, hashed files under `<base>assets/`, built into `dist/<name>`.
 * `base` is where the site mounts it and ends with a slash; further plugins run after React's.
 */
export function defineApp(name: string, base: string, plugins: PluginOption[] = []): UserConfig {
  return {
    root: path.join(apps, name),
    base,
    cacheDir: path.join(apps, '..', 'node_modules', '.vite', name),
    plugins: [react(), ...plugins],
    build: { outDir: path.join(dist, name), emptyOutDir: true, assetsDir: 'assets' },
  };
}

/** The seating chart: one classic script that sets the global `seatsio` before its load event. */
export function defineChart(): UserConfig {
  const root = path.join(apps, 'chart');
  return {
    root,
    publicDir: false,
    build: {
      outDir: path.join(dist, 'chart'),
      emptyOutDir: true,
      reportCompressedSize: false,
      lib: { entry: path.join(root, 'main.ts'), formats: ['iife'], name: 'seatsio', fileName: () => 'chart.js' },
    },
  };
}
