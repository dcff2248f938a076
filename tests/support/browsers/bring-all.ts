/**
 * Installs what the tests need beside npm packages (browsers, dictionary) and prints where each
 * is.
 */
import { ensureCaddy, ensureNginx, ensureSystemd } from '#tests/support/deploy/programs.ts';
import { ensureChromium, ensureShell } from './browser.ts';
import { ensureFirefox } from './firefox.ts';
import { ensureHunspell } from './spelling.ts';
import { ensureWebKit } from './webkit.ts';

console.log(`Chromium: ${ensureChromium()}`);
console.log(`headless shell: ${ensureShell()}`);
console.log(`Firefox: ${ensureFirefox()}`);
console.log(`WebKit: ${ensureWebKit()}`);
console.log(`nginx: ${ensureNginx()}`);
console.log(`Caddy: ${ensureCaddy()}`);
console.log(`systemd: ${ensureSystemd()}`);
console.log(`Italian dictionary: ${ensureHunspell()}`);
